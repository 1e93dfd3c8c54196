"""The days that are out: the same for everybody, so each process keeps them in memory.

One small statement says whether they are still those of the database: a publication adds a day, and an
amendment, which alone may change one, leaves a row. A page may be a moment old when it is read, so what it
shows may be as old when it is made; a move is judged by what the database says then.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import takewhile
from time import monotonic
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from puzzle_service.db import READS
from puzzle_service.domain import puzzle_day
from puzzle_service.domain.streaks import DayRow, DayStanding
from puzzle_service.models import Amendment, Publication, Puzzle
from puzzle_service.settings import Settings


class DayState(NamedTuple):
    """How one published day stands for a player.

    ``attempts`` are those it took, or those spent so far; ``frozen`` means that it was not solved and a
    freeze kept the streak.
    """

    day: date
    number: int
    state: DayStanding
    attempts: int = 0
    frozen: bool = False


class PublishedDay(NamedTuple):
    """A day that is out: the puzzle it has now, and those that were withdrawn from it.

    ``untouched`` is its row for everybody who has not played it, ``early`` how it stands for everybody who
    began on a later day.
    """

    puzzle_id: str
    withdrawn: tuple[str, ...]
    untouched: DayRow
    early: DayState


@dataclass(frozen=True)
class PublishedDays:
    """The days that are out, the oldest first, and at which place among them each puzzle is or was."""

    days: tuple[PublishedDay, ...]
    early: tuple[DayState, ...]
    place_of: Mapping[str, int]


class Latest(NamedTuple):
    """The last day that is out with its puzzle, and what changes whenever an earlier one does."""

    day: date
    number: int
    swapped: bool
    id: str
    rules: str
    moves: int
    fen: str
    themes: tuple[str, ...]
    published_at: datetime
    amendments: int
    amended_at: datetime | None


_publication: Final = Publication.__table__.c
_puzzle: Final = Puzzle.__table__.c
_amendment: Final = Amendment.__table__.c
# Made once and of plain columns: this is asked for on every page.
LATEST: Final = (
    select(
        _publication.day,
        _publication.number,
        _publication.swapped,
        _puzzle.id,
        _puzzle.rules,
        _puzzle.moves,
        _puzzle.fen,
        _puzzle.themes,
        _publication.published_at,
        select(func.count(_amendment.id)).scalar_subquery(),
        select(func.max(_amendment.made_at)).scalar_subquery(),
    )
    .join_from(Publication.__table__, Puzzle.__table__, _publication.puzzle_id == _puzzle.id)
    .order_by(_publication.day.desc())
    .limit(1)
)

FRESH_SECONDS = 1.0
"""For how long pages believe what the database said of the days that are out."""

# By what all engines of one database have in common; a process may open several.
_latest: WeakKeyDictionary[Any, tuple[float, Latest]] = WeakKeyDictionary()
_known: WeakKeyDictionary[Any, tuple[Latest, PublishedDays]] = WeakKeyDictionary()


def latest(session: Session, today: date) -> Latest | None:
    """Return the last day that is out, None before the first.

    To a session that only reads it may be what the database said a moment ago, but never so that today's
    puzzle is missing.
    """
    engine = session.get_bind()
    kept = _latest.get(engine.dialect) if session.info.get(READS) else None
    if kept is not None and monotonic() < kept[0] + FRESH_SECONDS and kept[1].day >= today:
        return kept[1]
    asked = monotonic()
    row = session.execute(LATEST).first()
    if row is None:
        return None
    found = Latest._make(row)
    # A page that is kept for as long as this stays the same is looked for by it.
    found = found._replace(themes=tuple(found.themes))
    if session.info.get(READS):
        _latest[engine.dialect] = asked, found
    return found


def published(session: Session, today: date) -> PublishedDays:
    """Return every day that is out by today: at most one statement, and two more after a change."""
    last = latest(session, today)
    if last is None:
        return PublishedDays((), (), {})
    database = session.get_bind().dialect
    known = _known.get(database)
    if known is None or known[0] != last:
        known = _known[database] = last, _read(session)
    found = known[1]
    return found if last.day <= today else _until(today, found)


def still_open(session: Session, now: datetime, settings: Settings) -> frozenset[str]:
    """Return the puzzles of days that are not over for everybody: today's, and one in its grace period."""
    zone, grace = settings.timezone, settings.grace
    newest = reversed(published(session, puzzle_day.day_of(now, zone)).days)
    running = takewhile(lambda one: not puzzle_day.is_closed(one.early.day, now, zone, grace), newest)
    return frozenset(one.puzzle_id for one in running)


def _until(today: date, known: PublishedDays) -> PublishedDays:
    """Return the days up to one: the clock went back, or was ahead when the last ones went out."""
    end = bisect_right(known.early, today, key=lambda state: state.day)
    places = {puzzle_id: place for puzzle_id, place in known.place_of.items() if place < end}
    return PublishedDays(known.days[:end], known.early[:end], places)


def _read(session: Session) -> PublishedDays:
    withdrawn: dict[date, set[str]] = defaultdict(set)
    for day, puzzle_id in session.execute(select(Amendment.day, Amendment.puzzle_id)):
        withdrawn[day].add(puzzle_id)
    wanted = select(Publication.day, Publication.number, Publication.puzzle_id).order_by(Publication.day)
    days: list[PublishedDay] = []
    place_of: dict[str, int] = {}
    for place, (day, number, puzzle_id) in enumerate(session.execute(wanted)):
        gone = withdrawn.get(day, set())
        place_of |= dict.fromkeys({puzzle_id, *gone}, place)
        early = DayState(day, number, "excused" if gone else "before")
        row = DayRow(day, amended=bool(gone))
        days.append(PublishedDay(puzzle_id, tuple(sorted(gone - {puzzle_id})), row, early))
    return PublishedDays(tuple(days), tuple(one.early for one in days), place_of)
