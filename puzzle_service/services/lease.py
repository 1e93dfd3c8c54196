"""Leases: of several processes that could do a job, one does it, and another one once that is gone."""

import os
import secrets
import socket
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import or_, update
from sqlalchemy.orm import Session

from puzzle_service import db
from puzzle_service.models import Lease as LeaseRow

SCHEDULER: Final = "scheduler"
SCHEDULER_SECONDS: Final = 90
"""Three of the scheduler's rounds: a slow one loses nothing, and a dead one is missed for so long at most."""


@dataclass(frozen=True)
class Lease:
    """Who does a job, and until when nobody else may; one that was released ended when it was."""

    name: str
    holder: str
    until: datetime


def new_holder() -> str:
    """Return a name for this process that no other has, and that tells an operator where to look."""
    return f"{socket.gethostname()[:36]}:{os.getpid()}:{secrets.token_hex(4)}"


def take(session: Session, name: str, holder: str, now: datetime, seconds: int) -> bool:
    """Take a lease for so many seconds, or renew one's own; tell whether it is the holder's now.

    One that ends further ahead than any honest one could was written by a clock that ran ahead, and is free.
    """
    until = now + timedelta(seconds=seconds)
    # One statement: whoever comes second waits for the first one's row and then looks at it again.
    taken = (
        db.insert(session, LeaseRow)
        .values(name=name, holder=holder, until=until)
        .on_conflict_do_update(
            index_elements=[LeaseRow.name],
            set_={"holder": holder, "until": until},
            where=or_(
                LeaseRow.holder == holder,
                LeaseRow.until <= now,
                LeaseRow.until > until + timedelta(seconds=seconds),
            ),
        )
        .returning(LeaseRow.holder)
    )
    return session.scalar(taken) is not None


def release(session: Session, name: str, holder: str, now: datetime) -> None:
    """End a lease now if it is the holder's, so that the next one need not wait."""
    session.execute(
        update(LeaseRow).where(LeaseRow.name == name, LeaseRow.holder == holder).values(until=now)
    )


def get(session: Session, name: str) -> Lease | None:
    """Return a lease as it stands, ended or not; None when nobody ever took it."""
    row = session.get(LeaseRow, name)
    return None if row is None else Lease(row.name, row.holder, row.until)
