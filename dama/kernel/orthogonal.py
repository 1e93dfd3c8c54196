"""Moves of the orthogonal game (Turkish dama) on bitboards, as the side to move sees the board.

A move is two words of the workspace: origin | target << 6 | is-a-king << 12, and the board of its captures.

These are the rules of the Turkish games, for speed without a look at those that they do not have: men capture
kings, kings fly, a capture goes before another at most by how much it takes, and crowning ends no series.

A man only goes up and sideways, and never back along a rank, so in a series it meets neither its first square
nor one where it has captured: it sees the same board all the way, whenever captured pieces leave. Only a
king's series needs more care.
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
    THIRTY_TWO,
    THREE,
    TWELVE,
    TWO,
    ZERO,
    flipped,
    lowest,
    popcount,
)
from dama.kernel.compiler import inlined, part
from dama.kernel.rays import king_jump, nearest, reach
from dama.kernel.workspace import (
    END,
    MAJORITY,
    MOST,
    OVERFLOW,
    REMOVAL_AT_ONCE,
    ROOM,
    SIZE,
    STACK,
    TURNING_BACK,
    Work,
)

U = np.uint64
MINUS_ONE = ~ZERO
KING = ONE << TWELVE
SQUARE = np.uint64(63)
NO_DIRECTION = FOUR
FIRST_LANDING = np.uint64(512)


@inlined
def slides_up(pieces: U, empty: U) -> U:
    """Return the pieces' squares and all that they reach going up; by one, two and four squares at once."""
    pieces |= empty & (pieces << EIGHT)
    empty &= empty << EIGHT
    pieces |= empty & (pieces << SIXTEEN)
    empty &= empty << SIXTEEN
    return pieces | (empty & (pieces << THIRTY_TWO))


@inlined
def slides_down(pieces: U, empty: U) -> U:
    """Return the pieces' squares and all that they reach going down."""
    pieces |= empty & (pieces >> EIGHT)
    empty &= empty >> EIGHT
    pieces |= empty & (pieces >> SIXTEEN)
    empty &= empty >> SIXTEEN
    return pieces | (empty & (pieces >> THIRTY_TWO))


@inlined
def slides_right(pieces: U, empty: U) -> U:
    """Return the pieces' squares and all that they reach going right."""
    empty &= NOT_A
    pieces |= empty & (pieces << ONE)
    empty &= empty << ONE
    pieces |= empty & (pieces << TWO)
    empty &= empty << TWO
    return pieces | (empty & (pieces << FOUR))


@inlined
def slides_left(pieces: U, empty: U) -> U:
    """Return the pieces' squares and all that they reach going left."""
    empty &= NOT_H
    pieces |= empty & (pieces >> ONE)
    empty &= empty >> ONE
    pieces |= empty & (pieces >> TWO)
    empty &= empty >> TWO
    return pieces | (empty & (pieces >> FOUR))


@inlined
def kings_capture(kings: U, occupied: U, enemy: U) -> U:
    """Return the squares just behind the pieces that kings can jump: none when no king can capture."""
    empty = ~occupied
    landings = ((slides_up(kings, empty) << EIGHT) & enemy) << EIGHT
    landings |= ((slides_down(kings, empty) >> EIGHT) & enemy) >> EIGHT
    landings |= (((slides_right(kings, empty) & NOT_GH) << ONE) & enemy) << ONE
    landings |= (((slides_left(kings, empty) & NOT_AB) >> ONE) & enemy) >> ONE
    return landings & empty


@inlined
def jumpers(pieces: U, enemy: U, empty: U) -> U:
    """Return the pieces that can jump a neighbour ahead or beside them."""
    return pieces & (
        ((enemy >> EIGHT) & (empty >> SIXTEEN))
        | (NOT_GH & (enemy >> ONE) & (empty >> TWO))
        | (NOT_AB & (enemy << ONE) & (empty << TWO))
    )


@inlined
def jumpers_back(kings: U, enemy: U, empty: U) -> U:
    """Return the kings that can jump a neighbour behind them."""
    return kings & (enemy << EIGHT) & (empty << SIXTEEN)


@inlined
def steps(men: U, kings: U, empty: U) -> U:
    """Return the free squares onto which a piece can step."""
    own = men | kings
    return ((own << EIGHT) | ((own & NOT_H) << ONE) | ((own & NOT_A) >> ONE) | (kings >> EIGHT)) & empty


@inlined
def can_move(men: U, kings: U, enemy_men: U, enemy_kings: U) -> U:
    """Return whether the side to move has a legal move: not 0 when it has."""
    enemy = enemy_men | enemy_kings
    empty = ~(men | kings | enemy)
    # A king without a free neighbour can only jump a neighbour.
    return steps(men, kings, empty) | jumpers(men | kings, enemy, empty) | jumpers_back(kings, enemy, empty)


@inlined
def record(work: Work, at: U, word: U, captured: U, worth: U) -> None:
    """Add a capture to the list that begins at a cell, unless it is there or a worthier one is."""
    if worth < work[MOST]:
        return
    end = work[END]
    if worth > work[MOST]:
        work[MOST] = worth
        end = at
    cell = at
    while cell < end:
        if work[cell] == word and work[cell + ONE] == captured:
            return
        cell += TWO
    if end + TWO > SIZE:
        work[OVERFLOW] = ONE
        return
    work[end] = word
    work[end + ONE] = captured
    work[END] = end + TWO


@inlined
def _worth(captured: U, rules: U) -> U:
    return popcount(captured) if rules & MAJORITY != ZERO else ZERO


@part
def _man_captures(work: Work, at: U, origin: U, empty: U, enemy: U, rules: U) -> None:
    work[STACK] = origin
    work[STACK + ONE] = ZERO
    top = STACK + TWO
    while top > STACK:
        top -= TWO
        square = work[top]
        captured = work[top + ONE]
        man = ONE << square
        victims = enemy & ~captured
        before = top
        if man & (victims >> EIGHT) & (empty >> SIXTEEN) != ZERO:
            work[top] = square + SIXTEEN
            work[top + ONE] = captured | (man << EIGHT)
            top += TWO
        if man & NOT_GH & (victims >> ONE) & (empty >> TWO) != ZERO:
            work[top] = square + TWO
            work[top + ONE] = captured | (man << ONE)
            top += TWO
        if man & NOT_AB & (victims << ONE) & (empty << TWO) != ZERO:
            work[top] = square - TWO
            work[top + ONE] = captured | (man >> ONE)
            top += TWO
        if top == before and captured != ZERO:
            record(work, at, origin | (square << SIX), captured, _worth(captured, rules))


@part
def _king_jumps(work: Work, top: U, state: U, captured: U, occupied: U, enemy: U, rules: U) -> U:
    """Push what a king can do next in its series; return the new top with bit 0 set when it can go on."""
    square = state & SQUARE
    came = (state >> SIX) & np.uint64(7)
    if rules & REMOVAL_AT_ONCE != ZERO:
        occupied &= ~captured
    more = ZERO
    direction = ZERO
    while direction < FOUR:
        if came == NO_DIRECTION or came ^ TWO != direction or rules & TURNING_BACK != ZERO:
            victim, landings = king_jump(square, direction, occupied, enemy & ~captured)
            if landings != ZERO:
                more = ONE
            # From every landing of a jump the way straight on leads to the same next jump: take it once.
            if came == direction and state & FIRST_LANDING == ZERO:
                landings = ZERO
            first = FIRST_LANDING
            while landings != ZERO:
                landing = nearest(direction, landings)
                landings ^= ONE << landing
                work[top] = landing | (direction << SIX) | first
                work[top + ONE] = captured | victim
                top += TWO
                first = ZERO
        direction += ONE
    return top | more


@part
def _king_captures(work: Work, at: U, origin: U, occupied: U, enemy: U, rules: U) -> None:
    occupied &= ~(ONE << origin)
    work[STACK] = origin | (NO_DIRECTION << SIX)
    work[STACK + ONE] = ZERO
    top = STACK + TWO
    while top > STACK:
        top -= TWO
        state = work[top]
        captured = work[top + ONE]
        pushed = _king_jumps(work, top, state, captured, occupied, enemy, rules)
        if pushed == top and captured != ZERO:
            word = origin | ((state & SQUARE) << SIX) | KING
            record(work, at, word, captured, _worth(captured, rules))
        top = pushed & ~ONE


@part
def captures(work: Work, at: U, men: U, kings: U, occupied: U, enemy: U, rules: U) -> U:
    """Write the legal captures from a cell on; return the cell after the last one."""
    work[END] = at
    work[MOST] = ZERO
    left = jumpers(men, enemy, ~occupied)
    while left != ZERO:
        _man_captures(work, at, lowest(left), ~occupied, enemy, rules)
        left &= left - ONE
    while kings != ZERO:
        _king_captures(work, at, lowest(kings), occupied, enemy, rules)
        kings &= kings - ONE
    end: U = work[END]
    return end


@inlined
def _steps(work: Work, end: U, targets: U, step: U) -> U:
    while targets != ZERO:
        target = lowest(targets)
        targets &= targets - ONE
        work[end] = (target - step) | (target << SIX)
        work[end + ONE] = ZERO
        end += TWO
    return end


@part
def quiet_moves(work: Work, at: U, men: U, kings: U, empty: U) -> U:
    """Write the moves that capture nothing from a cell on; return the cell after the last one."""
    end = _steps(work, at, (men << EIGHT) & empty, EIGHT)
    end = _steps(work, end, ((men & NOT_H) << ONE) & empty, ONE)
    end = _steps(work, end, ((men & NOT_A) >> ONE) & empty, MINUS_ONE)
    while kings != ZERO:
        origin = lowest(kings)
        kings &= kings - ONE
        targets = reach(origin, ZERO, ~empty) | reach(origin, ONE, ~empty)
        targets |= reach(origin, TWO, ~empty) | reach(origin, THREE, ~empty)
        while targets != ZERO:
            work[end] = origin | (lowest(targets) << SIX) | KING
            work[end + ONE] = ZERO
            end += TWO
            targets &= targets - ONE
    return end


@part
def legal_moves(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Write the legal moves, each once, from a cell on; return the cell after the last one.

    Without room for them it sets the overflow cell, which the caller must look at in the end.
    """
    if at + ROOM > SIZE:
        work[OVERFLOW] = ONE
        return at
    enemy = enemy_men | enemy_kings
    occupied = men | kings | enemy
    end = captures(work, at, men, kings, occupied, enemy, rules)
    if end != at:
        return end
    return quiet_moves(work, at, men, kings, ~occupied)


@inlined
def count_moves(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Count the legal moves; written down are only series of captures and what kings capture."""
    enemy = enemy_men | enemy_kings
    occupied = men | kings | enemy
    empty = ~occupied
    up = men & (enemy >> EIGHT) & (empty >> SIXTEEN)
    right = men & NOT_GH & (enemy >> ONE) & (empty >> TWO)
    left = men & NOT_AB & (enemy << ONE) & (empty << TWO)
    if (kings != ZERO and kings_capture(kings, occupied, enemy) != ZERO) or (
        up | right | left != ZERO
        and (jumpers((up << SIXTEEN) | (right << TWO) | (left >> TWO), enemy, empty) != ZERO)
    ):
        if at + ROOM > SIZE:
            work[OVERFLOW] = ONE
            return ZERO
        return (captures(work, at, men, kings, occupied, enemy, rules) - at) >> ONE
    if up | right | left != ZERO:
        return popcount(up) + popcount(right) + popcount(left)
    count = popcount((men << EIGHT) & empty)
    count += popcount(((men & NOT_H) << ONE) & empty) + popcount(((men & NOT_A) >> ONE) & empty)
    while kings != ZERO:
        square = lowest(kings)
        kings &= kings - ONE
        targets = reach(square, ZERO, occupied) | reach(square, ONE, occupied)
        count += popcount(targets | reach(square, TWO, occupied) | reach(square, THREE, occupied))
    return count


@inlined
def played(word: U, captured: U, men: U, kings: U, enemy_men: U, enemy_kings: U) -> tuple[U, U, U, U]:
    """Return the boards after a move as the other side, now to move, sees them."""
    origin = ONE << (word & SQUARE)
    target = ONE << ((word >> SIX) & SQUARE)
    if word & KING != ZERO:
        kings = (kings & ~origin) | target
    else:
        men = (men & ~origin) | target
        crowned = men & target & LAST_RANK
        men ^= crowned
        kings |= crowned
    return flipped(enemy_men & ~captured), flipped(enemy_kings & ~captured), flipped(men), flipped(kings)
