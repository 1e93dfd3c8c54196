"""The path of a game and of the search in it: what came up before, and how long nothing has happened."""

import numpy as np

from dama.kernel.bits import ONE, SIX, THREE, TWO, ZERO
from dama.kernel.compiler import inlined
from dama.kernel.ordering import is_crowning
from dama.kernel.orthogonal import KING, SQUARE
from dama.kernel.play_space import (
    CLOCK,
    MAN_MOVE,
    PAST,
    PATH,
    PROGRESS,
    PROMOTION,
    REPETITION,
    STEP_FORWARD,
)
from dama.kernel.workspace import Work

U = np.uint64

CLOCK_IN_SIGHT = np.uint64(20)
"""So many plies before the clock runs out, its state belongs to a position in the table."""


@inlined
def write_path(work: Work, index: U, men: U, kings: U, enemy_men: U, enemy_kings: U) -> None:
    """Write down that a position is there, as three boards that tell it from every other."""
    cell = PATH + THREE * index
    work[cell] = men | kings | enemy_men | enemy_kings
    work[cell + ONE] = men | kings
    work[cell + TWO] = kings | enemy_kings


@inlined
def is_repeated(work: Work, index: U, since: U) -> U:
    """Return 1 when a position of the path is there for the last time allowed, or the second in the search.

    Who comes back to a position of the search itself can come back again: nothing is won by waiting for it.
    """
    cell = PATH + THREE * index
    times = ONE
    back = index
    while back >= since + TWO:
        back -= TWO
        other = PATH + THREE * back
        if (
            work[cell] == work[other]
            and work[cell + ONE] == work[other + ONE]
            and work[cell + TWO] == work[other + TWO]
        ):
            times += ONE
            if back >= work[PAST] or times == work[REPETITION]:
                return ONE
    return ZERO


@inlined
def after_move(work: Work, word: U, captured: U, quiet: U, since: U, index: U) -> tuple[U, U]:
    """Return the plies without progress after a move, and since which position of the path none can recur."""
    is_man = word & KING == ZERO
    target = (word >> SIX) & SQUARE
    forward = is_man and target >= (word & SQUARE) + TWO
    if captured != ZERO or forward:
        since = index + ONE
    progress = captured != ZERO
    if work[PROGRESS] == STEP_FORWARD:
        progress = progress or forward
    elif work[PROGRESS] == PROMOTION:
        progress = progress or (is_man and is_crowning(word) != ZERO)
    elif work[PROGRESS] == MAN_MOVE:
        progress = progress or is_man
    return ZERO if progress else quiet + ONE, since


@inlined
def clock_tag(work: Work, quiet: U) -> U:
    """Return what of the clock belongs to a position in the table: nothing until its end is in sight."""
    seen = quiet + CLOCK_IN_SIGHT
    return seen - work[CLOCK] if work[CLOCK] != ZERO and seen > work[CLOCK] else ZERO


@inlined
def is_clock_out(work: Work, quiet: U) -> U:
    """Return 1 when the game is drawn by its clock."""
    return ONE if work[CLOCK] != ZERO and quiet >= work[CLOCK] else ZERO
