"""What a quiet position is worth to the side to move: a weighed sum of counts on whole boards.

The weights are data, a list for each board, fitted to the results of games that the engine played against
itself: see ``bench/tune.py``. Each has a value for the full board and one for the last few pieces. Values are
hundredths of a man.
"""

from typing import Any

import numpy as np

from dama.kernel import diagonal_evaluation, orthogonal_evaluation
from dama.kernel.bits import THIRTY_TWO, ZERO, flipped, reversed_bits
from dama.kernel.compiler import array_at, inlined, part
from dama.kernel.diagonal import BOARD
from dama.kernel.weighing import blended, count, weight
from dama.kernel.workspace import DIAGONAL, SIZE, Work
from dama.rulesets import Ruleset
from dama.squares import ORTHOGONAL

U = np.uint64
S = np.int64

Weights = tuple[tuple[str, int, int], ...]
"""Names, weights on the full board, weights at the end."""


MAN, KING = np.uint64(0), np.uint64(1)
"""Where the weights of the pieces stand in either list."""
PLACES = np.int64(200)
"""More than where pieces stand is ever worth, in hundredths of a man, but for rare positions."""


def weights_of(rules: Ruleset) -> Weights:
    """Return the weights for the board of a ruleset."""
    return orthogonal_evaluation.WEIGHTS if rules.grid is ORTHOGONAL else diagonal_evaluation.WEIGHTS


@inlined
def _turned(men: U, kings: U) -> tuple[U, U]:
    """Return the boards of a side on the diagonal grid as the other side sees them."""
    both = reversed_bits(men | (kings << THIRTY_TWO))
    return both >> THIRTY_TWO, both & BOARD


@part
def weighed(work: Work, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U) -> S:
    """Return the sum for the side to move by both weights: that of the end in the upper half of the word."""
    if rules & DIAGONAL == ZERO:
        own = orthogonal_evaluation.side(work, men, kings, enemy_men, enemy_kings)
        other = orthogonal_evaluation.side(
            work, flipped(enemy_men), flipped(enemy_kings), flipped(men), flipped(kings)
        )
        return own - other + weight(work, orthogonal_evaluation.TO_MOVE)
    own = diagonal_evaluation.side(work, men, kings, enemy_men, enemy_kings)
    seen_men, seen_kings = _turned(enemy_men, enemy_kings)
    their_men, their_kings = _turned(men, kings)
    other = diagonal_evaluation.side(work, seen_men, seen_kings, their_men, their_kings)
    return own - other + weight(work, diagonal_evaluation.TO_MOVE)


@part
def evaluate(cells: Any, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, least: S, enough: S) -> S:
    """Return the value of a quiet position to the side to move.

    Where the pieces alone make it plain that it is not between the bounds, it may be any on its side.
    """
    work = array_at(cells, SIZE)
    pieces = count(men | kings | enemy_men | enemy_kings)
    by_men = weight(work, MAN) * (count(men) - count(enemy_men))
    rough = blended(by_men + weight(work, KING) * (count(kings) - count(enemy_kings)), pieces)
    if rough + PLACES <= least:
        return rough + PLACES
    if rough - PLACES >= enough:
        return rough - PLACES
    return blended(weighed(work, men, kings, enemy_men, enemy_kings, rules), pieces)
