"""The schedule: which puzzle waits for which day, what goes out as things stand, and changes to both."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from dama import Position
from puzzle_service.domain import puzzle_day
from puzzle_service.domain.review import Status
from puzzle_service.domain.rhythm import Rule
from puzzle_service.domain.supply import Choice, Source
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import audit, checks, publication, puzzles
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.services.puzzles import PuzzleSummary
from puzzle_service.settings import Settings

CALENDAR_DAYS: Final = 42
FORESEEN_DAYS: Final = puzzles.FORESEEN_DAYS
"""How far ahead one may look, fill, list and set."""

State = Literal["published", "scheduled", "gap", "closed"]

Seen = Mapping[date, str | None]
"""What whoever asks for a change saw on the days it is about: ids, None for a day without a puzzle."""


@dataclass(frozen=True)
class Day:
    """A day of the calendar; a *closed* one stays empty because the puzzle of a later day is out.

    ``puzzle`` is what is out, what is scheduled, or what would go out on a gap as things stand; ``source``
    says where that comes from, and is None for what is out.
    """

    day: date
    state: State
    puzzle: PuzzleSummary | None
    number: int | None
    source: Source | None
    swapped: bool
    alarm: bool

    @property
    def position(self) -> Position | None:
        """The board as it goes out, its colours swapped or not."""
        if self.puzzle is None:
            return None
        board = Position.from_fen(self.puzzle.fen, self.puzzle.rules)
        return board.swapped() if self.swapped else board


@dataclass(frozen=True)
class Preview:
    """What is out on a day, or would go out as things stand; ``source`` is None for what is out."""

    puzzle: PublishedPuzzle
    source: Source | None
    alarm: bool


@dataclass(frozen=True)
class Filled:
    """The gaps that were filled, with their puzzles' ids, how many are left, and the audit log's entry.

    ``broken`` holds the rules of the rhythm that had to be broken, by day; weeks are told of their last day.
    """

    days: tuple[tuple[date, str], ...]
    left: int
    entry: int | None
    broken: Mapping[date, tuple[Rule, ...]]


def calendar(session: Session, now: datetime, settings: Settings, days: int = CALENDAR_DAYS) -> list[Day]:
    """Return so many days, today the first; raises ServiceError *bad_request* for more than two years."""
    today = puzzle_day.day_of(now, settings.timezone)
    wanted = _days(today, days)
    published = _published_on(session, wanted)
    scheduled = _scheduled_on(session, wanted)
    expected = {choice.day: choice for choice in _outlook(session, today, wanted[-1])}
    ids = [row.puzzle_id for row in published.values()]
    ids += [*scheduled.values(), *(choice.offer.id for choice in expected.values())]
    lines = puzzles.by_id(session, ids)
    last = publication.last_day(session)
    found = []
    for day in wanted:
        if day in published:
            row = published[day]
            one = Day(day, "published", lines[row.puzzle_id], row.number, None, row.swapped, row.alarm)
        elif last is not None and day < last:
            one = Day(day, "closed", None, None, None, swapped=False, alarm=False)
        else:
            one = _open_day(day, scheduled.get(day), expected.get(day), lines)
        found.append(one)
    return found


def preview(session: Session, day: date, now: datetime, settings: Settings) -> Preview | None:
    """Return what is out on a day or would go out as things stand now; None when nothing is or would.

    Raises ServiceError *too_far* for a day more than two years ahead.
    """
    today = puzzle_day.day_of(now, settings.timezone)
    puzzles.check_in_sight(day, today)
    row = session.scalar(
        select(Publication).where(Publication.day == day).options(joinedload(Publication.puzzle))
    )
    if row is not None:
        return Preview(publication.published(row, day), None, row.alarm)
    number = session.scalar(select(func.max(Publication.number))) or 0
    for choice in _outlook(session, today, day):
        number += 1
        if choice.day == day:
            row = Publication(
                day=day,
                number=number,
                puzzle=session.get_one(Puzzle, choice.offer.id),
                swapped=choice.swapped,
            )
            return Preview(publication.published(row, day), choice.source, choice.alarm)
    return None


def is_closed(session: Session, day: date) -> bool:
    """Tell whether a day stays empty, because the puzzle of a later one is out and its own is not."""
    last = publication.last_day(session)
    return last is not None and day < last and session.get(Publication, day) is None


def held(session: Session, day: date) -> str | None:
    """Return the id of the puzzle that waits for a day, or None."""
    return _scheduled_on(session, [day]).get(day)


def set_day(
    session: Session,
    day: date,
    puzzle_id: str,
    by: str,
    now: datetime,
    settings: Settings,
    seen: Seen | None = None,
) -> int:
    """Put a puzzle on a day, approving it if it is not, and return the id of the entry in the audit log.

    The puzzle gives up a day that it has. Only a free day is taken, unless ``seen`` names the puzzle that has
    it: that one is then approved without a day again. Raises ServiceError: *not_found*, *not_allowed*,
    *day_passed*, *too_far*, *day_taken*, and *changed* when a day holds something else than what was seen.
    """
    today = puzzle_day.day_of(now, settings.timezone)
    rows = puzzles.locked(session, Puzzle.day == day, Puzzle.id == checks.puzzle_id(puzzle_id))
    holder = _holders(rows, [day], seen)[day]
    if puzzle_id not in rows:
        raise puzzles.not_found(puzzle_id)
    before = audit.states(session, rows)
    if holder is not None and seen is not None:
        rows[holder].day = None
        session.flush()
    puzzles.check_day(session, day, today, but_for=puzzle_id)
    _approve(rows[puzzle_id], by, now)
    rows[puzzle_id].day = day
    with puzzles.days_taken_once(day):
        return audit.write(session, by, audit.Action.SET, now, before)


def move(
    session: Session,
    day: date,
    to: date,
    by: str,
    now: datetime,
    settings: Settings,
    seen: Seen | None = None,
) -> int:
    """Move the puzzle of a day to another one, and return the id of the entry in the audit log.

    A puzzle that has the other day comes to this one: the two change places. Raises ServiceError:
    *not_scheduled* when this day has none, *same_day*, *day_passed*, *too_far*, *day_taken* by what is out,
    *changed*.
    """
    if day == to:
        raise ServiceError("same_day", f"{to} is the same day; expected another one")
    today = puzzle_day.day_of(now, settings.timezone)
    rows = puzzles.locked(session, Puzzle.day.in_([day, to]))
    holders = _holders(rows, [day, to], seen)
    target = {holders[day]: to, holders[to]: day}
    if holders[day] is None:
        raise _not_scheduled(day)
    before = audit.states(session, rows)
    # Days are unique: both are given up before either is taken.
    for row in rows.values():
        row.day = None
    session.flush()
    for row in rows.values():
        puzzles.check_day(session, target[row.id], today, but_for=row.id)
    for row in rows.values():
        _approve(row, by, now)
        row.day = target[row.id]
    with puzzles.days_taken_once(to):
        return audit.write(session, by, audit.Action.MOVE, now, before)


def clear_day(session: Session, day: date, by: str, now: datetime, seen: Seen | None = None) -> int:
    """Take a day from its puzzle, which stays approved, and return the id of the entry in the audit log.

    Raises ServiceError: *not_scheduled*, *changed*.
    """
    rows = puzzles.locked(session, Puzzle.day == day)
    if _holders(rows, [day], seen)[day] is None:
        raise _not_scheduled(day)
    before = audit.states(session, rows)
    for row in rows.values():
        row.day = None
    return audit.write(session, by, audit.Action.CLEAR, now, before)


def fill(session: Session, now: datetime, settings: Settings, by: str, days: int = CALENDAR_DAYS) -> Filled:
    """Give the gaps of so many days, today the first, approved puzzles by the weekly rhythm.

    All gaps are planned together, so that none takes what another one needs more. Raises ServiceError
    *bad_request* for more than two years, *changed* when somebody fills one of the gaps at the same time.
    """
    today = puzzle_day.day_of(now, settings.timezone)
    wanted = _days(today, days)
    # Who else fills or publishes waits, and then sees what is left.
    free = (Puzzle.status == Status.APPROVED) & Puzzle.day.is_(None)
    session.execute(select(Puzzle.id).where(free).order_by(Puzzle.id).with_for_update()).all()
    supply = publication.supply(session, today)
    gaps = [day for day in _open_days(session, wanted) if day not in supply.scheduled]
    shown = publication.shown_around(session, gaps[0]) if gaps else []
    plan = supply.plan(gaps, shown)
    if not plan.given:
        return Filled((), len(gaps), None, {})
    ids = {day: offer.id for day, offer in plan.given.items()}
    rows = puzzles.locked(session, Puzzle.id.in_(list(ids.values())))
    before = audit.states(session, rows)
    for day, puzzle_id in ids.items():
        _approve(rows[puzzle_id], by, now)
        rows[puzzle_id].day = day
    try:
        entry = audit.write(session, by, audit.Action.FILL, now, before)
    except IntegrityError as error:
        raise ServiceError("changed", "a gap was filled meanwhile; fill what is left") from error
    return Filled(tuple(ids.items()), len(gaps) - len(ids), entry, plan.broken)


def _approve(row: Puzzle, by: str, now: datetime) -> None:
    """Approve what is not; an approved puzzle keeps who approved it, if it was somebody and not an import."""
    if row.status != Status.APPROVED or row.reviewed_at is None:
        puzzles.decide(row, Status.APPROVED, by, now)


def _holders(rows: Mapping[str, Puzzle], days: list[date], seen: Seen | None) -> dict[date, str | None]:
    """Return which of the rows wait for these days; raises *changed* when others were seen on them."""
    scheduled = {row.day: row.id for row in rows.values()}
    holders = {day: scheduled.get(day) for day in days}
    for day, holder in holders.items():
        if seen is not None and holder != seen.get(day):
            raise ServiceError("changed", f"{day} has changed since: it has {holder or 'no puzzle'} now")
    return holders


def _outlook(session: Session, today: date, until: date) -> Iterator[Choice]:
    """Yield what goes out up to a day as things stand now."""
    days = _open_days(session, [today + timedelta(days=n) for n in range((until - today).days + 1)])
    if not days:
        return iter(())
    shown, last = publication.shown_around(session, days[0]), publication.last_solver(session, days[0])
    return publication.supply(session, days[0]).outlook(days, shown, last)


def _open_days(session: Session, days: list[date]) -> list[date]:
    """Return those of the days that may still be published: the ones after the last that is out."""
    last = publication.last_day(session)
    return [day for day in days if last is None or day > last]


def _open_day(
    day: date, scheduled: str | None, expected: Choice | None, lines: Mapping[str, PuzzleSummary]
) -> Day:
    if scheduled is None:
        if expected is None:
            return Day(day, "gap", None, None, None, swapped=False, alarm=True)
        line = lines[expected.offer.id]
        return Day(day, "gap", line, None, expected.source, expected.swapped, expected.alarm)
    # The puzzle of a later day is brought forward when nothing else is left: then nothing is expected here.
    swapped = expected is not None and expected.swapped
    return Day(day, "scheduled", lines[scheduled], None, "scheduled", swapped, alarm=expected is None)


def _days(today: date, count: int) -> list[date]:
    if not 1 <= count <= FORESEEN_DAYS:
        raise ServiceError("bad_request", f"{count} days; expected 1 to {FORESEEN_DAYS}")
    return [today + timedelta(days=n) for n in range(count)]


def _published_on(session: Session, days: list[date]) -> dict[date, Publication]:
    wanted = select(Publication).where(Publication.day.between(days[0], days[-1]))
    return {row.day: row for row in session.scalars(wanted)}


def _scheduled_on(session: Session, days: list[date]) -> dict[date, str]:
    rows = session.execute(select(Puzzle.day, Puzzle.id).where(Puzzle.day.in_(days)))
    return {day: puzzle_id for day, puzzle_id in rows if day is not None}


def _not_scheduled(day: date) -> ServiceError:
    return ServiceError("not_scheduled", f"no puzzle is scheduled for {day}")
