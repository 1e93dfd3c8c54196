"""World figures: how a puzzle's day ended for everybody, counted as it happens.

They are counts and nothing else, and so outlive the players whom they count.
"""

from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import update
from sqlalchemy.orm import Session

from puzzle_service import db, models
from puzzle_service.domain.attempts import State

Outcome = Literal["first", "second", "third", "failed"]

OUTCOMES: Final[tuple[Outcome, ...]] = ("first", "second", "third", "failed")


@dataclass(frozen=True)
class Tally:
    """How many solved a puzzle on their first, second and third attempt, and how many failed."""

    first: int = 0
    second: int = 0
    third: int = 0
    failed: int = 0

    @property
    def total(self) -> int:
        """How many have ended it one way or the other."""
        return self.first + self.second + self.third + self.failed


def outcome(state: State, attempt: int) -> Outcome | None:
    """Return how a puzzle ended with an attempt, or None before the end."""
    if state == "solved":
        return OUTCOMES[attempt - 1]
    return "failed" if state == "failed" else None


def add(session: Session, puzzle_id: str, ended: Outcome) -> None:
    """Count one more player for whom a puzzle ended like this."""
    begun = {one: int(one == ended) for one in OUTCOMES}
    counted = db.insert(session, models.Tally).values(puzzle_id=puzzle_id, **begun)
    column = getattr(models.Tally, ended)
    session.execute(counted.on_conflict_do_update(index_elements=["puzzle_id"], set_={ended: column + 1}))


def take_off(session: Session, puzzle_id: str, ended: Outcome) -> None:
    """Count one player less, for two who turned out to be one."""
    column = getattr(models.Tally, ended)
    session.execute(
        update(models.Tally).where(models.Tally.puzzle_id == puzzle_id).values({ended: column - 1})
    )


def get(session: Session, puzzle_id: str) -> Tally:
    """Return a puzzle's figures, all zero while it ended for nobody."""
    row = session.get(models.Tally, puzzle_id)
    return Tally() if row is None else Tally(row.first, row.second, row.third, row.failed)
