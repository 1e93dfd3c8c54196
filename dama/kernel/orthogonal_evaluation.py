"""What the weights of the evaluation are multiplied with on the orthogonal board."""

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
)
from dama.kernel.compiler import inlined
from dama.kernel.orthogonal import slides_down, slides_left, slides_right, slides_up
from dama.kernel.steps import attacked_by
from dama.kernel.weighing import count, weight
from dama.kernel.workspace import Work

U = np.uint64
S = np.int64

WEIGHTS: Final[tuple[tuple[str, int, int], ...]] = (
    ("man", 100, 86),
    ("king", 247, 306),
    ("a king against none", 55, 186),
    ("man on its third rank", 20, -27),
    ("man on its fourth rank", 8, -3),
    ("man on its fifth rank", 0, 28),
    ("man on its sixth rank", 33, 67),
    ("man on its seventh rank", 82, 104),
    ("man on an edge file", 1, 32),
    ("man next to an edge file", 4, 33),
    ("two men side by side", 7, -11),
    ("two men one behind the other", 8, 12),
    ("man with no enemy ahead on its file", -2, 5),
    ("man with no enemy ahead on its file and the next ones", 23, 10),
    ("that beyond the middle", 72, 49),
    ("man that can step forward", 12, -3),
    ("man's safe step forward", 11, 13),
    ("sideways step", 10, -2),
    ("free square ahead of men", -3, 11),
    ("square that kings reach", 15, 2),
    ("file without own men", 15, 11),
    ("piece under attack", -14, -31),
    ("several pieces under attack", -19, -19),
    ("to move", 7, 19),
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
    TO_MOVE,
) = (np.uint64(number) for number in range(len(WEIGHTS)))

RANKS = [np.uint64(0xFF << 8 * rank) for rank in range(8)]
THIRD, FOURTH, FIFTH, SIXTH, SEVENTH = RANKS[2:7]
EDGE_FILES = ~(NOT_A & NOT_H)
NEXT_TO_EDGE_FILES = ~(NOT_AB & NOT_GH) & ~EDGE_FILES
FIRST_RANK = RANKS[0]
UPPER_HALF = np.uint64(0xFFFFFFFF00000000)


@inlined
def _filled_down(board: U) -> U:
    board |= board >> EIGHT
    board |= board >> SIXTEEN
    return board | (board >> THIRTY_TWO)


@inlined
def side(work: Work, men: U, kings: U, enemy_men: U, enemy_kings: U) -> S:
    """Return what the weights give to one side, which sees its men going up."""
    enemy = enemy_men | enemy_kings
    empty = ~(men | kings | enemy)
    total = weight(work, _MAN) * count(men)
    if kings != ZERO:
        total += weight(work, _KING) * count(kings)
        reached = slides_up(kings, empty) | slides_down(kings, empty)
        reached |= slides_left(kings, empty) | slides_right(kings, empty)
        total += weight(work, _REACH) * count(reached & empty)
        if enemy_kings == ZERO:
            total += weight(work, _ONLY_KINGS)
    total += weight(work, _THIRD) * count(men & THIRD) + weight(work, _FOURTH) * count(men & FOURTH)
    total += weight(work, _FIFTH) * count(men & FIFTH) + weight(work, _SIXTH) * count(men & SIXTH)
    total += weight(work, _SEVENTH) * count(men & SEVENTH)
    total += weight(work, _EDGE) * count(men & EDGE_FILES)
    total += weight(work, _NEXT_TO_EDGE) * count(men & NEXT_TO_EDGE_FILES)
    total += weight(work, _BESIDE) * count(men & ((men & NOT_H) << ONE))
    total += weight(work, _BEHIND) * count(men & (men << EIGHT))
    guarded = _filled_down(enemy) >> EIGHT
    free = men & ~guarded
    if free != ZERO:
        passed = free & ~(((guarded & NOT_H) << ONE) | ((guarded & NOT_A) >> ONE))
        total += weight(work, _FREE_FILE) * count(free) + weight(work, _PASSED) * count(passed)
        total += weight(work, _FAR_PASSED) * count(passed & UPPER_HALF)
    steps = (men << EIGHT) & empty
    danger = attacked_by(enemy_men, enemy_kings, empty)
    total += weight(work, _STEPS) * count(steps) + weight(work, _SAFE_STEPS) * count(steps & ~danger)
    sideways = count(((men & NOT_H) << ONE) & empty) + count(((men & NOT_A) >> ONE) & empty)
    total += weight(work, _SIDEWAYS) * sideways
    total += weight(work, _AHEAD) * count(slides_up(men, empty) & empty)
    total += weight(work, _OPEN_FILES) * count(FIRST_RANK & ~_filled_down(men))
    attacked = (men | kings) & danger
    if attacked != ZERO:
        total += weight(work, _ATTACKED)
        if attacked & (attacked - ONE) != ZERO:
            total += weight(work, _SEVERAL_ATTACKED)
    return total
