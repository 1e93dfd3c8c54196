"""Fixtures shared by the tests of the service and of the web: databases of both kinds, puzzles, instants."""

import gc
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn
from uuid import uuid4
from weakref import WeakKeyDictionary

import hypothesis
import pytest
from sqlalchemy import event, insert, select

from puzzle_service import db
from puzzle_service.db import Database
from puzzle_service.domain import record
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import Puzzle
from puzzle_service.services import days, intake
from puzzle_service.settings import Settings
from tests.postgresql import Server, running

DATA = Path(__file__).parent / "data"
# A busy machine is no fault of the code: how long one example takes says nothing.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")

# Tests start the program a hundred times; each would else compile all of its modules again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A tenth of the tests' time would else go into looking at the same objects again and again.
OBJECTS_BETWEEN_COLLECTIONS = 50_000
NOON = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
SECRET = "for tests only: nobody else signs with this"  # noqa: S105


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what is loaded by now, which no test ever gives back."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server with a migrated database to copy; without the program skipped, under CI failed."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs:
        do_without("PostgreSQL")
    folder = Path(tempfile.mkdtemp(prefix="dama-pg-"))
    try:
        with running(programs[-1].parent, folder) as server:
            yield server
    finally:
        shutil.rmtree(folder)


def do_without(program: str) -> NoReturn:
    """Leave out a test whose program is missing; where nothing may be left out, fail."""
    missing = f"{program} is not installed"
    if os.environ.get("CI") == "true":
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis server, reached by a socket in its folder; without the program skipped, under CI failed."""
    program = shutil.which("redis-server")
    if program is None:
        do_without("Redis")
    folder = Path(tempfile.mkdtemp(prefix="dama-redis-"))
    socket_file = folder / "socket"
    command: list[str | Path] = [program, "--port", "0", "--unixsocket", socket_file, "--save", ""]
    server = subprocess.Popen([*command, "--dir", folder], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while not socket_file.exists():
            assert time.monotonic() < deadline, "Redis does not start"
            time.sleep(0.05)
        yield f"redis+unix://{socket_file}"
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    path = tmp_path_factory.mktemp("sqlite") / "migrated.sqlite3"
    db.upgrade(Settings(f"sqlite:///{path}"))
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without a table, one of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'dama.sqlite3'}"
        return
    server: Server = request.getfixturevalue("postgresql")
    with server.without_tables() as name:
        yield server.url(name)


@pytest.fixture(scope="session")
def sqlite_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where every test finds a database of its own, each of them at the same address."""
    return tmp_path_factory.mktemp("database")


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, sqlite_folder: Path) -> Iterator[Settings]:
    """Settings with a migrated database that nobody else uses, one of each kind."""
    if request.param == "sqlite":
        for left in sqlite_folder.iterdir():
            left.unlink()
        path = sqlite_folder / "dama.sqlite3"
        shutil.copyfile(request.getfixturevalue("migrated_sqlite"), path)
        yield Settings(f"sqlite:///{path}", secret_key=SECRET)
        return
    server: Server = request.getfixturevalue("postgresql")
    with server.migrated() as name:
        yield Settings(server.url(name), secret_key=SECRET)


@pytest.fixture(autouse=True)
def _believing_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages ask for the days that are out each time: the tests' clocks stand still or jump.

    What is known of a database's days is of the test before: no site ever sees another one at its address.
    """
    monkeypatch.setattr(days, "FRESH_SECONDS", 0.0)
    for known in ("_latest", "_known"):
        monkeypatch.setattr(days, known, WeakKeyDictionary())


@pytest.fixture(scope="session")
def engines() -> dict[Settings, Database]:
    """The databases that tests have used: statements that are compiled serve the next one at the address."""
    return {}


@pytest.fixture
def database(settings: Settings, engines: dict[Settings, Database]) -> Iterator[Database]:
    """The database of the settings, connected."""
    connected = engines.get(settings)
    if connected is None:
        connected = engines[settings] = db.connect(settings)
        if settings.database_file is not None:
            event.listen(connected.engine, "connect", _do_not_wait_for_the_disk)
    yield connected
    connected.close()


@pytest.fixture
def statements(database: Database) -> Iterator[list[str]]:
    """The statements that the database is sent, in their order."""
    sent: list[str] = []

    def note(*told: Any) -> None:
        sent.append(told[2])

    event.listen(database.engine, "before_cursor_execute", note)
    yield sent
    event.remove(database.engine, "before_cursor_execute", note)


def _do_not_wait_for_the_disk(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA synchronous = OFF")


@pytest.fixture(scope="session")
def record_lines() -> list[str]:
    """Sound puzzle records, as a generator writes them."""
    return (DATA / "puzzles.jsonl").read_text().splitlines()


@pytest.fixture(scope="session")
def records(record_lines: list[str]) -> list[Record]:
    """The same records, read: half of them wins in two, half in three."""
    return [record.parse(line) for line in record_lines]


@pytest.fixture
def small_stock(record_lines: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Few puzzles in the place of the packaged stock, which takes seconds to bring in; their number."""
    monkeypatch.setattr(intake, "packaged_stock", lambda: DATA / "puzzles.jsonl")
    return len(record_lines)


@pytest.fixture
def noon() -> datetime:
    """Noon of a Monday in Istanbul."""
    return NOON


@pytest.fixture(scope="session")
def stock_rows(
    records: list[Record], migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    """What the records are in the table once they are imported and approved: made once, it is the same."""
    file = tmp_path_factory.mktemp("stock") / "dama.sqlite3"
    shutil.copyfile(migrated_sqlite, file)
    imported = db.connect(Settings(f"sqlite:///{file}"))
    with imported.write.begin() as session:
        for one in records:
            intake.add(session, one, NOON, Status.APPROVED)
        rows = [dict(row) for row in session.execute(select(Puzzle.__table__)).mappings()]
    imported.close()
    return rows


@pytest.fixture
def stock(database: Database, records: list[Record], stock_rows: list[dict[str, Any]]) -> list[Record]:
    """The records, imported and approved."""
    with database.write.begin() as session:
        known = set(session.scalars(select(Puzzle.id)))
        session.execute(insert(Puzzle), [row for row in stock_rows if row["id"] not in known])
    return records


AddPuzzles = Callable[..., list[str]]


@pytest.fixture
def add_puzzles(database: Database, record_lines: list[str], noon: datetime) -> AddPuzzles:
    """A function that adds so many puzzles, alike on the board but each for itself in the tables."""
    pattern = json.loads(record_lines[0])

    def add(count: int, status: Status = Status.APPROVED, **columns: Any) -> list[str]:
        ids = [uuid4().hex for _ in range(count)]
        with database.write.begin() as session:
            session.add_all(_puzzle(pattern, one, noon, status, columns) for one in ids)
        return ids

    return add


def _puzzle(
    pattern: dict[str, Any], puzzle_id: str, now: datetime, status: Status, columns: dict[str, Any]
) -> Puzzle:
    names = ("rules", "fen", "moves", "key", "proof", "first_moves", "difficulty", "themes", "source")
    found = {name: pattern[name] for name in ("features", "tries", "checks", "skeleton", "game")}
    # On another board the near misses are no moves.
    found |= {"tries": {}} if "fen" in columns else {}
    values = {name: pattern[name] for name in (*names, "score", "generator", "seed")} | {
        "findings": found,
        "previous_fen": pattern["previous"]["fen"],
        "previous_move": pattern["previous"]["move"],
        "id": puzzle_id,
        "status": status,
        "imported_at": now,
    }
    return Puzzle(**values | columns)
