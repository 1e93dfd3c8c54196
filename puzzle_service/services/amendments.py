"""Amendments: what an admin may still change about a day that is out, and never without a trace.

On such a day a solve of any of its puzzles counts, and nothing breaks a streak; the number stays.
"""

import logging
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.review import Status, may_become
from puzzle_service.models import Amendment, Publication, Puzzle
from puzzle_service.services import audit, checks, publication, puzzles
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.puzzles import PuzzleSummary
from puzzle_service.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Replacement:
    """A puzzle that would take the place of one that is out, and whether its colours would be swapped."""

    puzzle: PuzzleSummary
    swapped: bool


def replacement(session: Session, day: date, puzzle_id: str | None = None) -> Replacement:
    """Return what ``replace`` would bring on a day as things stand now.

    Raises ServiceError: *not_found*, *not_allowed*, *nothing_left*.
    """
    last = publication.last_solver(session, day)
    if puzzle_id is None:
        choice = publication.supply(session, day).best(day, publication.shown_around(session, day), last)
        if choice is None:
            raise ServiceError("nothing_left", f"no proved puzzle is left to replace that of {day}")
        found, swapped = choice.offer.id, choice.swapped
    else:
        named = puzzles.found(session, puzzle_id)
        _check_may_go_out(named)
        found, swapped = named.id, publication.solver(named.fen) == last
    return Replacement(puzzles.by_id(session, [found])[found], swapped)


def replace(
    session: Session,
    number: int,
    by: str,
    now: datetime,
    reason: str,
    settings: Settings,
    puzzle_id: str | None = None,
    *,
    seen: str | None = None,
) -> str:
    """Give the day of a published puzzle another one, withdraw the first, and return the new one's id.

    The new one is ``puzzle_id``, a candidate or an approved puzzle, or else what publication would pick.
    Raises ServiceError: *not_found*, *not_allowed*, *nothing_left*, *bad_request*, and *changed* when the day
    has another puzzle than the one ``seen``.
    """
    row, why = _published(session, number, reason, now, settings, seen)
    puzzle, swapped, alarm = _replacement(session, row, puzzle_id)
    before = audit.states(session, [row.puzzle_id, puzzle.id])
    _withdraw(session, row, by, now, why)
    row.puzzle_id, row.swapped, row.alarm = puzzle.id, swapped, alarm
    puzzle.status, puzzle.day = Status.PUBLISHED, None
    audit.write(session, by, audit.Action.REPLACE, now, before, why)
    log.warning("puzzle %d was replaced: %s", number, why)
    return puzzle.id


def void(
    session: Session,
    number: int,
    by: str,
    now: datetime,
    reason: str,
    settings: Settings,
    *,
    seen: str | None = None,
) -> None:
    """Declare a published puzzle void: it stays where it is but breaks nothing.

    Raises ServiceError: *not_found*, *not_allowed*, *bad_request*, *changed*.
    """
    row, why = _published(session, number, reason, now, settings, seen)
    before = audit.states(session, [row.puzzle_id])
    _withdraw(session, row, by, now, why)
    audit.write(session, by, audit.Action.VOID, now, before, why)
    log.warning("puzzle %d was declared void: %s", number, why)


def _published(
    session: Session, number: int, reason: str, now: datetime, settings: Settings, seen: str | None
) -> tuple[Publication, str]:
    """Return a publication that may be amended, locked with its puzzle, and the reason as it is kept."""
    why = checks.reason(reason)
    if number > publication.HIGHEST_NUMBER:
        raise ServiceError("not_found", f"no puzzle {number} is out")
    today = puzzle_day.day_of(now, settings.timezone)
    row = session.scalar(
        select(Publication)
        .where(Publication.number == number, Publication.day <= today)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if row is None:
        raise ServiceError("not_found", f"no puzzle {number} is out")
    if seen is not None and row.puzzle_id != seen:
        raise ServiceError("changed", f"puzzle {number} has changed since: it is {row.puzzle_id} now")
    puzzle = puzzles.found_locked(session, row.puzzle_id)
    if puzzle.status != Status.PUBLISHED:
        raise ServiceError("not_allowed", f"puzzle {number} is {puzzle.status} already")
    return row, why


def _replacement(session: Session, row: Publication, puzzle_id: str | None) -> tuple[Puzzle, bool, bool]:
    """Return what takes a puzzle's place, locked, whether its colours are swapped, and whether to alarm."""
    if puzzle_id is None:
        picked = publication.pick(session, row.day)
        if picked is None:
            raise ServiceError("nothing_left", f"no proved puzzle is left to replace puzzle {row.number}")
        return picked.puzzle, picked.choice.swapped, picked.choice.alarm
    named = puzzles.found_locked(session, puzzle_id)
    _check_may_go_out(named)
    return named, publication.solver(named.fen) == publication.last_solver(session, row.day), False


def _check_may_go_out(row: Puzzle) -> None:
    if not may_become(Status(row.status), Status.PUBLISHED):
        raise ServiceError("not_allowed", f"puzzle {row.id} is {row.status} and cannot go out")


def _withdraw(session: Session, row: Publication, by: str, now: datetime, why: str) -> None:
    puzzle = session.get_one(Puzzle, row.puzzle_id)
    puzzle.status, puzzle.reason = Status.WITHDRAWN, why
    session.add(Amendment(day=row.day, puzzle_id=puzzle.id, reason=why, made_at=now, made_by=by))
