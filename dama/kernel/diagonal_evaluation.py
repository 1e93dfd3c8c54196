"""What the weights of the evaluation are multiplied with on the diagonal board."""

from typing import Final

import numpy as np

from dama.kernel import diagonal
from dama.kernel.bits import ONE, ZERO
from dama.kernel.compiler import inlined
from dama.kernel.weighing import count, weight
from dama.kernel.workspace import Work

U = np.uint64
S = np.int64

WEIGHTS: Final[tuple[tuple[str, int, int], ...]] = (
    ("man", 100, 100),
    ("king", 230, 230),
    ("a king against none", 30, 60),
    ("man on its third rank", 2, 3),
    ("man on its fourth rank", 4, 6),
    ("man on its fifth rank", 6, 12),
    ("man on its sixth rank", 10, 22),
    ("man on its seventh rank", 20, 45),
    ("man on its first rank", 10, 5),
    ("man in the middle", 4, 2),
    ("man on an edge", -2, -4),
    ("man with another behind it", 3, 2),
    ("step of a man", 1, 2),
    ("step of a king", 2, 3),
    ("king in the middle", 3, 10),
    ("piece under attack", -25, -25),
    ("several pieces under attack", -20, -20),
    ("to move", 5, 5),
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
    _FIRST,
    _MIDDLE_MAN,
    _EDGE,
    _BACKED,
    _MAN_STEPS,
    _KING_STEPS,
    _MIDDLE_KING,
    _ATTACKED,
    _SEVERAL_ATTACKED,
    TO_MOVE,
) = (np.uint64(number) for number in range(len(WEIGHTS)))

FIRST, _, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH = (np.uint64(0xF << 4 * row) for row in range(7))
EDGES = np.uint64(0x81818181)
MIDDLE = np.uint64(0x00666600)


@inlined
def _attacked_by(men: U, kings: U, enemy_men: U, enemy_kings: U, empty: U) -> U:
    """Return the pieces that the enemy could capture if it were to move."""
    right = diagonal.up_right(empty) | ZERO
    left = diagonal.up_left(empty) | ZERO
    down_left, down_right = diagonal.down_left(enemy_men), diagonal.down_right(enemy_men)
    attacked = men & ((down_left & right) | (down_right & left))
    if enemy_kings != ZERO:
        own = men | kings
        attacked |= own & (
            (diagonal.down_left(enemy_kings) & right)
            | (diagonal.down_right(enemy_kings) & left)
            | (diagonal.up_left(enemy_kings) & diagonal.down_right(empty))
            | (diagonal.up_right(enemy_kings) & diagonal.down_left(empty))
        )
    return attacked


@inlined
def side(work: Work, men: U, kings: U, enemy_men: U, enemy_kings: U) -> S:
    """Return what the weights give to one side, which sees its men going up."""
    own = men | kings
    empty = diagonal.BOARD & ~(own | enemy_men | enemy_kings)
    total = weight(work, _MAN) * count(men)
    if kings != ZERO:
        total += weight(work, _KING) * count(kings)
        total += weight(work, _KING_STEPS) * count(diagonal.steps(ZERO, kings, empty))
        total += weight(work, _MIDDLE_KING) * count(kings & MIDDLE)
        if enemy_kings == ZERO:
            total += weight(work, _ONLY_KINGS)
    total += weight(work, _THIRD) * count(men & THIRD) + weight(work, _FOURTH) * count(men & FOURTH)
    total += weight(work, _FIFTH) * count(men & FIFTH) + weight(work, _SIXTH) * count(men & SIXTH)
    total += weight(work, _SEVENTH) * count(men & SEVENTH) + weight(work, _FIRST) * count(men & FIRST)
    total += weight(work, _MIDDLE_MAN) * count(men & MIDDLE) + weight(work, _EDGE) * count(men & EDGES)
    backed = men & (diagonal.up_left(own) | diagonal.up_right(own))
    total += weight(work, _BACKED) * count(backed)
    total += weight(work, _MAN_STEPS) * count(diagonal.steps(men, ZERO, empty))
    attacked = _attacked_by(men, kings, enemy_men, enemy_kings, empty)
    if attacked != ZERO:
        total += weight(work, _ATTACKED)
        if attacked & (attacked - ONE) != ZERO:
            total += weight(work, _SEVERAL_ATTACKED)
    return total
