"""Generation: runs of the generator that the site starts, one at a time however many ask for one."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from puzzle_service.models import AuditEntry, Generation
from puzzle_service.services import audit, lease
from puzzle_service.services.errors import ServiceError

SECONDS: Final = range(10, 3601)
"""How long a run may look for puzzles."""
HIGHEST_ID: Final = 2**31 - 1
"""PostgreSQL counts no further here, and refuses what is more."""
LEASE: Final = "generation"
LEASE_SECONDS: Final = 90
"""Many times what passes between two signs of life, also while a long record is checked."""

State = Literal["running", "stopping", "done", "stopped", "failed", "lost"]
"""A run is lost when it has shown no sign of life for so long that its lease is over: nobody ended it."""
Result = Literal["done", "stopped", "failed"]
Order = Literal["go_on", "stop", "give_up"]


@dataclass(frozen=True)
class Run:
    """A run as it stands: ``elapsed`` seconds since its start, or from there to its end.

    ``accepted`` puzzles have been found, ``checked`` of them were looked at for the import, and ``added`` are
    new candidates. ``lines`` is the last that the generator has said, and ``error`` why the run has failed.
    """

    id: int
    state: State
    by: str
    seconds: int
    started_at: datetime
    elapsed: int
    accepted: int
    checked: int
    added: int
    lines: tuple[str, ...]
    error: str | None

    @property
    def goes_on(self) -> bool:
        """Whether the run is not over yet."""
        return self.state in ("running", "stopping")


def start(session: Session, by: str, now: datetime, seconds: int) -> int:
    """Write down a run that is about to start, and return its id.

    Raises ServiceError *bad_request* for another number of seconds than 10 to 3600, and *running* while there
    is one.
    """
    if seconds not in SECONDS:
        expected = f"{SECONDS.start} to {SECONDS.stop - 1}"
        raise ServiceError("bad_request", f"{seconds} seconds; expected {expected}")
    row = Generation(
        entry_id=audit.write_generate(session, by, now, seconds),
        seconds=seconds,
        started_at=now,
        stop_asked=False,
        accepted=0,
        checked=0,
        added=0,
        lines=[],
    )
    session.add(row)
    session.flush()
    # Whoever comes second waits here for the first one, and then takes nothing.
    if not lease.take(session, LEASE, _holder(row.id), now, LEASE_SECONDS):
        raise ServiceError("running", "a run of the generator is under way; only one may be")
    return row.id


def latest(session: Session, now: datetime) -> Run | None:
    """Return the run that was started last, or None when there was none."""
    last = session.scalar(select(func.max(Generation.id)))
    return None if last is None else get(session, last, now)


def get(session: Session, run_id: int, now: datetime) -> Run:
    """Return a run; raises ServiceError *not_found*."""
    wanted = select(Generation, AuditEntry.by).join(AuditEntry, AuditEntry.id == Generation.entry_id)
    found = session.execute(wanted.where(Generation.id == run_id)).first() if run_id <= HIGHEST_ID else None
    if found is None:
        raise ServiceError("not_found", f"there is no run {run_id} of the generator")
    return _run(session, found[0], found[1], now)


def ask_to_stop(session: Session, run_id: int, now: datetime) -> None:
    """Have a run stop and import what it has found by then; raises ServiceError *not_running*."""
    row = session.get(Generation, run_id, with_for_update=True) if run_id <= HIGHEST_ID else None
    if row is None or not _goes_on(session, row, now):
        raise ServiceError("not_running", f"run {run_id} is over")
    row.stop_asked = True


def show(
    session: Session, run_id: int, now: datetime, *, accepted: int, checked: int, lines: list[str]
) -> Order:
    """Show a run's progress and that it lives; returns what it is to do: *give_up* when it counts as lost."""
    row = session.get_one(Generation, run_id, with_for_update=True)
    if row.ended_at is not None or not lease.take(session, LEASE, _holder(run_id), now, LEASE_SECONDS):
        return "give_up"
    row.accepted, row.checked, row.lines = accepted, checked, lines
    return "stop" if row.stop_asked else "go_on"


def end(
    session: Session, run_id: int, now: datetime, result: Result, *, added: int, error: str | None = None
) -> None:
    """Write down how a run has ended, and let the next one begin."""
    row = session.get_one(Generation, run_id, with_for_update=True)
    row.ended_at, row.result, row.added, row.error = now, result, added, error
    lease.release(session, LEASE, _holder(run_id), now)


def _holder(run_id: int) -> str:
    return f"run {run_id}"


def _goes_on(session: Session, row: Generation, now: datetime) -> bool:
    held = lease.get(session, LEASE)
    alive = held is not None and held.holder == _holder(row.id) and held.until > now
    return row.ended_at is None and alive


def _run(session: Session, row: Generation, by: str, now: datetime) -> Run:
    return Run(
        id=row.id,
        state=_state(session, row, now),
        by=by,
        seconds=row.seconds,
        started_at=row.started_at,
        elapsed=max((row.ended_at or now) - row.started_at, timedelta()) // timedelta(seconds=1),
        accepted=row.accepted,
        checked=row.checked,
        added=row.added,
        lines=tuple(row.lines),
        error=row.error,
    )


def _state(session: Session, row: Generation, now: datetime) -> State:
    if _goes_on(session, row, now):
        return "stopping" if row.stop_asked else "running"
    results: dict[str | None, State] = {"done": "done", "stopped": "stopped", "failed": "failed"}
    return results.get(row.result, "lost")
