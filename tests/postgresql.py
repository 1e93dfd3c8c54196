"""A PostgreSQL server of the tests' own, and databases in it that one test after the other uses."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from sqlalchemy import create_engine, text

from puzzle_service import db
from puzzle_service.models import Base
from puzzle_service.settings import Settings

TEMPLATE = "migrated"
SETTINGS = """
fsync = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
autovacuum = off
jit = off
"""
"""Nothing here has to outlive the machine, but what is committed outlives the server, which a test stops."""
TABLES = [table.name for table in Base.metadata.sorted_tables]
# To truncate a table takes a hundred times as long as to delete the few rows that most tests write; with the
# tables locked, nobody who was sent away can still commit one.
EMPTY = "; ".join(
    [
        f"LOCK TABLE {', '.join(TABLES)}",
        *(f"DELETE FROM {table}" for table in reversed(TABLES)),  # noqa: S608
        "SELECT setval(sequencename::text, 1, false) FROM pg_sequences WHERE last_value IS NOT NULL",
    ]
)
ALONE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
# Whatever a test may have done to a database beside writing rows.
SHAPE = """
    SELECT array(SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY oid),
        array(SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY oid),
        array(SELECT oid FROM pg_trigger WHERE NOT tgisinternal ORDER BY oid),
        array(SELECT oid FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY oid),
        array(SELECT attrelid || ' ' || attname || ' ' || attnotnull FROM pg_attribute JOIN pg_class
            ON attrelid = pg_class.oid WHERE relnamespace = 'public'::regnamespace ORDER BY 1),
        array(SELECT setconfig::text FROM pg_db_role_setting JOIN pg_database ON setdatabase = pg_database.oid
            WHERE datname = current_database()),
        array(SELECT version_num FROM alembic_version)
"""


@dataclass(frozen=True)
class Server:
    """A PostgreSQL server of the tests' own, reached by a socket in its folder."""

    folder: Path
    port: int
    control: tuple[str | Path, ...]
    """The program that starts and stops it."""
    shapes: dict[str, Any] = field(default_factory=dict)
    """The databases made from the migrated one, and what they were like then."""
    connections: dict[str, psycopg.Connection[Any]] = field(default_factory=dict)
    """To each of them one that stays open: a new one takes longer than to empty a database."""
    free: list[str] = field(default_factory=list)
    """Those of them that are empty and that nobody uses."""

    def start(self) -> None:
        self.tell("-l", self.folder / "server.log", "start")

    def stop(self) -> None:
        """Stop it as it is, as if the power were gone."""
        self.tell("-m", "immediate", "stop")

    def tell(self, *arguments: str | Path) -> None:
        # PostgreSQL refuses to run as root; its own user then owns the folder.
        user = "postgres" if os.geteuid() == 0 else None
        with (self.folder / "log").open("ab") as log:
            subprocess.run(
                [*self.control, *arguments], check=True, user=user, cwd=self.folder, stdout=log, stderr=log
            )

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}&port={self.port}"

    def execute(self, statement: str) -> None:
        engine = create_engine(Settings(self.url("postgres")).url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(statement))
        engine.dispose()

    @contextmanager
    def without_tables(self) -> Iterator[str]:
        """Lend the name of a database without a table."""
        name = f"test_{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        yield name
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    @contextmanager
    def migrated(self) -> Iterator[str]:
        """Lend the name of a migrated database without a row; to make one takes longer than most tests."""
        name = self.free.pop() if self.free else self._made()
        yield name
        if self._emptied(name):
            self.free.append(name)
            return
        self.connections.pop(name).close()
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _made(self) -> str:
        name = f"test_{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        connection = psycopg.connect(self.url(name), autocommit=True)
        connection.execute("SET lock_timeout = '10s'")
        self.connections[name] = connection
        self.shapes[name] = connection.execute(SHAPE).fetchone()
        return name

    def _emptied(self, name: str) -> bool:
        """Empty a database, and tell whether it is again as it was made."""
        connection = self.connections[name]
        try:
            connection.execute(ALONE)
            if connection.execute(SHAPE).fetchone() != self.shapes[name]:
                return False
            connection.execute(EMPTY)
        except psycopg.Error:
            return False
        return True


@contextmanager
def running(programs: Path, folder: Path) -> Iterator[Server]:
    """Run a server of its own, with a migrated database to copy, in an empty folder."""
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(folder, port, (programs / "pg_ctl", "-D", folder / "data", "-w"))
    server.tell("-o", "-U postgres -A trust -E UTF8 --no-sync", "initdb")
    with (folder / "data" / "postgresql.conf").open("a") as options:
        options.write(
            f"{SETTINGS}listen_addresses = ''\nunix_socket_directories = '{folder}'\nport = {port}\n"
        )
    server.start()
    try:
        server.execute(f"CREATE DATABASE {TEMPLATE}")
        db.upgrade(Settings(server.url(TEMPLATE)))
        yield server
    finally:
        for connection in server.connections.values():
            connection.close()
        server.stop()
