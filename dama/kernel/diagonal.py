"""The diagonal grid on whole bitboards, as the side to move sees them: 32 squares, four to a row.

Even rows begin at the board's edge, odd ones one file further in. So a step up is by four bits to one side
and by three or five to the other.
"""

import numpy as np

from dama.kernel.bits import FIVE, FOUR, THREE, ZERO
from dama.kernel.compiler import inlined

U = np.uint64

BOARD = np.uint64(0xFFFFFFFF)
LAST_ROW = np.uint64(0xF0000000)
_EVEN = np.uint64(0x0F0F0F0F)
_ODD = np.uint64(0xF0F0F0F0)
_EVEN_INNER = np.uint64(0x0E0E0E0E)
_ODD_INNER = np.uint64(0x70707070)


@inlined
def up_left(squares: U) -> U:
    """Return the squares next to these; those beyond the last row have bits that no board has."""
    return ((squares & _EVEN_INNER) << THREE) | ((squares & _ODD) << FOUR)


@inlined
def up_right(squares: U) -> U:
    """Return the squares next to these; those beyond the last row have bits that no board has."""
    return ((squares & _EVEN) << FOUR) | ((squares & _ODD_INNER) << FIVE)


@inlined
def down_left(squares: U) -> U:
    """Return the squares next to these."""
    return ((squares & _EVEN_INNER) >> FIVE) | ((squares & _ODD) >> FOUR)


@inlined
def down_right(squares: U) -> U:
    """Return the squares next to these."""
    return ((squares & _EVEN) >> FOUR) | ((squares & _ODD_INNER) >> THREE)


@inlined
def jumpers(men: U, kings: U, prey: U, enemy: U, empty: U) -> U:
    """Return the pieces that can jump a neighbour: men one of their prey ahead, kings any enemy."""
    ahead = (down_right(prey & down_right(empty)) | down_left(prey & down_left(empty))) & men
    if kings == ZERO:
        return ahead
    every = down_right(enemy & down_right(empty)) | down_left(enemy & down_left(empty))
    every |= up_right(enemy & up_right(empty)) | up_left(enemy & up_left(empty))
    return ahead | (every & kings)


@inlined
def steps(men: U, kings: U, empty: U) -> U:
    """Return the free squares onto which a piece can step."""
    own = men | kings
    return (up_left(own) | up_right(own) | down_left(kings) | down_right(kings)) & empty
