"""Which way pieces go on the orthogonal board, on which Turkish dama is played.

A man goes straight ahead, left or right, never back and never diagonally; a king goes in all four directions.
That kings fly and may not turn back, and when captured pieces leave, are fields of the ruleset.
"""

from typing import Final

from dama.movegen.gait import Lines
from dama.pieces import Color
from dama.squares import ORTHOGONAL

UP, DOWN, LEFT, RIGHT = range(4)

LINES: Final = Lines(
    ORTHOGONAL,
    directions=((0, 1), (0, -1), (-1, 0), (1, 0)),
    men={Color.WHITE: (UP, LEFT, RIGHT), Color.BLACK: (DOWN, LEFT, RIGHT)},
)
OPPOSITE: Final = LINES.opposite
RAYS: Final = LINES.rays
