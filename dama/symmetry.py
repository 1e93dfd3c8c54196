"""Positions that are one and the same up to a mirror and the colours: the form and the name they share."""

import hashlib
from typing import Final

from dama.pieces import Color
from dama.position import Position

ID_DIGITS: Final = 16
"""Hexadecimal digits of a puzzle's id: 64 bits, so that a chance collision stays out of reach."""


def canonical(position: Position) -> Position:
    """Return the one form of a position shared by its mirror image and its colour-swapped copies.

    >>> canonical(Position.from_fen("B:Wh3:Bg7")).fen()
    'W:Wb2:Ba6'

    White is to move; of the two forms left, mirror images of each other, it is the one with the lesser FEN.
    The diagonal board has no mirror image, so one form is left.
    """
    white_moves = position if position.turn is Color.WHITE else position.swapped()
    if not position.rules.grid.is_full:
        return white_moves
    return min(white_moves, white_moves.mirrored(), key=Position.fen)


def puzzle_id(position: Position) -> str:
    """Return the id of the puzzle that begins here: 16 hexadecimal digits, the same for all four forms.

    >>> puzzle_id(Position.from_fen("W:Wa2:Bb7")) == puzzle_id(Position.from_fen("B:Wg2:Bh7"))
    True

    It is the head of the SHA-256 of the ruleset's name and the canonical form's FEN, a line feed between.
    """
    text = f"{position.rules.name}\n{canonical(position).fen()}"
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]
