"""Locked endings: positions in which White's last move leaves Black's pieces without a move."""

from dataclasses import replace
from random import Random
from typing import Final

from dama import Color, Position, Ruleset, kernel
from dama.kernel import Triple
from dama.squares import MEN_SQUARES, bit, squares_in
from generator.predecessors import occupied, quiet_ways, taken_back
from generator.quality import MOST_BLOCKADERS, piece_counts

_LOCKED: Final = (1, 2, 2, 3)
"""Black pieces to begin with."""
_LOCKED_KINGS: Final = 0.25
_BLACK_BLOCKERS: Final = 0.3
"""Share of the pieces in the way that are Black's own men."""
_WHITE_BLOCKERS: Final = MOST_BLOCKADERS - 2
"""Most white pieces in an ending: some more will have been given on the way to it."""
_WHITE_KINGS: Final = 0.25
"""Share of kings among the white pieces in the way."""
_MOST_PIECES: Final = 10
"""More of them leave no room for what was given on the way to the ending."""


def draw_lock(rng: Random, rules: Ruleset) -> Position | None:
    """Return a position, White to move, in which one quiet move should lock all of Black's pieces in.

    Pieces are put in the way of Black's until it has no move left; then a move of White's is taken back. None
    stands for a draw that took too many pieces, or that White would have captured in.
    """
    position = _placed(rng, rules)
    while triples := kernel.moves(position):
        closed = _closed(rng, position, rng.choice(triples))
        if closed is None:
            return None
        position = closed
    seen = position.swapped()
    ways = [
        way for target in squares_in(seen.black_men | seen.black_kings) for way in quiet_ways(seen, target)
    ]
    for way in rng.sample(ways, len(ways)):
        before = taken_back(seen, way).swapped()
        if not any(captured for _, _, captured in kernel.moves(before)):
            return before
    return None


def _placed(rng: Random, rules: Ruleset) -> Position:
    """Return some black pieces alone on the board, Black to move."""
    men = kings = 0
    for _ in range(rng.choice(_LOCKED)):
        if rng.random() < _LOCKED_KINGS:
            kings |= bit(rng.randrange(64))
        else:
            men |= bit(rng.choice(MEN_SQUARES))
    return Position(0, 0, men & ~kings, kings, Color.BLACK, rules)


def _closed(rng: Random, position: Position, triple: Triple) -> Position | None:
    """Return the position with a piece on the square where a move of Black's would end, if it is free."""
    target = triple[1]
    # A capture may end where a piece stands that has been taken on the way, or where it began.
    if sum(piece_counts(position)) == _MOST_PIECES or occupied(position) & bit(target):
        return None
    can_be_man = target in MEN_SQUARES
    if can_be_man and rng.random() < _BLACK_BLOCKERS:
        return replace(position, black_men=position.black_men | bit(target))
    if (position.white_men | position.white_kings).bit_count() == _WHITE_BLOCKERS:
        return None
    if can_be_man and rng.random() >= _WHITE_KINGS:
        return replace(position, white_men=position.white_men | bit(target))
    return replace(position, white_kings=position.white_kings | bit(target))
