"""Bitboards for compiled code: single instructions and constants.

Boards are ``uint64``, always seen by the side to move, its first square in bit 0: its men go up, towards the
highest bit. The orthogonal board has a1 = bit 0, b1 = bit 1 … h8 = bit 63; the diagonal one uses the lower 32
bits. Every number that meets a board is a ``uint64`` too, because Numba makes a float of ``uint64`` and
``int64``.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
FOUR = np.uint64(4)
FIVE = np.uint64(5)
SIX = np.uint64(6)
EIGHT = np.uint64(8)
TWELVE = np.uint64(12)
SIXTEEN = np.uint64(16)
THIRTY_TWO = np.uint64(32)
LAST_SQUARE = np.uint64(63)

NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)
NOT_AB = np.uint64(0xFCFCFCFCFCFCFCFC)
NOT_GH = np.uint64(0x3F3F3F3F3F3F3F3F)
LAST_RANK = np.uint64(0xFF00000000000000)


def _instruction(emit: Callable[[Any, Any], Any]) -> Callable[[np.uint64], np.uint64]:
    """Return a compiled-code function of one board that is a single instruction."""

    @intrinsic
    def instruction(_context: Any, _board: Any) -> Any:
        return types.uint64(types.uint64), lambda _c, builder, _s, args: emit(builder, args[0])

    return cast("Callable[[np.uint64], np.uint64]", instruction)


_UNDEFINED_FOR_ZERO = ir.Constant(ir.IntType(1), 1)

popcount = _instruction(lambda builder, board: builder.ctpop(board))
"""Counts the squares of a board."""

lowest = _instruction(lambda builder, board: builder.cttz(board, _UNDEFINED_FOR_ZERO))
"""Returns the number of the lowest square of a board, which must not be empty."""

leading_zeros = _instruction(lambda builder, board: builder.ctlz(board, _UNDEFINED_FOR_ZERO))
"""Counts the squares above the highest one of a board, which must not be empty."""

flipped = _instruction(lambda builder, board: builder.bswap(board))
"""Turns a board upside down: rank 1 becomes rank 8."""

reversed_bits = _instruction(lambda builder, board: builder.bitreverse(board))
"""Reverses the order of all 64 bits."""
