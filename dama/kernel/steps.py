"""What one step of the defender plainly refutes: evidence on whole boards, without a list of moves.

A quiet move takes nothing and fills one square, so it leaves a move to an enemy who can step onto two. So who
has nothing to take cannot end the game against such an enemy. All of it holds by the rules of ``orthogonal``.
"""

import numpy as np

from dama.kernel.bits import (
    EIGHT,
    FOUR,
    LAST_RANK,
    NOT_A,
    NOT_AB,
    NOT_GH,
    NOT_H,
    ONE,
    SIX,
    SIXTEEN,
    THREE,
    TWO,
    ZERO,
    flipped,
    lowest,
    popcount,
)
from dama.kernel.compiler import inlined, part
from dama.kernel.orthogonal import (
    KING,
    jumpers,
    kings_capture,
    legal_moves,
    slides_down,
    slides_left,
    slides_right,
    slides_up,
)
from dama.kernel.rays import reach
from dama.kernel.workspace import NODES, OVERFLOW, ROOM, SIZE, STEP_FROM, STEP_TO, Work

U = np.uint64


@inlined
def _enemy_steps(enemy_men: U, enemy_kings: U, empty: U) -> U:
    """Return the free squares next to the enemies onto which they can step."""
    enemy = enemy_men | enemy_kings
    steps = (enemy_men >> EIGHT) | ((enemy & NOT_H) << ONE) | ((enemy & NOT_A) >> ONE)
    return (steps | (enemy_kings << EIGHT) | (enemy_kings >> EIGHT)) & empty


@inlined
def cannot_end(men: U, kings: U, enemy_men: U, enemy_kings: U) -> U:
    """Return 1 when it is plain that no legal move wins at once; 0 when one may."""
    enemy = enemy_men | enemy_kings
    empty = ~(men | kings | enemy)
    steps = _enemy_steps(enemy_men, enemy_kings, empty)
    if steps & (steps - ONE) == ZERO or jumpers(men, enemy, empty) != ZERO:
        return ZERO
    return ONE if kings == ZERO or kings_capture(kings, ~empty, enemy) == ZERO else ZERO


@inlined
def _stepped(origin: U, target: U, men: U, kings: U) -> tuple[U, U]:
    """Return the men and kings of a side after its step."""
    moved = origin | target
    if kings & origin != ZERO:
        return men, kings ^ moved
    men ^= moved
    crowned = men & LAST_RANK
    return men ^ crowned, kings | crowned


@inlined
def _is_step(origin: U, target: U, men: U, kings: U, empty: U) -> U:
    """Return 1 when a step that was one on another board is one here."""
    if target & empty == ZERO or origin & (men | kings) == ZERO:
        return ZERO
    # A man may stand where a king stepped down from.
    return ONE if origin & kings != ZERO or target > origin >> TWO else ZERO


@inlined
def _neighbours(direction: U, squares: U) -> U:
    """Return the squares next to these in a direction."""
    if direction == ZERO:
        return squares << EIGHT
    if direction == ONE:
        return (squares & NOT_H) << ONE
    if direction == TWO:
        return squares >> EIGHT
    return (squares & NOT_A) >> ONE


@part
def some_step_refutes(work: Work, men: U, kings: U, enemy_men: U, enemy_kings: U) -> U:
    """Return 1 when the defender, to move and with nothing to take, has a step after which that is plain.

    The step that did it last is tried first, and remembered in STEP_FROM and STEP_TO as the defender sees it.
    """
    own = men | kings
    empty = ~(own | enemy_men | enemy_kings)
    solver_men, solver_kings = flipped(enemy_men), flipped(enemy_kings)
    if _is_step(work[STEP_FROM], work[STEP_TO], men, kings, empty) != ZERO:
        work[NODES] += ONE
        own_men, own_kings = _stepped(work[STEP_FROM], work[STEP_TO], men, kings)
        if cannot_end(solver_men, solver_kings, flipped(own_men), flipped(own_kings)) != ZERO:
            return ONE
    direction = ZERO
    while direction < FOUR:
        targets = _neighbours(direction, own if direction != TWO else kings) & empty
        while targets != ZERO:
            target = targets & (ZERO - targets)
            targets ^= target
            origin = _neighbours(direction ^ TWO, target)
            work[NODES] += ONE
            own_men, own_kings = _stepped(origin, target, men, kings)
            if cannot_end(solver_men, solver_kings, flipped(own_men), flipped(own_kings)) != ZERO:
                work[STEP_FROM] = origin
                work[STEP_TO] = target
                return ONE
        direction += ONE
    return ZERO


@inlined
def attacked_by(enemy_men: U, enemy_kings: U, empty: U) -> U:
    """Return the squares on which the enemies, to move, could capture a piece."""
    down = right = left = enemy_men
    up = ZERO
    if enemy_kings != ZERO:
        up = slides_up(enemy_kings, empty)
        down |= slides_down(enemy_kings, empty)
        right |= slides_right(enemy_kings, empty)
        left |= slides_left(enemy_kings, empty)
    danger = ((up << EIGHT) & (empty >> EIGHT)) | ((down >> EIGHT) & (empty << EIGHT))
    danger |= ((right & NOT_H) << ONE) & ((empty & NOT_A) >> ONE)
    return danger | (((left & NOT_A) >> ONE) & ((empty & NOT_H) << ONE))


@inlined
def _men_capture_from(enemy: U, empty: U) -> U:
    """Return the squares from which a man captures."""
    squares = (enemy >> EIGHT) & (empty >> SIXTEEN)
    squares |= NOT_GH & (enemy >> ONE) & (empty >> TWO)
    return squares | (NOT_AB & (enemy << ONE) & (empty << TWO))


@inlined
def _kings_capture_from(enemy: U, empty: U) -> U:
    """Return the free squares from which a king captures."""
    squares = slides_down(((enemy & (empty >> EIGHT)) >> EIGHT) & empty, empty)
    squares |= slides_up(((enemy & (empty << EIGHT)) << EIGHT) & empty, empty)
    squares |= slides_left(((enemy & ((empty & NOT_A) >> ONE) & NOT_A) >> ONE) & empty, empty)
    return squares | slides_right(((enemy & ((empty & NOT_H) << ONE) & NOT_H) << ONE) & empty, empty)


@inlined
def _quiet_targets(piece: U, kings: U, empty: U) -> U:
    """Return where a piece can go without capturing."""
    if piece & kings == ZERO:
        return ((piece << EIGHT) | ((piece & NOT_H) << ONE) | ((piece & NOT_A) >> ONE)) & empty
    square = lowest(piece)
    upright = reach(square, ZERO, ~empty) | reach(square, TWO, ~empty)
    return upright | reach(square, ONE, ~empty) | reach(square, THREE, ~empty)


@inlined
def _unrefuted(
    piece: U, target: U, men: U, kings: U, enemy_men: U, enemy_kings: U, stepped_men: U, stepped_kings: U
) -> U:
    """Return the squares where a piece's quiet move is not plainly refuted by the step onto a target.

    The enemy's pieces are given as they stand before the step and after it. The piece is taken off the board:
    wherever it goes, it can only be in the way of captures, unless it captures or is captured itself.
    """
    others = (men | kings) ^ piece
    danger = attacked_by(enemy_men, enemy_kings, ~(others | enemy_men | enemy_kings))
    stepped = stepped_men | stepped_kings
    empty = ~(others | stepped)
    steps = _enemy_steps(stepped_men, stepped_kings, empty)
    if (
        danger & others != ZERO
        or steps & (steps - ONE) == ZERO
        or jumpers(men & others, stepped, empty) != ZERO
        or (kings & others != ZERO and kings_capture(kings & others, ~empty, stepped) != ZERO)
    ):
        return ~ZERO
    if piece & kings != ZERO:
        unrefuted = danger | target | _kings_capture_from(stepped, empty)
    else:
        unrefuted = danger | target | _men_capture_from(stepped, empty) | LAST_RANK
    return unrefuted | steps if popcount(steps) == TWO else unrefuted


@inlined
def _step_at_hand(work: Work, men: U, kings: U, enemy_men: U, enemy_kings: U) -> U:
    """Return 1 when the remembered step of the defender can be made, or another one is found to remember.

    The defender is given as own, and to move.
    """
    empty = ~(men | kings | enemy_men | enemy_kings)
    if _is_step(work[STEP_FROM], work[STEP_TO], men, kings, empty) != ZERO:
        return ONE
    return some_step_refutes(work, men, kings, enemy_men, enemy_kings)


@part
def unrefuted_moves(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Write the solver's moves, two before the end, but those that one step of the defender plainly refutes.

    Returns the cell after the last one. A move is left out when after it the defender has nothing to take and
    can make the step, and after that the solver has nothing to take and the defender two steps.
    """
    enemy = enemy_men | enemy_kings
    empty = ~(men | kings | enemy)
    defending_men, defending_kings = flipped(enemy_men), flipped(enemy_kings)
    if (
        jumpers(men, enemy, empty) != ZERO
        or (kings != ZERO and kings_capture(kings, ~empty, enemy) != ZERO)
        or _step_at_hand(work, defending_men, defending_kings, flipped(men), flipped(kings)) == ZERO
    ):
        return legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    if at + ROOM > SIZE:
        work[OVERFLOW] = ONE
        return at
    stepped_men, stepped_kings = _stepped(work[STEP_FROM], work[STEP_TO], defending_men, defending_kings)
    stepped_men, stepped_kings = flipped(stepped_men), flipped(stepped_kings)
    target = flipped(work[STEP_TO])
    end = at
    left = men | kings
    while left != ZERO:
        piece = left & (ZERO - left)
        left ^= piece
        targets = _quiet_targets(piece, kings, empty)
        if targets != ZERO:
            targets &= _unrefuted(
                piece, target, men, kings, enemy_men, enemy_kings, stepped_men, stepped_kings
            )
        word = lowest(piece) | (KING if piece & kings != ZERO else ZERO)
        while targets != ZERO:
            work[end] = word | (lowest(targets) << SIX)
            work[end + ONE] = ZERO
            end += TWO
            targets &= targets - ONE
    return end
