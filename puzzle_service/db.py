"""The database: engine, sessions to read and to write, revisions."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, cast

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import DeclarativeBase, Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from puzzle_service.settings import Settings

MIGRATIONS: Final = Path(__file__).with_name("migrations")
REVISION: Final = "0003"
"""The revision that this version works with; written down, so that only a migration needs to load Alembic."""
READS: Final = "dama_reads"
"""What the info of a session says that only reads, and so may believe what was read a moment ago."""
_WRITES: Final = "dama_writes"
_TURN: Final = "dama_turn"
_BEGIN: Final = "BEGIN"
_BEGIN_WRITING: Final = "BEGIN IMMEDIATE"
_SQLITE_CONNECTIONS: Final = 16
"""How many connections to a file a process keeps open; threads beyond that open one for a moment."""
_MIGRATION_LOCK: Final = 0x44616D61
"""PostgreSQL's advisory lock of whoever migrates."""
_SQLITE_CANNOT_SAVE: Final = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
}
_POSTGRESQL_CANNOT_SAVE: Final = {"53100", "58030"}
"""disk_full and io_error."""
AWAY: Final = (OperationalError, PoolTimeout)
"""What comes of a database that does not answer, or has no connection left to ask it with."""


class WrongRevision(RuntimeError):  # noqa: N818
    """A database that this version of the program must not touch."""


@dataclass(frozen=True)
class Database:
    """One database: ``read`` makes sessions that cannot write, ``write.begin()`` one transaction."""

    engine: Engine
    read: sessionmaker[Session]
    write: sessionmaker[Session]

    def close(self) -> None:
        """Give every connection back."""
        self.engine.dispose()


def connect(settings: Settings) -> Database:
    """Return the database of the settings; nothing is opened before the first use."""
    read_options: dict[str, Any]
    # An error ends up in a log, and what a statement was about is nobody's business there.
    if settings.database_file is None:
        # What the address says itself has the last word.
        url = settings.url.set(
            query={"connect_timeout": str(settings.busy_seconds)} | dict(settings.url.query)
        )
        engine = create_engine(url, hide_parameters=True, pool_pre_ping=True)
        event.listen(engine, "connect", _prepare_postgresql(settings.busy_seconds))
        read_options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    else:
        engine = create_engine(
            settings.url,
            hide_parameters=True,
            pool_size=_SQLITE_CONNECTIONS,
            max_overflow=-1,
            connect_args={"timeout": settings.busy_seconds},
        )
        event.listen(engine, "connect", _prepare_sqlite)
        turn = _Turn(settings.busy_seconds)
        event.listen(engine, "begin", turn.begin)
        event.listen(engine, "checkin", turn.leave)
        read_options = {}
    return Database(
        engine,
        read=sessionmaker(engine.execution_options(**read_options), autoflush=False, info={READS: True}),
        write=sessionmaker(engine.execution_options(**{_WRITES: True})),
    )


def upgrade(settings: Settings) -> str:
    """Bring the database to this version's revision, one process at a time, and return that revision.

    Raises WrongRevision for the database of a later version.
    """
    from alembic import command
    from alembic.config import Config

    if settings.database_file is not None:
        settings.database_file.parent.mkdir(parents=True, exist_ok=True)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with _opened(settings) as database, migrating(database) as connection:
        found = _revision(connection)
        if _is_later(found):
            raise _wrong(found)
        config.attributes["connection"] = connection
        command.upgrade(config, REVISION)
    return REVISION


@contextmanager
def migrating(database: Database) -> Iterator[Connection]:
    """Give the one transaction that changes tables, also such as rows of others refer to.

    Raises WrongRevision when it leaves rows on SQLite that refer to none; then nothing is changed.
    """
    with database.write.kw["bind"].connect() as connection:
        sqlite = connection.dialect.name == "sqlite"
        if sqlite:
            # SQLite changes most of a table by making another; dropping the first one must not count as
            # deleting its rows. Within the transaction it would be too late to say so.
            connection.connection.driver_connection.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begin():
                if not sqlite:
                    # Another migration may take its time; it is waited for.
                    connection.execute(text("SET LOCAL lock_timeout = 0"))
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
                yield connection
                if sqlite and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first()):
                    raise WrongRevision(f"a row of {broken[0]} refers to a {broken[2]} that is not there")
        finally:
            if sqlite:
                connection.connection.driver_connection.execute("PRAGMA foreign_keys = ON")


def check(settings: Settings) -> str:
    """Return the database's revision; raises WrongRevision when it is not the one this version works with."""
    file = settings.database_file
    if file is not None and not file.exists():
        missing = f"there is no database at {file.absolute()}"
        raise WrongRevision(f"{missing}; make one with: dama-daily db upgrade")
    with _opened(settings) as database, database.read() as session:
        found = revision(session)
    if found != REVISION:
        raise _wrong(found)
    return found


def revision(session: Session) -> str | None:
    """Return the revision that a database is at; None for one that was never migrated."""
    return _revision(session.connection())


def insert(session: Session, table: type[DeclarativeBase]) -> Any:
    """Return an INSERT that may end in ON CONFLICT, for which each database has a construct of its own."""
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    return dialect.insert(table)


def cannot_save(error: OperationalError) -> bool:
    """Tell whether the database has no room or no right to write, so that waiting a moment will not help."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    # SQLite's extended codes hold the primary one in their last byte.
    return (code is not None and code & 0xFF in _SQLITE_CANNOT_SAVE) or (
        getattr(error.orig, "sqlstate", None) in _POSTGRESQL_CANNOT_SAVE
    )


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def _is_later(found: str | None) -> bool:
    # Revisions are numbers of four digits.
    return found is not None and found > REVISION


def _wrong(found: str | None) -> WrongRevision:
    remedy = "bring it up to date with: dama-daily db upgrade"
    if _is_later(found):
        remedy = "it is a later version's: install that one, or restore a backup of before"
    return WrongRevision(
        f"the database is at revision {found or 'none'} and this version works with {REVISION}; {remedy}"
    )


@contextmanager
def _opened(settings: Settings) -> Iterator[Database]:
    database = connect(settings)
    try:
        yield database
    finally:
        database.close()


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    # We begin transactions ourselves: Python's driver would begin them late and always deferred.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _prepare_postgresql(seconds: int) -> Callable[[Any, Any], None]:
    """Return what bounds each wait for what another transaction holds; it would be for ever."""

    def prepare(connection: Any, _record: Any) -> None:
        # Outside of a transaction, or else the first rollback takes it back.
        connection.autocommit = True
        connection.execute(f"SET lock_timeout = '{seconds}s'")
        connection.autocommit = False

    return prepare


class _Turn:
    """Begins transactions on SQLite, those of one process that write in turns.

    SQLite lets whoever happens to ask at the right moment write next, so that of many some wait for ever.
    """

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._lock = Lock()

    def begin(self, connection: Connection) -> None:
        """Begin a transaction; one that writes takes the lock at once, for waiting later cannot help it."""
        writes = connection.get_execution_options().get(_WRITES, False)
        # The pool's connections remember which kind they served last.
        if connection.info.get(_WRITES) is not writes:
            connection.exec_driver_sql(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
            connection.info[_WRITES] = writes
        if not writes:
            # It waits for nothing and cannot fail, so every page is spared SQLAlchemy's way there.
            cast(sqlite3.Connection, connection.connection.dbapi_connection).execute(_BEGIN)
            return
        if not self._lock.acquire(timeout=self._seconds):
            raise OperationalError(_BEGIN_WRITING, None, sqlite3.OperationalError("database is locked"))
        connection.info[_TURN] = True
        connection.exec_driver_sql(_BEGIN_WRITING)

    def leave(self, _connection: Any, record: ConnectionPoolEntry) -> None:
        """Let the next one write when a connection comes back."""
        if record.info.pop(_TURN, False):
            self._lock.release()
