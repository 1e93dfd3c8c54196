"""Weights in the workspace of a search, and the counts that they are multiplied with.

A weight is one word: its value for the full board, and in the upper half the one for the last few pieces. So
both sums are formed at once, and what is negative borrows from the upper half until they are told apart.
"""

import numpy as np

from dama.kernel.bits import popcount
from dama.kernel.compiler import inlined
from dama.kernel.play_space import WEIGHTS_AT
from dama.kernel.workspace import Work

U = np.uint64
S = np.int64

END_PIECES = np.int64(8)
PHASES = np.int64(24)
"""Between so few pieces and so many more, the weights blend from the last ones to the first ones."""
HALF = np.int64(0x80000000)
LOWER = np.int64(0xFFFFFFFF)
_UPPER = np.int64(32)
_BOUND = np.int64(1 << 20)
_PRECISION = np.int64(32)
_RECIPROCAL = np.int64((1 << 32) // 24 + 1)


@inlined
def weight(work: Work, number: U) -> S:
    """Return a weight by its place in the list."""
    return np.int64(work[WEIGHTS_AT + number])


@inlined
def count(board: U) -> S:
    """Count the squares of a board."""
    return np.int64(popcount(board))


@inlined
def _divided(total: S) -> S:
    """Return a number divided by PHASES, rounded down: by a product, as a division takes far longer."""
    # Exact while the number lies between its bounds, which no sum of weights comes near.
    return (((total + _BOUND * PHASES) * _RECIPROCAL) >> _PRECISION) - _BOUND


@inlined
def blended(both: S, pieces: S) -> S:
    """Return one value of two sums for so many pieces on the board."""
    early = ((both + HALF) & LOWER) - HALF
    late = (both - early) >> _UPPER
    phase = min(max(pieces - END_PIECES, np.int64(0)), PHASES)
    return _divided(early * phase + late * (PHASES - phase))
