"""Moves under any mix of rules on either grid, piece by piece along the rays.

This is the whole of the diagonal game, and of those orthogonal ones whose rules ``orthogonal`` leaves out for
speed. A capture's worth holds what the priorities look at, the first of them in the highest bits, so that the
captures worth most are the legal ones.
"""

import numpy as np

from dama.kernel import diagonal, orthogonal
from dama.kernel.bits import FOUR, LAST_RANK, ONE, SIX, THREE, TWO, ZERO, lowest, popcount
from dama.kernel.compiler import exported, inlined, part, u8
from dama.kernel.orthogonal import KING, NO_DIRECTION, SQUARE, record
from dama.kernel.rays import RAYS, king_jump, nearest, reach
from dama.kernel.workspace import (
    CROWNING_ENDS_SERIES,
    DIAGONAL,
    END,
    MEN_SPARE_KINGS,
    MOST,
    PRIORITIES,
    REMOVAL_AT_ONCE,
    SHORT_KINGS,
    STACK,
    TURNING_BACK,
    Work,
)

U = np.uint64

MOST_PIECES, WITH_A_KING, MOST_KINGS, KING_FIRST = (np.uint64(code) for code in range(1, 5))
"""The priorities as the flags of the rules hold them, three bits each, the first one lowest."""

SLANTING = np.uint64(1 << 13)
"""Marks the moves of the diagonal grid."""
_DIRECTION = np.uint64(7)
_FIRST_LANDING = np.uint64(512)
_EARLINESS = np.uint64(10)
"""From this bit on a series' word tells how early its first king was taken, 0 for none."""
_EARLIEST = np.uint64(63)


@inlined
def _directions(king: U, rules: U) -> U:
    """Return, as bits, in which of its grid's four directions a piece goes."""
    if king != ZERO:
        return np.uint64(0b1111)
    return np.uint64(0b0011) if rules & DIAGONAL != ZERO else np.uint64(0b1011)


@inlined
def _jump(square: U, direction: U, occupied: U, enemy: U, is_short: bool) -> tuple[U, U]:
    """Return what a piece jumps in a direction and the squares where it may land; no squares, no jump."""
    victim, landings = king_jump(square, direction, occupied, enemy)
    if is_short and landings != ZERO:
        if victim != ONE << nearest(direction, RAYS[direction, square]):
            return ZERO, ZERO
        landings = ONE << nearest(direction, landings)
    return victim, landings


@inlined
def _prey(king: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return the enemies that a piece may take."""
    return enemy_men if king == ZERO and rules & MEN_SPARE_KINGS != ZERO else enemy_men | enemy_kings


@part
def _neighbours_jumpers(men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return the pieces that can jump a neighbour."""
    enemy = enemy_men | enemy_kings
    prey = _prey(ZERO, enemy_men, enemy_kings, rules)
    empty = ~(men | kings | enemy)
    if rules & DIAGONAL != ZERO:
        return diagonal.jumpers(men, kings, prey, enemy, empty & diagonal.BOARD)
    found = orthogonal.jumpers(men, prey, empty) | orthogonal.jumpers(kings, enemy, empty)
    return found | orthogonal.jumpers_back(kings, enemy, empty)


@part
def _capturers(men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return the pieces that can capture."""
    found = _neighbours_jumpers(men, kings, enemy_men, enemy_kings, rules)
    if rules & SHORT_KINGS != ZERO:
        return found
    enemy = enemy_men | enemy_kings
    left = kings & ~found
    while left != ZERO:
        square = lowest(left)
        direction = ZERO
        while direction < FOUR:
            _, landings = king_jump(square, direction | (rules & DIAGONAL), men | kings | enemy, enemy)
            if landings != ZERO:
                found |= ONE << square
            direction += ONE
        left &= left - ONE
    return found


@inlined
def _worth(state: U, king: U, captured: U, enemy_kings: U, rules: U) -> U:
    worth = ZERO
    priorities = rules >> PRIORITIES
    while priorities != ZERO:
        what = priorities & _DIRECTION
        worth <<= SIX
        if what == MOST_PIECES:
            worth |= popcount(captured)
        elif what == MOST_KINGS:
            worth |= popcount(captured & enemy_kings)
        elif what == KING_FIRST:
            worth |= state >> _EARLINESS
        elif king != ZERO:
            worth |= ONE
        priorities >>= THREE
    return worth


@part
def _jumps(
    work: Work, top: U, state: U, captured: U, king: U, occupied: U, enemy: U, enemy_kings: U, rules: U
) -> U:
    """Push what a piece can do next in its series; return the new top with bit 0 set when it can go on."""
    square = state & SQUARE
    came = (state >> SIX) & _DIRECTION
    last = diagonal.LAST_ROW if rules & DIAGONAL != ZERO else LAST_RANK
    is_crowned = king == ZERO and captured != ZERO and (ONE << square) & last != ZERO
    if is_crowned and rules & CROWNING_ENDS_SERIES != ZERO:
        return top
    if rules & REMOVAL_AT_ONCE != ZERO:
        occupied &= ~captured
    directions = _directions(king, rules)
    is_short = king == ZERO or rules & SHORT_KINGS != ZERO
    more = ZERO
    direction = ZERO
    while direction < FOUR:
        if (directions >> direction) & ONE != ZERO and (
            came == NO_DIRECTION or came ^ TWO != direction or rules & TURNING_BACK != ZERO
        ):
            ray = direction | (rules & DIAGONAL)
            victim, landings = _jump(square, ray, occupied, enemy & ~captured, is_short)
            if landings != ZERO:
                more = ONE
            earliness = state >> _EARLINESS
            if earliness == ZERO and victim & enemy_kings != ZERO:
                earliness = _EARLIEST - popcount(captured)
            # From every landing of a jump the way straight on leads to the same next jump: take it once.
            if came == direction and state & _FIRST_LANDING == ZERO:
                landings = ZERO
            first = _FIRST_LANDING
            while landings != ZERO:
                landing = nearest(ray, landings)
                landings ^= ONE << landing
                work[top] = landing | (direction << SIX) | first | (earliness << _EARLINESS)
                work[top + ONE] = captured | victim
                top += TWO
                first = ZERO
        direction += ONE
    return top | more


@part
def captures(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Write the legal captures from a cell on; return the cell after the last one."""
    work[END] = at
    work[MOST] = ZERO
    left = _capturers(men, kings, enemy_men, enemy_kings, rules)
    while left != ZERO:
        origin = lowest(left)
        left &= left - ONE
        king = KING if kings & (ONE << origin) != ZERO else ZERO
        slant = SLANTING if rules & DIAGONAL != ZERO else ZERO
        prey = _prey(king, enemy_men, enemy_kings, rules)
        occupied = (men | kings | enemy_men | enemy_kings) & ~(ONE << origin)
        work[STACK] = origin | (NO_DIRECTION << SIX)
        work[STACK + ONE] = ZERO
        top = STACK + TWO
        while top > STACK:
            top -= TWO
            state = work[top]
            captured = work[top + ONE]
            pushed = _jumps(work, top, state, captured, king, occupied, prey, enemy_kings, rules)
            if pushed == top and captured != ZERO:
                word = origin | ((state & SQUARE) << SIX) | king | slant
                record(work, at, word, captured, _worth(state, king, captured, enemy_kings, rules))
            top = pushed & ~ONE
    end: U = work[END]
    return end


@part
def quiet_moves(work: Work, at: U, men: U, kings: U, occupied: U, rules: U) -> U:
    """Write the moves that capture nothing from a cell on; return the cell after the last one."""
    left = men | kings
    while left != ZERO:
        origin = lowest(left)
        left &= left - ONE
        king = KING if kings & (ONE << origin) != ZERO else ZERO
        slant = SLANTING if rules & DIAGONAL != ZERO else ZERO
        directions = _directions(king, rules)
        targets = ZERO
        direction = rules & DIAGONAL
        while directions != ZERO:
            if directions & ONE != ZERO:
                free = reach(origin, direction, occupied)
                if free != ZERO and (king == ZERO or rules & SHORT_KINGS != ZERO):
                    free = ONE << nearest(direction, free)
                targets |= free
            directions >>= ONE
            direction += ONE
        while targets != ZERO:
            work[at] = origin | (lowest(targets) << SIX) | king | slant
            work[at + ONE] = ZERO
            at += TWO
            targets &= targets - ONE
    return at


@exported(u8(u8, u8, u8, u8, u8))
def can_move(men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return whether the side to move has a legal move: not 0 when it has."""
    occupied = men | kings | enemy_men | enemy_kings
    if rules & DIAGONAL != ZERO:
        can_step = diagonal.steps(men, kings, ~occupied & diagonal.BOARD)
    else:
        can_step = orthogonal.steps(men, kings, ~occupied)
    # A king without a free neighbour can only jump a neighbour.
    return can_step | _neighbours_jumpers(men, kings, enemy_men, enemy_kings, rules)


@exported(u8(u8, u8, u8, u8, u8))
def capturers(men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return the pieces that can capture."""
    return _capturers(men, kings, enemy_men, enemy_kings, rules)
