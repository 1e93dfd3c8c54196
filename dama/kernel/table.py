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
def find(work: Work, slot: U, occupied: U, own: U, kings: U, clock: U) -> U:
    """Return what is known about a position, or 0."""
    if work[slot] == occupied and work[slot + ONE] == own and work[slot + TWO] == kings:
        known: U = work[slot + THREE]
        if (known >> _CLOCK_SHIFT) & _CLOCK_MASK == clock:
            return known
    second = slot + FOUR
    if work[second] == occupied and work[second + ONE] == own and work[second + TWO] == kings:
        known = work[second + THREE]
        if (known >> _CLOCK_SHIFT) & _CLOCK_MASK == clock:
            return known
    return ZERO


@inlined
def keep(work: Work, slot: U, occupied: U, own: U, kings: U, clock: U, known: U) -> None:
    """Write what is known about a position."""
    is_same = work[slot] == occupied and work[slot + ONE] == own and work[slot + TWO] == kings
    if not is_same and depth_of(work[slot + THREE]) > depth_of(known):
        slot += FOUR
    work[slot] = occupied
    work[slot + ONE] = own
    work[slot + TWO] = kings
    work[slot + THREE] = known | (clock << _CLOCK_SHIFT)


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
