"""What is cheaply told of a position before anything is searched: it lets few pass that chance brings."""

from typing import Final

from dama import Position, kernel
from dama.pieces import worth
from generator.quality import (
    FEWEST_DEFENDERS,
    FEWEST_FIRST_MOVES,
    MOST_BLOCKADERS,
    MOST_SURPLUS,
    piece_counts,
)

MOST_LEAD: Final = 1.0
"""Men that the solver may be up to begin with: with more, nearly always another move keeps a winning lead."""


def has_quiet_choice(position: Position, moves: int = max(FEWEST_FIRST_MOVES)) -> bool:
    """Tell whether there is nothing to capture, and as many moves as a win in so many moves needs."""
    triples = kernel.moves(position)
    return len(triples) >= FEWEST_FIRST_MOVES[moves] and not triples[0][2]


def is_level(position: Position) -> bool:
    """Tell whether it is a fight, and the solver does not lead so far that it need not find anything."""
    solver, defender = piece_counts(position)
    return defender >= FEWEST_DEFENDERS and solver <= defender + MOST_SURPLUS and lead(position) <= MOST_LEAD


def is_siege(position: Position) -> bool:
    """Tell whether the solver has few enough pieces for a blockade to be worth showing."""
    return piece_counts(position)[0] <= MOST_BLOCKADERS


def lead(position: Position) -> float:
    """Return by how many men the side to move is up."""
    own, other = position.pieces(position.turn), position.pieces(position.turn.other)
    return worth(own.men, own.kings) - worth(other.men, other.kings)
