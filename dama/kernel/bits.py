"""Bitboards for compiled code: single instructions, constants and the rays of the four directions.

Boards are ``uint64``, a1 = bit 0, b1 = bit 1 … h8 = bit 63, always seen by the side to move: its men go
up, towards bit 63. Every number that meets a board is a ``uint64`` too, because Numba makes a float of
``uint64`` and ``int64``.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
FOUR = np.uint64(4)
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


def _rays() -> npt.NDArray[np.uint64]:
    rays = np.zeros((4, 64), dtype=np.uint64)
    for direction, (files, ranks) in enumerate(((0, 1), (1, 0), (0, -1), (-1, 0))):
        for square in range(64):
            file, rank = square % 8 + files, square // 8 + ranks
            while 0 <= file < 8 and 0 <= rank < 8:
                rays[direction, square] |= np.uint64(1 << (8 * rank + file))
                file, rank = file + files, rank + ranks
    return rays


RAYS = _rays()
"""RAYS[direction, square]: the squares beyond it. Up 0, right 1, down 2, left 3: opposites differ by two, and
the nearest square is the lowest bit for the first two directions, the highest for the others."""


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
