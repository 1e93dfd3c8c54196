"""The parts of a puzzle's soundness that need a search, tested at once on bitboards, cheapest first.

One king each is played on here instead of drawn, and refused wherever it turns up after a winning move: so a
puzzle passes only when it is sound whether or not that is a draw.
"""

import numpy as np

from dama.kernel.bits import ONE, TWO, ZERO
from dama.kernel.compiler import compiled, part, u8, work_array
from dama.kernel.rules import legal_moves, played
from dama.kernel.wins import LOST, OPEN, holds, one_king_each, standing
from dama.kernel.workspace import (
    ENEMY_KINGS,
    ENEMY_MEN,
    KINGS,
    LIMIT,
    MEN,
    MOVES,
    ONE_KING_EACH_DRAWS,
    RULES,
    Work,
)

U = np.uint64

SOUND, NO_WIN, SOONER, SECOND_KEY, DUAL, ONE_KING_EACH = (np.uint64(code) for code in range(6))
"""What a test found first."""

LAST_MOVE = np.uint64(1)
NOTHING = ZERO


@part
def _only_move(
    work: Work, at: U, end: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, limit: U
) -> U:
    """Return the cell of the only one of the moves that wins within the limit.

    Returns LAST_MOVE when every move that wins does so at once, and NOTHING when several win otherwise.
    """
    only = NOTHING
    at_once = ZERO
    others = ZERO
    cell = at
    while cell < end:
        a, b, c, d = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        if standing(a, b, c, d, rules) == LOST:
            at_once += ONE
        elif holds(work, end, a, b, c, d, rules, limit - ONE) != ZERO:
            others += ONE
            only = cell
        if others > ONE or (others != ZERO and at_once != ZERO):
            return NOTHING
        cell += TWO
    return LAST_MOVE if at_once != ZERO else only


@compiled(u8(work_array, u8, u8, u8, u8, u8, u8, u8))
def _duals(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, limit: U) -> U:
    """Return what is wrong below a solver's node that wins within the limit: SOUND, DUAL or ONE_KING_EACH."""
    if limit == ONE:
        return SOUND
    end = legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    only = _only_move(work, at, end, men, kings, enemy_men, enemy_kings, rules, limit)
    if only == LAST_MOVE:
        return SOUND
    if only == NOTHING:
        return DUAL
    a, b, c, d = played(work[only], work[only + ONE], men, kings, enemy_men, enemy_kings)
    if one_king_each(a, b, c, d) != ZERO:
        return ONE_KING_EACH
    stop = legal_moves(work, end, a, b, c, d, rules)
    cell = end
    while cell < stop:
        e, f, g, h = played(work[cell], work[cell + ONE], a, b, c, d)
        if one_king_each(e, f, g, h) != ZERO:
            return ONE_KING_EACH
        if standing(e, f, g, h, rules) == OPEN:
            found = _duals(work, stop, e, f, g, h, rules, limit - ONE)
            if found != SOUND:
                return found
        cell += TWO
    return SOUND


@compiled(u8(work_array), entry=True)
def first_fault(work: Work) -> U:
    """Return what is wrong with the workspace's position as a puzzle of exactly LIMIT moves, or SOUND."""
    men, kings, enemy_men, enemy_kings = work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS]
    limit = work[LIMIT]
    rules = work[RULES] & ~ONE_KING_EACH_DRAWS
    if one_king_each(men, kings, enemy_men, enemy_kings) != ZERO:
        return ONE_KING_EACH
    if standing(men, kings, enemy_men, enemy_kings, rules) != OPEN:
        return NO_WIN
    end = legal_moves(work, MOVES, men, kings, enemy_men, enemy_kings, rules)
    keys = ZERO
    cell = MOVES
    while cell < end:
        a, b, c, d = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        if holds(work, end, a, b, c, d, rules, limit - ONE) != ZERO:
            if limit > ONE and holds(work, end, a, b, c, d, rules, limit - TWO) != ZERO:
                return SOONER
            keys += ONE
        cell += TWO
    if keys == ZERO:
        return NO_WIN
    if keys > ONE:
        return SECOND_KEY
    return _duals(work, MOVES, men, kings, enemy_men, enemy_kings, rules, limit)
