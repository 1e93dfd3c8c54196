"""Sources of candidates: seeded, White to move, positions of games, and each good at what it is for."""

from collections.abc import Callable
from functools import cache
from itertools import islice
from random import Random

import pytest

from dama import RULESETS, Color, Position, kernel
from dama.kernel import Soundness
from generator.mix import DEFAULT
from generator.quality import has_few_kings, has_right_size, is_of_a_game, is_quiet, piece_counts
from generator.sources import Before, Candidate, Source
from generator.sources.choice import MOST_LEAD, has_quiet_choice, is_level, is_siege, lead

SOURCES = {each.source.name: each.source for each in DEFAULT}
NUMBERS = {"mutation": 1, "retrograde, four plies": 12, "retrograde from blocked": 12, "retrograde": 30}
"""Candidates looked at of the sources that work long on each."""
OTHERS = 150


def drawn(name: str, seed: int, number: int) -> list[Candidate]:
    source: Source = SOURCES[name]
    return list(islice(source.candidates(Random(seed), RULESETS["turkish"]), number))


@cache
def candidates(name: str) -> list[Candidate]:
    return drawn(name, 1, NUMBERS.get(name, OTHERS))


def share(found: list[Candidate], holds: Callable[[Position], bool]) -> float:
    return sum(holds(candidate.position) for candidate in found) / len(found)


def wins_in(moves: int) -> Callable[[Position], bool]:
    return lambda position: kernel.wins_in(position, 3) == moves


@pytest.mark.parametrize("name", SOURCES)
def test_the_seed_alone_decides(name: str) -> None:
    first = candidates(name)[: max(1, NUMBERS.get(name, OTHERS) // 4)]
    assert drawn(name, 1, len(first)) == first
    assert drawn(name, 2, len(first)) != first


@pytest.mark.parametrize("name", SOURCES)
def test_candidates_can_be_puzzles(name: str) -> None:
    for candidate in candidates(name):
        position = candidate.position
        assert candidate.source == name
        assert position.turn is Color.WHITE
        assert position.rules is RULESETS["turkish"]
        assert position.status() == []
        assert is_of_a_game(position)
        assert has_right_size(position)
        assert is_quiet(position)
        assert has_quiet_choice(position)


def test_no_two_sources_draw_the_same() -> None:
    positions = {name: {candidate.position.fen() for candidate in candidates(name)} for name in SOURCES}
    names = list(positions)
    for place, name in enumerate(names):
        for other in names[place + 1 :]:
            assert positions[name] != positions[other]


@pytest.mark.parametrize("name", SOURCES)
def test_only_positions_that_were_played_have_a_past(name: str) -> None:
    for candidate in candidates(name):
        was_played = name == "self-play"
        assert (candidate.before is not None) is was_played
        assert (candidate.game is not None) is was_played


@pytest.mark.parametrize(("name", "moves"), [("retrograde", 2), ("retrograde, four plies", 3)])
def test_retrograde_candidates_are_wins_of_their_length_with_one_key(name: str, moves: int) -> None:
    for candidate in candidates(name):
        assert kernel.wins_in(candidate.position, 3) == moves
        assert kernel.soundness(candidate.position, moves) is Soundness.SOUND
        assert is_level(candidate.position)
        assert has_few_kings(candidate.position)


@pytest.mark.parametrize("name", ["random placement", "random placement, mostly men", "thinned middlegame"])
def test_chance_is_hardly_ever_won(name: str) -> None:
    found = candidates(name)
    assert share(found, wins_in(2)) < 0.1
    assert share(found, wins_in(3)) < 0.1


def test_positions_from_blocked_endings_are_sieges_that_end_with_pieces_locked_in() -> None:
    found = candidates("retrograde from blocked")
    assert {kernel.wins_in(candidate.position, 3) for candidate in found} <= {2, 3}
    assert all(is_siege(candidate.position) for candidate in found)
    assert any(locks_in(candidate.position) for candidate in found)
    assert not any(locks_in(candidate.position) for candidate in candidates("retrograde"))


def locks_in(position: Position) -> bool:
    """Tell whether a line of the quickest win ends with all of Black's pieces on the board."""
    moves = kernel.wins_in(position, 3)
    assert moves is not None
    after = position.after(kernel.winning_moves(position, moves)[0])
    if after.outcome() is not None:
        return bool(after.pieces(Color.BLACK).all)
    return any(locks_in(after.after(reply)) for reply in after.legal_moves)


def test_placement_is_level_and_kings_are_rare_when_asked() -> None:
    for candidate in candidates("random placement"):
        solver, defender = piece_counts(candidate.position)
        assert defender - 2 <= solver <= defender + 1
        assert defender >= 3
        assert lead(candidate.position) <= MOST_LEAD
        kings = candidate.position.white_kings, candidate.position.black_kings
        assert max(side.bit_count() for side in kings) <= 2

    def has_kings(position: Position) -> bool:
        return bool(position.white_kings | position.black_kings)

    assert share(candidates("random placement"), has_kings) > 0.6
    assert share(candidates("random placement, mostly men"), has_kings) < 0.5


def test_self_play_knows_the_move_really_played() -> None:
    found = candidates("self-play")
    assert len({candidate.game for candidate in found}) > 1
    for candidate in found:
        assert candidate.before is not None
        assert candidate.before.position.turn is Color.BLACK
        assert candidate.before.position.status() == []
        assert candidate.before.position.play(candidate.before.move) == candidate.position


def test_thinned_middlegames_are_level_and_of_many_sizes() -> None:
    found = candidates("thinned middlegame")
    assert all(is_level(candidate.position) for candidate in found)
    assert len({sum(piece_counts(candidate.position)) for candidate in found}) > 4


def test_a_candidate_is_shown_with_white_to_move() -> None:
    before = Position.from_fen("W:Wb2,Kh1:Bd7,e7,Ka8")
    move = before.parse_move("b2-c2")
    candidate = Candidate(before.play(move), "self-play", Before(before, move), 7)
    seen = candidate.seen_by_white()
    assert seen.position == candidate.position.swapped()
    assert seen.before is not None
    assert seen.before.position.play(str(seen.before.move)) == seen.position
    assert (seen.source, seen.game) == ("self-play", 7)
    assert seen.seen_by_white() is seen


@pytest.mark.parametrize(
    ("fen", "level"),
    [
        ("W:Wa2,b2,c2,d2:Be5,f5,g5", True),  # a piece more, and a man up
        ("W:Wa2,b2:Be5,f5,g5,h5,a6", True),
        ("W:Wa2,b2,c2,d2,e2:Be5,f5,g5", False),  # two pieces more
        ("W:Wa2,b2,c2:Be5,f5", False),  # no fight against two
        ("W:WKa2,b2,c2:Be5,f5,g5", False),  # three and a half men up
        ("W:WKa2,b2,c2:BKe5,f5,g5", True),
        ("B:Wa2,b2,c2:BKe5,f5,g5", False),  # seen from the side to move
    ],
)
def test_a_level_position(fen: str, level: bool) -> None:
    assert is_level(Position.from_fen(fen)) is level


@pytest.mark.parametrize(
    ("fen", "moves", "has_choice"),
    [
        ("W:WKa1,b2:Be7,f7,g7", 2, True),
        ("W:Wb2,c4,f4,h2:Be7,f7,g7", 3, True),  # ten moves
        ("W:Wb2,c4,f4,h2:Be7,f7,g7", 2, False),
        ("W:WKa1,b2:Ba5,f7,g7", 2, False),  # a capture
        ("W:Wa2,b2:Be7,f7,g7", 3, False),  # few moves
    ],
)
def test_a_choice_of_quiet_moves(fen: str, moves: int, has_choice: bool) -> None:
    assert has_quiet_choice(Position.from_fen(fen), moves) is has_choice
