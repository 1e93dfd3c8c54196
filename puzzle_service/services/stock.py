"""The stock: how many puzzles there are in each state, for how many days they last, and what is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, get_args

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from puzzle_service.domain import names, puzzle_day
from puzzle_service.domain.review import Status as PuzzleStatus
from puzzle_service.domain.rhythm import RARE_THEMES
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import lease, publication, puzzles
from puzzle_service.services.puzzles import PuzzleSummary
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

Order = Literal["oldest", "newest", "easiest", "hardest", "promising", "day"]
"""By import, difficulty or score, or by the day it is scheduled for or was out on; without one comes last."""


@dataclass(frozen=True)
class Status:
    """The stock at one instant; ``approved`` are those without a day, ``scheduled`` those with one.

    ``days_covered`` counts the days, from the first one that is not out, that need nothing from the reserve;
    ``gaps`` are those of the next seven for which nobody has chosen a puzzle. ``alarms`` says what an admin
    must look after, the gravest first:

    - *nothing_left*: no proved puzzle is left at all;
    - *ahead*: the puzzle of the day ``ahead``, which is to come, is out: nothing is published until then;
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
    ahead: date | None
    alarms: tuple[Alarm, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many puzzles there are in each state, by its name."""
        return {
            "candidates": self.candidates,
            "approved": self.approved,
            "scheduled": self.scheduled,
            "published": self.published,
            "rejected": self.rejected,
            "withdrawn": self.withdrawn,
        }


@dataclass(frozen=True)
class Filters:
    """What to search for; what is None or empty is left open.

    ``themes`` must all be there, and any of the rare ones if ``rare`` is set; ``easiest`` and ``hardest`` are
    difficulties and included, and ``text`` is the head of an id or a part of a FEN, theme or source, in
    whatever case and with whichever kind of i.
    """

    status: PuzzleStatus | None = None
    scheduled: bool | None = None
    moves: int | None = None
    rules: str | None = None
    source: str | None = None
    easiest: float | None = None
    hardest: float | None = None
    themes: frozenset[str] = frozenset()
    rare: bool = False
    text: str = ""


@dataclass(frozen=True)
class Page:
    """Some of the puzzles that were found, whether more follow, and how many were found altogether."""

    puzzles: tuple[PuzzleSummary, ...]
    more: bool
    found: int


@dataclass(frozen=True)
class Choices:
    """The values that occur in the stock, to choose from, each in alphabetical order."""

    themes: tuple[str, ...]
    sources: tuple[str, ...]
    rules: tuple[str, ...]


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
    last_out = publication.last_day(session)
    ahead = last_out if last_out is not None and last_out > today else None
    wrong = _wrong_with_the_stock(last, left, covered)
    wrong |= _wrong_with_the_site(session, last, ahead, left, now, settings)
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
        ahead=ahead,
        alarms=tuple(alarm for alarm in get_args(Alarm) if alarm in wrong),
    )


def is_empty(session: Session) -> bool:
    """Tell whether no puzzle has ever been imported."""
    return session.scalar(select(Puzzle.id).limit(1)) is None


def search(
    session: Session,
    filters: Filters,
    order: Order = "oldest",
    after: str | None = None,
    limit: int = 50,
) -> Page:
    """Return puzzles that fit the filters, from the one after the puzzle ``after`` on.

    That one may have left the filters since. Every puzzle is looked at, which takes thousands of them.
    """
    columns = (Puzzle.id, Puzzle.fen, Puzzle.themes, Puzzle.source, Puzzle.imported_at, Puzzle.day)
    wanted = select(*columns, Puzzle.difficulty, Puzzle.score, Publication.day.label("out"))
    joined = wanted.outerjoin(Publication, Publication.puzzle_id == Puzzle.id)
    text = names.fold(filters.text)
    rows = session.execute(joined.where(*_conditions(filters)))
    matching = [row for row in rows if _has_themes(row, filters) and _holds(row, text)]
    matching.sort(key=lambda row: _place(row, order))
    following = matching
    previous = session.execute(joined.where(Puzzle.id == after)).first() if after else None
    if previous is not None:
        following = [row for row in matching if _place(row, order) > _place(previous, order)]
    lines = puzzles.by_id(session, [row.id for row in following[:limit]])
    found = tuple(lines[row.id] for row in following[:limit])
    return Page(found, len(following) > limit, len(matching))


def choices(session: Session) -> Choices:
    """Return what there is to search for."""
    themes = {theme for themes in session.scalars(select(Puzzle.themes)) for theme in themes}
    sources = session.scalars(select(Puzzle.source).distinct())
    rules = session.scalars(select(Puzzle.rules).distinct())
    return Choices(tuple(sorted(themes)), tuple(sorted(sources)), tuple(sorted(rules)))


def _conditions(filters: Filters) -> Iterator[ColumnElement[bool]]:
    for column, value in (
        (Puzzle.status, filters.status),
        (Puzzle.moves, filters.moves),
        (Puzzle.rules, filters.rules),
        (Puzzle.source, filters.source),
    ):
        if value is not None:
            yield column == value
    if filters.scheduled is not None:
        yield Puzzle.day.is_not(None) if filters.scheduled else Puzzle.day.is_(None)
    if filters.easiest is not None:
        yield Puzzle.difficulty >= filters.easiest
    if filters.hardest is not None:
        yield Puzzle.difficulty <= filters.hardest


def _has_themes(row: Any, filters: Filters) -> bool:
    return filters.themes.issubset(row.themes) and not (filters.rare and RARE_THEMES.isdisjoint(row.themes))


def _holds(row: Any, text: str) -> bool:
    """Tell whether a folded text is in what a puzzle is searched by."""
    if row.id.startswith(text) or text in row.fen.casefold():
        return True
    return any(text in names.fold(name) for name in (*row.themes, row.source))


def _place(row: Any, order: Order) -> tuple[Any, ...]:
    """Return what a puzzle is sorted by, its id last, so that no two are equal."""
    if order == "oldest":
        return row.imported_at, row.id
    if order == "newest":
        return -row.imported_at.timestamp(), row.id
    if order == "easiest":
        return row.difficulty, row.id
    if order == "hardest":
        return -row.difficulty, row.id
    if order == "promising":
        return -row.score, row.id
    return row.day or row.out or date.max, row.id


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
    session: Session,
    last: Publication | None,
    ahead: date | None,
    left: bool,
    now: datetime,
    settings: Settings,
) -> set[Alarm]:
    today = puzzle_day.day_of(now, settings.timezone)
    begun = puzzle_day.start_of(today, settings.timezone)
    wrong: set[Alarm] = set()
    if ahead is not None:
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
