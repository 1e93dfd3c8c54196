"""The workspace of a search for a move to play: behind the one that every function works in lies more room.

Signed numbers stand in it as their two's complements.
"""

from typing import Final

import numpy as np

from dama.kernel.workspace import SIZE

_BASE: Final = int(SIZE)

(
    STOP,
    STOPPED,
    NODE_LIMIT,
    DEPTH_LIMIT,
    QUIET,
    CLOCK,
    PROGRESS,
    REPETITION,
    PAST,
    ROOT_END,
    TABLE_MASK,
    SCORE,
    DEPTH,
    LINE_LENGTH,
    CONTEMPT,
) = (np.uint64(_BASE + cell) for cell in range(15))
"""STOP is set by another thread to end the search, STOPPED by the search when it has heard that, or has used
up its nodes. Asked for are at most NODE_LIMIT nodes and DEPTH_LIMIT plies. QUIET plies have passed without
progress, which PROGRESS defines; at CLOCK of them the game is drawn, and at the occurrence number REPETITION
of a position (0: no such rule). PAST positions before this one stand in the path; the moves to choose from
are listed from MOVES to ROOT_END. CONTEMPT is by how much a draw is worse than an even game to the side at
the root. Found are SCORE, after DEPTH plies, and a line of LINE_LENGTH moves."""

STEP_FORWARD, PROMOTION, MAN_MOVE = (np.uint64(kind) for kind in range(3))
"""What beside a capture is progress."""

PLIES: Final = 96
"""The longest line looked at, captures at its end not counted."""
PAST_PLIES: Final = 256
"""So many positions back a repetition is seen."""
LINE: Final = 12
"""The longest line told."""

WEIGHTS_AT = np.uint64(_BASE + 32)
KILLERS = np.uint64(_BASE + 128)
HISTORY = np.uint64(int(KILLERS) + 2 * (PLIES + 1))
PATH = np.uint64(int(HISTORY) + (1 << 14))
LINES = np.uint64(int(PATH) + 3 * (PAST_PLIES + PLIES + 1))
LINE_WORDS = np.uint64(2 * LINE + 2)
NOWHERE = np.uint64(int(LINES) + int(LINE_WORDS) * (PLIES + 2))
TABLE = np.uint64(int(NOWHERE) + 8)
"""Regions: the weights of the evaluation; two killers a ply; how often a move has refuted another, by the
word of the move; the positions of the path, three words each; the best lines by ply, the length first; a slot
like those of the transposition table, for what is not worth a place there; the table to the end."""

ENTRY_WORDS: Final = 4
