"""Review: the queue of candidates, and what an admin decides about them."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from dama import Move, Position
from dama.proof import Proof
from puzzle_service.domain import findings
from puzzle_service.domain.findings import Findings
from puzzle_service.domain.review import Status
from puzzle_service.models import Puzzle
from puzzle_service.services import audit, checks, puzzles
from puzzle_service.services.boards import board
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.puzzles import PuzzleSummary

Seen = tuple[Status, date | None]
"""What somebody who decides about a puzzle has seen: its state and the day it waits for."""


@dataclass(frozen=True)
class PuzzleDetail:
    """All there is to know about a puzzle; ``previous_move`` leads from ``previous`` to ``position``."""

    summary: PuzzleSummary
    position: Position
    previous: Position
    previous_move: Move
    proof: Proof
    key: str
    first_moves: int
    score: float
    findings: Findings
    generator: str
    seed: str
    reason: str | None
    reviewed_at: datetime | None
    reviewed_by: str | None

    @property
    def id(self) -> str:
        """The puzzle's id."""
        return self.summary.id


def queue(
    session: Session, status: str = Status.CANDIDATE, after: str | None = None, limit: int = 50
) -> list[PuzzleSummary]:
    """Return puzzles of a status in the order of their import, from the one after ``after`` on.

    The puzzle named by ``after`` may have left the status: that is how one decides and goes on.
    """
    order = tuple_(Puzzle.imported_at, Puzzle.id)
    wanted = select(Puzzle).where(Puzzle.status == status).order_by(Puzzle.imported_at, Puzzle.id)
    previous = None if after is None else session.get(Puzzle, after)
    if previous is not None:
        wanted = wanted.where(order > tuple_(previous.imported_at, previous.id))
    return puzzles.listed(session, wanted.limit(limit))


def get(session: Session, puzzle_id: str) -> PuzzleDetail:
    """Return a puzzle with its proof; raises ServiceError *not_found*."""
    row = puzzles.found(session, puzzle_id)
    shown = board(row)
    return PuzzleDetail(
        summary=puzzles.by_id(session, [row.id])[row.id],
        position=shown.position,
        previous=shown.previous,
        previous_move=shown.previous_move,
        proof=shown.proof,
        key=row.key,
        first_moves=row.first_moves,
        score=row.score,
        findings=findings.from_json(row.findings),
        generator=row.generator,
        seed=row.seed,
        reason=row.reason,
        reviewed_at=row.reviewed_at,
        reviewed_by=row.reviewed_by,
    )


def approve(
    session: Session,
    puzzle_id: str,
    by: str,
    now: datetime,
    today: date,
    day: date | None = None,
    *,
    seen: Seen | None = None,
) -> int:
    """Approve a puzzle, for a day if one is given; approving again changes the day or takes it away.

    ``today`` is the site's day, before which nothing can be scheduled. Returns the id of the entry in the
    audit log. Raises ServiceError: *not_found*, *not_allowed*, *day_passed*, *too_far*, *day_taken*, and
    *changed* when the puzzle is not what was seen.
    """
    row = _as_seen(session, puzzle_id, seen)
    before = audit.states(session, [row.id])
    puzzles.decide(row, Status.APPROVED, by, now)
    if day is not None:
        puzzles.check_day(session, day, today, but_for=row.id)
    row.day = day
    with puzzles.days_taken_once(day):
        return audit.write(session, by, audit.Action.APPROVE, now, before)


def reject(
    session: Session, puzzle_id: str, by: str, now: datetime, reason: str, *, seen: Seen | None = None
) -> int:
    """Reject a puzzle that is not out, and return the id of the entry in the audit log.

    Raises ServiceError: *not_found*, *not_allowed*, *bad_request*, and *changed* when the puzzle is not what
    was seen.
    """
    why = checks.reason(reason)
    row = _as_seen(session, puzzle_id, seen)
    before = audit.states(session, [row.id])
    puzzles.decide(row, Status.REJECTED, by, now, why)
    row.day = None
    return audit.write(session, by, audit.Action.REJECT, now, before, why)


def _as_seen(session: Session, puzzle_id: str, seen: Seen | None) -> Puzzle:
    """Return a puzzle's row, locked, if it still is what whoever decides about it has seen."""
    row = puzzles.found_locked(session, puzzle_id)
    if seen is not None and (Status(row.status), row.day) != seen:
        raise ServiceError("changed", f"puzzle {puzzle_id} has changed since: it is {row.status} now")
    return row
