"""The fixed yardstick for the engine: plain alpha-beta to depth 6, compiled on the same move generator.

    dama match hard bench/engine.py:yardstick --games 100

It looks at every move in the order of generation, goes on beyond the depth while there is something to take,
values a man 100, a king 350 and each rank a man has advanced 3, chooses by chance between equals, and
remembers nothing. The match tells how many positions a second each side has looked at.
"""

import random

import numpy as np

from dama.game import Game
from dama.kernel.bits import ONE, TWO, ZERO, popcount
from dama.kernel.calls import call, cells
from dama.kernel.compiler import compiled, i8, inlined, part, u8, work_array
from dama.kernel.rules import legal_moves, played
from dama.kernel.wins import DRAWN, LOST, OPEN, standing
from dama.kernel.workspace import ENEMY_KINGS, ENEMY_MEN, FROM, KINGS, LIMIT, MEN, MOVES, NODES, RULES, Work
from dama.move import Move

DEPTH = 6
U = np.uint64
S = np.int64
PLY = np.int64(1)
NONE = np.int64(0)
WIN = np.int64(30000)
MAN = np.int64(100)
KING = np.int64(350)
RANK = np.int64(3)
ADVANCED = tuple(np.uint64(0xFFFFFFFFFFFFFFFF << 8 * rank & 0xFFFFFFFFFFFFFFFF) for rank in range(1, 8))
RETREATED = tuple(np.uint64(0xFFFFFFFFFFFFFFFF >> 8 * rank) for rank in range(1, 8))


@inlined
def _count(board: U) -> S:
    return np.int64(popcount(board))


@part
def _value_of(men: U, kings: U, enemy_men: U, enemy_kings: U) -> S:
    value = MAN * (_count(men) - _count(enemy_men)) + KING * (_count(kings) - _count(enemy_kings))
    for rank in range(7):
        value += RANK * (_count(men & ADVANCED[rank]) - _count(enemy_men & RETREATED[rank]))
    return value


@compiled(i8(work_array, u8, u8, u8, u8, u8, u8, i8, i8, i8, i8))
def _best_value(
    work: Work,
    at: U,
    men: U,
    kings: U,
    enemy_men: U,
    enemy_kings: U,
    rules: U,
    depth: S,
    least: S,
    enough: S,
    ply: S,
) -> S:
    work[NODES] += ONE
    now = standing(men, kings, enemy_men, enemy_kings, rules)
    if now != OPEN:
        return NONE if now == DRAWN else ply - WIN if now == LOST else WIN - ply
    end = legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    if depth <= NONE and work[at + ONE] == ZERO:
        return _value_of(men, kings, enemy_men, enemy_kings)
    best = -WIN
    cell = at
    while cell < end and best < enough:
        a, b, c, d = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        floor = max(least, best)
        value = -_best_value(work, end, a, b, c, d, rules, depth - PLY, -enough, -floor, ply + PLY)
        best = max(best, value)
        cell += TWO
    return best


@compiled(u8(work_array), entry=True)
def value_of_answers(work: Work) -> U:
    """Return WIN and the value of the position for its side to move; what is FROM less WIN is enough."""
    men, kings, enemy_men, enemy_kings = work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS]
    depth, enough = np.int64(work[LIMIT]), np.int64(work[FROM]) - WIN
    value = _best_value(
        work, MOVES, men, kings, enemy_men, enemy_kings, work[RULES], depth, -WIN, enough, PLY
    )
    return np.uint64(value + WIN)


def yardstick(game: Game, seed: int) -> tuple[Move, int]:
    """Return the move to play, by chance one of the best, and how many positions were looked at."""
    moves = list(game.position.legal_moves)
    random.Random(f"{seed} {game.fen()}").shuffle(moves)
    offset = int(WIN)
    best, chosen, nodes = -offset - 1, moves[0], 0
    for move in moves:
        # Only what is better than the best so far is of interest: the answers need to be no better than that.
        enough = offset - best
        value = offset - call(game.position.after(move), value_of_answers, DEPTH - 1, enough)
        nodes += int(cells()[NODES])
        if value > best:
            best, chosen = value, move
    return chosen, nodes
