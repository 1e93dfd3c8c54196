"""Puzzles as rows: lists of them, locks on those about to change, and what may be done to them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from puzzle_service.domain.review import Status, may_become
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import checks
from puzzle_service.services.errors import ServiceError

FORESEEN_DAYS: Final = 731
"""How far ahead a day may be: nobody looks any further, and a puzzle beyond would be out of sight."""


@dataclass(frozen=True)
class PuzzleSummary:
    """A puzzle as a line in a list.

    ``day`` is the one it is scheduled for, ``number`` and ``published_on`` belong to its publication.
    """

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
    number: int | None
    published_on: date | None


def listed(session: Session, wanted: Select[Puzzle]) -> list[PuzzleSummary]:
    """Return a line for each puzzle of a statement, in its order."""
    published = wanted.outerjoin(Publication, Publication.puzzle_id == Puzzle.id)
    rows = session.execute(published.add_columns(Publication.number, Publication.day))
    return [_summary(row, number, day) for row, number, day in rows]


def by_id(session: Session, ids: Iterable[str]) -> dict[str, PuzzleSummary]:
    """Return the lines of the puzzles that have these ids."""
    return {one.id: one for one in listed(session, select(Puzzle).where(Puzzle.id.in_(list(ids))))}


def found(session: Session, puzzle_id: str) -> Puzzle:
    """Return the row of a puzzle; raises ServiceError *not_found*."""
    row = session.get(Puzzle, checks.puzzle_id(puzzle_id))
    if row is None:
        raise not_found(puzzle_id)
    return row


def locked(session: Session, *conditions: ColumnElement[bool]) -> dict[str, Puzzle]:
    """Return the rows for which any of the conditions holds, as they are until the transaction ends."""
    # Always in the same order, so that no two transactions wait for each other.
    wanted = select(Puzzle).where(or_(*conditions)).order_by(Puzzle.id).with_for_update()
    return {row.id: row for row in session.scalars(wanted.execution_options(populate_existing=True))}


def found_locked(session: Session, puzzle_id: str) -> Puzzle:
    """Return the row of one puzzle, locked like others; raises ServiceError *not_found*."""
    rows = locked(session, Puzzle.id == checks.puzzle_id(puzzle_id))
    if puzzle_id not in rows:
        raise not_found(puzzle_id)
    return rows[puzzle_id]


def not_found(puzzle_id: str) -> ServiceError:
    """Return the error for an id that no puzzle has."""
    return ServiceError("not_found", f"there is no puzzle {puzzle_id!r}")


def decide(row: Puzzle, status: Status, by: str, now: datetime, reason: str | None = None) -> None:
    """Give a puzzle the status that somebody has decided on; raises ServiceError *not_allowed*."""
    if not may_become(Status(row.status), status):
        raise ServiceError("not_allowed", f"puzzle {row.id} is {row.status} and cannot become {status}")
    row.status, row.reason, row.reviewed_by, row.reviewed_at = status, reason, by, now


def check_day(session: Session, day: date, today: date, but_for: str) -> None:
    """Check that a day is to come, in sight and no other puzzle's.

    Raises ServiceError *day_passed*, *too_far*, *day_taken*.
    """
    if day < today:
        raise ServiceError("day_passed", f"{day} has passed; expected {today} or later")
    check_in_sight(day, today)
    holder = session.scalar(select(Puzzle.id).where(Puzzle.day == day, Puzzle.id != but_for))
    if holder is not None or session.get(Publication, day) is not None:
        raise _day_taken(day)


def check_in_sight(day: date, today: date) -> None:
    """Check that a day is less than two years ahead; raises ServiceError *too_far*."""
    if (day - today).days >= FORESEEN_DAYS:
        raise ServiceError("too_far", f"{day} is too far; expected less than {FORESEEN_DAYS} days ahead")


@contextmanager
def days_taken_once(day: date | None) -> Iterator[None]:
    """Say of a day that another transaction has taken at the same time what one says of any taken day."""
    try:
        yield
    except IntegrityError as error:
        raise _day_taken(day) from error


def _day_taken(day: date | None) -> ServiceError:
    return ServiceError("day_taken", f"{day} has its puzzle already")


def _summary(row: Puzzle, number: int | None, published_on: date | None) -> PuzzleSummary:
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
        number=number,
        published_on=published_on,
    )
