"""Publication: which puzzle belongs to which day, for ever."""

import logging
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, sessionmaker

from dama import Move, Position
from dama.proof import Proof
from puzzle_service.domain import puzzle_day, rhythm
from puzzle_service.domain.review import Status
from puzzle_service.domain.rhythm import Neighbour, Offer, Solver
from puzzle_service.domain.supply import Choice, Source, Supply
from puzzle_service.models import Amendment, Attempt, Publication, Puzzle
from puzzle_service.services import audit, boards, days
from puzzle_service.services.boards import Board
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings

RACES: Final = 5
"""How many lost races in a row are believed to be races."""
HIGHEST_NUMBER: Final = 10**9
"""Databases count in 32 or 64 bits and refuse more; no puzzle will ever have such a number."""

_publication: Final = Publication.__table__.c
_puzzle: Final = Puzzle.__table__.c
# Made once and of plain columns: one of these is asked for on every page.
_SHOWN: Final = select(
    _publication.number,
    _publication.day,
    _publication.swapped,
    _puzzle.id,
    _puzzle.rules,
    _puzzle.moves,
    _puzzle.fen,
    _puzzle.themes,
).join_from(Publication.__table__, Puzzle.__table__, _publication.puzzle_id == _puzzle.id)
_OF_DAY: Final = _SHOWN.where(_publication.day == bindparam("day"))
_BY_NUMBER: Final = _SHOWN.where(
    _publication.number == bindparam("number"), _publication.day <= bindparam("day")
)

log = logging.getLogger(__name__)

_UNAPPROVED: Final[dict[Source, str]] = {
    "reserve": "came from the reserve",
    "brought_forward": "was scheduled for a later day",
}
"""What is wrong with a source that alarms, in words for operators."""


@dataclass(frozen=True)
class PublishedPuzzle:
    """A puzzle as it went out; board and proof have their colours swapped if the publication has."""

    number: int
    day: date
    puzzle_id: str
    rules: str
    moves: int
    themes: tuple[str, ...]
    position: Position
    previous_move: Move | None
    proof: Proof
    swapped: bool
    is_today: bool


@dataclass(frozen=True)
class Picked:
    """The puzzle a day gets, its row locked, and how it was chosen."""

    puzzle: Puzzle
    choice: Choice


def today(session: Session, now: datetime, settings: Settings) -> PublishedPuzzle | None:
    """Return today's puzzle, or None while nobody has published it."""
    day = puzzle_day.day_of(now, settings.timezone)
    last = days.latest(session, day)
    if last is not None and last.day == day:
        return _from_columns(session, last, day)
    return _first(session, _OF_DAY, {"day": day}, day)


def by_number(session: Session, number: int, now: datetime, settings: Settings) -> PublishedPuzzle | None:
    """Return a puzzle by its number; None for one that is not out, exactly as for one that does not exist."""
    if number > HIGHEST_NUMBER:
        return None
    day = puzzle_day.day_of(now, settings.timezone)
    return _first(session, _BY_NUMBER, {"number": number, "day": day}, day)


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
    last = last_day(session)
    if last is None or last <= day:
        return f"no proved puzzle is left: {day} has none"
    return f"the clock says {day} and the puzzle of {last} is out: none is published before it"


def pick(session: Session, day: date) -> Picked | None:
    """Return the puzzle that a day gets, its row locked; None when no proved puzzle is left."""
    left, shown, last = supply(session, day), shown_around(session, day), last_solver(session, day)
    while choice := left.best(day, shown, last):
        puzzle = _locked(session, choice)
        if puzzle is not None:
            return Picked(puzzle, choice)
        # Somebody else has just taken it.
        left.remove(choice.offer)
    return None


def supply(session: Session, day: date) -> Supply:
    """Return all puzzles that may still go out on a day and later, and which have since."""
    columns = (Puzzle.id, Puzzle.moves, Puzzle.difficulty, Puzzle.themes, Puzzle.source, Puzzle.fen)
    wanted = select(*columns, Puzzle.score, Puzzle.status, Puzzle.day).outerjoin(
        Publication, Publication.puzzle_id == Puzzle.id
    )
    left = Puzzle.status.in_([Status.APPROVED, Status.CANDIDATE])
    found = Supply()
    for puzzle_id, moves, difficulty, themes, source, fen, score, status, own in session.execute(
        wanted.where(left | (Publication.day >= day))
    ):
        offer = Offer(puzzle_id, moves, difficulty, tuple(themes), source, solver(fen), score)
        if own is not None:
            found.scheduled[own] = offer
        elif status == Status.APPROVED:
            found.approved[puzzle_id] = offer
        elif status == Status.CANDIDATE:
            found.reserve[puzzle_id] = offer
        else:
            found.out.append(offer)
    return found


def shown_around(session: Session, day: date) -> list[Neighbour]:
    """Return what is out on the days near to one, before and after, on which its own puzzle depends."""
    near = timedelta(days=rhythm.VARIETY_DAYS)
    wanted = select(Publication.day, Puzzle.themes, Puzzle.source).join(Publication.puzzle)
    rows = session.execute(wanted.where(Publication.day > day - near, Publication.day < day + near))
    return [Neighbour(other, tuple(themes), source) for other, themes, source in rows]


def last_solver(session: Session, day: date) -> Solver | None:
    """Return the colour that solves the last puzzle that is out before a day, however long before."""
    wanted = select(Publication.swapped, Puzzle.fen).join(Publication.puzzle).where(Publication.day < day)
    last = session.execute(wanted.order_by(Publication.day.desc()).limit(1)).first()
    return None if last is None else solver(last.fen, swapped=last.swapped)


def solver(fen: str, *, swapped: bool = False) -> Solver:
    """Return the colour that solves the puzzle of a FEN."""
    # A FEN begins with the side to move.
    return "W" if fen.startswith("W") is not swapped else "B"


def last_day(session: Session) -> date | None:
    """Return the last day that is out; nothing is ever published before it."""
    return session.scalar(select(func.max(Publication.day)))


def published(row: Publication, current_day: date) -> PublishedPuzzle:
    """Return the puzzle of a publication, which need not be in the tables."""
    return _shown(row, row.puzzle, boards.board(row.puzzle, swapped=row.swapped), current_day)


def take_back(session: Session, day: date, by: str, now: datetime, settings: Settings) -> int:
    """Take back what a clock that ran ahead has published, and return the id of the entry in the audit log.

    The puzzle is again what it was, and waits for the day that it was set for, if that is still free. Raises
    ServiceError: *not_found*; *not_allowed* for a day that is not to come or not the last that is out,
    because numbers follow the days, and for one that somebody has played.
    """
    row = session.scalar(select(Publication).where(Publication.day == day).with_for_update())
    if row is None:
        raise ServiceError("not_found", f"nothing is out for {day}")
    if day <= puzzle_day.day_of(now, settings.timezone):
        raise ServiceError("not_allowed", f"{day} has begun; expected a day that is still to come")
    last = last_day(session)
    if last != day:
        raise ServiceError("not_allowed", f"{last} is out too; expected the last day first")
    if session.scalar(select(Attempt.puzzle_id).where(Attempt.puzzle_id == row.puzzle_id).limit(1)):
        raise ServiceError(
            "not_allowed", f"the puzzle of {day} has been played; replace it when its day comes"
        )
    if session.scalar(select(Amendment.id).where(Amendment.day == day).limit(1)):
        raise ServiceError("not_allowed", f"{day} has been amended; it stays as it is")
    puzzle = session.get_one(Puzzle, row.puzzle_id, with_for_update=True)
    before = audit.states(session, [puzzle.id])
    # What came from the reserve nobody has decided about.
    from_reserve = row.alarm and puzzle.reviewed_at is None
    session.delete(row)
    session.flush()
    puzzle.status = Status.CANDIDATE if from_reserve else Status.APPROVED
    wanted = audit.waited_for(session, puzzle.id)
    if wanted is not None and _is_open(session, wanted, now, settings):
        puzzle.day = wanted
    log.warning("puzzle %d of %s was taken back", row.number, day)
    return audit.write(session, by, audit.Action.TAKE_BACK, now, before)


def _is_open(session: Session, day: date, now: datetime, settings: Settings) -> bool:
    """Tell whether a puzzle may wait for a day: one to come that no other has, after all that are out."""
    last = last_day(session)
    if day < puzzle_day.day_of(now, settings.timezone) or (last is not None and day <= last):
        return False
    return session.scalar(select(Puzzle.id).where(Puzzle.day == day)) is None


def _publish(session: Session, day: date, now: datetime) -> None:
    if session.get(Publication, day) is not None:
        return
    last = last_day(session)
    if last is not None and last > day:
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
            swapped=picked.choice.swapped,
            published_at=now,
            alarm=picked.choice.alarm,
        )
    )
    puzzle.status, puzzle.day = Status.PUBLISHED, None
    session.flush()
    source = picked.choice.source
    if picked.choice.alarm:
        log.error("no approved puzzle was free: puzzle %d of %s %s", number, day, _UNAPPROVED[source])
    else:
        log.info("published puzzle %d of %s (%s)", number, day, source)


def _free_days(session: Session, days: ColumnElement[bool], named: str) -> None:
    """Take their days, which are ``named`` in the log, from the puzzles that nobody will see on them."""
    freed = session.scalars(
        update(Puzzle).where(Puzzle.status == Status.APPROVED, days).values(day=None).returning(Puzzle.id)
    ).all()
    if freed:
        log.warning("scheduled for %s, and approved without a day again: %s", named, freed)


def _first(
    session: Session, wanted: Select[Any], values: dict[str, Any], current_day: date
) -> PublishedPuzzle | None:
    row = session.execute(wanted, values).first()
    return None if row is None else _from_columns(session, row, current_day)


def _from_columns(session: Session, row: Any, current_day: date) -> PublishedPuzzle:
    board = boards.find(session, row.id, row.fen, swapped=row.swapped)
    return _shown(row, row, board, current_day)


def _shown(publication: Any, puzzle: Any, board: Board, current_day: date) -> PublishedPuzzle:
    """Return a published puzzle from its rows, whole ones or the columns of `_SHOWN`."""
    return PublishedPuzzle(
        number=publication.number,
        day=publication.day,
        puzzle_id=puzzle.id,
        rules=puzzle.rules,
        moves=puzzle.moves,
        themes=tuple(puzzle.themes),
        position=board.position,
        previous_move=board.previous_move,
        proof=board.proof,
        swapped=publication.swapped,
        is_today=publication.day == current_day,
    )


def _locked(session: Session, choice: Choice) -> Puzzle | None:
    """Return the row of a chosen puzzle, locked, unless it is no longer where the choice has found it."""
    place: dict[Source, ColumnElement[bool]] = {
        "scheduled": Puzzle.day == choice.day,
        "approved": (Puzzle.status == Status.APPROVED) & Puzzle.day.is_(None),
        "reserve": Puzzle.status == Status.CANDIDATE,
        "brought_forward": Puzzle.day > choice.day,
    }
    wanted = select(Puzzle).where(Puzzle.id == choice.offer.id, place[choice.source]).with_for_update()
    return session.scalar(wanted.execution_options(populate_existing=True))
