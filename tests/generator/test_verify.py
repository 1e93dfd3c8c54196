"""Verifying: a true record passes, a false word is told, no fault in a proof goes unseen, no lie either."""

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dama import Move, Position, kernel
from dama.kernel import Soundness
from dama.proof import Proof
from generator import faults, verify
from generator.cli import main
from generator.examination import Puzzle, examine
from generator.faults import missed_faults
from generator.plain import PlainSolver
from generator.pool import Entry, PoolError, read_entry
from generator.record import write_record
from generator.sources import Candidate
from generator.verify import VerificationError, compare, inject_faults, random_positions
from tests.generator.runs import run_here

TWO = "W:WKb2,d6,e6:BKg1,Kh4,b5,b6"
THREE = "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5"
BLOCKADE = "W:Wa2,b3,b4,c4,Kc5:Ba6"


@cache
def line_of(fen: str) -> str:
    puzzle = examine(Candidate(Position.from_fen(fen), "file"))
    assert isinstance(puzzle, Puzzle), puzzle
    return write_record(puzzle, 1, 0).line


def entry_of(fields: dict[str, Any]) -> Entry:
    return read_entry("pool, line 1", json.dumps(fields), fields)


def fields_of(fen: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(line_of(fen))
    return fields


def test_a_record_of_the_diagonal_board_is_refused() -> None:
    fields = fields_of(TWO) | {"rules": "italian", "fen": "W:W21:B1"}
    with pytest.raises(
        PoolError, match="line 1: rules: 'italian'; expected rules for the board of 64 squares"
    ):
        entry_of(fields)


@pytest.mark.parametrize("fen", [TWO, THREE, BLOCKADE])
def test_a_true_record_passes(fen: str) -> None:
    verify.verify(entry_of(fields_of(fen)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", "0123456789abcdef"),
        ("moves", 2),
        ("key", "a7-a8"),
        ("first_moves", 11),
        ("difficulty", 17.0),
        ("score", 99.0),
        ("skeleton", "m-N"),
        ("themes", ["sacrifice"]),
        ("tries", {}),
        ("source", "self-play"),
    ],
)
def test_a_false_word_is_told_with_the_position(name: str, value: object) -> None:
    with pytest.raises(VerificationError, match=f"{THREE.split(':')[1]}.*by the plain rules") as caught:
        verify.verify(entry_of(fields_of(THREE) | {name: value}))
    told = "score" if name == "source" else name
    assert f" {told} is " in str(caught.value)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda fields: fields["features"].update(given=0),
        lambda fields: fields["checks"].update(fight="9 against 9"),
        lambda fields: fields["checks"].update(material=7.0),
        lambda fields: fields["checks"].pop("economy"),
        lambda fields: fields["proof"]["slow"].append("a7-a8"),
        lambda fields: fields["proof"]["wins"]["g4-f4"].clear(),
        lambda fields: fields["previous"].update(move="h7-h6", fen=fields["fen"]),
        lambda fields: fields["previous"].update(fen="B:Wa2:Bh7"),
        lambda fields: fields["previous"].clear(),
        lambda fields: fields.pop("previous"),
    ],
)
def test_a_false_detail_is_told(spoil: Callable[[dict[str, Any]], object]) -> None:
    fields = copy.deepcopy(fields_of(THREE))
    spoil(fields)
    with pytest.raises(VerificationError, match=r"^pool, line 1: W:Wd3"):
        verify.verify(entry_of(fields))


def test_what_passes_no_filter_is_told_by_the_filter() -> None:
    fields = fields_of(THREE) | {"fen": "W:Wd3,g3,g4,a7,a2:Bc2,a3,h6,e7,Kf5"}
    with pytest.raises(VerificationError):
        verify.verify(entry_of(fields))


@pytest.mark.parametrize("fen", [TWO, THREE, BLOCKADE])
def test_no_fault_goes_unseen(fen: str) -> None:
    entry = entry_of(fields_of(fen))
    tried, missed = missed_faults(entry.proof())
    assert missed == []
    assert tried == inject_faults(entry) >= 10
    assert entry.proof() == entry_of(fields_of(fen)).proof()


@pytest.mark.parametrize("name", faults.FAULTS)
def test_every_kind_of_fault_is_put_in_and_really_is_one(name: str) -> None:
    true = entry_of(fields_of(THREE)).proof()
    spoilt = Proof(true.position, true.moves, copy.deepcopy(true.root))
    tried = 0
    for faulty in faults.FAULTS[name](spoilt):
        assert (faulty.moves, faulty.root) != (true.moves, true.root)
        tried += 1
    assert tried >= 2
    assert spoilt == true


def test_a_checker_that_sees_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Proof, "search_wins", lambda _proof: None)
    entry = entry_of(fields_of(TWO))
    tried, missed = missed_faults(entry.proof())
    assert len(missed) == tried
    assert set(missed) == set(faults.FAULTS)
    with pytest.raises(VerificationError, match="nobody sees a dropped defence"):
        inject_faults(entry)


def test_kernel_and_plain_rules_agree_on_random_positions() -> None:
    won = [compare(position) for position in random_positions(1, 0, 16)]
    assert won.count(None) == 8
    assert {2, 3} <= set(won)


def test_random_positions_depend_on_seed_and_number_alone() -> None:
    first, again, other, another = (
        list(random_positions(*key, 12)) for key in ((1, 0), (1, 0), (2, 0), (1, 1))
    )
    assert first == again
    assert len({tuple(each) for each in map(tuple, (first, other, another))}) == 3


def _lie_about_the_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "wins_in", lambda _position, _limit: None)


def _lie_about_the_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    true = kernel.distances

    def all_but_the_last(position: Position, limit: int) -> dict[Move, int]:
        return dict(list(true(position, limit).items())[:-1])

    monkeypatch.setattr(kernel, "distances", all_but_the_last)


def _lie_about_soundness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "soundness", lambda _position, _moves: Soundness.DUAL)


def _lie_about_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    true = kernel.distances

    def blind(position: Position, limit: int) -> dict[Move, int]:
        return true(position, limit) if position.rules.name == "turkish" and position.rules.priorities else {}

    monkeypatch.setattr(kernel, "distances", blind)


@pytest.mark.parametrize(
    "lie", [_lie_about_the_distance, _lie_about_the_moves, _lie_about_soundness, _lie_about_other_rules]
)
def test_a_lying_kernel_is_found_out(
    lie: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position.from_fen(TWO)
    assert compare(position) == 2
    lie(monkeypatch)
    with pytest.raises(VerificationError, match=r"W:WKb2,d6,e6:BKg1,Kh4,b5,b6: "):
        compare(position)


@pytest.mark.parametrize(
    "fen",
    [
        TWO,
        THREE,
        BLOCKADE,
        "W:WKb1,Kg3:Be2,h3,e4",
        "W:Wf4,Kg7,h7,Kf8:BKd1",
        "W:WKb1,Ka8:Bf2,Kh6,g7",
        "W:WKh1,a3,a4,Kh5,Kg8:BKc3",
        "W:WKa1:BKc1",
        "W:Wb2,c2,e2:Bb7,d7,f7",
        "W:Wa2,b3,c3:Bb4,c5",
    ],
)
@pytest.mark.parametrize("moves", [1, 2, 3])
def test_the_plain_rules_judge_soundness_as_the_kernel_does(fen: str, moves: int) -> None:
    position = Position.from_fen(fen)
    assert PlainSolver().soundness(position, moves) is kernel.soundness(position, moves)


def run(*arguments: str | Path) -> Result:
    return run_here("verify", *arguments)


def test_the_command_verifies_files_and_random_positions(tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    path.write_text("".join(line_of(fen) + "\n" for fen in (TWO, THREE, BLOCKADE)))
    # By a process of its own, which takes what it is given, and gives what it finds, as bytes.
    arguments = (path, "--faults", "--random", "6", "--seed", "1")
    result = CliRunner().invoke(main, ["verify", *map(str, arguments)])
    assert result.exit_code == 0, result.stderr
    assert "3 puzzles are as their records say" in result.stdout
    assert "faults put into their proofs, all found" in result.stdout
    assert "6 random positions, 3 of them won" in result.stdout
    result = run(path, "--sample", "1", "--seed", "1")
    assert "1 puzzles are as their records say" in result.stdout


def test_the_command_stops_at_the_first_difference(tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    false = json.dumps(fields_of(TWO) | {"difficulty": 0.0})
    path.write_text(f"{line_of(THREE)}\n{false}\n")
    result = run(path)
    assert result.exit_code == 1
    assert f"{path}, line 2: {TWO}: by the plain rules difficulty is " in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((), 2, "--random"),
        (("nowhere",), 2, "nowhere"),
        (("--random", "0"), 2, "--random"),
        (("--random", "1", "--jobs", "0"), 2, "--jobs"),
        ((__file__,), 1, "line 1: no JSON"),
        ((__file__, "--sample", "0"), 2, "--sample"),
    ],
)
def test_wrong_usage_and_wrong_files_are_told(arguments: tuple[str, ...], code: int, told: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert told in result.stderr
