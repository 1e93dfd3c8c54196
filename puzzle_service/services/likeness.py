"""Likeness: puzzles on nearly the same board as another one, so that players are not shown it twice."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from dama import Position
from dama.likeness import Placement, likeness, mirrored, placement
from puzzle_service.domain.review import Status
from puzzle_service.models import Puzzle
from puzzle_service.services import puzzles
from puzzle_service.services.puzzles import PuzzleSummary

LEAST: Final = 0.5
"""The share of pieces in common from which on two boards are called similar."""
SHOWN: Final = frozenset({Status.APPROVED, Status.PUBLISHED, Status.WITHDRAWN})
"""What players have seen or will see; a board that is the very same is told whatever its puzzle's state."""


@dataclass(frozen=True)
class Similar:
    """Another puzzle and how alike the boards are, from 0.5 to 1; 1 is the same board up to its mirror image.

    The same board is another puzzle only by another ruleset.
    """

    puzzle: PuzzleSummary
    likeness: float

    @property
    def same_board(self) -> bool:
        """Whether the boards are the same, be it mirrored or with the colours swapped."""
        return self.likeness == 1


def similar(session: Session, puzzle_id: str, limit: int = 5) -> list[Similar]:
    """Return the puzzles on the boards most like this one's, the most similar first.

    Raises ServiceError *not_found*.
    """
    own = _placement(puzzles.found(session, puzzle_id).fen)
    in_a_mirror = mirrored(own)
    figures: dict[str, float] = {}
    others = select(Puzzle.id, Puzzle.fen, Puzzle.status).where(Puzzle.id != puzzle_id)
    for other, fen, status in session.execute(others):
        board = _placement(fen)
        figure = max(likeness(own, board), likeness(in_a_mirror, board))
        if figure == 1 or (figure >= LEAST and status in SHOWN):
            figures[other] = figure
    nearest = sorted(figures, key=lambda one: (-figures[one], one))[:limit]
    lines = puzzles.by_id(session, nearest)
    return [Similar(lines[one], figures[one]) for one in nearest]


@lru_cache(maxsize=16_384)
def _placement(fen: str) -> Placement:
    # Where the pieces stand is the same by all rules.
    return placement(Position.from_fen(fen))
