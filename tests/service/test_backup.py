"""Backups: whole copies of one instant, taken while the site is used, and put back."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import func, select

from puzzle_service import db
from puzzle_service.cli import main
from puzzle_service.db import Database
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.domain.review import Status
from puzzle_service.models import Attempt, Publication, Puzzle, Tally
from puzzle_service.services import records
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from puzzle_service.web import create_app
from tests.service.conftest import Table

sqlite_only = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)


def back_up(settings: Settings, *arguments: str | Path, **environ: str) -> Result:
    env = {"DAMA_DATABASE_URL": settings.database_url} | environ
    return CliRunner().invoke(main, ["backup", *map(str, arguments)], env=env)


def refused(result: Result, message: str) -> bool:
    """Tell whether a backup failed as expected: exit code 1 and one line, which says this."""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr, result.stderr
    return result.exit_code == 1 and result.stdout == ""


@sqlite_only
def test_a_backup_is_one_file_for_its_owner_alone(
    settings: Settings, database: Database, table: Table, tmp_path: Path
) -> None:
    table.solve()
    target = tmp_path / "backups" / "dama.backup"
    target.parent.mkdir()
    result = back_up(settings, target)
    assert result.exit_code == 0, result.output
    assert settings.database_file is not None
    assert result.stdout.splitlines() == [
        f"backed up to {target}",
        f"the secret is not in it; keep a copy of that too: {settings.database_file.with_suffix('.secret')}",
    ]
    assert list(target.parent.iterdir()) == [target]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert copy.execute("SELECT count(*) FROM attempt").fetchone() == (1,)


@sqlite_only
def test_a_secret_that_is_set_is_named_and_not_shown(settings: Settings, tmp_path: Path) -> None:
    secret = "a secret of more than 32 characters"  # noqa: S105
    said = back_up(settings, tmp_path / "copy", DAMA_SECRET_KEY=secret).output
    assert "DAMA_SECRET_KEY" in said
    assert secret not in said


@sqlite_only
def test_a_file_that_exists_is_replaced_when_that_is_said(
    settings: Settings, table: Table, tmp_path: Path
) -> None:
    target = tmp_path / "copy"
    target.write_bytes(b"something else")
    assert refused(back_up(settings, target), f"{target} exists; expected a new file, or --force")
    assert target.read_bytes() == b"something else"
    assert back_up(settings, target, "--force").exit_code == 0
    assert target.read_bytes().startswith(b"SQLite format 3")


@sqlite_only
def test_the_database_is_no_place_for_its_backup(settings: Settings, tmp_path: Path) -> None:
    file = settings.database_file
    assert file is not None
    link = tmp_path / "link"
    link.symlink_to(file)
    for target in (file, link):
        assert refused(back_up(settings, target, "--force"), "is the database itself")
    assert refused(back_up(settings, tmp_path, "--force"), "is no file")
    missing = tmp_path / "no such folder"
    assert refused(back_up(settings, missing / "copy"), f"{missing} is no folder; expected one to put")


@sqlite_only
def test_what_is_no_sound_database_is_not_backed_up(settings: Settings, table: Table, tmp_path: Path) -> None:
    table.database.close()
    file, target = settings.database_file, tmp_path / "backups" / "copy"
    assert file is not None
    target.parent.mkdir()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM player")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert refused(back_up(settings, target), "rows that belong to nothing")
    with file.open("r+b") as broken:
        broken.seek(4096 * 2)
        broken.write(b"\xff" * 4096 * 8)
    assert refused(back_up(settings, target), str(file))
    file.write_bytes(b"no database at all" * 1000)
    assert refused(back_up(settings, target), "file is not a database")
    file.unlink()
    assert refused(back_up(settings, target), f"there is no database at {file}")
    assert not file.exists()
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("settings", ["postgresql"], indirect=True)
def test_postgresql_is_left_to_pg_dump(settings: Settings, tmp_path: Path) -> None:
    assert refused(back_up(settings, tmp_path / "copy"), "pg_dump")
    assert not (tmp_path / "copy").exists()


def _play(
    database: Database,
    settings: Settings,
    published: PublishedPuzzle,
    now: datetime,
    stop: threading.Event,
) -> None:
    wrong_moves = 0
    while not stop.is_set():
        table = Table(database, settings, published, now)
        for _ in range(wrong_moves):
            table.send(table.wrong)
        if wrong_moves < MAX_ATTEMPTS:
            table.solve()
        wrong_moves = (wrong_moves + 1) % (MAX_ATTEMPTS + 1)


@sqlite_only
def test_backups_taken_under_load_are_consistent_and_can_be_restored(
    settings: Settings, database: Database, published: PublishedPuzzle, noon: datetime, tmp_path: Path
) -> None:
    stop, targets = threading.Event(), [tmp_path / f"backup-{number}" for number in range(3)]
    environ = os.environ | {"DAMA_DATABASE_URL": settings.database_url}
    with ThreadPoolExecutor(4) as pool:
        players = [pool.submit(_play, database, settings, published, noon, stop) for _ in range(4)]
        try:
            for target in targets:
                command = [sys.executable, "-m", "puzzle_service.cli", "backup", str(target)]
                subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL)
        finally:
            stop.set()
        for player in players:
            player.result()
    sizes = [_check_copy(target, tmp_path, noon) for target in targets]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1], "players went on while the copies were taken"


def _check_copy(target: Path, folder: Path, noon: datetime) -> int:
    """Restore a copy as documented, check what must hold in it, and return how many attempts it has."""
    restored = folder / f"restored-{target.name}.sqlite3"
    shutil.copyfile(target, restored)
    settings = Settings(f"sqlite:///{restored}")
    assert db.check(settings) == db.REVISION
    database = db.connect(settings)
    with database.read() as session:
        results = session.execute(
            select(Attempt.result, Attempt.ordinal, func.count()).group_by("result", "ordinal")
        )
        counted = {(result, ordinal): count for result, ordinal, count in results}
        tally = session.scalars(select(Tally)).one()
        assert (tally.first, tally.second, tally.third, tally.failed) == (
            *(counted.get(("solved", ordinal), 0) for ordinal in range(1, MAX_ATTEMPTS + 1)),
            counted.get(("wrong", MAX_ATTEMPTS), 0),
        )
        out = session.execute(select(Puzzle.status).join(Publication, Publication.puzzle_id == Puzzle.id))
        assert out.scalars().all() == [Status.PUBLISHED]
        solver = session.scalar(select(Attempt.player_id).where(Attempt.result == "solved").limit(1))
        assert records.me(session, solver, noon, settings).current == 1
    database.close()
    client = create_app(settings, lambda: noon).test_client()
    assert client.get("/").status_code == 200
    return sum(counted.values())
