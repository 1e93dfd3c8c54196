"""Squares of a board as integers, and sets of squares as bitboards.

Two boards are played on. The orthogonal one uses all 64 squares: a1 = 0, b1 = 1 … h8 = 63. The diagonal one
uses the 32 dark squares, which players know by number: square 1, on Black's side, is 0, and square 32 is 31.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dama.pieces import Color

FILES: Final = "abcdefgh"
RANKS: Final = "12345678"
SQUARE_NAMES: Final = tuple(file + rank for rank in RANKS for file in FILES)

FIRST_RANK: Final = 0xFF
LAST_RANK: Final = 0xFF << 56
MEN_SQUARES: Final = range(8, 56)
"""Where men stand between moves: never on their own first rank, and on their last they are kings."""

_MIRRORED_BYTES: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


@dataclass(frozen=True, eq=False, repr=False)
class Grid:
    """The squares a game is played on: their names, in board order, and their places.

    There are two, ``ORTHOGONAL`` and ``DIAGONAL``. A place is (file, rank), each 0 … 7, seen by White.
    """

    constant: str
    """What this module calls it."""
    names: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    half_turn: bool
    """The other side sees the board turned by 180°; otherwise along the same files, the ranks reversed."""

    @property
    def count(self) -> int:
        """How many squares there are."""
        return len(self.names)

    def name(self, square: int) -> str:
        """Return the name of a square.

        >>> ORTHOGONAL.name(27), DIAGONAL.name(27)
        ('d4', '28')
        """
        return self.names[square]

    def parse(self, text: str) -> int | None:
        """Return the square of that name, or None when there is none.

        >>> ORTHOGONAL.parse("h8"), DIAGONAL.parse("32"), DIAGONAL.parse("h8")
        (63, 31, None)
        """
        return self._numbers.get(text)

    def place(self, square: int) -> tuple[int, int]:
        """Return the file and the rank of a square, each 0 … 7.

        >>> DIAGONAL.place(0), DIAGONAL.place(31)
        ((0, 7), (7, 0))
        """
        return self.places[square]

    def square_at(self, file: int, rank: int) -> int | None:
        """Return the square at a place, or None beside the board and where no piece can stand.

        >>> DIAGONAL.square_at(7, 0), DIAGONAL.square_at(0, 0), ORTHOGONAL.square_at(8, 0)
        (31, None, None)
        """
        return self._squares.get((file, rank))

    def crowning(self, color: Color) -> int:
        """Return the squares, as a bitboard, on which men of this side become kings.

        >>> [DIAGONAL.name(square) for square in squares_in(DIAGONAL.crowning(Color.WHITE))]
        ['1', '2', '3', '4']
        """
        return self._crowning[color]

    def swapped_square(self, square: int) -> int:
        """Return the square as the other side sees it.

        >>> ORTHOGONAL.name(ORTHOGONAL.swapped_square(0)), DIAGONAL.name(DIAGONAL.swapped_square(0))
        ('a8', '32')
        """
        return self.count - 1 - square if self.half_turn else square ^ 56

    def swapped_bitboard(self, bitboard: int) -> int:
        """Return the bitboard of the squares as the other side sees them."""
        rows = bitboard.to_bytes(self.count // 8, "little")
        return int.from_bytes(rows.translate(_MIRRORED_BYTES) if self.half_turn else rows, "big")

    def mirrored_square(self, square: int) -> int:
        """Return the square seen in a mirror held left to right.

        Raises ValueError on the diagonal board, where a mirror shows light squares for dark ones.
        """
        self._require_mirror()
        return square ^ 7

    def mirrored_bitboard(self, bitboard: int) -> int:
        """Return the bitboard of the left–right mirrored squares; raises ValueError on the diagonal board."""
        self._require_mirror()
        return int.from_bytes(bitboard.to_bytes(8, "little").translate(_MIRRORED_BYTES), "little")

    @property
    def is_full(self) -> bool:
        """Whether every square of the 8×8 board is used: only then the board is its own mirror image."""
        return self.count == 64

    def _require_mirror(self) -> None:
        if not self.is_full:
            raise ValueError("the diagonal board has no mirror image: its dark squares would be light ones")

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: square for square, name in enumerate(self.names)}

    @cached_property
    def _squares(self) -> Mapping[tuple[int, int], int]:
        return {place: square for square, place in enumerate(self.places)}

    @cached_property
    def _crowning(self) -> Mapping[Color, int]:
        return {
            color: sum(bit(square) for square, (_, rank) in enumerate(self.places) if rank == last)
            for color, last in ((Color.WHITE, 7), (Color.BLACK, 0))
        }

    def __reduce__(self) -> str:
        # A copy, and what another process gets, is the constant itself: grids are compared by identity.
        return self.constant

    def __repr__(self) -> str:
        return self.constant


ORTHOGONAL: Final = Grid(
    "ORTHOGONAL", SQUARE_NAMES, tuple((file, rank) for rank in range(8) for file in range(8)), half_turn=False
)
"""All 64 squares, a1 … h8; their colours mean nothing."""

DIAGONAL: Final = Grid(
    "DIAGONAL",
    tuple(str(number) for number in range(1, 33)),
    tuple((file, rank) for rank in range(7, -1, -1) for file in range(8) if (file + rank) % 2),
    half_turn=True,
)
"""The 32 dark squares, 1 … 32 from White's top left; a dark corner is at each player's right."""


square_name: Final = ORTHOGONAL.name
"""Return the name of a square of the orthogonal board."""


def file_of(square: int) -> int:
    """Return the file of a square of the orthogonal board, 0 for a … 7 for h."""
    return square & 7


def rank_of(square: int) -> int:
    """Return the rank of a square of the orthogonal board, 0 for the first … 7 for the eighth."""
    return square >> 3


def bit(square: int) -> int:
    """Return the bitboard that holds this square alone."""
    return 1 << square


def squares_in(bitboard: int) -> Iterator[int]:
    """Yield the squares of a bitboard in board order.

    >>> [square_name(square) for square in squares_in(0b101)]
    ['a1', 'c1']
    """
    while bitboard:
        lowest = bitboard & -bitboard
        yield lowest.bit_length() - 1
        bitboard ^= lowest
