"""The stock: how many puzzles there are in each state, and for how many days they last."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.review import Status as PuzzleStatus
from puzzle_service.models import Publication, Puzzle
from puzzle_service.settings import Settings

Alarm = Literal["from_reserve", "brought_forward", "no_approved", "nothing_left"]


@dataclass(frozen=True)
class Status:
    """The stock at one instant; ``approved`` are those without a day, ``scheduled`` those with one.

    ``days_covered`` counts the days, from the first one that is not out, that need nothing from the reserve.
    ``alarm`` says what an admin must look after: the last puzzle came from the reserve or from a later day,
    no approved puzzle is left for the next day, or none at all.
    """

    candidates: int
    approved: int
    scheduled: int
    published: int
    rejected: int
    withdrawn: int
    days_covered: int
    last_publication: date | None
    alarm: Alarm | None


def status(session: Session, now: datetime, settings: Settings) -> Status:
    """Return how the stock stands."""
    counted = session.execute(select(Puzzle.status, func.count()).group_by(Puzzle.status))
    counts = {PuzzleStatus(name): number for name, number in counted}
    days = set(session.scalars(select(Puzzle.day).where(Puzzle.day.is_not(None))))
    today = puzzle_day.day_of(now, settings.timezone)
    last = session.scalar(
        select(Publication).where(Publication.day <= today).order_by(Publication.day.desc()).limit(1)
    )
    unscheduled = counts.get(PuzzleStatus.APPROVED, 0) - len(days)
    next_day = today + timedelta(days=1) if last is not None and last.day == today else today
    covered = _days_covered(next_day, {day for day in days if day is not None}, unscheduled)
    candidates = counts.get(PuzzleStatus.CANDIDATE, 0)
    alarm: Alarm | None = None
    if not (candidates or unscheduled or days):
        alarm = "nothing_left"
    elif not covered:
        alarm = "no_approved"
    elif last is not None and last.alarm:
        # Only an admin gives a puzzle a day; what comes from the reserve nobody has decided about.
        alarm = "from_reserve" if last.puzzle.reviewed_at is None else "brought_forward"
    return Status(
        candidates=candidates,
        approved=unscheduled,
        scheduled=len(days),
        published=counts.get(PuzzleStatus.PUBLISHED, 0),
        rejected=counts.get(PuzzleStatus.REJECTED, 0),
        withdrawn=counts.get(PuzzleStatus.WITHDRAWN, 0),
        days_covered=covered,
        last_publication=None if last is None else last.day,
        alarm=alarm,
    )


def is_empty(session: Session) -> bool:
    """Tell whether no puzzle has ever been imported."""
    return session.scalar(select(Puzzle.id).limit(1)) is None


def _days_covered(first: date, scheduled: set[date], unscheduled: int) -> int:
    """Return for how many days in a row the scheduled and the other approved puzzles last."""
    covered, day = 0, first
    while day in scheduled or unscheduled:
        if day not in scheduled:
            unscheduled -= 1
        covered += 1
        day += timedelta(days=1)
    return covered
