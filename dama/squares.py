"""Squares of the 8×8 board as integers, a1 = 0, b1 = 1 … h8 = 63, and sets of squares as bitboards."""

from collections.abc import Iterator
from typing import Final

FILES: Final = "abcdefgh"
RANKS: Final = "12345678"
SQUARE_NAMES: Final = tuple(file + rank for rank in RANKS for file in FILES)

FIRST_RANK: Final = 0xFF
LAST_RANK: Final = 0xFF << 56
MEN_SQUARES: Final = range(8, 56)
"""Where men stand between moves: never on their own first rank, and on their last they are kings."""

_NUMBERS: Final = {name: number for number, name in enumerate(SQUARE_NAMES)}
_MIRRORED_BYTES: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def parse_square(name: str) -> int | None:
    """Return the square called ``name`` (``"a1"`` … ``"h8"``), or None when there is none.

    >>> parse_square("a1"), parse_square("h8"), parse_square("i9")
    (0, 63, None)
    """
    return _NUMBERS.get(name)


def square_name(square: int) -> str:
    """Return the name of a square.

    >>> square_name(27)
    'd4'
    """
    return SQUARE_NAMES[square]


def file_of(square: int) -> int:
    """Return the file of a square, 0 for a … 7 for h."""
    return square & 7


def rank_of(square: int) -> int:
    """Return the rank of a square, 0 for the first … 7 for the eighth."""
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


def mirrored_square(square: int) -> int:
    """Return the square seen in a mirror held left to right (a1 ↔ h1)."""
    return square ^ 7


def swapped_square(square: int) -> int:
    """Return the square as the other side sees it along the same file (a1 ↔ a8)."""
    return square ^ 56


def mirrored_bitboard(bitboard: int) -> int:
    """Return the bitboard of the left–right mirrored squares."""
    return int.from_bytes(bitboard.to_bytes(8, "little").translate(_MIRRORED_BYTES), "little")


def swapped_bitboard(bitboard: int) -> int:
    """Return the bitboard with the ranks in reverse order."""
    return int.from_bytes(bitboard.to_bytes(8, "little"), "big")
