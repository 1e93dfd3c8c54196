"""The way from a position to compiled code: what is asked goes into the workspace of the running thread."""

import threading
from collections.abc import Callable

import numpy as np

from dama.kernel.workspace import (
    FROM,
    LIMIT,
    MAJORITY,
    NODES,
    ONE_KING_EACH_DRAWS,
    OVERFLOW,
    REMOVAL_AT_ONCE,
    RULES,
    SEVERAL_MEN_BEAT_ONE,
    SIZE,
    TURNING_BACK,
    Work,
)
from dama.pieces import Color
from dama.position import Position
from dama.rulesets import Ruleset
from dama.squares import swapped_bitboard

# Plain integers: indexing an array with them is much the faster way from Python.
_RULES, _FROM, _LIMIT, _NODES, _OVERFLOW = map(int, (RULES, FROM, LIMIT, NODES, OVERFLOW))


class _Local(threading.local):
    def __init__(self) -> None:
        self.work: Work = np.zeros(int(SIZE), dtype=np.uint64)
        self.rules: Ruleset | None = None


_local = _Local()


def cells() -> Work:
    """Return the workspace (300 kB) of the running thread."""
    return _local.work


def call(position: Position, function: Callable[[Work], np.uint64], limit: int, least: int = 1) -> int:
    """Call a compiled function on a position, as its side to move sees it; return the answer.

    What it writes stays in the workspace until the next call. Raises OverflowError when moves find no room.
    """
    boards = position.white_men, position.white_kings, position.black_men, position.black_kings
    if position.turn is Color.BLACK:
        men, kings, enemy_men, enemy_kings = map(swapped_bitboard, boards)
        boards = enemy_men, enemy_kings, men, kings
    work = _local.work
    if position.rules is not _local.rules:
        work[_RULES] = flags_of(position.rules)
        _local.rules = position.rules
    work[0], work[1], work[2], work[3] = boards
    work[_FROM], work[_LIMIT], work[_NODES], work[_OVERFLOW] = least, limit, 0, 0
    answer = int(function(work))
    if work[_OVERFLOW]:
        raise OverflowError(f"too many moves for the kernel in lines from {position.fen()}")
    return answer


def flags_of(rules: Ruleset) -> int:
    """Return what compiled code must know of the rules of a position, as one word."""
    flags = (
        (rules.removal_at_once, REMOVAL_AT_ONCE),
        (rules.turning_back, TURNING_BACK),
        ("most pieces" in rules.priorities, MAJORITY),
        (rules.one_king_each_draws, ONE_KING_EACH_DRAWS),
        (rules.several_men_beat_one, SEVERAL_MEN_BEAT_ONE),
    )
    return sum(int(flag) for is_set, flag in flags if is_set)
