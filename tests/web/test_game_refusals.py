"""What a reader is told whose text is no game: in English all the rules say, else the kind and the place."""

import re

import pytest

from puzzle_service.services.games import LONGEST_GAME
from puzzle_service.web.i18n import DEFAULT, LANGUAGES
from tests.web.conftest import Visitor
from tests.web.test_games import refused

KINGS = "W:WKa1:BKh8"


@pytest.mark.parametrize(
    ("what", "sent", "names"),
    [
        ("state", {"start": "W:Wa9:Bx"}, "a9"),
        ("state", {"start": "W:Wa8:Bb5"}, "last rank"),
        ("state", {"moves": ["c3-c4", "d6-d9"]}, "d9"),
        ("state", {"moves": ["c3-c4", "d6-d4"]}, "d6-d4"),
        ("state", {"start": KINGS, "moves": ["a1-a2"]}, "the game has ended"),
        ("state", {"moves": ["a1-a2"] * (LONGEST_GAME + 1)}, "600"),
        ("pdn", {"pdn": "1. c3-c4\n  d6-d9"}, "line 2, column 3"),
        ("state", {"rules": "chess"}, "chess"),
        ("state", {"rules": "x" * 50}, "at most 40 printable characters"),
        ("state", {"ended": {"resigned": "X"}}, "resigned"),
    ],
)
def test_a_refusal_says_what_is_wrong_in_the_readers_language(
    visitor: Visitor, what: str, sent: dict[str, object], names: str
) -> None:
    said = {}
    for language in LANGUAGES:
        visitor.open(f"/about?lang={language}")
        said[language] = refused(visitor, what, **{"rules": "turkish", **sent})
    assert names in said[DEFAULT][2]
    assert len({(status, code) for status, code, _ in said.values()}) == 1
    assert len({message for _, _, message in said.values()}) == len(LANGUAGES)
    for language in ("ru", "bg"):
        assert not re.search("[A-Za-z]", said[language][2])


def test_a_refusal_keeps_the_place_in_every_language(visitor: Visitor) -> None:
    visitor.open("/about?lang=ru")
    assert "строке 2, колонке 3" in refused(visitor, "pdn", rules="turkish", pdn="1. c3-c4\n  d6-d9")[2]
    assert "Ход 2" in refused(visitor, rules="turkish", moves=["c3-c4", "d6-d4"])[2]
