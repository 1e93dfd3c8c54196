"""The array that every compiled function works in, so that a search allocates nothing.

Cells of its head carry the position in and counts out; then comes the stack of a capture search; the rest
holds moves, two words each, one list after another.
"""

import numpy as np
import numpy.typing as npt

Work = npt.NDArray[np.uint64]

(
    MEN,
    KINGS,
    ENEMY_MEN,
    ENEMY_KINGS,
    RULES,
    FROM,
    LIMIT,
    NODES,
    OVERFLOW,
    MOST,
    END,
    STANDING,
    STEP_FROM,
    STEP_TO,
) = (np.uint64(cell) for cell in range(14))
"""Cells of the head: the position as the side to move sees it, the flags of its rules, the least and the
greatest number of moves asked for, what was counted, and how the game stands. MOST and END serve the search
for captures; STEP_FROM and STEP_TO are the defender's step that last refuted a move, as boards."""

REFUTATIONS = np.uint64(16)
"""Here stand the replies that last refuted a move, by how many moves the solver had left: tried first."""

STACK = np.uint64(32)
STACK_END = np.uint64(32 + 2 * 1024)
"""A capture search never holds more: at most 64 jumps deep, at most 14 landings wait on each level."""

MOVES = STACK_END
SIZE = np.uint64(32 + 2 * 1024 + 2 * 16384)
ROOM = np.uint64(2 * 256)
"""Words for the quiet moves of one position: no empty square can be reached by more than four pieces."""

REMOVAL_AT_ONCE = np.uint64(1)
TURNING_BACK = np.uint64(2)
DIAGONAL = np.uint64(4)
"""The flag is also by how much the diagonal directions are numbered higher than the orthogonal ones."""
MAJORITY = np.uint64(8)
ONE_KING_EACH_DRAWS = np.uint64(16)
SEVERAL_MEN_BEAT_ONE = np.uint64(32)
SHORT_KINGS = np.uint64(64)
MEN_SPARE_KINGS = np.uint64(128)
CROWNING_ENDS_SERIES = np.uint64(256)
MIXED = np.uint64(512)
"""Set where the rules of ``orthogonal`` do not say it all, and those of ``mixed`` are needed."""
PRIORITIES = np.uint64(16)
"""From this bit on the rules hold the priorities of captures, three bits each, the first one lowest."""
