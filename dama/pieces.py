"""The two sides and the pieces that one of them has."""

from dataclasses import dataclass
from enum import StrEnum

from dama.squares import FIRST_RANK, LAST_RANK


class Color(StrEnum):
    """The two sides; the value is the letter used in FEN."""

    WHITE = "W"
    BLACK = "B"

    @property
    def other(self) -> "Color":
        """The opponent."""
        return Color.BLACK if self is Color.WHITE else Color.WHITE

    @property
    def crowning_rank(self) -> int:
        """The squares, as a bitboard, on which this side's men become kings."""
        return LAST_RANK if self is Color.WHITE else FIRST_RANK


@dataclass(frozen=True, slots=True)
class Pieces:
    """The men and kings of one side, as bitboards."""

    men: int = 0
    kings: int = 0

    @property
    def all(self) -> int:
        """Every piece of the side."""
        return self.men | self.kings
