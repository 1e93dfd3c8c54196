"""Exact forced wins on bitboards: nothing is cut off but what provably cannot win.

*Win in N*: the side to move, the solver, has won with its Nth move at the latest, against every defence.
"""

import numpy as np

from dama.kernel import orthogonal
from dama.kernel.bits import ONE, SIXTEEN, TWO, ZERO, popcount
from dama.kernel.compiler import (
    array_at,
    compiled,
    exported,
    inlined,
    part,
    pointer_to,
    u8,
    work_array,
    work_pointer,
)
from dama.kernel.rules import can_move, legal_moves, played
from dama.kernel.steps import cannot_end, some_step_refutes, unrefuted_moves
from dama.kernel.workspace import (
    ENEMY_KINGS,
    ENEMY_MEN,
    FROM,
    KINGS,
    LIMIT,
    MEN,
    MIXED,
    MOVES,
    NODES,
    ONE_KING_EACH_DRAWS,
    REFUTATIONS,
    RULES,
    SEVERAL_MEN_BEAT_ONE,
    SIZE,
    STANDING,
    STEP_FROM,
    STEP_TO,
    Work,
)

U = np.uint64

OPEN, LOST, WON, DRAWN = (np.uint64(result) for result in range(4))
"""How a position stands for the side to move."""

DISTANCE_SHIFT = np.uint64(16)
"""Where a move's word holds the number of moves in which it wins."""


@inlined
def one_king_each(men: U, kings: U, enemy_men: U, enemy_kings: U) -> U:
    """Return 1 when each side has a king and nothing else."""
    if men | enemy_men != ZERO or popcount(kings) != ONE or popcount(enemy_kings) != ONE:
        return ZERO
    return ONE


@part
def standing(men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return how the position stands for the side to move, tested in the order of the rules."""
    if men | kings == ZERO:
        return LOST
    if enemy_men | enemy_kings == ZERO:
        return WON
    if can_move(men, kings, enemy_men, enemy_kings, rules) == ZERO:
        return LOST
    if rules & SEVERAL_MEN_BEAT_ONE != ZERO and kings | enemy_kings == ZERO:
        own, enemy = popcount(men), popcount(enemy_men)
        if own == ONE and enemy > ONE:
            return LOST
        if enemy == ONE and own > ONE:
            return WON
    if rules & ONE_KING_EACH_DRAWS != ZERO and one_king_each(men, kings, enemy_men, enemy_kings) != ZERO:
        return DRAWN
    return OPEN


@part
def ends_now(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return 1 when some legal move wins at once."""
    work[NODES] += ONE
    if cannot_end(men, kings, enemy_men, enemy_kings) != ZERO:
        return ZERO
    end = orthogonal.legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    cell = at
    while cell < end:
        own, crowned, other, others = orthogonal.played(
            work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings
        )
        if standing(own, crowned, other, others, rules) == LOST:
            return ONE
        cell += TWO
    return ZERO


@part
def _holds_last(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return 1 when the defender, to move, has lost or will have after one more move of the solver's."""
    work[NODES] += ONE
    own = men | kings
    enemy = enemy_men | enemy_kings
    empty = ~(own | enemy)
    # What ``standing`` would say is mostly plain: the defender can step, and no rule ends such a game early.
    if orthogonal.steps(men, kings, empty) == ZERO or kings | enemy_kings == ZERO or men | enemy_men == ZERO:
        now = standing(men, kings, enemy_men, enemy_kings, rules)
        if now != OPEN:
            return ONE if now == LOST else ZERO
    if (
        orthogonal.jumpers(men, enemy, empty) == ZERO
        and (kings == ZERO or orthogonal.kings_capture(kings, ~empty, enemy) == ZERO)
        and some_step_refutes(work, men, kings, enemy_men, enemy_kings) != ZERO
    ):
        return ZERO
    end = orthogonal.legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    cell = at
    while cell < end:
        a, b, c, d = orthogonal.played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        now = standing(a, b, c, d, rules)
        if now != WON and (now != OPEN or ends_now(work, end, a, b, c, d, rules) == ZERO):
            return ZERO
        cell += TWO
    return ONE


@inlined
def _bring_forward(work: Work, at: U, end: U, word: U) -> None:
    cell = at
    while cell < end:
        if work[cell] == word:
            work[at], work[cell] = work[cell], work[at]
            work[at + ONE], work[cell + ONE] = work[cell + ONE], work[at + ONE]
            return
        cell += TWO


@compiled(u8(work_array, u8, u8, u8, u8, u8, u8, u8))
def _holds(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, more: U) -> U:
    if more == ONE and rules & MIXED == ZERO:
        return _holds_last(work, at, men, kings, enemy_men, enemy_kings, rules)
    work[NODES] += ONE
    now = standing(men, kings, enemy_men, enemy_kings, rules)
    if now != OPEN:
        return ONE if now == LOST else ZERO
    if more == ZERO:
        return ZERO
    end = legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    _bring_forward(work, at, end, work[REFUTATIONS + more])
    cell = at
    while cell < end:
        word = work[cell]
        a, b, c, d = played(word, work[cell + ONE], men, kings, enemy_men, enemy_kings)
        cell += TWO
        now = standing(a, b, c, d, rules)
        if now == WON:
            continue
        if now != OPEN:
            return ZERO
        if more == TWO and rules & MIXED == ZERO:
            stop = unrefuted_moves(work, end, a, b, c, d, rules)
        else:
            stop = legal_moves(work, end, a, b, c, d, rules)
        found = ZERO
        reply = end
        while reply < stop and found == ZERO:
            e, f, g, h = played(work[reply], work[reply + ONE], a, b, c, d)
            found = _holds(work, stop, e, f, g, h, rules, more - ONE)
            reply += TWO
        if found == ZERO:
            work[REFUTATIONS + more] = word
            return ZERO
    return ONE


@exported(u8(work_pointer, u8, u8, u8, u8, u8, u8, u8))
def _held(cells: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, more: U) -> U:
    return _holds(array_at(cells, SIZE), at, men, kings, enemy_men, enemy_kings, rules, more)


@inlined
def holds(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, more: U) -> U:
    """Return 1 when the defender, to move, has lost or will have after so many more solver's moves."""
    return _held(pointer_to(work), at, men, kings, enemy_men, enemy_kings, rules, more)


@part
def wins_within(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, limit: U) -> U:
    """Return 1 when the side to move, in an open position, wins with so many moves."""
    if limit == ONE and rules & MIXED == ZERO:
        return ends_now(work, at, men, kings, enemy_men, enemy_kings, rules)
    if limit == TWO and rules & MIXED == ZERO:
        end = unrefuted_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    else:
        end = legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    cell = at
    while cell < end:
        a, b, c, d = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        if holds(work, end, a, b, c, d, rules, limit - ONE) != ZERO:
            return ONE
        cell += TWO
    return ZERO


@compiled(u8(work_array), entry=True)
def shortest_win(work: Work) -> U:
    """Return in how many moves, at most LIMIT, the side to move wins; 0 for no win and for an ended game."""
    men, kings, enemy_men, enemy_kings = work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS]
    rules = work[RULES]
    if standing(men, kings, enemy_men, enemy_kings, rules) != OPEN:
        return ZERO
    # The count of nodes must not depend on earlier searches.
    work[REFUTATIONS : REFUTATIONS + SIXTEEN] = ZERO
    work[STEP_FROM] = work[STEP_TO] = ZERO
    found, refuted, moves = ZERO, ZERO, ONE
    while moves > refuted:
        if wins_within(work, MOVES, men, kings, enemy_men, enemy_kings, rules, moves) != ZERO:
            found = moves
            moves -= ONE
        else:
            refuted = moves
            # Every second number is left out at first: no win within more moves is none within fewer.
            if found == ZERO:
                moves = moves + TWO if moves + TWO < work[LIMIT] else work[LIMIT]
    return found


@compiled(u8(work_array), entry=True)
def move_distances(work: Work) -> U:
    """Write the legal moves, each with the least number from FROM to LIMIT within which it wins.

    The numbers, 0 for none and in a game that has ended, stand in the moves' words from bit 16 on; STANDING
    says how the game stands. Returns the cell after the last move.
    """
    men, kings, enemy_men, enemy_kings = work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS]
    rules = work[RULES]
    end = legal_moves(work, MOVES, men, kings, enemy_men, enemy_kings, rules)
    work[STANDING] = standing(men, kings, enemy_men, enemy_kings, rules)
    if work[STANDING] != OPEN:
        return end
    cell = MOVES
    while cell < end:
        a, b, c, d = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        moves, limit = work[FROM], work[LIMIT]
        # Most moves do not win at all, which the greatest number alone tells.
        if moves <= limit and holds(work, end, a, b, c, d, rules, limit - ONE) != ZERO:
            while moves < limit and holds(work, end, a, b, c, d, rules, moves - ONE) == ZERO:
                moves += ONE
            work[cell] |= moves << DISTANCE_SHIFT
        cell += TWO
    return end
