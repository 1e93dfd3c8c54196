"""Own data: every row about a player as plain values, and their deletion without a trace."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from puzzle_service.domain.names import DELETED
from puzzle_service.domain.roles import Role
from puzzle_service.models import (
    Account,
    Amendment,
    Attempt,
    AuditEntry,
    Base,
    Device,
    MoveRequest,
    Player,
    Puzzle,
)
from puzzle_service.services import accounts, audit, players, puzzles
from puzzle_service.services.errors import ServiceError


@dataclass(frozen=True)
class _Table:
    """What an export holds of a table: what its rows are, and what each column means."""

    model: type[Base]
    rows: str
    columns: dict[str, str]
    left_out: dict[str, str] = field(default_factory=dict)

    def read(self, session: Session, mine: ColumnElement[bool]) -> list[dict[str, Any]]:
        columns = [getattr(self.model, name) for name in self.columns]
        first = sa.inspect(self.model).primary_key
        found = session.execute(sa.select(*columns).where(mine).order_by(*first))
        return [{name: _plain(value) for name, value in row.items()} for row in found.mappings()]

    def about(self) -> dict[str, Any]:
        left_out = {"left_out": self.left_out} if self.left_out else {}
        return {"rows": self.rows, "columns": self.columns, **left_out}


_YOU: Final = "your number"
_PUZZLE: Final = "the puzzle"

TABLES: Final = {
    "player": _Table(
        Player,
        "you, as the site knows you",
        {
            "id": "a number that stands for you in the other tables",
            "recovery_hash": "a fingerprint of your recovery words, from which nobody can read them; or null",
            "created_at": "when you made your first move or signed up",
        },
    ),
    "account": _Table(
        Account,
        "your account, if you have one",
        {
            "player_id": _YOU,
            "name": "your name",
            "name_key": "your name as it is looked for: without case, and with one kind of i",
            "role": "what you may do: player, reviewer or admin",
            "created_at": "when you signed up",
        },
        {"password_hash": "what is kept of your password: whoever found this file could try passwords on it"},
    ),
    "devices": _Table(
        Device,
        "the browsers that hold you: those signed in, and a guest's",
        {
            "token_hash": "a fingerprint of the random value in that browser's cookie",
            "player_id": _YOU,
            "created_at": "since when",
        },
    ),
    "attempts": _Table(
        Attempt,
        "your attempts at the daily puzzles; practice is not kept",
        {
            "player_id": _YOU,
            "puzzle_id": _PUZZLE,
            "ordinal": "which of the three attempts at it",
            "plies": "the moves of both sides, yours first",
            "slow": "how many moves that won too late were taken back in it",
            "result": "solved, wrong, or null while it is in play",
            "started_at": "when you made its first move",
            "finished_at": "when it ended, or null",
        },
    ),
    "move_requests": _Table(
        MoveRequest,
        "the answers to your last moves, kept for two days: a move sent twice costs what one costs",
        {
            "player_id": _YOU,
            "request_id": "a random value that your browser gave the request",
            "puzzle_id": _PUZZLE,
            "response": "what was answered",
            "created_at": "when",
        },
    ),
    "reviewed_puzzles": _Table(
        Puzzle,
        "the puzzles that you were the last to decide about",
        {
            "id": _PUZZLE,
            "status": "what became of it",
            "reason": "the reason given, or null",
            "reviewed_at": "when you decided",
            "reviewed_by": "your name",
        },
    ),
    "amendments": _Table(
        Amendment,
        "the days whose puzzle you replaced or declared void",
        {
            "id": "the number of the entry",
            "day": "the day",
            "puzzle_id": "the puzzle that was withdrawn",
            "reason": "the reason you gave",
            "made_at": "when",
            "made_by": "your name",
        },
    ),
    "audit_entries": _Table(
        AuditEntry,
        "what the log says you did, and what was done to what you had done or to your account",
        {
            "id": "the number of the entry",
            "at": "when",
            "by": "your name, or null where it was somebody else",
            "action": "what was done",
            "reason": "the reason given, or null",
            "before": "what it was done to, as that was before",
            "after": "and as it was afterwards",
            "undone_by": "the number of the entry that undid it, or null",
        },
    ),
}
"""The tables of an export, by the key under which it has their rows."""


def export(session: Session, player_id: int, now: datetime) -> dict[str, Any]:
    """Return every row about a player as JSON has it: instants as texts in UTC, the rest as it is.

    The keys are those of ``TABLES``, each with its rows; "player" and "account" hold one row or null, and the
    rows about reviewing are those of the account's name. "about" explains every key and column, "exported_at"
    is the time. Raises ServiceError: *not_found*.
    """
    if session.get(Player, player_id) is None:
        raise ServiceError("not_found", "there is no such player")
    account = session.get(Account, player_id)
    found = {
        key: table.read(session, _mine(table.model, player_id, account)) for key, table in TABLES.items()
    }
    for entry in found["audit_entries"]:
        if account is None or entry["by"] != account.name:
            entry["by"] = None
    return {
        "about": {
            "exported_at": "when this was made; all instants are in UTC",
            **{key: table.about() for key, table in TABLES.items()},
        },
        "exported_at": _plain(now),
        **found,
        **{key: next(iter(found[key]), None) for key in ("player", "account")},
    }


def delete(session: Session, player_id: int) -> None:
    """Remove a player and every row about it; what it did as a reviewer stays, done by nobody.

    The world figures stay as they are. Raises ServiceError: *not_found*, *last_admin*.
    """
    if not players.lock(session, player_id):
        raise ServiceError("not_found", "there is no such player")
    account = session.get(Account, player_id, populate_existing=True)
    if account is not None:
        if account.role == Role.ADMIN:
            accounts.keep_an_admin(session, player_id, None)
        _take_name_off(session, account.name)
    for model in (Device, MoveRequest, Attempt, Account):
        session.execute(sa.delete(model).where(model.player_id == player_id))
    session.execute(sa.delete(Player).where(Player.id == player_id))


def _take_name_off(session: Session, name: str) -> None:
    # Entries before puzzles, as whoever undoes one locks them, or else each could wait for the other.
    audit.rename(session, name, DELETED)
    for row in puzzles.locked(session, Puzzle.reviewed_by == name).values():
        row.reviewed_by = DELETED
    session.execute(sa.update(Amendment).where(Amendment.made_by == name).values(made_by=DELETED))
    # What was decided while this waited has been written down with the name.
    audit.rename(session, name, DELETED)


def _mine(model: type[Base], player_id: int, account: Account | None) -> ColumnElement[bool]:
    """Return which rows of a table are about a player, who may have an account."""
    if model is Player:
        return Player.id == player_id
    if "player_id" in model.__table__.columns:
        return model.__table__.columns["player_id"] == player_id
    if account is None:
        return sa.false()
    if model is AuditEntry:
        return audit.naming(account.name)
    return (Puzzle.reviewed_by if model is Puzzle else Amendment.made_by) == account.name


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value
