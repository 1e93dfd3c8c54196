"""How much two positions look alike: the share of pieces that stand on the same squares."""

from typing import Final

from dama.pieces import Color
from dama.position import Position
from dama.squares import ORTHOGONAL, Grid, bit, squares_in

BOARD_BITS: Final = 64

Placement = int
"""Four bitboards in one number, as the side to move sees them: its men and kings, then its opponent's."""


def placement(position: Position) -> Placement:
    """Return where the pieces stand on the 64 squares, seen by the side to move: the same for both colours.

    >>> board = Position.from_fen("W:Wa2:BKb7")
    >>> placement(board) == placement(board.swapped())
    True
    """
    seen = position if position.turn is Color.WHITE else position.swapped()
    boards = seen.white_men, seen.white_kings, seen.black_men, seen.black_kings
    return _joined(*(_on_64_squares(board, position.rules.grid) for board in boards))


def mirrored(one: Placement) -> Placement:
    """Return the placement in a mirror held left to right."""
    boards = (one >> shift & ((1 << BOARD_BITS) - 1) for shift in range(0, 4 * BOARD_BITS, BOARD_BITS))
    return _joined(*map(ORTHOGONAL.mirrored_bitboard, boards))


def likeness(one: Placement, other: Placement) -> float:
    """Return from 0 to 1 how alike two placements are.

    It is Dice's coefficient: twice the number of pieces of the same side and kind on the same square, over
    the number of all. Exactly 1 means the same board.

    >>> likeness(*(placement(Position.from_fen(fen)) for fen in ("W:Wa2,b3:Ba7", "W:Wa2,b3:Bh7")))
    0.6666666666666666
    """
    pieces = one.bit_count() + other.bit_count()
    return 2 * (one & other).bit_count() / pieces if pieces else 1.0


def _on_64_squares(bitboard: int, grid: Grid) -> int:
    if grid.is_full:
        return bitboard
    return sum(bit(file + 8 * rank) for file, rank in map(grid.place, squares_in(bitboard)))


def _joined(*boards: int) -> Placement:
    return sum(board << BOARD_BITS * place for place, board in enumerate(boards))
