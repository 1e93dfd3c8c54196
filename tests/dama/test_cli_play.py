"""The commands that play: what they print, how they end, and what they refuse."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dama.cli import main, play

PATIENCE = 120.0
"""Seconds that a busy machine may take."""
TWO = "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"


def run(*arguments: str, typed: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


def test_bestmove_tells_move_score_line_and_reason() -> None:
    result = run("bestmove", TWO, "--nodes", "5000")
    assert result.exit_code == 0
    move, score, line, reason = result.output.splitlines()
    assert (move, score, reason) == (
        "move: b7-b8",
        "score: wins in 2",
        "reason: It wins by force in 2 moves.",
    )
    assert line.startswith("line: b7-b8 d7xd2xb2xb7 b8x")


def test_bestmove_as_json_by_every_kind_of_limit() -> None:
    for limit in (["--nodes", "3000"], ["--depth", "4"], ["--time", "0.2"], ["--level", "easy"]):
        result = run("bestmove", TWO, "--json", *limit)
        found = json.loads(result.output)
        assert found["move"]["move"] == found["line"][0]
        assert found["reason"]["text"]
        assert found["mate"] is None or found["mate"] > 0
        assert found["nodes"] > 0


def test_more_nodes_than_there_are_numbers_for_are_no_limit() -> None:
    result = run("bestmove", TWO, "--nodes", "9" * 30, "--depth", "2")
    assert (result.exit_code, result.output.split()[:2]) == (0, ["move:", "b7-b8"])


def test_bestmove_on_the_diagonal_board() -> None:
    result = run("bestmove", "W:W29:B11,19,26", "--rules", "italian", "--nodes", "100")
    assert result.output.startswith("move: 29x22x15x6\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["W:Wa9:Bb2", "--nodes", "9"], 1, "a9"),
        ([TWO, "--time", "nan"], 2, "nan is no number of seconds"),
        ([TWO, "--time", "inf"], 2, "inf is no number of seconds"),
        (["W:WKa1:BKh8", "--nodes", "9"], 1, "the game has ended"),
        (["W:Wa8:Bb2", "--nodes", "9"], 1, "last rank"),
        ([TWO, "--nodes", "0"], 2, "--nodes"),
        ([TWO, "--time", "0"], 2, "--time"),
        ([TWO, "--level", "grand"], 2, "--level"),
        ([TWO, "--level", "easy", "--nodes", "9"], 2, "exclude each other"),
        ([TWO, "--rules", "chess"], 2, "--rules"),
    ],
)
def test_bestmove_refuses_in_one_line(arguments: list[str], code: int, message: str) -> None:
    result = run("bestmove", *arguments)
    assert result.exit_code == code
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_game_is_played_to_its_end() -> None:
    typed = "moves\nhelp\nfen\nnonsense\na3-a5\nd4xd6\n"
    result = run("play", "--fen", "W:Wa3,d4:Bd5", typed=typed)
    assert result.exit_code == 0
    assert "> d4xd6\n" in result.output  # the only legal move, as "moves" lists it
    assert "W:Wa3,d4:Bd5\n" in result.output
    assert "'nonsense' is not a move" in result.output
    assert "not legal" in result.output
    assert result.output.endswith("white has won: no pieces\n")


def test_moves_are_taken_back_and_a_hint_is_given() -> None:
    typed = "undo\na2-a3\nundo\nundo\nhint\nresign\n"
    result = run("play", "--fen", "W:Wa2,Ka1:Bh7,Kh8", "--level", "easy", "--seed", "1", typed=typed)
    assert result.exit_code == 0
    assert result.output.count("There is no move of yours to take back.") == 2
    assert "computer: " in result.output
    assert "line: " in result.output
    assert result.output.endswith("black has won: resignation\n")


def test_a_draw_is_offered_to_the_computer() -> None:
    declined = run("play", "--fen", "W:Wa2:Bb7,c7,d7,Kh8", typed="draw\nquit\n")
    assert "The computer wants to play on." in declined.output
    accepted = run("play", "--fen", "W:WKa1,Kb1,Kc1:Bh6", typed="draw\n")
    assert accepted.output.endswith("a draw: agreement\n")


def test_what_is_typed_may_be_no_text() -> None:
    result = run("play", "--fen", "W:Wa2:Bh7", typed=b"\xff\xfe\n\0\n")
    assert result.exit_code == 0
    assert "'\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}' is not a move" in result.output
    assert result.output.endswith("The game is left unfinished.\n")


def test_a_line_without_an_end_ends_a_game() -> None:
    result = run("play", "--fen", "W:Wa2:Bh7", typed="x" * 5000)
    assert result.exit_code == 1
    assert result.stderr == "Error: a line of 1000 characters or more was given; expected a move\n"


def test_a_game_may_have_nobody_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    main.main(["play", "--fen", "W:Wa2:Bh7"], standalone_mode=False)
    assert capsys.readouterr().out.endswith("The game is left unfinished.\n")


@pytest.mark.parametrize("color", ["black", "lot"])
def test_the_computer_begins_where_one_plays_black(color: str) -> None:
    result = run("play", "--color", color, "--level", "easy", "--seed", "1", typed="")
    assert result.exit_code == 0
    side = "black" if "You are black" in result.output else "white"
    assert ("computer: " in result.output) == (side == "black")
    assert result.output.endswith("The game is left unfinished.\n")


def test_play_refuses_a_position_of_no_game() -> None:
    result = run("play", "--fen", "W:Wa8:Bb2")
    assert result.exit_code == 1
    assert "last rank" in result.output


def test_ctrl_c_ends_a_game_while_the_computer_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    told_to_end = threading.Event()

    def endless(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        told_to_end.wait(60)

    monkeypatch.setattr(play, "best_move", endless)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = run("play", "--color", "black", "--seed", "1")
    finally:
        signal.signal(signal.SIGINT, before)
        told_to_end.set()
    assert result.exit_code == 1
    assert result.stderr.strip() == "Aborted!"


def test_match_tells_the_share_with_its_bounds() -> None:
    result = run("match", "300", "random", "--games", "2")
    assert result.exit_code == 0
    assert "300 against random, turkish, 2 games: 2 won, 0 drawn, 0 lost" in result.output
    assert "share 100.0% (95 %: 34.2% to 100.0%)" in result.output
    report = json.loads(run("match", "random", "random", "--games", "2", "--json").output)
    assert report["games"] == report["wins"] + report["draws"] + report["losses"] == 2
    assert report["share_bounds"][0] < report["share"] < report["share_bounds"][1] or report["share"] in (
        0,
        1,
    )


def test_match_by_two_processes_gives_the_same_games() -> None:
    arguments = ("match", "200", "random", "--games", "2", "--json")
    alone, together = (json.loads(run(*arguments, "--jobs", jobs).output) for jobs in ("1", "2"))
    assert {**alone, "nodes_a_second": 0} == {**together, "nodes_a_second": 0}


def test_ctrl_c_ends_a_match_and_the_processes_that_play_it() -> None:
    program = str(Path(sys.executable).with_name("dama"))
    command = [program, "match", "master", "master", "--games", "8", "--jobs", "2"]
    match = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    children = Path(f"/proc/{match.pid}/task/{match.pid}/children")
    while len(children.read_text().split()) < 3:  # two that play, and who keeps count of what they share
        assert match.poll() is None
        time.sleep(0.02)
    os.killpg(match.pid, signal.SIGINT)  # as a terminal does
    # All who play hold the other end of the pipe: it is read to its end when they are gone.
    _, errors = match.communicate(timeout=PATIENCE)
    assert (match.returncode, errors.splitlines()[-1]) == (1, "Aborted!")
    assert "Traceback" not in errors


def test_match_tells_that_all_was_lost_with_its_sign() -> None:
    result = run("match", "random", "300", "--games", "2")
    assert "share 0.0% (95 %: 0.0% to 65.8%), Elo -∞ (-∞ to +113)" in result.output


def test_match_refuses_an_unknown_player() -> None:
    result = run("match", "300", "nobody")
    assert result.exit_code == 2
    assert "unknown player 'nobody'" in result.output


def test_a_player_that_fails_in_a_match_is_told_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("def own(game, seed):\n    raise KeyError(seed)\n")
    result = run("match", f"{file}:own", "random", "--games", "2")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {file}:own has failed in W:W")
    assert result.stderr.endswith(": KeyError: 0\n")
    assert result.stderr.count("\n") == 1
