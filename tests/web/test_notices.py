"""Verdicts in words: what happened, why, and what comes next."""

from collections.abc import Callable

import pytest
from flask import Flask

from dama import Color, Move, Position
from puzzle_service.domain.attempts import State, Verdict
from puzzle_service.services.illegal import Code, Illegal
from puzzle_service.services.judging import MoveResult
from puzzle_service.web import notices

START = Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7")
KEY = START.parse_move("b7-b8")
AFTER = START.play(KEY)
REPLY = AFTER.parse_move("d7xd2xb2xb7")

Told = Callable[..., str]


@pytest.fixture
def told(words: Flask) -> Told:
    """A function that puts a verdict into words, in English unless another language is asked for."""

    def tell(
        verdict: Verdict,
        code: Code | None = None,
        *,
        move: Move | None = KEY,
        reply: Move | None = None,
        refutation: list[Move] | None = None,
        position: Position = START,
        state: State = "open",
        slow_left: int = 3,
        late: bool = False,
        daily: bool = True,
        language: str = "en",
        **params: object,
    ) -> str:
        result = MoveResult(
            verdict=verdict,
            move=move,
            reply=reply,
            position=position,
            attempt=1,
            ply=0,
            attempts_left=2,
            slow_left=slow_left,
            state=state,
            refutation=refutation,
            solution=None,
            late=late,
            illegal=None if code is None else Illegal(code, params),
        )
        with words.test_request_context(f"/?lang={language}"):
            if daily:
                return str(notices.verdict(result, Color.BLACK, 2, streak=4 if state != "open" else None))
            return str(notices.practice_verdict(result, Color.BLACK, 2))

    return tell


def _move(origin: str, target: str, *captured: int, promotes: bool = False) -> Move:
    squares = [ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1) for name in (origin, target)]
    return Move.from_paths([tuple(squares)], frozenset(captured), promotes=promotes)


def test_a_right_move(told: Told) -> None:
    assert told("continue", reply=REPLY) == (
        "b7–b8 is right. Black answers d7×d2×b2×b7 and takes 3 pieces. Find the win in 2."
    )
    assert told("continue", reply=_move("c2", "c1", 9, promotes=True)).split(". ")[1] == (
        "Black answers c2×c1, takes 1 piece and crowns"
    )


def test_a_wrong_move(told: Told) -> None:
    crowns = [_move("c2", "c1", promotes=True)]
    move = _move("d3", "e3")
    assert told("wrong", move=move, refutation=crowns) == (
        "d3–e3 does not win. Black answers c2–c1 and crowns: no win in 2 any more. Try again from the start."
    )
    assert told("wrong", move=move, refutation=crowns, state="failed").endswith(
        "no win in 2 any more. That was the last attempt: here is the solution."
    )
    assert told("wrong", move=move, refutation=crowns, language="tr") == (
        "d3–e3 kazandırmaz. Siyah c2–c1 ile yanıt verir ve dama çıkar: artık 2 hamlede kazanç yok. "
        "Baştan deneyin."
    )


def test_a_wrong_move_that_ends_the_game_has_no_reply(told: Told) -> None:
    assert told("wrong") == "b7–b8 does not win. No win in 2 any more. Try again from the start."


def test_a_move_that_wins_too_slowly_is_told_so(told: Told) -> None:
    """A move that wins too slowly is told so (lila#13603)."""
    assert told("slow", slow_left=2) == (
        "b7–b8 wins, but one move later. It is taken back and costs nothing. Find the win in 2. "
        "2 late wins left to take back."
    )
    assert told("slow", slow_left=0).endswith("The next late win counts as wrong.")
    assert told("slow", daily=False).endswith("Find the win in 2.")


def test_a_fourth_slow_move_counts_as_wrong(told: Told) -> None:
    assert told("wrong", late=True) == (
        "b7–b8 wins too late once more. No more late wins are taken back, so it counts as wrong. "
        "Try again from the start."
    )


def test_the_end(told: Told) -> None:
    nothing_left = Position.from_fen("B:WKa1:B")
    blocked = Position.from_fen("B:Wa1,b2,c2:Ba2")
    assert told("solved", position=nothing_left, state="solved") == (
        "b7–b8 wins. Black has no piece left. Solved on the first attempt. Streak 4."
    )
    assert "Black has no move left." in told("solved", position=blocked, state="solved")
    assert "Streak" not in told("solved", position=nothing_left, state="solved", daily=False)


@pytest.mark.parametrize(
    ("code", "params", "begins"),
    [
        ("notation", {"text": "x9"}, "“x9” is not a move. Type two squares, or every stop"),
        ("not_legal", {"text": "a1-a2"}, "a1–a2 is not possible here. No attempt is used up."),
        (
            "must_capture",
            {"text": "d3-e3", "pieces": ["b4", "g4"]},
            "d3–e3 is not possible: capturing is compulsory. b4 and g4 must capture. No attempt is used up.",
        ),
        (
            "must_take_most",
            {"text": "d3xd5", "count": 2},
            (
                "d3×d5 is not possible. A capture must take the most it can: 2 pieces here. "
                "No attempt is used up."
            ),
        ),
        (
            "ambiguous",
            {"text": "d3xd5", "meanings": [["d3xb3xd5", ["c3", "c5"]], ["d3xf3xd5", ["e3", "e5"]]]},
            "d3×d5 fits several captures. Type every stop of the one you mean: d3×b3×d5 (takes c3 c5) or d3×",
        ),
    ],
)
def test_an_illegal_move_says_what_is_expected(
    told: Told, code: Code, params: dict[str, object], begins: str
) -> None:
    assert told("illegal", code, move=None, **params).startswith(begins)


def test_after_the_end(told: Told) -> None:
    assert told("over", move=None, state="solved").startswith("You have solved this puzzle already.")
    assert told("over", move=None, state="failed").startswith("All attempts at this puzzle are spent.")
