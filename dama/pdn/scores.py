"""How PDN writes the result of a game."""

from collections.abc import Mapping
from typing import Final, Literal

from dama.game import Result
from dama.pieces import Color

Score = Literal["1-0", "0-1", "1/2-1/2", "0-0", "*"]
"""A result as PDN writes it: 0-0 is a game lost by both, ``*`` one that goes on or whose end is not known."""

DECIDED: Final[Mapping[Score, Color | None]] = {"1-0": Color.WHITE, "0-1": Color.BLACK, "1/2-1/2": None}
"""The winner of a game with this score, None for a draw."""

_SPELLINGS: Final[Mapping[str, Score]] = {
    **{score: score for score in DECIDED},
    "*": "*",
    "0-0": "0-0",
    "2-0": "1-0",
    "0-2": "0-1",
    "1-1": "1/2-1/2",
    "1/2": "1/2-1/2",
}


def parse_score(text: str) -> Score | None:
    """Return the score that a text means, of two points as well as of one, or None when it is none.

    >>> parse_score("½ – ½"), parse_score("2-0"), parse_score("3-0")
    ('1/2-1/2', '1-0', None)
    """
    return _SPELLINGS.get("".join(text.split()).replace("–", "-").replace("½", "1/2"))


def score_of(result: Result | None) -> Score:
    """Return the score of a game that has ended this way, or ``*`` while it goes on."""
    if result is None:
        return "*"
    return next(score for score, winner in DECIDED.items() if winner is result.winner)
