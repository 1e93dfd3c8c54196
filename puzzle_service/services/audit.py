"""The audit log: who did what to puzzles and days, with what they were before and after, and the way back."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from itertools import product
from typing import Any, Final

from sqlalchemy import ColumnElement, String, cast, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from puzzle_service.domain.review import Status
from puzzle_service.domain.roles import Role
from puzzle_service.models import AuditEntry, Publication, Puzzle
from puzzle_service.services import puzzles
from puzzle_service.services.errors import ServiceError

HIGHEST_ID: Final = 2**31 - 1
"""PostgreSQL counts no further here, and refuses what is more."""


class Action(StrEnum):
    """What can be done to puzzles and days, and to who may do it."""

    IMPORT = "import"
    APPROVE = "approve"
    REJECT = "reject"
    SET = "set"
    MOVE = "move"
    CLEAR = "clear"
    FILL = "fill"
    REPLACE = "replace"
    VOID = "void"
    TAKE_BACK = "take_back"
    UNDO = "undo"
    ROLE = "role"
    GENERATE = "generate"
    CALIBRATE = "calibrate"


UNDOABLE: Final = frozenset(Action) - {
    Action.IMPORT,
    Action.REPLACE,
    Action.VOID,
    Action.TAKE_BACK,
    Action.ROLE,
    Action.GENERATE,
    Action.CALIBRATE,
}
"""Everything but what brings puzzles in, difficulties, roles, and what was done to a day that was played."""
COUNTING: Final = frozenset({Action.IMPORT, Action.GENERATE, Action.CALIBRATE})
"""What is about a number and no puzzle by name."""


@dataclass(frozen=True)
class State:
    """What a decision changes about a puzzle; ``day`` is the scheduled one, ``out`` the published one."""

    status: Status
    day: date | None
    reason: str | None
    reviewed_by: str | None
    reviewed_at: datetime | None
    out: date | None


States = Mapping[str, State]


@dataclass(frozen=True)
class Change:
    """One puzzle before and after."""

    puzzle_id: str
    before: State
    after: State


@dataclass(frozen=True)
class Entry:
    """A line of the log; ``count`` is that of puzzles that came in or changed, or of seconds to find some.

    ``undone_by`` is the entry that undid this one, ``undoes`` the one that this one undid. ``may_undo`` tells
    whether the puzzles still are as they were left and their days still to come.
    """

    id: int
    at: datetime
    by: str
    action: Action
    reason: str | None
    changes: tuple[Change, ...]
    count: int
    undone_by: int | None
    undoes: int | None
    may_undo: bool


def states(session: Session, ids: Iterable[str]) -> dict[str, State]:
    """Return how puzzles stand, to be given to ``write`` once they have been changed."""
    session.flush()
    wanted = select(
        Puzzle.id,
        Puzzle.status,
        Puzzle.day,
        Puzzle.reason,
        Puzzle.reviewed_by,
        Puzzle.reviewed_at,
        Publication.day,
    )
    joined = wanted.outerjoin(Publication, Publication.puzzle_id == Puzzle.id)
    rows = session.execute(joined.where(Puzzle.id.in_(list(ids))).order_by(Puzzle.id))
    return {
        puzzle_id: State(Status(status), day, reason, by, at, out)
        for puzzle_id, status, day, reason, by, at, out in rows
    }


def write(
    session: Session, by: str, action: Action, now: datetime, before: States, reason: str | None = None
) -> int:
    """Write down what was done to the puzzles that stood as ``before``; returns the entry's id."""
    after = states(session, before)
    return _add(session, by, action, now, reason, _json(before), _json(after))


def write_import(session: Session, by: str, now: datetime, count: int, status: Status) -> int:
    """Write down that so many puzzles came in with a status; returns the entry's id."""
    return _add(session, by, Action.IMPORT, now, None, {}, {"count": count, "status": status})


def write_generate(session: Session, by: str, now: datetime, seconds: int) -> int:
    """Write down that puzzles are looked for during so many seconds; returns the entry's id."""
    return _add(session, by, Action.GENERATE, now, None, {}, {"count": seconds})


def write_calibration(session: Session, by: str, now: datetime, count: int, weights: str) -> int:
    """Write down that so many puzzles got new difficulties by these weights; returns the entry's id."""
    return _add(session, by, Action.CALIBRATE, now, weights, {}, {"count": count})


def write_role(session: Session, by: str, now: datetime, name: str, before: Role, after: Role) -> int:
    """Write down that an account may do something else from then on; returns the entry's id."""
    return _add(session, by, Action.ROLE, now, _role_change(name, before, after), {}, {})


def entries(
    session: Session,
    today: date,
    *,
    after: int | None = None,
    limit: int = 50,
    by: str | None = None,
    action: Action | None = None,
    puzzle_id: str | None = None,
) -> list[Entry]:
    """Return entries, the latest first, from the one before the entry ``after`` on.

    Only those by one name, of one action or about one puzzle if that is given.
    """
    undoing = aliased(AuditEntry)
    wanted = select(AuditEntry, undoing.id).outerjoin(undoing, undoing.undone_by == AuditEntry.id)
    if after is not None:
        wanted = wanted.where(AuditEntry.id < min(after, HIGHEST_ID))
    if by is not None:
        wanted = wanted.where(AuditEntry.by == by)
    if action is not None:
        wanted = wanted.where(AuditEntry.action == action)
    if puzzle_id is not None:
        # An entry's puzzles are the names in its JSON object, and no other text there looks like an id.
        wanted = wanted.where(_holds(AuditEntry.before, puzzle_id))
    rows = session.execute(wanted.order_by(AuditEntry.id.desc()).limit(limit)).all()
    present = states(session, {one for row, _ in rows for one in row.before})
    return [_entry(row, undoes, present, today) for row, undoes in rows]


def names(session: Session) -> list[str]:
    """Return who is in the log, in alphabetical order."""
    return list(session.scalars(select(AuditEntry.by).distinct().order_by(AuditEntry.by)))


def waited_for(session: Session, puzzle_id: str) -> date | None:
    """Return the day that a puzzle waited for after the last decision about it, or None."""
    about_it = select(AuditEntry.after).where(_holds(AuditEntry.before, puzzle_id))
    after = session.scalar(about_it.order_by(AuditEntry.id.desc()).limit(1))
    return None if after is None else _states(after)[puzzle_id].day


def undo(session: Session, entry_id: int, by: str, now: datetime, today: date) -> int:
    """Give the puzzles of an entry back what they were before it; returns the id of the entry about that.

    Raises ServiceError: *not_found*; *not_undoable* for what players have seen and for imports; *undone*
    already; *changed* since; *day_passed*; *day_taken*.
    """
    entry = _locked(session, entry_id)
    rows = puzzles.locked(session, Puzzle.id.in_(list(entry.before)))
    before, wanted = states(session, rows), _states(entry.before)
    if before != _states(entry.after):
        changed = ", ".join(one for one, state in _states(entry.after).items() if before.get(one) != state)
        raise ServiceError("changed", f"entry {entry_id} cannot be undone: {changed} changed since")
    _check_days(session, entry_id, wanted, before, today)
    for row in rows.values():
        # Days are unique: those that change hands are given up before any is taken.
        row.day = None
    session.flush()
    for puzzle_id, row in rows.items():
        state = wanted[puzzle_id]
        row.status, row.day, row.reason = state.status, state.day, state.reason
        row.reviewed_by, row.reviewed_at = state.reviewed_by, state.reviewed_at
    try:
        entry.undone_by = write(session, by, Action.UNDO, now, before)
        session.flush()
    except IntegrityError as error:
        raise ServiceError("day_taken", f"entry {entry_id} cannot be undone: its day is taken") from error
    return entry.undone_by


def naming(name: str) -> ColumnElement[bool]:
    """Return which entries hold a name: of who acted, who had reviewed a puzzle, or whose role changed."""
    held = [_holds(column, name) for column in (AuditEntry.before, AuditEntry.after)]
    return or_(AuditEntry.by == name, AuditEntry.reason.in_(_role_changes(name)), *held)


def rename(session: Session, name: str, following: str) -> None:
    """Put another name wherever the log holds this one; what it holds stays locked."""
    wanted = select(AuditEntry).where(naming(name)).order_by(AuditEntry.id).with_for_update()
    for row in session.scalars(wanted.execution_options(populate_existing=True)):
        if row.by == name:
            row.by = following
        if row.reason in _role_changes(name):
            row.reason = following + row.reason[len(name) :]
        row.before, row.after = _renamed(row.before, name, following), _renamed(row.after, name, following)
    session.flush()


def _add(
    session: Session, by: str, action: Action, now: datetime, reason: str | None, before: Any, after: Any
) -> int:
    row = AuditEntry(at=now, by=by, action=action, reason=reason, before=before, after=after)
    session.add(row)
    session.flush()
    return row.id


def _locked(session: Session, entry_id: int) -> AuditEntry:
    """Return the row, locked, of an entry that is there to be undone."""
    if not 0 < entry_id <= HIGHEST_ID:
        raise _not_found(entry_id)
    wanted = select(AuditEntry).where(AuditEntry.id == entry_id).with_for_update()
    entry = session.scalar(wanted.execution_options(populate_existing=True))
    if entry is None:
        raise _not_found(entry_id)
    if entry.action not in UNDOABLE:
        raise ServiceError("not_undoable", f"entry {entry_id} is of a kind that stays: {entry.action}")
    if entry.undone_by is not None:
        raise ServiceError("undone", f"entry {entry_id} has been undone by entry {entry.undone_by}")
    return entry


def _check_days(session: Session, entry_id: int, wanted: States, present: States, today: date) -> None:
    """Refuse when a day that a puzzle would get back is past, out, or another puzzle's."""
    days = {state.day for one, state in wanted.items() if state.day and state.day != present[one].day}
    passed = sorted(day for day in days if day < today)
    if passed:
        raise ServiceError("day_passed", f"entry {entry_id} cannot be undone: {passed[0]} has passed")
    held = select(Puzzle.day).where(Puzzle.day.in_(days), Puzzle.id.not_in(list(wanted)))
    out = select(Publication.day).where(Publication.day.in_(days))
    taken = sorted(day for query in (held, out) for day in session.scalars(query) if day is not None)
    if taken:
        raise ServiceError("day_taken", f"entry {entry_id} cannot be undone: {taken[0]} has its puzzle")


def _entry(row: AuditEntry, undoes: int | None, present: States, today: date) -> Entry:
    action = Action(row.action)
    counts = action in COUNTING
    before, after = ({}, {}) if counts else (_states(row.before), _states(row.after))
    return Entry(
        id=row.id,
        at=row.at,
        by=row.by,
        action=action,
        reason=row.reason,
        changes=tuple(Change(one, state, after[one]) for one, state in before.items()),
        count=row.after["count"] if counts else 0,
        undone_by=row.undone_by,
        undoes=undoes,
        may_undo=action in UNDOABLE
        and row.undone_by is None
        and all(present.get(one) == state for one, state in after.items())
        and all(state.day is None or state.day >= today for state in before.values()),
    )


def _holds(column: InstrumentedAttribute[Any], text: str) -> ColumnElement[bool]:
    """Return in which rows a text is a name or a value in the column's JSON."""
    return cast(column, String).contains(json.dumps(text), autoescape=True)


def _role_change(name: str, before: Role, after: Role) -> str:
    return f"{name}: {before} → {after}"


def _role_changes(name: str) -> list[str]:
    """Return all that may be said of an account's roles; nowhere else does a reason hold a name."""
    return [_role_change(name, before, after) for before, after in product(Role, repeat=2)]


def _json(found: States) -> dict[str, Any]:
    return {
        one: {name: _plain(value) for name, value in asdict(state).items()} for one, state in found.items()
    }


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value


def _states(stored: Any) -> dict[str, State]:
    return {puzzle_id: _state(fields) for puzzle_id, fields in stored.items()}


def _state(fields: dict[str, Any]) -> State:
    instant = fields["reviewed_at"]
    return State(
        status=Status(fields["status"]),
        day=_date(fields["day"]),
        reason=fields["reason"],
        reviewed_by=fields["reviewed_by"],
        reviewed_at=None if instant is None else datetime.fromisoformat(instant),
        out=_date(fields["out"]),
    )


def _date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _renamed(stored: Any, name: str, following: str) -> Any:
    if "count" in stored:
        return stored
    return _json(
        {
            one: replace(state, reviewed_by=following) if state.reviewed_by == name else state
            for one, state in _states(stored).items()
        }
    )


def _not_found(entry_id: int) -> ServiceError:
    return ServiceError("not_found", f"there is no entry {entry_id} in the log")
