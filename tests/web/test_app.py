"""Making the application."""

from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import text

import puzzle_service
from puzzle_service import db
from puzzle_service.db import Database, WrongRevision
from puzzle_service.settings import Settings
from puzzle_service.web import create_app
from tests.web.conftest import Clock, Visitor


def test_the_package_offers_the_application() -> None:
    assert puzzle_service.create_app is create_app
    with pytest.raises(AttributeError, match="no attribute 'create_site'"):
        _ = puzzle_service.create_site


@pytest.mark.parametrize(
    ("revision", "advice"), [("0001", "dama-daily db upgrade"), ("9999", "a later version's")]
)
def test_it_refuses_to_start_on_a_database_of_another_revision(
    settings: Settings, database: Database, revision: str, advice: str
) -> None:
    with database.write.begin() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    with pytest.raises(WrongRevision, match=advice):
        create_app(settings)


def test_it_refuses_to_start_without_a_database(tmp_path: Path) -> None:
    with pytest.raises(WrongRevision, match="there is no database"):
        create_app(Settings(f"sqlite:///{tmp_path}/none.sqlite3"))
    assert list(tmp_path.iterdir()) == []


def test_settings_come_from_the_environment_unless_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    address = f"sqlite:///{tmp_path}/dama.sqlite3"
    db.upgrade(Settings(address))
    monkeypatch.setenv("DAMA_DATABASE_URL", address)
    app = create_app()
    assert Visitor(app).open("/me")
    assert (tmp_path / "dama.secret").stat().st_mode & 0o077 == 0


def test_a_clock_without_an_offset_is_an_error(settings: Settings) -> None:
    app = create_app(settings, Clock(datetime(2026, 11, 30, 9, 0)))  # noqa: DTZ001
    app.testing = True
    with pytest.raises(ValueError, match="no UTC offset"):
        app.test_client().get("/")
