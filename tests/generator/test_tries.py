"""Tries: wrong first moves that one reply alone refutes."""

import pytest

from dama import kernel
from generator.tries import close_tries, tries
from generator.win import Win
from tests.generator.wins import IN_THREE, IN_TWO, KING_HUNT, forms_of, win_of


def refutations(win: Win, text: str) -> list[str]:
    after = win.position.play(text)
    return [
        str(reply) for reply in after.legal_moves if kernel.wins_in(after.after(reply), win.moves - 1) is None
    ]


@pytest.mark.parametrize(
    ("fen", "expected", "close"),
    [
        (IN_TWO, {"b3-b4": ["d7xd2xb2xb5xb8"], "d5-d6": ["d7xd2xb2xb4xb8"]}, 0),
        (IN_THREE, {"g4-g5": ["f5xh5"]}, 0),
        (
            KING_HUNT,
            {
                "a2-c2": ["c1xc3", "c8xc1"],  # one of five replies
                "a2-d2": ["d3xd1"],
                "c8-c3": ["d3xa3xa1"],
                "c8-c6": ["c1xc7"],  # one of two
            },
            2,
        ),
        ("W:WKb4,e4:Bd2,h3,e6", {}, 0),  # two replies at least refute every wrong move
    ],
)
def test_tries_and_their_lines(fen: str, expected: dict[str, list[str]], close: int) -> None:
    win = win_of(fen)
    found = tries(win)
    assert found == expected
    assert list(found) == [text for text in map(str, win.position.legal_moves) if text in found]
    assert close_tries(win, found) == close


@pytest.mark.parametrize("fen", [IN_TWO, KING_HUNT, "W:WKb1,Ke1,f3,f5:Bd3,f4,f7"])
def test_a_try_has_the_one_refutation_that_its_line_begins_with(fen: str) -> None:
    win = win_of(fen)
    found = tries(win)
    for text, line in win.whole_proof.root["refuted"].items():
        answers = refutations(win, text)
        assert (answers == line[:1]) is (text in found)


def test_slow_moves_are_no_tries() -> None:
    win = win_of("W:WKb1,Ke1,f3,f5:Bd3,f4,f7")
    assert win.whole_proof.root["slow"]
    assert not set(win.whole_proof.root["slow"]) & set(tries(win))


def test_mirrored_and_swapped_wins_have_as_many() -> None:
    for fen in (IN_TWO, IN_THREE, KING_HUNT):
        assert len({(len(found := tries(win)), close_tries(win, found)) for win in forms_of(fen)}) == 1
