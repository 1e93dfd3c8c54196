"""The way from a position to compiled code: what is asked goes into the workspace of the running thread."""

import threading
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from dama.kernel.mixed import KING_FIRST, MOST_KINGS, MOST_PIECES, WITH_A_KING
from dama.kernel.workspace import (
    CROWNING_ENDS_SERIES,
    DIAGONAL,
    FROM,
    LIMIT,
    MAJORITY,
    MEN_SPARE_KINGS,
    MIXED,
    NODES,
    ONE_KING_EACH_DRAWS,
    OVERFLOW,
    PRIORITIES,
    REMOVAL_AT_ONCE,
    RULES,
    SEVERAL_MEN_BEAT_ONE,
    SHORT_KINGS,
    SIZE,
    TURNING_BACK,
    Work,
)
from dama.pieces import Color
from dama.position import Position
from dama.rulesets import Priority, Ruleset
from dama.squares import ORTHOGONAL

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


def is_turned(position: Position) -> bool:
    """Tell whether the side to move sees the board from the other side than its squares are numbered from."""
    return bool(position.rules.grid.crowning(position.turn) & 1)


def boards_of(position: Position) -> tuple[int, int, int, int]:
    """Return the men and kings of the side to move and those of the enemy, as that side sees them."""
    men, kings = position.white_men, position.white_kings
    enemy_men, enemy_kings = position.black_men, position.black_kings
    if position.turn is Color.BLACK:
        men, kings, enemy_men, enemy_kings = enemy_men, enemy_kings, men, kings
    if is_turned(position):
        swapped = position.rules.grid.swapped_bitboard
        return swapped(men), swapped(kings), swapped(enemy_men), swapped(enemy_kings)
    return men, kings, enemy_men, enemy_kings


def call(position: Position, function: Callable[[Work], np.uint64], limit: int, least: int = 1) -> int:
    """Call a compiled function on a position, as its side to move sees it; return the answer.

    What it writes stays in the workspace until the next call. Raises OverflowError when moves find no room.
    """
    work = _local.work
    if position.rules is not _local.rules:
        work[_RULES] = flags_of(position.rules)
        _local.rules = position.rules
    work[0], work[1], work[2], work[3] = boards_of(position)
    work[_FROM], work[_LIMIT], work[_NODES], work[_OVERFLOW] = least, limit, 0, 0
    answer = int(function(work))
    if work[_OVERFLOW]:
        raise OverflowError(f"too many moves for the kernel in lines from {position.fen()}")
    return answer


_PRIORITIES: Final[Mapping[Priority, int]] = {
    "most pieces": int(MOST_PIECES),
    "with a king": int(WITH_A_KING),
    "most kings": int(MOST_KINGS),
    "king first": int(KING_FIRST),
}


def flags_of(rules: Ruleset) -> int:
    """Return what compiled code must know of the rules of a position, as one word."""
    priorities = tuple(dict.fromkeys(rules.priorities))  # said a second time, one changes nothing
    mixed = (
        rules.grid is not ORTHOGONAL
        or not rules.flying_kings
        or not rules.men_capture_kings
        or rules.crowning_ends_series
        or priorities not in {(), ("most pieces",)}
    )
    flags = (
        (rules.removal_at_once, REMOVAL_AT_ONCE),
        (rules.turning_back, TURNING_BACK),
        (rules.grid is not ORTHOGONAL, DIAGONAL),
        ("most pieces" in priorities, MAJORITY),
        (rules.one_king_each_draws, ONE_KING_EACH_DRAWS),
        (rules.several_men_beat_one, SEVERAL_MEN_BEAT_ONE),
        (not rules.flying_kings, SHORT_KINGS),
        (not rules.men_capture_kings, MEN_SPARE_KINGS),
        (rules.crowning_ends_series, CROWNING_ENDS_SERIES),
        (mixed, MIXED),
    )
    order = sum(
        _PRIORITIES[priority] << 3 * place + int(PRIORITIES) for place, priority in enumerate(priorities)
    )
    return order + sum(int(flag) for is_set, flag in flags if is_set)
