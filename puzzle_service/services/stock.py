"""The stock: how many puzzles there are in each state, for how many days they last, and what is wrong."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal, get_args

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.review import Status as PuzzleStatus
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import lease, publication
from puzzle_service.settings import Settings

Alarm = Literal[
    "nothing_left",
    "ahead",
    "late",
    "no_scheduler",
    "no_approved",
    "brought_forward",
    "from_reserve",
]
"""What can be wrong, the gravest first."""

PATIENCE: Final = timedelta(minutes=5)
"""How late a publication or a scheduler may be before somebody should look."""
GAP_DAYS: Final = 7


@dataclass(frozen=True)
class Status:
    """The stock at one instant; ``approved`` are those without a day, ``scheduled`` those with one.

    ``days_covered`` counts the days, from the first one that is not out, that need nothing from the reserve;
    ``gaps`` are those of the next seven for which nobody has chosen a puzzle. ``alarms`` says what an admin
    must look after, the gravest first:

    - *nothing_left*: no proved puzzle is left at all;
    - *ahead*: the puzzle of a day to come is out, so that nothing is published until then;
    - *late*: today's puzzle is not out five minutes after the change of day;
    - *no_scheduler*: no scheduler has shown itself for five minutes;
    - *no_approved*: no approved puzzle is left for the next day;
    - *brought_forward*, *from_reserve*: the last puzzle came from a later day, or from the reserve.
    """

    candidates: int
    approved: int
    scheduled: int
    published: int
    rejected: int
    withdrawn: int
    days_covered: int
    gaps: tuple[date, ...]
    last_publication: date | None
    alarms: tuple[Alarm, ...]

    @property
    def alarm(self) -> Alarm | None:
        """The gravest of the alarms."""
        return self.alarms[0] if self.alarms else None


def status(session: Session, now: datetime, settings: Settings) -> Status:
    """Return how the stock stands."""
    counted = session.execute(select(Puzzle.status, func.count()).group_by(Puzzle.status))
    counts = {PuzzleStatus(name): number for name, number in counted}
    days = {day for day in session.scalars(select(Puzzle.day).where(Puzzle.day.is_not(None))) if day}
    today = puzzle_day.day_of(now, settings.timezone)
    last = session.scalar(
        select(Publication).where(Publication.day <= today).order_by(Publication.day.desc()).limit(1)
    )
    unscheduled = counts.get(PuzzleStatus.APPROVED, 0) - len(days)
    next_day = today + timedelta(days=1) if last is not None and last.day == today else today
    covered = _days_covered(next_day, days, unscheduled)
    candidates = counts.get(PuzzleStatus.CANDIDATE, 0)
    left = bool(candidates or unscheduled or days)
    wrong = _wrong_with_the_stock(last, left, covered)
    wrong |= _wrong_with_the_site(session, last, left, now, settings)
    return Status(
        candidates=candidates,
        approved=unscheduled,
        scheduled=len(days),
        published=counts.get(PuzzleStatus.PUBLISHED, 0),
        rejected=counts.get(PuzzleStatus.REJECTED, 0),
        withdrawn=counts.get(PuzzleStatus.WITHDRAWN, 0),
        days_covered=covered,
        gaps=_gaps(next_day, days),
        last_publication=None if last is None else last.day,
        alarms=tuple(alarm for alarm in get_args(Alarm) if alarm in wrong),
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


def _gaps(first: date, scheduled: set[date]) -> tuple[date, ...]:
    week = (first + timedelta(days=n) for n in range(GAP_DAYS))
    return tuple(day for day in week if day not in scheduled)


def _wrong_with_the_stock(last: Publication | None, left: bool, covered: int) -> set[Alarm]:
    if not left:
        return {"nothing_left"}
    wrong: set[Alarm] = set() if covered else {"no_approved"}
    if last is not None and last.alarm:
        # Only an admin gives a puzzle a day; what comes from the reserve nobody has decided about.
        wrong.add("from_reserve" if last.puzzle.reviewed_at is None else "brought_forward")
    return wrong


def _wrong_with_the_site(
    session: Session, last: Publication | None, left: bool, now: datetime, settings: Settings
) -> set[Alarm]:
    today = puzzle_day.day_of(now, settings.timezone)
    begun = puzzle_day.start_of(today, settings.timezone)
    wrong: set[Alarm] = set()
    ahead = publication.last_day(session)
    if ahead is not None and ahead > today:
        wrong.add("ahead")
    # A site on which nothing has been out yet is not late but new.
    elif left and last is not None and last.day < today and now - begun > PATIENCE:
        wrong.add("late")
    held = lease.get(session, lease.SCHEDULER)
    if held is None:
        # Visitors publish too: on its first day a site without a scheduler may just be starting.
        first = session.scalar(select(func.min(Publication.day)))
        missing = first is not None and first < today
    else:
        missing = now - held.until > PATIENCE
    if missing:
        wrong.add("no_scheduler")
    return wrong
