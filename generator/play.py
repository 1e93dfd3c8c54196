"""Playing the kernel's moves on positions, for searches that only need to know what stands where."""

from dama.kernel import Triple
from dama.pieces import Color
from dama.position import Position
from dama.squares import bit

MAN = 2
KING = 9
"""Worth of a man and a king in half men, so that sums stay whole."""


def played(position: Position, triple: Triple) -> Position:
    """Return the position after a move that the kernel lists as legal."""
    origin, target, captured = bit(triple[0]), bit(triple[1]), triple[2]
    is_white = position.turn is Color.WHITE
    men, kings = (
        (position.white_men, position.white_kings) if is_white else (position.black_men, position.black_kings)
    )
    if kings & origin:
        kings ^= origin
        kings |= target
    elif target & position.turn.crowning_rank:
        men ^= origin
        kings |= target
    else:
        men ^= origin
        men |= target
    if is_white:
        return Position(
            men,
            kings,
            position.black_men & ~captured,
            position.black_kings & ~captured,
            Color.BLACK,
            position.rules,
        )
    return Position(
        position.white_men & ~captured,
        position.white_kings & ~captured,
        men,
        kings,
        Color.WHITE,
        position.rules,
    )


def crowns(position: Position, triple: Triple) -> bool:
    """Tell whether the move makes a king of a man."""
    men = position.white_men if position.turn is Color.WHITE else position.black_men
    return bool(men & bit(triple[0]) and bit(triple[1]) & position.turn.crowning_rank)


def worth(men: int, kings: int) -> int:
    """Return the material of two bitboards in half men."""
    return MAN * men.bit_count() + KING * kings.bit_count()
