"""``dama pdn``: checks and conversions of files, and how they are refused."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dama import Position
from dama.cli import main, pdn

GOOD = '[White "Ayşe"]\n1. d3d4 {Begins.} d6d5 (1... c6c5) 2. d4:d8 1-0\n\n[White "B"] 1. c3c4 *\n'
STANDARD = """\
[White "Ayşe"]
[Result "1-0"]
[GameType "30,W,8,8,A0,0"]
[Rules "turkish"]

1. d3-d4 {Begins.} 1... d6-d5 (1... c6-c5) 2. d4xd6xd8 1-0

[White "B"]
[Result "*"]
[GameType "30,W,8,8,A0,0"]
[Rules "turkish"]

1. c3-c4 *
"""
BAD = '[White "A"]\n1. c3c5 *\n[White "B"]\n1. c3c4 *\n[Result "1-0"] 1. c3c4 0-1\n'


def run(*arguments: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(main, ("pdn", *arguments), input=given)


@pytest.fixture
def good(tmp_path: Path) -> str:
    file = tmp_path / "good.pdn"
    file.write_text(GOOD, encoding="utf-8")
    return str(file)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    file = tmp_path / "bad.pdn"
    file.write_text(BAD, encoding="utf-8")
    return str(file)


def test_a_good_file_is_passed_in_silence(good: str) -> None:
    result = run("check", good)
    assert (result.exit_code, result.output) == (0, "")
    assert run("check", "-", given=GOOD).exit_code == 0


def test_every_problem_is_a_line_with_its_place(bad: str) -> None:
    result = run("check", bad)
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert [line.split(": ")[0] for line in lines] == [f"{bad}:2:4", f"{bad}:5:24"]
    assert "'c3c5' is not legal in W:Wa2" in lines[0]
    assert lines[1].endswith("the result is 0-1 here, but 1-0 in the headers")
    assert result.stderr == ""


def test_the_standard_input_is_called_as_it_was_given() -> None:
    assert run("check", "-").stdout == "-:1:1: there is no game; expected headers or moves\n"
    assert run("check", "-", given=b"1. c3c4 {\xfe}").stdout.startswith("-:1:10: byte 0xfe is not UTF-8")


def test_rules_are_for_games_that_do_not_name_theirs() -> None:
    around = '[FEN "W:WKa1,Kb1:BKg8,Kh8"]' + " a1a2 h8h7 a2a1 h7h8" * 2 + " a1a2 *"
    assert run("check", "-", given=around).exit_code == 1
    assert run("check", "-", "--rules", "turkish-yoz", given=around).exit_code == 0
    assert run("check", "-", "--rules", "italian", given="1. 22-18 *").exit_code == 0


def test_games_are_converted_to_standard_pdn(good: str) -> None:
    result = run("convert", good)
    assert (result.exit_code, result.output) == (0, STANDARD)
    assert run("convert", "-", given=STANDARD).output == STANDARD


def test_games_are_converted_to_json(good: str) -> None:
    first, second = json.loads(run("convert", good, "--to", "json").output)
    assert (first["headers"], second["headers"]) == ({"White": "Ayşe"}, {"White": "B"})
    assert [move["move"] for move in first["moves"]] == ["d3-d4", "d6-d5", "d4xd6xd8"]
    assert first["moves"][0]["fen"] == Position.start().play("d3-d4").fen()


def test_games_are_converted_to_the_positions_of_their_main_lines(good: str) -> None:
    start = Position.start()
    fens = run("convert", good, "--to", "fen").output.splitlines()
    assert len(fens) == 6
    assert (fens[0], fens[1], fens[4]) == (start.fen(), start.play("d3-d4").fen(), start.fen())


def test_nothing_is_converted_when_a_game_cannot_be_read(bad: str) -> None:
    result = run("convert", bad)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: {bad}:2:4: 'c3c5' is not legal")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["check", "convert"])
def test_a_file_that_cannot_be_read_is_named(command: str) -> None:
    # Nothing is mapped where this file begins.
    result = run(command, "/proc/self/mem")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: '/proc/self/mem' cannot be read: Input/output error\n"


def test_a_file_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdn, "_MOST_BYTES", 2 << 20)
    result = run("check", "/dev/zero")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: '/dev/zero' is too long; expected at most 2 MiB\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("check", "no such file.pdn"),
        ("check", "-", "--rules", "chess"),
        ("convert", "-", "--to", "xml"),
        ("mend", "-"),
    ],
)
def test_wrong_usage_is_exit_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2
