"""Explaining a position: every predicate with its value, and why it is no puzzle."""

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.difficulty import WEIGHTS

TRAP = "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5"
PREDICATES = (
    "no win", "win in one", "size", "kings", "no game", "capture", "first moves", "fight", "material",
    "exclusive", "economy", "no move before", "one key", "one way", "last move", "one against one",
)  # fmt: skip


def explained(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments])


def test_a_puzzle_is_explained_in_full() -> None:
    result = explained(TRAP)
    assert result.exit_code == 0
    for word in (*PREDICATES, *WEIGHTS):
        assert f"\n  {word} " in result.stdout
    for word in (
        "wins in 3: g4-f4",
        "180° trap",
        "difficulty",
        "skeleton",
        "g4-g5 is refuted by f5xh5 alone",
    ):
        assert word in result.stdout


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("W:Wb2,c2,e2:Bb7,d7,f7", "no win within 3 moves (no win)"),
        ("W:Wa2,b3,c3:Bb4,c5", "the win takes a single move (win in one)"),
        ("W:WKa1,Kc5:BKa4,e6,f6", "a capture to begin with (capture)"),
        ("W:WKb1,Kg3:Be2,h3,e4", "a second first move wins (one key)"),
        ("W:Wa2:B", "no win within 3 moves (no win)"),
        ("W:Wa8:Bb3", "no win within 3 moves (no win)"),
        ("B:Wa5:Bb7", "no win within 3 moves (no win)"),
    ],
)
def test_what_refuses_a_position_is_told(fen: str, reason: str) -> None:
    result = explained(fen)
    assert result.exit_code == 0
    name = reason[reason.index("(") + 1 : -1]
    assert any(name in line and "REFUSED" in line for line in result.stdout.splitlines())
    for word in PREDICATES:
        assert f"\n  {word} " in result.stdout


@pytest.mark.parametrize(
    ("fen", "told"), [("W:Wz9:B", "z9"), ("nonsense", "nonsense"), ("W:Wa2,a2:B", "a2"), ("", "''")]
)
def test_a_text_that_is_no_position_is_told_in_one_line(fen: str, told: str) -> None:
    result = explained(fen)
    assert result.exit_code == 1
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_wrong_usage() -> None:
    assert explained().exit_code == 2
    assert explained(TRAP, TRAP).exit_code == 2


def test_everything_measured_that_refuses_is_told_first() -> None:
    lines = explained("W:Wa8:Bb3").stdout.splitlines()
    assert [line for line in lines if line.startswith("no puzzle: ")] == [
        "no puzzle: no win within 3 moves (no win)",
        "no puzzle: not 5 to 14 pieces (size)",
        "no puzzle: no game has this position, or it is over (no game)",
        "no puzzle: no legal move of the defender's leads here (no move before)",
    ]
