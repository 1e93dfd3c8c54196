"""Review: the queue of candidates, and what an admin decides about them."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select, tuple_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from dama import Move, Position
from dama.proof import Proof
from puzzle_service.domain.review import Status, may_become
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import checks
from puzzle_service.services.boards import board
from puzzle_service.services.errors import ServiceError


@dataclass(frozen=True)
class PuzzleSummary:
    """A puzzle as a line in a list."""

    id: str
    status: Status
    rules: str
    fen: str
    moves: int
    difficulty: float
    themes: tuple[str, ...]
    source: str
    day: date | None
    imported_at: datetime


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
    return [_summary(row) for row in session.scalars(wanted.limit(limit))]


def get(session: Session, puzzle_id: str) -> PuzzleDetail:
    """Return a puzzle with its proof; raises ServiceError *not_found*."""
    row = _row(session, puzzle_id)
    shown = board(row)
    return PuzzleDetail(
        summary=_summary(row),
        position=shown.position,
        previous=shown.previous,
        previous_move=shown.previous_move,
        proof=shown.proof,
        key=row.key,
        first_moves=row.first_moves,
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
) -> None:
    """Approve a puzzle, for a day if one is given; approving again changes the day or takes it away.

    ``today`` is the site's day, before which nothing can be scheduled. Raises ServiceError:
    *not_found*, *not_allowed*, *day_passed*, *day_taken*.
    """
    row = _locked(session, puzzle_id, Status.APPROVED)
    if day is not None:
        if day < today:
            raise ServiceError("day_passed", f"{day} has passed; expected {today} or later")
        holder = session.scalar(select(Puzzle.id).where(Puzzle.day == day, Puzzle.id != row.id))
        if holder is not None or session.get(Publication, day) is not None:
            raise ServiceError("day_taken", f"{day} has its puzzle already")
    row.day = day
    _decide(row, Status.APPROVED, by, now, None)
    try:
        session.flush()
    except IntegrityError as error:
        raise ServiceError("day_taken", f"{day} has its puzzle already") from error


def reject(session: Session, puzzle_id: str, by: str, now: datetime, reason: str) -> None:
    """Reject a puzzle that is not out; raises ServiceError: *not_found*, *not_allowed*, *bad_request*."""
    why = checks.reason(reason)
    row = _locked(session, puzzle_id, Status.REJECTED)
    row.day = None
    _decide(row, Status.REJECTED, by, now, why)
    session.flush()


def _row(session: Session, puzzle_id: str) -> Puzzle:
    row = session.get(Puzzle, checks.puzzle_id(puzzle_id))
    if row is None:
        raise ServiceError("not_found", f"there is no puzzle {puzzle_id!r}")
    return row


def _locked(session: Session, puzzle_id: str, following: Status) -> Puzzle:
    """Return the row, locked, of a puzzle that may become what follows."""
    row = session.scalar(
        select(Puzzle)
        .where(Puzzle.id == checks.puzzle_id(puzzle_id))
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if row is None:
        raise ServiceError("not_found", f"there is no puzzle {puzzle_id!r}")
    if not may_become(Status(row.status), following):
        raise ServiceError("not_allowed", f"puzzle {puzzle_id} is {row.status} and cannot become {following}")
    return row


def _decide(row: Puzzle, status: Status, by: str, now: datetime, reason: str | None) -> None:
    row.status, row.reason, row.reviewed_by, row.reviewed_at = status, reason, by, now


def _summary(row: Puzzle) -> PuzzleSummary:
    return PuzzleSummary(
        id=row.id,
        status=Status(row.status),
        rules=row.rules,
        fen=row.fen,
        moves=row.moves,
        difficulty=row.difficulty,
        themes=tuple(row.themes),
        source=row.source,
        day=row.day,
        imported_at=row.imported_at,
    )
