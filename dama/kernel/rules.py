"""The rules of every game behind one interface: moves, what they make of a board, and whether there are any.

A position is four boards as the side to move sees them: its men and kings, the enemy's men and kings.
``rules`` are the flags of the workspace. A move is two words of it: origin | target << 6 | is-a-king << 12 |
is-on-the-diagonal-grid << 13, and the board of its captures. ``mixed`` holds the rules of all games,
``orthogonal`` those of the Turkish ones for speed.
"""

import numpy as np

from dama.kernel import diagonal, mixed, orthogonal
from dama.kernel.bits import ONE, SIX, THIRTY_TWO, ZERO, reversed_bits
from dama.kernel.compiler import array_at, exported, inlined, pointer_to, u8, work_pointer
from dama.kernel.mixed import SLANTING
from dama.kernel.orthogonal import KING, SQUARE
from dama.kernel.workspace import MIXED, OVERFLOW, ROOM, SIZE, Work

U = np.uint64


@exported(u8(work_pointer, u8, u8, u8, u8, u8, u8, u8))
def _written(
    cells: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, captures_only: U
) -> U:
    work = array_at(cells, SIZE)
    if at + ROOM > SIZE:
        work[OVERFLOW] = ONE
        return at
    occupied = men | kings | enemy_men | enemy_kings
    if rules & MIXED != ZERO:
        end = mixed.captures(work, at, men, kings, enemy_men, enemy_kings, rules)
        if end == at and captures_only == ZERO:
            end = mixed.quiet_moves(work, at, men, kings, occupied, rules)
        return end
    end = orthogonal.captures(work, at, men, kings, occupied, enemy_men | enemy_kings, rules)
    if end == at and captures_only == ZERO:
        end = orthogonal.quiet_moves(work, at, men, kings, ~occupied)
    return end


@inlined
def legal_moves(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Write the legal moves, each once, from a cell on; return the cell after the last one.

    Without room for them it sets the overflow cell, which the caller must look at in the end.
    """
    return _written(pointer_to(work), at, men, kings, enemy_men, enemy_kings, rules, ZERO)


@inlined
def captures(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Do as ``legal_moves`` does, but write captures only: none, when there is nothing to take."""
    return _written(pointer_to(work), at, men, kings, enemy_men, enemy_kings, rules, ONE)


@inlined
def can_capture(men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return whether the side to move has a capture, without a list of moves: not 0 when it has."""
    if rules & MIXED != ZERO:
        return mixed.capturers(men, kings, enemy_men, enemy_kings, rules)
    enemy = enemy_men | enemy_kings
    occupied = men | kings | enemy
    found = orthogonal.jumpers(men, enemy, ~occupied)
    return found if kings == ZERO else found | orthogonal.kings_capture(kings, occupied, enemy)


@inlined
def can_move(men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> U:
    """Return whether the side to move has a legal move: not 0 when it has."""
    if rules & MIXED != ZERO:
        return mixed.can_move(men, kings, enemy_men, enemy_kings, rules)
    return orthogonal.can_move(men, kings, enemy_men, enemy_kings)


@inlined
def played(word: U, captured: U, men: U, kings: U, enemy_men: U, enemy_kings: U) -> tuple[U, U, U, U]:
    """Return the boards after a move as the other side, now to move, sees them."""
    if word & SLANTING == ZERO:
        return orthogonal.played(word, captured, men, kings, enemy_men, enemy_kings)
    origin = ONE << (word & SQUARE)
    target = ONE << ((word >> SIX) & SQUARE)
    if word & KING != ZERO:
        kings = (kings & ~origin) | target
    else:
        men &= ~origin
        men |= target & ~diagonal.LAST_ROW
        kings |= target & diagonal.LAST_ROW
    enemy = reversed_bits((enemy_men & ~captured) | ((enemy_kings & ~captured) << THIRTY_TWO))
    own = reversed_bits(men | (kings << THIRTY_TWO))
    return enemy >> THIRTY_TWO, enemy & diagonal.BOARD, own >> THIRTY_TWO, own & diagonal.BOARD
