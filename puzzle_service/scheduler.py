"""The scheduler: every half minute it makes today's puzzle be published.

Nothing here waits for midnight: a job that asks "is everything as it ought to be?" cannot miss a day,
whatever the clock does.
"""

import logging
import os
import signal
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from sqlalchemy.exc import OperationalError

from puzzle_service import db
from puzzle_service.clock import Clock, utc_now
from puzzle_service.db import Database
from puzzle_service.services import attempts, lease, publication, rate_limits
from puzzle_service.settings import Settings

EVERY_SECONDS: Final = 30
JOB: Final = "reconcile"
PARENT_SECONDS: Final = 1.0
"""How often the scheduler looks whether the server that started it is still there."""

log = logging.getLogger(__name__)


def reconcile(database: Database, now: datetime, settings: Settings) -> None:
    """Publish today's puzzle unless somebody has, give passed days back, and forget old requests."""
    if publication.ensure_published(database.write, now, settings) is None:
        with database.read() as session:
            log.error(publication.why_none(session, now, settings))
    with database.write.begin() as session:
        attempts.forget_requests(session, now)
        rate_limits.forget_expired(session, now)


class Actor:
    """One of perhaps several schedulers: it acts while it holds the lease, and watches while another does."""

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self._database, self._settings, self._clock = database, settings, clock
        self._holder = lease.new_holder()
        self._acts: bool | None = None

    def act(self) -> None:
        """Do one round if it is this scheduler's turn; after one that the database fails comes another."""
        try:
            if self._has_lease():
                reconcile(self._database, self._clock(), self._settings)
        except OperationalError as error:
            log.error("the database did not answer: %s", error)

    def leave(self) -> None:
        """Give the lease up, so that another scheduler need not wait until it ends."""
        try:
            with self._database.write.begin() as session:
                lease.release(session, lease.SCHEDULER, self._holder, self._clock())
        except OperationalError as error:
            log.error("the lease ends by itself, for the database did not answer: %s", error)

    def _has_lease(self) -> bool:
        with self._database.write.begin() as session:
            acts = lease.take(session, lease.SCHEDULER, self._holder, self._clock(), lease.SCHEDULER_SECONDS)
        if acts is not self._acts:
            self._acts = acts
            log.info("this scheduler acts" if acts else "another scheduler acts; this one stands by")
        return acts


def build(job: Callable[[], None]) -> BackgroundScheduler:
    """Return a scheduler that runs the job at once and then every half minute, late rather than never.

    A job that raises is logged, and runs again in its turn.
    """
    scheduler = BackgroundScheduler(timezone=UTC, executors={"default": ThreadPoolExecutor(1)})
    scheduler.add_job(
        job,
        "interval",
        seconds=EVERY_SECONDS,
        id=JOB,
        replace_existing=True,
        next_run_time=utc_now(),
        # However late a run is, it runs, and several that were missed run as one.
        misfire_grace_time=None,
        coalesce=True,
        max_instances=1,
    )
    return scheduler


def run(settings: Settings, *, clock: Clock = utc_now, parent: int | None = None) -> None:
    """Run the scheduler until SIGTERM or SIGINT, or until the process ``parent`` that started it is gone."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    database = db.connect(settings)
    actor = Actor(database, settings, clock)
    scheduler = build(actor.act)
    scheduler.start()
    log.info("scheduler started")
    try:
        while not stop.wait(PARENT_SECONDS):
            if parent is not None and os.getppid() != parent:
                log.warning("the server is gone")
                break
    finally:
        scheduler.shutdown()
        actor.leave()
        database.close()
    log.info("scheduler stopped")
