"""Amendments: what an admin may still change about a day that is out, and never without a trace.

On such a day a solve of any of its puzzles counts, and nothing breaks a streak; the number stays.
"""

import logging
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.review import Status
from puzzle_service.models import Amendment, Publication, Puzzle
from puzzle_service.services import checks, publication
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings

log = logging.getLogger(__name__)


def replace(session: Session, number: int, by: str, now: datetime, reason: str, settings: Settings) -> str:
    """Give the day of a published puzzle another one, withdraw the first, and return the new one's id.

    Raises ServiceError: *not_found*, *not_allowed*, *nothing_left*, *bad_request*.
    """
    row = _amended(session, number, by, now, reason, settings)
    picked = publication.pick(session, row.day)
    if picked is None:
        raise ServiceError("nothing_left", f"no proved puzzle is left to replace puzzle {number}")
    puzzle = picked.puzzle
    row.puzzle_id, row.swapped, row.alarm = puzzle.id, picked.swapped, picked.alarm
    puzzle.status, puzzle.day = Status.PUBLISHED, None
    session.flush()
    log.warning("puzzle %d was replaced by %s: %s", number, by, reason)
    return puzzle.id


def void(session: Session, number: int, by: str, now: datetime, reason: str, settings: Settings) -> None:
    """Declare a published puzzle void: it stays where it is but breaks nothing.

    Raises ServiceError: *not_found*, *not_allowed*, *bad_request*.
    """
    _amended(session, number, by, now, reason, settings)
    session.flush()
    log.warning("puzzle %d was declared void by %s: %s", number, by, reason)


def _amended(
    session: Session, number: int, by: str, now: datetime, reason: str, settings: Settings
) -> Publication:
    """Withdraw the puzzle of a publication and write it into the log; returns the publication, locked."""
    why = checks.reason(reason)
    if number > publication.HIGHEST_NUMBER:
        raise ServiceError("not_found", f"no puzzle {number} is out")
    today = puzzle_day.day_of(now, settings.timezone)
    row = session.scalar(
        select(Publication).where(Publication.number == number, Publication.day <= today).with_for_update()
    )
    if row is None:
        raise ServiceError("not_found", f"no puzzle {number} is out")
    puzzle = session.get_one(Puzzle, row.puzzle_id, with_for_update=True)
    if puzzle.status != Status.PUBLISHED:
        raise ServiceError("not_allowed", f"puzzle {number} is {puzzle.status} already")
    puzzle.status, puzzle.reason = Status.WITHDRAWN, why
    session.add(Amendment(day=row.day, puzzle_id=puzzle.id, reason=why, made_at=now, made_by=by))
    return row
