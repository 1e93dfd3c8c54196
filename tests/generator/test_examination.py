"""Examining: what is a puzzle, what refuses the rest, and every predicate's word on any position."""

from functools import partial

import pytest

from dama import Move, Position, kernel
from dama.kernel import Soundness
from dama.prove import prove
from generator import examination, quality
from generator.examination import Puzzle, examine, inspect, judge, sound_win
from generator.gate import DisagreementError
from generator.plain import PlainSolver
from generator.skeleton import skeleton
from generator.sources import Candidate
from generator.win import Win
from tests.generator.wins import BLOCKADE, IN_THREE, IN_TWO, KING_HUNT, ZUGZWANG, forms_of, win_of

MEN_ONLY = "W:Wa2,f2,b3,b4:Bd2,g3,d4"
PUZZLES = (IN_TWO, IN_THREE, KING_HUNT, ZUGZWANG, MEN_ONLY)


def examined(fen: str) -> Puzzle | str:
    return examine(Candidate(Position.from_fen(fen), "by hand"))


@pytest.mark.parametrize("fen", PUZZLES)
def test_a_puzzle_is_found_with_all_there_is_to_say_of_it(fen: str) -> None:
    puzzle = examined(fen)
    assert isinstance(puzzle, Puzzle)
    assert puzzle.proof == prove(Position.from_fen(fen))
    assert (puzzle.source, puzzle.game) == ("by hand", None)
    assert puzzle.before.position.after(puzzle.before.move) == puzzle.proof.position
    assert puzzle.skeleton == skeleton(puzzle.proof)
    assert all(check.passes for check in puzzle.checks)
    assert list(puzzle.checks) == inspect(puzzle.proof.position)
    assert puzzle == judge(Candidate(Position.from_fen(fen), "by hand"))


@pytest.mark.parametrize(
    ("fen", "name"),
    [
        ("W:Wb2,c2,e2:Bb7,d7,f7", "no win"),
        ("W:Wa2,b3,c3:Bb4,c5", "win in one"),
        ("W:WKa1,Kc5:BKa4,e6,f6", "capture"),
        ("W:Wd3,f3,b4:Bd4,f6,h7,e7", "no win"),
        ("W:WKa1,Kb4,Ke7,Kb8:BKc6", "kings"),
        ("W:WKg1,h2,h3,b4,b6,d6,d7,f7:BKa2,b3,e3,e5,h5,Kc6,a7", "size"),
        ("W:WKa1,a2:Be3,a4,h6", "first moves"),
        ("W:WKb1,Kg3:Be2,h3,e4", "one key"),
        ("W:Wf4,Kg7,h7,Kf8:BKd1", "one way"),
        ("W:WKh1,a3,a4,Kh5,Kg8:BKc3", "one against one"),
        ("W:Wa5,Kf6,Kg8:BKg1,e4", "fight"),
        ("W:WKb1,a3,a4,Kd4,Kh6:BKg5", "fight"),
        ("W:WKc3,b7:Bb2,a3,a7", "material"),
        ("W:WKb6,Ka8:Be2,Kd5,f5", "material"),
        (BLOCKADE, "economy"),
    ],
)
def test_what_is_no_puzzle_is_refused_by_name(fen: str, name: str) -> None:
    assert examined(fen) == name


@pytest.mark.parametrize("fen", [*PUZZLES, BLOCKADE, "W:WKc3,b7:Bb2,a3,a7", "W:Wa2,b3,c3:Bb4,c5"])
def test_what_refuses_a_position_is_among_the_predicates_that_fail(fen: str) -> None:
    outcome = examined(fen)
    failing = [check.name for check in inspect(Position.from_fen(fen)) if not check.passes]
    assert failing == [] if isinstance(outcome, Puzzle) else outcome in failing


@pytest.mark.parametrize(
    "fen",
    [
        IN_TWO,
        "W:Wb2,c2,e2:Bb7,d7,f7",  # no win
        "W:Wa2,b3,c3:Bb4,c5",  # in one
        "W:Wb2,c8:Bd6,e6,f6",  # a man on its last rank
        "W:Wb2,c2:B",  # over
        "B:Wb2,c2,c7,e4:Bd3,Ke2,f5,b8",  # Black to move
    ],
)
def test_inspecting_leaves_no_predicate_out(fen: str) -> None:
    checks = inspect(Position.from_fen(fen))
    assert [check.name for check in checks] == [check.name for check in inspect(Position.from_fen(IN_TWO))]
    assert all(check.reason for check in checks)
    unmeasured = [check for check in checks if check.value is None]
    assert not any(check.passes for check in unmeasured)
    assert bool(unmeasured) is not checks[0].passes


def test_the_plain_rules_inspect_alike() -> None:
    position = Position.from_fen(MEN_ONLY)
    by_kernel, by_plain = inspect(position), inspect(position, PlainSolver())
    assert [(check.name, check.passes) for check in by_kernel] == [
        (check.name, check.passes) for check in by_plain
    ]


@pytest.mark.parametrize(
    "fen",
    [
        IN_TWO,
        IN_THREE,
        ZUGZWANG,
        MEN_ONLY,
        BLOCKADE,
        "W:Wa5,Kf6,Kg8:BKg1,e4",
        "W:WKd3,d5,b7:Bb5,e6,g7",
    ],
)
def test_mirrored_and_swapped_copies_are_judged_alike(fen: str) -> None:
    verdicts = [_verdict(win.position) for win in forms_of(fen)]
    assert verdicts == verdicts[:1] * 4


def _verdict(position: Position) -> object:
    outcome = judge(Candidate(position, "by hand"))
    if isinstance(outcome, str):
        return outcome
    return outcome.themes, outcome.features, outcome.difficulty, outcome.score, outcome.skeleton


def test_a_win_needs_no_proof_to_be_told_sound_as_far_as_that_goes() -> None:
    win = sound_win(Position.from_fen(IN_TWO))
    assert isinstance(win, Win)
    assert win.proof is None
    assert sound_win(win_of(BLOCKADE).position) == "economy"


def test_a_win_that_the_kernel_makes_up_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_fen("W:Wb2,c2,e2,g2,h3,Kc8:Bb7,d7,f7,g5,h7")
    monkeypatch.setattr(kernel, "wins_in", lambda _position, _limit: 2)
    monkeypatch.setattr(kernel, "soundness", lambda _position, _moves: Soundness.SOUND)
    monkeypatch.setattr(examination, "WIN_FILTERS", ())
    monkeypatch.setattr(examination, "TREE_FILTERS", ())
    monkeypatch.setattr(examination, "prove", lambda _position, _limit: None)
    with pytest.raises(DisagreementError, match="its proof no win") as caught:
        examine(Candidate(position, "by hand"))
    assert caught.value.fen == position.fen()


def test_a_win_that_the_kernel_makes_quicker_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hasty:
        def distances(self, position: Position, limit: int) -> dict[Move, int]:
            return {move: max(1, needed - 1) for move, needed in kernel.distances(position, limit).items()}

        def wins_in(self, position: Position, limit: int) -> int | None:
            return min(self.distances(position, limit).values(), default=None)

    monkeypatch.setattr(kernel, "wins_in", lambda _position, _limit: 2)
    monkeypatch.setattr(kernel, "soundness", lambda _position, _moves: Soundness.SOUND)
    monkeypatch.setattr(quality, "FEWEST_FIRST_MOVES", {2: 10})
    monkeypatch.setattr(examination, "WIN_FILTERS", ())
    monkeypatch.setattr(examination, "TREE_FILTERS", ())
    monkeypatch.setattr(examination, "prove", partial(prove, oracle=Hasty()))
    with pytest.raises(DisagreementError) as caught:
        examined(IN_THREE)
    assert caught.value.fen == Position.from_fen(IN_THREE).fen()
