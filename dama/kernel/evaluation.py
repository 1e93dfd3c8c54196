"""What a quiet position is worth to the side to move: a weighed sum of counts on whole boards.

The weights are data (``WEIGHTS``), fitted to the results of games that the engine played against itself: see
``bench/tune.py``. Each has a value for the full board and one for the last few pieces; in between they blend.
Values are hundredths of a man.
"""

from typing import Final

import numpy as np

from dama.kernel.bits import (
    EIGHT,
    NOT_A,
    NOT_AB,
    NOT_GH,
    NOT_H,
    ONE,
    SIXTEEN,
    THIRTY_TWO,
    ZERO,
    flipped,
    popcount,
)
from dama.kernel.compiler import inlined, part
from dama.kernel.orthogonal import slides_down, slides_left, slides_right, slides_up
from dama.kernel.play_space import WEIGHTS_AT
from dama.kernel.steps import attacked_by
from dama.kernel.workspace import Work

U = np.uint64
S = np.int64

WEIGHTS: Final[tuple[tuple[str, int, int], ...]] = (
    ("man", 100, 100),
    ("king", 300, 380),
    ("a king against none", 60, 80),
    ("man on its third rank", 2, 3),
    ("man on its fourth rank", 5, 8),
    ("man on its fifth rank", 9, 15),
    ("man on its sixth rank", 15, 30),
    ("man on its seventh rank", 25, 60),
    ("man on an edge file", -2, -3),
    ("man next to an edge file", 0, 0),
    ("two men side by side", 3, 3),
    ("two men one behind the other", 4, 4),
    ("man with no enemy ahead on its file", 6, 15),
    ("man with no enemy ahead on its file and the next ones", 15, 40),
    ("that beyond the middle", 15, 50),
    ("man that can step forward", 2, 2),
    ("man's safe step forward", 2, 3),
    ("sideways step", 1, 1),
    ("free square ahead of men", 1, 1),
    ("square that kings reach", 2, 2),
    ("file without own men", -3, -3),
    ("piece under attack", -25, -25),
    ("several pieces under attack", -25, -25),
    ("to move", 8, 8),
)
"""Name, weight on the full board, weight at the end; of own pieces, the enemy's count the other way."""

(
    _MAN,
    _KING,
    _ONLY_KINGS,
    _THIRD,
    _FOURTH,
    _FIFTH,
    _SIXTH,
    _SEVENTH,
    _EDGE,
    _NEXT_TO_EDGE,
    _BESIDE,
    _BEHIND,
    _FREE_FILE,
    _PASSED,
    _FAR_PASSED,
    _STEPS,
    _SAFE_STEPS,
    _SIDEWAYS,
    _AHEAD,
    _REACH,
    _OPEN_FILES,
    _ATTACKED,
    _SEVERAL_ATTACKED,
    _TO_MOVE,
) = (np.uint64(int(WEIGHTS_AT) + number) for number in range(len(WEIGHTS)))

RANKS = [np.uint64(0xFF << 8 * rank) for rank in range(8)]
THIRD, FOURTH, FIFTH, SIXTH, SEVENTH = RANKS[2:7]
EDGE_FILES = ~(NOT_A & NOT_H)
NEXT_TO_EDGE_FILES = ~(NOT_AB & NOT_GH) & ~EDGE_FILES
FIRST_RANK = RANKS[0]
UPPER_HALF = np.uint64(0xFFFFFFFF00000000)

END_PIECES = np.int64(8)
PHASES = np.int64(24)
"""Between so few pieces and so many more, the weights blend from the last ones to the first ones."""
HALF = np.int64(0x80000000)


@inlined
def _weight(work: Work, cell: U) -> S:
    return np.int64(work[cell])


@inlined
def _count(board: U) -> S:
    return np.int64(popcount(board))


@inlined
def _filled_down(board: U) -> U:
    board |= board >> EIGHT
    board |= board >> SIXTEEN
    return board | (board >> THIRTY_TWO)


@inlined
def _side(work: Work, men: U, kings: U, enemy_men: U, enemy_kings: U) -> S:
    """Return what the weights give to one side, which sees its men going up."""
    enemy = enemy_men | enemy_kings
    empty = ~(men | kings | enemy)
    total = _weight(work, _MAN) * _count(men)
    if kings != ZERO:
        total += _weight(work, _KING) * _count(kings)
        reached = slides_up(kings, empty) | slides_down(kings, empty)
        reached |= slides_left(kings, empty) | slides_right(kings, empty)
        total += _weight(work, _REACH) * _count(reached & empty)
        if enemy_kings == ZERO:
            total += _weight(work, _ONLY_KINGS)
    total += _weight(work, _THIRD) * _count(men & THIRD) + _weight(work, _FOURTH) * _count(men & FOURTH)
    total += _weight(work, _FIFTH) * _count(men & FIFTH) + _weight(work, _SIXTH) * _count(men & SIXTH)
    total += _weight(work, _SEVENTH) * _count(men & SEVENTH)
    total += _weight(work, _EDGE) * _count(men & EDGE_FILES)
    total += _weight(work, _NEXT_TO_EDGE) * _count(men & NEXT_TO_EDGE_FILES)
    total += _weight(work, _BESIDE) * _count(men & ((men & NOT_H) << ONE))
    total += _weight(work, _BEHIND) * _count(men & (men << EIGHT))
    guarded = _filled_down(enemy) >> EIGHT
    free = men & ~guarded
    if free != ZERO:
        passed = free & ~(((guarded & NOT_H) << ONE) | ((guarded & NOT_A) >> ONE))
        total += _weight(work, _FREE_FILE) * _count(free) + _weight(work, _PASSED) * _count(passed)
        total += _weight(work, _FAR_PASSED) * _count(passed & UPPER_HALF)
    steps = (men << EIGHT) & empty
    danger = attacked_by(enemy_men, enemy_kings, empty)
    total += _weight(work, _STEPS) * _count(steps) + _weight(work, _SAFE_STEPS) * _count(steps & ~danger)
    sideways = _count(((men & NOT_H) << ONE) & empty) + _count(((men & NOT_A) >> ONE) & empty)
    total += _weight(work, _SIDEWAYS) * sideways
    total += _weight(work, _AHEAD) * _count(slides_up(men, empty) & empty)
    total += _weight(work, _OPEN_FILES) * _count(FIRST_RANK & ~_filled_down(men))
    attacked = (men | kings) & danger
    if attacked != ZERO:
        total += _weight(work, _ATTACKED)
        if attacked & (attacked - ONE) != ZERO:
            total += _weight(work, _SEVERAL_ATTACKED)
    return total


@part
def weighed(work: Work, men: U, kings: U, enemy_men: U, enemy_kings: U) -> S:
    """Return the sum for the side to move by both weights: that of the end in the upper half of the word."""
    own = _side(work, men, kings, enemy_men, enemy_kings)
    other = _side(work, flipped(enemy_men), flipped(enemy_kings), flipped(men), flipped(kings))
    return own - other + _weight(work, _TO_MOVE)


@part
def evaluate(work: Work, men: U, kings: U, enemy_men: U, enemy_kings: U) -> S:
    """Return the value of a quiet position to the side to move."""
    both = weighed(work, men, kings, enemy_men, enemy_kings)
    early = ((both + HALF) & np.int64(0xFFFFFFFF)) - HALF
    late = (both - early) >> np.int64(32)
    pieces = _count(men | kings | enemy_men | enemy_kings)
    phase = min(max(pieces - END_PIECES, np.int64(0)), PHASES)
    return (early * phase + late * (PHASES - phase)) // PHASES
