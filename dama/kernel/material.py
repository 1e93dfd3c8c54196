"""Material after best play: how many men a side is up when both look only at what is captured and crowned.

Values are half men, so that they stay whole, and lie around EVEN, so that they stay positive: the opponent's
value is the mirror image in it.
"""

import numpy as np

from dama.kernel.bits import ONE, TWO, ZERO, popcount
from dama.kernel.compiler import compiled, inlined, u8, work_array
from dama.kernel.rules import captures, legal_moves, played
from dama.kernel.wins import DRAWN, LOST, OPEN, standing
from dama.kernel.workspace import ENEMY_KINGS, ENEMY_MEN, KINGS, LIMIT, MEN, MOVES, RULES, Work
from dama.pieces import KING_WORTH, MAN_WORTH

U = np.uint64

EVEN = np.uint64(1024)
GAME = np.uint64(512)
"""How far above EVEN a game won is: more than any material."""
MAN = np.uint64(2 * MAN_WORTH)
KING = np.uint64(2 * KING_WORTH)


@inlined
def _material(men: U, kings: U, enemy_men: U, enemy_kings: U) -> U:
    own = MAN * popcount(men) + KING * popcount(kings)
    return EVEN + own - MAN * popcount(enemy_men) - KING * popcount(enemy_kings)


@inlined
def _of_ended(now: U) -> U:
    """Return the value of a game that has ended as ``standing`` says."""
    if now == DRAWN:
        return EVEN
    return EVEN - GAME if now == LOST else EVEN + GAME


@compiled(u8(work_array, u8, u8, u8, u8, u8, u8, u8, u8, u8))
def _value(
    work: Work,
    at: U,
    men: U,
    kings: U,
    enemy_men: U,
    enemy_kings: U,
    rules: U,
    depth: U,
    least: U,
    enough: U,
) -> U:
    """Return the value for the side to move; one that is not between the bounds may be any on its side.

    Capturing is compulsory, so that the line goes on beyond the depth as long as there is something to take.
    """
    now = standing(men, kings, enemy_men, enemy_kings, rules)
    if now != OPEN:
        return _of_ended(now)
    if depth != ZERO:
        end = legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    else:
        end = captures(work, at, men, kings, enemy_men, enemy_kings, rules)
        if end == at:
            return _material(men, kings, enemy_men, enemy_kings)
    left = depth - ONE if depth != ZERO else ZERO
    best = EVEN - GAME
    cell = at
    while cell < end and best < enough:
        a, b, c, d = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        floor = least if least > best else best
        value = (
            EVEN
            + EVEN
            - _value(work, end, a, b, c, d, rules, left, EVEN + EVEN - enough, EVEN + EVEN - floor)
        )
        if value > best:
            best = value
        cell += TWO
    return best


@compiled(u8(work_array), entry=True)
def value_of_best_play(work: Work) -> U:
    """Return the value of the workspace's position for the side to move after LIMIT plies, and captures."""
    return _value(
        work,
        MOVES,
        work[MEN],
        work[KINGS],
        work[ENEMY_MEN],
        work[ENEMY_KINGS],
        work[RULES],
        work[LIMIT],
        EVEN - GAME,
        EVEN + GAME,
    )
