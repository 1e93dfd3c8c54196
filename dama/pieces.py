"""The two sides and the pieces that one of them has."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAN_WORTH: Final = 1.0
KING_WORTH: Final = 4.5
"""Worth of a man and a king, in men."""


class Color(StrEnum):
    """The two sides; the value is the letter used in FEN."""

    WHITE = "W"
    BLACK = "B"

    # An enumeration's own hash is computed in Python, and every look-up of a position asks for it.
    __hash__ = str.__hash__

    @property
    def other(self) -> "Color":
        """The opponent."""
        return Color.BLACK if self is Color.WHITE else Color.WHITE


@dataclass(frozen=True, slots=True)
class Pieces:
    """The men and kings of one side, as bitboards."""

    men: int = 0
    kings: int = 0

    @property
    def all(self) -> int:
        """Every piece of the side."""
        return self.men | self.kings


def worth(men: int, kings: int) -> float:
    """Return the material of two bitboards, in men.

    >>> worth(0b110, 0b1)
    6.5
    """
    return MAN_WORTH * men.bit_count() + KING_WORTH * kings.bit_count()
