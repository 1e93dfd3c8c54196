"""Health: whether the site does what it should, for those who watch over it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from puzzle_service import db
from puzzle_service.models import Publication
from puzzle_service.services import lease, stock
from puzzle_service.settings import Settings


@dataclass(frozen=True)
class Health:
    """The site at one instant.

    ``scheduler`` has *stopped* when its lease has ended; ``lease_seconds`` are left of it, less than 0 once
    it has, None when it was never taken. ``publication_age``: seconds since the last publication.
    """

    stock: stock.Status
    scheduler: Literal["running", "stopped", "never"]
    lease_seconds: float | None
    publications: int
    publication_age: float | None


def health(session: Session, now: datetime, settings: Settings) -> Health:
    """Return how the site is."""
    count, last = session.execute(select(func.count(), func.max(Publication.published_at))).one()
    held = lease.get(session, lease.SCHEDULER)
    left = None if held is None else (held.until - now).total_seconds()
    return Health(
        stock=stock.status(session, now, settings),
        scheduler="never" if left is None else "running" if left > 0 else "stopped",
        lease_seconds=left,
        publications=count,
        publication_age=None if last is None else (now - last).total_seconds(),
    )


def is_ready(session: Session) -> bool:
    """Tell whether the database is at the revision that this version works with."""
    return db.revision(session) == db.REVISION
