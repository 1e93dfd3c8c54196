"""How much two positions look alike: the share of pieces that stand on the same squares."""

from dama.pieces import Color
from dama.position import Position
from dama.squares import mirrored_bitboard

Placement = tuple[int, int, int, int]
"""Men and kings of the side to move, then those of its opponent, as bitboards seen from the former."""


def placement(position: Position) -> Placement:
    """Return where the pieces stand, as the side to move sees them: the same for both colours.

    >>> board = Position.from_fen("W:Wa2:BKb7")
    >>> placement(board) == placement(board.swapped())
    True
    """
    seen = position if position.turn is Color.WHITE else position.swapped()
    return seen.white_men, seen.white_kings, seen.black_men, seen.black_kings


def likeness(one: Placement, other: Placement) -> float:
    """Return from 0 to 1 how alike two placements are, one of them perhaps in a mirror held left to right.

    It is Dice's coefficient: twice the number of pieces of the same side and kind on the same square, over
    the number of all. Exactly 1 means the same board up to the mirror.

    >>> boards = [placement(Position.from_fen(fen)) for fen in ("W:Wa2,b3:Ba7", "W:Wh2,b3:Bh7")]
    >>> likeness(*boards)
    0.6666666666666666
    """
    pieces = sum(board.bit_count() for board in (*one, *other))
    mirrored = map(mirrored_bitboard, other)
    return 2 * max(_common(one, other), _common(one, tuple(mirrored))) / pieces if pieces else 1.0


def _common(one: Placement, other: tuple[int, ...]) -> int:
    return sum((ours & theirs).bit_count() for ours, theirs in zip(one, other, strict=True))
