"""Which way pieces go on the diagonal board, on which Italian dama is played.

A man goes diagonally ahead, to the left or to the right; a king goes in all four diagonals. That Italian
kings do not fly, that men never take them, and the four priorities are fields of the ruleset.
"""

from typing import Final

from dama.movegen.gait import Lines
from dama.pieces import Color
from dama.squares import DIAGONAL

UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = range(4)

LINES: Final = Lines(
    DIAGONAL,
    directions=((-1, 1), (1, 1), (-1, -1), (1, -1)),
    men={Color.WHITE: (UP_LEFT, UP_RIGHT), Color.BLACK: (DOWN_LEFT, DOWN_RIGHT)},
)
