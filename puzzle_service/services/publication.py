"""Publication: which puzzle belongs to which day, for ever."""

import logging
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Literal

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload, sessionmaker

from dama import Move, Position
from dama.proof import Proof
from puzzle_service.domain import puzzle_day, rhythm
from puzzle_service.domain.review import Status
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services.boards import board
from puzzle_service.settings import Settings

RACES: Final = 5
"""How many lost races in a row are believed to be races."""
HIGHEST_NUMBER: Final = 10**9
"""Databases count in 32 or 64 bits and refuse more; no puzzle will ever have such a number."""

log = logging.getLogger(__name__)

Source = Literal["scheduled", "approved", "reserve", "brought_forward"]

ALARMING: Final[dict[Source, str]] = {
    "reserve": "came from the reserve",
    "brought_forward": "was scheduled for a later day",
}
"""The sources that are used for want of an approved puzzle, in words for operators."""


@dataclass(frozen=True)
class PublishedPuzzle:
    """A puzzle as it went out; board and proof have their colours swapped if the publication has."""

    number: int
    day: date
    puzzle_id: str
    rules: str
    moves: int
    position: Position
    previous_move: Move | None
    proof: Proof
    swapped: bool
    is_today: bool


@dataclass(frozen=True)
class Picked:
    """The puzzle a day gets, where it comes from, and whether its colours are swapped."""

    puzzle: Puzzle
    source: Source
    swapped: bool

    @property
    def alarm(self) -> bool:
        """Whether an admin must look after the stock: nothing that was free for this day was approved."""
        return self.source in ALARMING


def today(session: Session, now: datetime, settings: Settings) -> PublishedPuzzle | None:
    """Return today's puzzle, or None while nobody has published it."""
    day = puzzle_day.day_of(now, settings.timezone)
    return _first(session, _publications().where(Publication.day == day), day)


def by_number(session: Session, number: int, now: datetime, settings: Settings) -> PublishedPuzzle | None:
    """Return a puzzle by its number; None for one that is not out, exactly as for one that does not exist."""
    if number > HIGHEST_NUMBER:
        return None
    day = puzzle_day.day_of(now, settings.timezone)
    wanted = _publications().where(Publication.number == number, Publication.day <= day)
    return _first(session, wanted, day)


def ensure_published(
    write_factory: sessionmaker[Session], now: datetime, settings: Settings
) -> PublishedPuzzle | None:
    """Return today's puzzle, publishing it first if nobody has; None when there is none, see ``why_none``.

    Whoever calls this at the same time gets the same puzzle: losing the race is success.
    """
    for _ in range(RACES):
        try:
            with write_factory.begin() as session:
                reconcile(session, now, settings)
                return today(session, now, settings)
        except IntegrityError as error:
            lost = error
    raise lost


def reconcile(session: Session, now: datetime, settings: Settings) -> None:
    """Make the tables what they ought to be at this instant: today published, days that passed given back.

    A day during which nobody could play is never published afterwards, nor is one before the last that is
    out. Raises IntegrityError when another transaction publishes at the same time.
    """
    day = puzzle_day.day_of(now, settings.timezone)
    _free_days(session, Puzzle.day < day, "a day that has passed")
    _publish(session, day, now)
    _free_days(session, Puzzle.day == day, f"{day}, which takes no other puzzle")


def why_none(session: Session, now: datetime, settings: Settings) -> str:
    """Return for an operator why nothing is out today."""
    day = puzzle_day.day_of(now, settings.timezone)
    later = _later_day(session, day)
    if later is None:
        return f"no proved puzzle is left: {day} has none"
    return f"the clock says {day} and the puzzle of {later} is out: none is published before it"


def pick(session: Session, day: date) -> Picked | None:
    """Return the puzzle that a day gets, its row locked; None when no proved puzzle is left."""
    sources: tuple[tuple[Source, ColumnElement[bool]], ...] = (
        ("scheduled", (Puzzle.status == Status.APPROVED) & (Puzzle.day == day)),
        ("approved", (Puzzle.status == Status.APPROVED) & Puzzle.day.is_(None)),
        ("reserve", Puzzle.status == Status.CANDIDATE),
        # What waits for a later day is better than an empty one.
        ("brought_forward", (Puzzle.status == Status.APPROVED) & (Puzzle.day > day)),
    )
    shown = _shown_before(session, day)
    for source, condition in sources:
        pool = _pool(session, condition)
        while offer := rhythm.choose(day, pool, shown):
            locked = select(Puzzle).where(Puzzle.id == offer.id, condition).with_for_update()
            puzzle = session.scalar(locked.execution_options(populate_existing=True))
            if puzzle is not None:
                return Picked(puzzle, source, rhythm.must_swap(_solver(puzzle.fen), shown))
            # Somebody else has just taken it.
            pool.remove(offer)
    return None


def _publish(session: Session, day: date, now: datetime) -> None:
    if session.get(Publication, day) is not None:
        return
    if _later_day(session, day) is not None:
        # The clock went back, or has been ahead: numbers follow the days, and a day in between is past.
        return
    picked = pick(session, day)
    if picked is None:
        return
    puzzle = picked.puzzle
    number = (session.scalar(select(func.max(Publication.number))) or 0) + 1
    session.add(
        Publication(
            day=day,
            number=number,
            puzzle_id=puzzle.id,
            swapped=picked.swapped,
            published_at=now,
            alarm=picked.alarm,
        )
    )
    puzzle.status, puzzle.day = Status.PUBLISHED, None
    session.flush()
    if picked.alarm:
        log.error("no approved puzzle was free: puzzle %d of %s %s", number, day, ALARMING[picked.source])
    else:
        log.info("published puzzle %d of %s (%s)", number, day, picked.source)


def _later_day(session: Session, day: date) -> date | None:
    """Return the last day that is out already although it comes after this one."""
    return session.scalar(select(func.max(Publication.day)).where(Publication.day > day))


def _free_days(session: Session, days: ColumnElement[bool], named: str) -> None:
    """Take their days, which are ``named`` in the log, from the puzzles that nobody will see on them."""
    freed = session.scalars(
        update(Puzzle).where(Puzzle.status == Status.APPROVED, days).values(day=None).returning(Puzzle.id)
    ).all()
    if freed:
        log.warning("scheduled for %s, and approved without a day again: %s", named, freed)


def _publications() -> Select[Publication]:
    return select(Publication).options(joinedload(Publication.puzzle))


def _first(session: Session, wanted: Select[Publication], current_day: date) -> PublishedPuzzle | None:
    row = session.scalar(wanted)
    return None if row is None else _published(row, current_day)


def _published(row: Publication, current_day: date) -> PublishedPuzzle:
    puzzle = row.puzzle
    shown = board(puzzle, swapped=row.swapped)
    return PublishedPuzzle(
        number=row.number,
        day=row.day,
        puzzle_id=puzzle.id,
        rules=puzzle.rules,
        moves=puzzle.moves,
        position=shown.position,
        previous_move=shown.previous_move,
        proof=shown.proof,
        swapped=row.swapped,
        is_today=row.day == current_day,
    )


def _shown_before(session: Session, day: date) -> list[rhythm.Shown]:
    """Return what went out last before a day: at least the week before it, and the last one however old."""
    wanted = (
        select(Publication.day, Publication.swapped, Puzzle.fen, Puzzle.themes, Puzzle.source)
        .join(Publication.puzzle)
        .where(Publication.day < day)
        .order_by(Publication.day.desc())
        .limit(rhythm.VARIETY_DAYS)
    )
    return [
        rhythm.Shown(shown_day, tuple(themes), source, _solver(fen, swapped=swapped))
        for shown_day, swapped, fen, themes, source in session.execute(wanted)
    ]


def _solver(fen: str, *, swapped: bool = False) -> rhythm.Solver:
    # A FEN begins with the side to move.
    return "W" if fen.startswith("W") is not swapped else "B"


def _pool(session: Session, condition: ColumnElement[bool]) -> list[rhythm.Offer]:
    wanted = select(Puzzle.id, Puzzle.moves, Puzzle.difficulty, Puzzle.themes, Puzzle.source)
    return [
        rhythm.Offer(puzzle_id, moves, difficulty, tuple(themes), source)
        for puzzle_id, moves, difficulty, themes, source in session.execute(wanted.where(condition))
    ]
