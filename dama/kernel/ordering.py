"""In which order a search tries the moves: what refuted before comes first, so that more is cut off.

While the moves of a position wait, the upper half of a move's word says how promising it is.
"""

import numpy as np

from dama.kernel.bits import EIGHT, LAST_RANK, ONE, SIX, THIRTY_TWO, TWO, ZERO, popcount
from dama.kernel.compiler import inlined
from dama.kernel.diagonal import LAST_ROW
from dama.kernel.mixed import SLANTING
from dama.kernel.orthogonal import KING, SQUARE
from dama.kernel.play_space import HISTORY, KILLERS
from dama.kernel.workspace import Work

U = np.uint64
S = np.int64

MOVE = np.uint64(0x3FFF)
"""The part of a word that says which move it is."""

FRONTIER = np.int64(1)
"""With so few plies left the moves are not put in order."""
SORTED = np.uint64(10)
"""In cells: so many moves are put in order. Where none of them refutes, all are looked at anyhow."""

_FROM_TABLE = np.uint64(1 << 30)
_CAPTURE = np.uint64(1 << 20)
_CROWNS = np.uint64(1 << 29)
_KILLER = np.uint64(1 << 28)
_SECOND_KILLER = np.uint64(1 << 27)
_MOST_HISTORY = np.uint64(1 << 26)


@inlined
def is_crowning(word: U) -> U:
    """Return not 0 when a move, which must be a man's, ends on the last row."""
    last = LAST_RANK if word & SLANTING == ZERO else LAST_ROW
    return last & (ONE << ((word >> SIX) & SQUARE))


@inlined
def rate_moves(work: Work, at: U, end: U, known_best: U, enemy_kings: U, ply: U) -> None:
    """Write into the words of the moves how promising each is."""
    killer, second = work[KILLERS + TWO * ply], work[KILLERS + TWO * ply + ONE]
    cell = at
    while cell < end:
        word = work[cell] & MOVE
        captured = work[cell + ONE]
        if word == known_best:
            rating = _FROM_TABLE
        elif captured != ZERO:
            rating = _CAPTURE + popcount(captured) + EIGHT * popcount(captured & enemy_kings)
        elif word & KING == ZERO and is_crowning(word) != ZERO:
            rating = _CROWNS
        elif word == killer:
            rating = _KILLER
        elif word == second:
            rating = _SECOND_KILLER
        else:
            rating = work[HISTORY + word]
        work[cell] = word | (rating << THIRTY_TWO)
        cell += TWO


@inlined
def bring_killer(work: Work, at: U, end: U, ply: U) -> None:
    """Put the move first that refuted last at this ply: all the order that pays just before the last ply."""
    killer = work[KILLERS + TWO * ply]
    cell = at
    while cell < end:
        if work[cell] == killer:
            work[at], work[cell] = work[cell], work[at]
            work[at + ONE], work[cell + ONE] = work[cell + ONE], work[at + ONE]
            break
        cell += TWO


@inlined
def order_moves(work: Work, at: U, end: U, known_best: U, enemy_kings: U, ply: U, depth: S) -> U:
    """Prepare the order of the moves; return the cell from which on ``bring_best`` counts."""
    if depth <= FRONTIER:
        bring_killer(work, at, end, ply)
        return ZERO
    rate_moves(work, at, end, known_best, enemy_kings, ply)
    return at


@inlined
def bring_best(work: Work, first: U, at: U, end: U) -> None:
    """Put the most promising of the moves from a cell on there, unless many since the first were tried."""
    best = at
    cell = at + TWO
    end = end if at < first + SORTED else at
    while cell < end:
        if work[cell] >> THIRTY_TWO > work[best] >> THIRTY_TWO:
            best = cell
        cell += TWO
    if best != at:
        work[at], work[best] = work[best], work[at]
        work[at + ONE], work[best + ONE] = work[best + ONE], work[at + ONE]


@inlined
def remember_refutation(work: Work, at: U, cell: U, ply: U, depth: S) -> None:
    """Note that the move in a cell, if it is quiet, has refuted, and that those tried before it have not."""
    if work[cell + ONE] != ZERO:
        return
    word = work[cell] & MOVE
    killers = KILLERS + TWO * ply
    if work[killers] != word:
        work[killers + ONE] = work[killers]
        work[killers] = word
    if depth <= FRONTIER:
        return
    gain = np.uint64(depth * depth)
    refuted = HISTORY + word
    work[refuted] = min(work[refuted] + gain, _MOST_HISTORY)
    tried = at
    while tried < cell:
        other = HISTORY + (work[tried] & MOVE)
        work[other] -= work[other] >> SIX
        tried += TWO
