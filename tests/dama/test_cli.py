"""The program ``dama``: what it prints, and how it refuses."""

import json
import os
import signal
import sys
import threading

import pytest
from click.testing import CliRunner, Result

from dama import Position, kernel
from dama.cli import main
from dama.proof import Proof

TWO = "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_show_draws_the_board_and_says_how_it_stands() -> None:
    result = run("show", TWO)
    assert result.exit_code == 0
    assert result.output.splitlines()[0] == "8 . . . . . . . ."
    assert "7 . w . B . . . ." in result.output
    assert result.output.endswith("white to move, 12 legal moves\n")


def test_show_names_defects_and_the_end() -> None:
    assert "defect: white man on its last rank: a8" in run("show", "W:Wa8:Bb2").output
    assert "white has won: no pieces" in run("show", "B:Wa2:B").output
    assert "draw: king vs king" in run("show", "B:WKa2:BKh8").output
    assert "black to move" in run("show", "--rules", "turkish-yoz", "B:WKa2:BKh8").output


def test_show_draws_the_diagonal_board_with_its_light_squares_left_out() -> None:
    lines = run("show", "--rules", "italian", "W:W29-32,K18:BK1,12").output.splitlines()
    assert lines[:8] == [
        " 1 B   .   .   .",
        " 5   .   .   .   .",
        " 9 .   .   .   b",
        "13   .   .   .   .",
        "17 .   W   .   .",
        "21   .   .   .   .",
        "25 .   .   .   .",
        "29   w   w   w   w",
    ]
    assert lines[8:] == ["W:WK18,29,30,31,32:BK1,12", "white to move, 11 legal moves"]


def test_moves_on_the_diagonal_board() -> None:
    assert run("moves", "--rules", "italian", "W:W29:B11,19,26").output == "29x22x15x6\n"
    assert run("moves", "--rules", "italian", "W:W22,32:BK18").output == "22-19\n32-28\n"


def test_moves_as_text_and_json() -> None:
    assert run("moves", "W:Wb3:Bb4,c5").output == "b3xb5xd5\n"
    assert json.loads(run("moves", "W:Wb3:Bb4,c5", "--json").output) == [
        {
            "move": "b3xb5xd5",
            "from": "b3",
            "to": "d5",
            "captured": ["b4", "c5"],
            "promotes": False,
            "paths": [["b3", "b5", "d5"]],
        }
    ]


def test_perft_prints_the_count_and_divides_it() -> None:
    assert run("perft", "--depth", "5").output == "85090\n"
    assert run("perft", "--depth", "5", "--rules", "italian").output == "7361\n"
    counted = json.loads(run("perft", "--depth", "4", "--rules", "turkish-yoz", "--json").output)
    assert counted["nodes"] == 7538
    assert counted["seconds"] >= 0
    divided = run("perft", "--depth", "3", "--divide").output.splitlines()
    assert len(divided) == 9
    assert divided[-1] == "708"
    assert sum(int(line.split()[1]) for line in divided[:-1]) == 708
    assert run("perft", "--fen", "W:Wb3:Bb4,c5", "--depth", "1").output == "1\n"


def test_prove_finds_the_key_and_gives_its_proof() -> None:
    assert run("prove", TWO).output.startswith("wins in 2 by b7-b8: b7-b8 ")
    found = json.loads(run("prove", TWO, "--json").output)
    assert (found["wins_in"], found["keys"]) == (2, ["b7-b8"])
    Proof.from_json(Position.from_fen(TWO), 2, found["proof"]).walk()


def test_prove_says_so_when_there_is_no_win() -> None:
    fen = Position.start().fen()
    assert run("prove", fen).output == "no win within 3\n"
    assert json.loads(run("prove", fen, "--json").output) == {"wins_in": None, "keys": [], "proof": None}


def test_ctrl_c_is_heard_while_the_kernel_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    told_to_end = threading.Event()

    def endless(*_: object) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        told_to_end.wait(60)
        return 0

    monkeypatch.setattr(kernel, "perft", endless)
    # Whoever starts the tests in the background may have told them to ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = run("perft", "--depth", "20")
    finally:
        signal.signal(signal.SIGINT, before)
        told_to_end.set()
    assert result.exit_code == 1
    assert result.stderr.strip() == "Aborted!"


def test_what_the_kernel_has_no_room_for_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OverflowError("too many moves for the kernel in lines from …")

    monkeypatch.setattr(kernel, "perft", full)
    result = run("perft", "--depth", "2")
    assert result.exit_code == 1
    assert result.stderr == "Error: too many moves for the kernel in lines from …\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "W:Wa9:Bb2"), "'a9' is no square"),
        (("show", "W:Wa2:Bb2", "--rules", "italian"), "'a2' is no square 1…32"),
        (("moves", "rubbish"), "'rubbish' is not a position"),
        (("perft", "--fen", "W:Wa1,a1:B", "--depth", "2"), "a1 is used twice"),
        (("prove", "W:Wa8:Bb2"), "white man on its last rank: a8"),
        (("prove", "W:WKa1:BKh8"), "the game has ended, a draw: king vs king"),
    ],
)
def test_an_expected_failure_is_one_line_and_exit_1(arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("fly",),
        ("show",),
        ("perft",),
        ("perft", "--depth", "0"),
        ("moves", TWO, "--rules", "chess"),
        ("prove", TWO, "--moves", "9"),
    ],
)
def test_wrong_usage_is_exit_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_nobody_needs_to_read_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    main.main(["show", TWO], standalone_mode=False)


def test_a_fault_of_the_program_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(*_: object) -> int:
        raise RuntimeError("kernel and plain rules\ndisagree")

    monkeypatch.setattr(kernel, "perft", faulty)
    monkeypatch.setattr(sys, "argv", ["dama", "perft", "--depth", "2"])
    with pytest.raises(SystemExit, match="1"):
        main()
    told = "a fault of the program, please report it: RuntimeError: kernel and plain rules disagree"
    assert capsys.readouterr().err == f"Error: {told}\n"
