"""Settings: read from the environment, and refused with every mistake at once."""

import multiprocessing
import stat
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from puzzle_service.settings import Settings, SettingsError

KEY = "k" * 32


def test_nothing_set_gives_the_defaults() -> None:
    settings = Settings.from_env({})
    assert settings == Settings()
    assert settings.url.render_as_string() == "sqlite:///var/dama.sqlite3"
    assert settings.timezone == ZoneInfo("Europe/Istanbul")
    assert (settings.grace, settings.cookie_secure) == (timedelta(hours=3), False)


def test_everything_can_be_set() -> None:
    settings = Settings.from_env(
        {
            "DAMA_DATABASE_URL": "postgres://dama@db/dama",
            "DAMA_TIMEZONE": "America/New_York",
            "DAMA_SECRET_KEY": KEY,
            "DAMA_COOKIE_SECURE": "true",
            "DAMA_GRACE_HOURS": "0",
            "DAMA_BUSY_SECONDS": "1",
            "HOME": "/nowhere",
        }
    )
    assert settings.url.drivername == "postgresql+psycopg"
    assert settings.timezone == ZoneInfo("America/New_York")
    assert settings.secret() == KEY
    assert (settings.cookie_secure, settings.grace, settings.busy_seconds) == (True, timedelta(0), 1)
    assert settings.database_file is None


def test_all_mistakes_are_reported_at_once() -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_env(
            {
                "DAMA_DATABASE_URL": "mysql://db/dama",
                "DAMA_TIMEZONE": "Mars/Olympus",
                "DAMA_SECRET_KEY": "too short",
                "DAMA_COOKIE_SECURE": "perhaps",
                "DAMA_GRACE_HOURS": "-1",
                "DAMA_BUSY_SECONDS": "soon",
            }
        )
    _, *mistakes = str(refused.value).splitlines()
    assert [mistake.strip() for mistake in mistakes] == [
        "DAMA_DATABASE_URL: 'mysql://db/dama'; expected sqlite:///FILE or postgresql://USER@HOST/NAME",
        "DAMA_TIMEZONE: 'Mars/Olympus'; expected the name of a time zone such as Europe/Istanbul",
        "DAMA_SECRET_KEY: (not shown); expected at least 32 characters",
        "DAMA_COOKIE_SECURE: 'perhaps'; expected 1 or 0",
        "DAMA_GRACE_HOURS: '-1'; expected a whole number of hours from 0 to 12",
        "DAMA_BUSY_SECONDS: 'soon'; expected a whole number of seconds from 1 to 300",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DAMA_DATABASE_URL", "sqlite://"),
        ("DAMA_DATABASE_URL", "sqlite:///:memory:"),
        ("DAMA_DATABASE_URL", "dama.sqlite3"),
        ("DAMA_DATABASE_URL", ""),
        ("DAMA_TIMEZONE", ""),
        ("DAMA_TIMEZONE", "../zone"),
        ("DAMA_GRACE_HOURS", "13"),
        ("DAMA_GRACE_HOURS", "1.5"),
        ("DAMA_GRACE_HOURS", "²"),
    ],
)
def test_a_value_that_means_nothing_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_env({name: value})


def test_a_secret_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    settings = Settings(f"sqlite:///{tmp_path}/var/dama.sqlite3")
    secret = settings.secret()
    assert len(secret) >= 32
    assert settings.secret() == secret
    file = tmp_path / "var" / "dama.secret"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]
    other = Settings(f"sqlite:///{tmp_path}/other.sqlite3")
    assert other.secret() != secret


def _secret(url: str) -> str:
    return Settings(url).secret()


def test_processes_that_start_together_share_the_secret(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        secrets = pool.map(_secret, [f"sqlite:///{tmp_path}/dama.sqlite3"] * 16, chunksize=1)
    assert len(set(secrets)) == 1


def test_a_server_needs_a_secret_that_is_set() -> None:
    with pytest.raises(SettingsError, match="DAMA_SECRET_KEY is not set"):
        Settings("postgresql://db/dama").secret()


def test_a_secret_is_not_shown() -> None:
    assert KEY not in repr(Settings(secret_key=KEY))
