"""The first choice of a puzzle: no capture, and enough quiet moves. Cheap to tell, and rare by chance."""

from dama import Position, kernel
from generator.quality import FEWEST_FIRST_MOVES


def has_quiet_choice(position: Position, moves: int = max(FEWEST_FIRST_MOVES)) -> bool:
    """Tell whether there is nothing to capture, and as many moves as a win in so many moves needs."""
    triples = kernel.moves(position)
    return len(triples) >= FEWEST_FIRST_MOVES[moves] and not triples[0][2]
