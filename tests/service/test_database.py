"""The database: revisions, instants, and sessions that read or write."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, StatementError

from puzzle_service import db
from puzzle_service.db import Database, WrongRevision
from puzzle_service.models import Player
from puzzle_service.settings import Settings
from tests.service.racers import race


def test_upgrade_makes_what_the_models_say(empty_url: str) -> None:
    settings = Settings(empty_url)
    assert db.upgrade(settings) == db.REVISION == db.check(settings)
    database = db.connect(settings)
    with database.engine.connect() as connection:
        config = Config()
        config.set_main_option("script_location", str(db.MIGRATIONS))
        config.attributes["connection"] = connection
        assert ScriptDirectory.from_config(config).get_current_head() == db.REVISION
        command.check(config)
    database.close()


def test_upgrade_and_downgrade_leave_nothing_behind(settings: Settings) -> None:
    database = db.connect(settings)
    with database.write.kw["bind"].begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(db.MIGRATIONS))
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    database.close()
    with pytest.raises(WrongRevision, match="revision none"):
        db.check(settings)
    db.upgrade(settings)


UPGRADE = """
import alembic.command, alembic.config
from puzzle_service import db
from puzzle_service.settings import Settings

def race(number, wait, say, url):
    wait()
    say(db.upgrade(Settings(url)))
"""


def test_four_processes_that_upgrade_at_once_all_succeed(empty_url: str) -> None:
    assert race(UPGRADE, 4, empty_url) == [db.REVISION] * 4


def test_an_unmigrated_database_is_refused(empty_url: str, tmp_path: Path) -> None:
    with pytest.raises(WrongRevision, match="dama-daily db upgrade"):
        db.check(Settings(empty_url))
    assert list(tmp_path.iterdir()) == [], "looking at a database must not make one"


def test_a_database_of_a_later_version_is_refused(settings: Settings, database: Database) -> None:
    with database.write.begin() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for refuse in (db.check, db.upgrade):
        with pytest.raises(WrongRevision, match=r"revision 9999 .* is a later version's: install") as refused:
            refuse(settings)
        assert "db upgrade" not in str(refused.value), "what cannot help must not be advised"


def test_instants_come_back_aware_and_in_utc(database: Database, noon: datetime) -> None:
    istanbul = timezone(timedelta(hours=3))
    with database.write.begin() as session:
        session.add(Player(created_at=noon.astimezone(istanbul)))
    with database.read() as session:
        found = session.query(Player).one().created_at
    assert found == noon
    assert found.utcoffset() == timedelta(0)


def test_naive_datetimes_are_refused(database: Database, noon: datetime) -> None:
    with pytest.raises(StatementError, match="no UTC offset"), database.write.begin() as session:
        session.add(Player(created_at=noon.replace(tzinfo=None)))


def test_a_reading_session_cannot_write(database: Database, noon: datetime) -> None:
    with database.read() as session:
        session.add(Player(created_at=noon))
        with pytest.raises(DBAPIError, match=r"readonly|read-only"):
            session.flush()
    with database.write.begin() as session:
        session.add(Player(created_at=noon))


def test_foreign_keys_hold(database: Database) -> None:
    with database.read() as session:
        if session.connection().dialect.name == "sqlite":
            assert session.scalar(text("PRAGMA foreign_keys")) == 1
            assert session.scalar(text("PRAGMA journal_mode")) == "wal"
