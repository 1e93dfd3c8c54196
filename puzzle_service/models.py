"""The tables."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKey,
    MetaData,
    String,
    TypeDecorator,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.domain.puzzle_day import require_aware
from puzzle_service.domain.review import Status
from puzzle_service.domain.roles import Role

NAMING: Final = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware and in UTC on both sides, because SQLite drops offsets without a word."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return what is stored; raises ValueError for a naive datetime."""
        if value is None:
            return None
        instant = require_aware(value)
        return instant.replace(tzinfo=None) if dialect.name == "sqlite" else instant

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored instant, aware and in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class Base(DeclarativeBase):
    """What all tables have in common."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {datetime: UtcDateTime}  # noqa: RUF012  (SQLAlchemy's declarative form)


def _is_one_of(column: str, values: Iterable[str]) -> str:
    return f"{column} IN ({', '.join(repr(str(value)) for value in values)})"


class Puzzle(Base):
    """A proved puzzle; ``id`` is the hash of its canonical form, shared by mirror image and swapped colours.

    ``day`` is the day it is scheduled for while it is approved, and empty otherwise. ``findings`` holds
    what its generator wrote down besides: features, tries, checks, skeleton and game.
    """

    __tablename__ = "puzzle"
    __table_args__ = (
        CheckConstraint(_is_one_of("status", Status), name="status"),
        CheckConstraint("day IS NULL OR status = 'approved'", name="day"),
    )

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    rules: Mapped[str] = mapped_column(String(32))
    fen: Mapped[str] = mapped_column(String(200))
    previous_fen: Mapped[str] = mapped_column(String(200))
    previous_move: Mapped[str] = mapped_column(String(64))
    moves: Mapped[int]
    key: Mapped[str] = mapped_column(String(64))
    # Tens of kilobytes that lists and counts have no use for.
    proof: Mapped[Any] = mapped_column(JSON, deferred=True)
    first_moves: Mapped[int]
    difficulty: Mapped[float]
    themes: Mapped[list[str]] = mapped_column(JSON)
    score: Mapped[float]
    findings: Mapped[Any] = mapped_column(JSON, deferred=True)
    source: Mapped[str] = mapped_column(String(64))
    generator: Mapped[str] = mapped_column(String(64))
    seed: Mapped[str] = mapped_column(String(64))
    status: Mapped[str] = mapped_column(String(16), index=True)
    reason: Mapped[str | None]
    day: Mapped[date | None] = mapped_column(unique=True)
    imported_at: Mapped[datetime]
    reviewed_at: Mapped[datetime | None]
    reviewed_by: Mapped[str | None] = mapped_column(String(64))


class Publication(Base):
    """Which puzzle belongs to a day, colours swapped or not; ``alarm``: it came from the reserve."""

    __tablename__ = "publication"

    day: Mapped[date] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(unique=True)
    puzzle_id: Mapped[str] = mapped_column(ForeignKey("puzzle.id"), unique=True)
    swapped: Mapped[bool]
    published_at: Mapped[datetime]
    alarm: Mapped[bool]
    puzzle: Mapped[Puzzle] = relationship()


class Amendment(Base):
    """The log of what was changed about a day that was out; ``puzzle_id`` was withdrawn from it."""

    __tablename__ = "amendment"

    id: Mapped[int] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(ForeignKey("publication.day"), index=True)
    puzzle_id: Mapped[str] = mapped_column(ForeignKey("puzzle.id"), unique=True)
    reason: Mapped[str]
    made_at: Mapped[datetime]
    made_by: Mapped[str] = mapped_column(String(64))


class Player(Base):
    """Whoever plays: a guest, or with an account somebody who has a name.

    ``recovery_hash`` is that of the words which open the player's days on any device, once there are some.
    """

    __tablename__ = "player"

    id: Mapped[int] = mapped_column(primary_key=True)
    recovery_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]


class Device(Base):
    """A browser that holds a player, known by the hash of the random token in its cookie."""

    __tablename__ = "device"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    created_at: Mapped[datetime]


class Account(Base):
    """A player's name and password; ``name_key`` is the name as it is looked for, ``role`` what it may do."""

    __tablename__ = "account"
    __table_args__ = (CheckConstraint(_is_one_of("role", Role), name="role"),)

    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(64))
    name_key: Mapped[str] = mapped_column(String(64), unique=True)
    password_hash: Mapped[str]
    role: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime]


class Attempt(Base):
    """One try at a puzzle; ``plies`` are both sides' moves, ``slow`` counts the moves taken back in it."""

    __tablename__ = "attempt"
    __table_args__ = (
        CheckConstraint(f"ordinal BETWEEN 1 AND {MAX_ATTEMPTS}", name="ordinal"),
        CheckConstraint("result IS NULL OR " + _is_one_of("result", ("solved", "wrong")), name="result"),
    )

    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    puzzle_id: Mapped[str] = mapped_column(ForeignKey("puzzle.id"), primary_key=True, index=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    plies: Mapped[list[str]] = mapped_column(JSON)
    slow: Mapped[int]
    result: Mapped[str | None] = mapped_column(String(8))
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]


class MoveRequest(Base):
    """An answered move, kept so that the same request sent again costs and says the same."""

    __tablename__ = "move_request"

    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    request_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    puzzle_id: Mapped[str] = mapped_column(ForeignKey("puzzle.id"))
    response: Mapped[Any] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(index=True)


class Tally(Base):
    """How a puzzle's day ended for everybody: how many solved it on each attempt, and how many failed.

    A count and nothing else, so that it outlives the players it counts.
    """

    __tablename__ = "tally"

    puzzle_id: Mapped[str] = mapped_column(ForeignKey("puzzle.id"), primary_key=True)
    first: Mapped[int]
    second: Mapped[int]
    third: Mapped[int]
    failed: Mapped[int]


class AuditEntry(Base):
    """What somebody did to the puzzles: the rows as they were ``before`` and ``after``, by puzzle id."""

    __tablename__ = "audit_entry"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(index=True)
    by: Mapped[str] = mapped_column(String(64))
    action: Mapped[str] = mapped_column(String(32))
    reason: Mapped[str | None]
    before: Mapped[Any] = mapped_column(JSON)
    after: Mapped[Any] = mapped_column(JSON)
    undone_by: Mapped[int | None] = mapped_column(ForeignKey("audit_entry.id"), unique=True)


class Generation(Base):
    """A run of the generator that the site started, for so many seconds; the log's entry tells for whom.

    ``accepted`` counts what it has found so far, ``checked`` how much of that has been looked at to import
    it, and ``added`` the candidates that came of it. A run without an end whose lease has ended is lost.
    """

    __tablename__ = "generation"
    __table_args__ = (
        CheckConstraint(_is_one_of("result", ("done", "stopped", "failed")), name="result"),
        CheckConstraint("(result IS NULL) = (ended_at IS NULL)", name="ended_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    entry_id: Mapped[int] = mapped_column(ForeignKey("audit_entry.id"))
    seconds: Mapped[int]
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    stop_asked: Mapped[bool]
    accepted: Mapped[int]
    checked: Mapped[int]
    added: Mapped[int]
    lines: Mapped[list[str]] = mapped_column(JSON)
    result: Mapped[str | None] = mapped_column(String(16))
    error: Mapped[str | None]


class Lease(Base):
    """Who does a job of which only one may run, and until when nobody else may take it."""

    __tablename__ = "lease"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    holder: Mapped[str] = mapped_column(String(64))
    until: Mapped[datetime]


class RateLimit(Base):
    """How often something was tried in the present window; the key is a keyed hash of who tried."""

    __tablename__ = "rate_limit"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    hits: Mapped[int]
    expires_at: Mapped[datetime] = mapped_column(index=True)
