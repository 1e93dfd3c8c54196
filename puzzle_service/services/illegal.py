"""Illegal moves: why a text is none of the legal ones, and what is expected instead."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from dama import AmbiguousMove, IllegalMove, InvalidNotation
from dama.squares import square_name

CAPTURE_SIGNS: Final = frozenset("x×:")
"""What stands between the squares of a typed capture."""

Code = Literal["notation", "ambiguous", "must_capture", "must_take_most", "not_legal"]


@dataclass(frozen=True)
class Illegal:
    """Why a text is no legal move: a code and what to fill in, for the web to put into words.

    All have the ``text``; *must_capture* the ``pieces``, *must_take_most* the ``count`` of them to take,
    *ambiguous* the ``meanings``, each a move and the squares it captures on.
    """

    code: Code
    params: Mapping[str, Any]


def why(text: str, error: ValueError) -> Illegal:
    """Return why a text was refused; raises the error again when it is none about moves.

    It follows from the text and the legal moves alone, and so gives nothing of the solution away.
    """
    if isinstance(error, InvalidNotation):
        return Illegal("notation", {"text": text})
    if isinstance(error, AmbiguousMove):
        meanings = [[str(move), [*map(square_name, sorted(move.captured))]] for move in error.meanings]
        return Illegal("ambiguous", {"text": text, "meanings": meanings})
    if not isinstance(error, IllegalMove):
        raise error
    taken = {square_name(move.origin): len(move.captured) for move in error.expected if move.captured}
    if not taken:
        return Illegal("not_legal", {"text": text})
    origin = text.lstrip()[:2]
    if origin in taken and not CAPTURE_SIGNS.isdisjoint(text):
        return Illegal("must_take_most", {"text": text, "count": taken[origin]})
    return Illegal("must_capture", {"text": text, "pieces": list(taken)})
