"""The value of a position once the captures that are due have been made.

Scores are hundredths of a man for the side to move; a game won in so many plies is worth WIN less those.
"""

from typing import Any

import numpy as np

from dama.kernel.bits import EIGHT, ONE, TWO, ZERO
from dama.kernel.compiler import array_at, compiled, i8, inlined, u8, work_pointer
from dama.kernel.evaluation import evaluate
from dama.kernel.play_space import (
    CONTEMPT,
)
from dama.kernel.rules import can_capture, captures, played
from dama.kernel.wins import DRAWN, LOST, OPEN, standing
from dama.kernel.workspace import DIAGONAL, NODES, ROOM, SEVERAL_MEN_BEAT_ONE, SIZE, Work

U = np.uint64
S = np.int64

WIN = np.int64(30000)
SURE_WIN = np.int64(29000)
"""From this score on the game is won by force."""
NO_SCORE = np.int64(32000)


@inlined
def drawn(work: Work, ply: U) -> S:
    """Return the value of a draw, which the side at the root may like less than an even game."""
    contempt = np.int64(work[CONTEMPT])
    return contempt if ply & ONE != ZERO else -contempt


@inlined
def value_of_ended(work: Work, now: U, ply: U) -> S:
    """Return the value of a game that has ended as ``now`` says, for the side to move."""
    if now == DRAWN:
        return drawn(work, ply)
    return np.int64(ply) - WIN if now == LOST else WIN - np.int64(ply)


@inlined
def _steps_forward(men: U, occupied: U, rules: U) -> U:
    """Return not 0 when a man can step straight forward, which it never does on the diagonal grid."""
    return (men << EIGHT) & ~occupied if rules & DIAGONAL == ZERO else ZERO


@compiled(i8(work_pointer, u8, u8, u8, u8, u8, u8, i8, i8, u8))
def settle(
    cells: Any,
    at: U,
    men: U,
    kings: U,
    enemy_men: U,
    enemy_kings: U,
    rules: U,
    least: S,
    enough: S,
    ply: U,
) -> S:
    """Return the value when the captures that are due have been made."""
    work = array_at(cells, SIZE)
    work[NODES] += ONE
    # Mostly it is plain that the game goes on: a man can step, and no rule about few pieces holds.
    if _steps_forward(men, men | kings | enemy_men | enemy_kings, rules) == ZERO or (
        enemy_men == ZERO or (rules & SEVERAL_MEN_BEAT_ONE != ZERO and kings | enemy_kings == ZERO)
    ):
        now = standing(men, kings, enemy_men, enemy_kings, rules)
        if now != OPEN:
            return value_of_ended(work, now, ply)
    if can_capture(men, kings, enemy_men, enemy_kings, rules) == ZERO or at + ROOM > SIZE:
        return evaluate(cells, men, kings, enemy_men, enemy_kings, rules, least, enough)
    end = captures(work, at, men, kings, enemy_men, enemy_kings, rules)
    best = -NO_SCORE
    cell = at
    while cell < end:
        a, b, c, d = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        floor = max(least, best)
        value = -settle(cells, end, a, b, c, d, rules, -enough, -floor, ply + ONE)
        if value > best:
            best = value
            if best >= enough:
                break
        cell += TWO
    return best
