"""The transposition table: what a search has found out about positions that it may meet again.

An entry is four words: the position itself in three, so that one is never taken for another, and what is
known about it. Two entries share a slot: the deeper search keeps the first, the latest the second. A table
serves one search, so that neither rules nor weights are part of an entry.
"""

import numpy as np

from dama.kernel.bits import EIGHT, FOUR, ONE, SIXTEEN, THIRTY_TWO, THREE, TWO, ZERO
from dama.kernel.compiler import inlined
from dama.kernel.play_space import TABLE, TABLE_MASK
from dama.kernel.workspace import Work

U = np.uint64
S = np.int64

NOTHING, AT_LEAST, AT_MOST, EXACT = (np.uint64(bound) for bound in range(4))

_OFFSET = np.int64(32768)
_DEPTH_SHIFT = SIXTEEN
_BOUND_SHIFT = np.uint64(24)
_CLOCK_SHIFT = np.uint64(26)
_MOVE_SHIFT = THIRTY_TWO
_SCORE_MASK = np.uint64(0xFFFF)
_BYTE = np.uint64(0xFF)
_CLOCK_MASK = np.uint64(0x3F)
_MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9)
_FOLD = np.uint64(29)


@inlined
def slot_of(work: Work, occupied: U, own: U, kings: U, clock: U) -> U:
    """Return the cell where the slot of a position begins."""
    key = (occupied + clock) * _MIX[0]
    key = (key ^ (key >> _FOLD) ^ own) * _MIX[1]
    key = (key ^ (key >> _FOLD) ^ kings) * _MIX[2]
    key ^= key >> THIRTY_TWO
    slot: U = TABLE + ((key & work[TABLE_MASK]) * EIGHT)
    return slot


@inlined
def _difference(work: Work, entry: U, occupied: U, own: U, kings: U) -> U:
    """Return 0 when an entry is about this position."""
    # One expression: where a function with an array has several ends, counting its references takes time.
    difference: U = (work[entry] ^ occupied) | (work[entry + ONE] ^ own) | (work[entry + TWO] ^ kings)
    return difference


@inlined
def find(work: Work, slot: U, occupied: U, own: U, kings: U, clock: U) -> U:
    """Return what is known about a position, or 0."""
    second = slot + FOUR
    first_known, second_known = work[slot + THREE], work[second + THREE]
    first_differs = _difference(work, slot, occupied, own, kings) | (clock_of(first_known) ^ clock)
    second_differs = _difference(work, second, occupied, own, kings) | (clock_of(second_known) ^ clock)
    known: U = second_known if second_differs == ZERO else ZERO
    return first_known if first_differs == ZERO else known


@inlined
def keep(work: Work, slot: U, occupied: U, own: U, kings: U, clock: U, known: U) -> None:
    """Write what is known about a position."""
    is_other = _difference(work, slot, occupied, own, kings) != ZERO
    entry = slot + FOUR if is_other and depth_of(work[slot + THREE]) > depth_of(known) else slot
    work[entry] = occupied
    work[entry + ONE] = own
    work[entry + TWO] = kings
    work[entry + THREE] = known | (clock << _CLOCK_SHIFT)


@inlined
def clock_of(known: U) -> U:
    """Return the clock that an entry is for."""
    return (known >> _CLOCK_SHIFT) & _CLOCK_MASK


@inlined
def packed(score: S, depth: S, bound: U, move: U) -> U:
    """Return a word that holds a score of 16 bits, 0 to 255 plies, a bound and a move's word."""
    return (
        np.uint64(score + _OFFSET)
        | (np.uint64(depth) << _DEPTH_SHIFT)
        | (bound << _BOUND_SHIFT)
        | (move << _MOVE_SHIFT)
    )


@inlined
def score_of(known: U) -> S:
    """Return the score that a word holds."""
    return np.int64(known & _SCORE_MASK) - _OFFSET


@inlined
def depth_of(known: U) -> S:
    """Return how many plies were searched for it."""
    return np.int64((known >> _DEPTH_SHIFT) & _BYTE)


@inlined
def bound_of(known: U) -> U:
    """Return whether the score is exact or a bound."""
    return (known >> _BOUND_SHIFT) & THREE


@inlined
def move_of(known: U) -> U:
    """Return the word of the best move."""
    return known >> _MOVE_SHIFT
