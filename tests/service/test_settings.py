"""Settings: read from the environment, and refused with every mistake at once."""

import multiprocessing
import os
import stat
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from puzzle_service.settings import Limits, Settings, SettingsError, limit

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
            "DAMA_PROXIES": "2",
            "DAMA_TRUSTED_HOSTS": "Dama.Example, .oyun.example:8443",
            "DAMA_SEARCHES": "5",
            "DAMA_LIMIT_MOVES": "3 per 2 seconds",
            "DAMA_LIMITS_URL": "redis://:hunter2@cache:6379/1",
            "HOME": "/nowhere",
        }
    )
    assert settings.url.drivername == "postgresql+psycopg"
    assert settings.timezone == ZoneInfo("America/New_York")
    assert settings.secret() == KEY
    assert (settings.cookie_secure, settings.grace, settings.busy_seconds) == (True, timedelta(0), 1)
    assert settings.database_file is None
    assert (settings.proxies, settings.trusted_hosts) == (2, ("dama.example", ".oyun.example:8443"))
    assert settings.searches == 5
    assert settings.limits == Limits(moves=limit("3 per 2 seconds"), url="redis://:hunter2@cache:6379/1")
    assert "hunter2" not in repr(settings)


def test_the_limits_are_those_that_are_documented() -> None:
    limits = Limits()
    assert limits.sign_in == limit("5 per 15 minutes")
    assert limits.sign_in_address == limit("30 per hour")
    assert limits.sign_up == limits.recovery == limit("10/hour")
    assert limits.guests == limit("300 per hour")
    assert limits.moves == limits.engine == limit("120 per minute")
    assert limits.games == limit("300 per minute")


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
                "DAMA_PROXIES": "6",
                "DAMA_TRUSTED_HOSTS": "https://dama.example",
                "DAMA_SEARCHES": "0",
                "DAMA_LIMIT_SIGN_IN": "5 tries",
                "DAMA_LIMITS_URL": "memcached://cache",
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
        "DAMA_PROXIES: '6'; expected a whole number of proxies from 0 to 5",
        (
            "DAMA_TRUSTED_HOSTS: 'https://dama.example'; expected names of hosts with commas between them,"
            " such as dama.example, www.dama.example"
        ),
        "DAMA_SEARCHES: '0'; expected a whole number of searches from 1 to 64",
        (
            "DAMA_LIMIT_SIGN_IN: '5 tries'; expected one number of tries up to 1000000 and a time up to 31"
            " days, such as 5 per 15 minutes"
        ),
        (
            "DAMA_LIMITS_URL: 'memcached://cache'; expected redis://HOST:PORT/NUMBER, or nothing to count in"
            " the database"
        ),
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DAMA_DATABASE_URL", "sqlite://"),
        ("DAMA_DATABASE_URL", "sqlite:///:memory:"),
        ("DAMA_DATABASE_URL", "dama.sqlite3"),
        ("DAMA_DATABASE_URL", ""),
        ("DAMA_DATABASE_URL", "postgresql://db:port/dama"),
        ("DAMA_DATABASE_URL", "sqlite:///dama.sqlite3\udcff"),
        ("DAMA_SECRET_KEY", "\udcff" * 32),
        ("DAMA_TIMEZONE", ""),
        ("DAMA_TIMEZONE", "../zone"),
        ("DAMA_GRACE_HOURS", "13"),
        ("DAMA_GRACE_HOURS", "1.5"),
        ("DAMA_GRACE_HOURS", "²"),
        ("DAMA_LIMIT_MOVES", ""),
        ("DAMA_LIMIT_MOVES", "0 per minute"),
        ("DAMA_LIMIT_MOVES", "5 per 0 minutes"),
        ("DAMA_LIMIT_MOVES", "5 per minute; 100 per hour"),
        ("DAMA_LIMIT_MOVES", "-5 per minute"),
        ("DAMA_LIMIT_MOVES", "1000001 per minute"),
        ("DAMA_LIMIT_MOVES", "5 per 2 years"),
        ("DAMA_LIMIT_MOVES", "5 per fortnight"),
        ("DAMA_LIMITS_URL", "redis://cache:port"),
        ("DAMA_LIMITS_URL", "cache"),
    ],
)
def test_a_value_that_means_nothing_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_env({name: value})


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("sqlite://host/dama.sqlite3", "nothing but the path of a file"),
        ("sqlite://user@/dama.sqlite3", "nothing but the path of a file"),
        ("sqlite:///dama.sqlite3?timeout=5", "nothing but the path of a file"),
        ("sqlite:///dama.sqlite3?timeout=soon", "nothing but the path of a file"),
        ("sqlite:///dama.sqlite3?nonsense=1", "nothing but the path of a file"),
        ("sqlite:///%00dama", "without %00"),
        ("postgresql://db/%00", "without %00"),
        ("postgresql://us%00er@db/dama", "without %00"),
        ("postgresql://db/dama?application_name=%00", "application_name is given twice or holds %00"),
        ("postgresql://db/dama?sslmode=prefer&sslmode=require", "sslmode is given twice"),
        ("postgresql://db/dama?nonsense=1", 'invalid connection option "nonsense"'),
        ("postgresql://db/dama?autocommit=1", 'invalid connection option "autocommit"'),
        ("postgresql://db/dama?plugin=x", 'invalid connection option "plugin"'),
        ("postgresql://db/dama?port=soon", "non-integer port"),
        ("postgresql://db/dama?connect_timeout=soon", "connect_timeout: 'soon'"),
    ],
)
def test_an_address_that_no_driver_takes_is_refused_before_it_is_used(url: str, why: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({"DAMA_DATABASE_URL": url})
    title, mistake = str(refused.value).splitlines()
    assert mistake.startswith(f"  DAMA_DATABASE_URL: {url!r}; expected sqlite:///FILE or postgresql://"), (
        title
    )
    assert why in mistake


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////srv/dama/büyük harf.sqlite3",
        "postgresql:///dama?host=/run/postgresql&port=5433",
        "postgresql://dama:p%40ss@[::1]:5432/dama?sslmode=require&connect_timeout=3",
        "postgresql:///dama?host=one:5432&host=two:5433&target_session_attrs=read-write",
    ],
)
def test_an_address_with_what_its_driver_takes_is_kept(url: str) -> None:
    assert Settings.from_env({"DAMA_DATABASE_URL": url}).database_url == url


def test_a_password_in_an_address_is_not_shown() -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({"DAMA_DATABASE_URL": "postgresql://dama:hunter2@db/dama?nonsense=1"})
    assert "hunter2" not in str(refused.value)
    assert "postgresql://dama:***@db/dama?nonsense=1" in str(refused.value)


@pytest.mark.parametrize(
    ("contents", "why"),
    [
        (b"", "0 characters"),
        (b"\n", "0 characters"),
        (b"too short\n", "9 characters"),
        (b"\xff" * 64, "not text"),
        (None, "Is a directory"),
    ],
    ids=["empty", "a line feed", "short", "not UTF-8", "a folder"],
)
def test_a_secret_file_that_holds_no_secret_is_named(
    tmp_path: Path, contents: bytes | None, why: str
) -> None:
    file = tmp_path / "dama.secret"
    if contents is None:
        file.mkdir()
    else:
        file.write_bytes(contents)
    with pytest.raises(SettingsError) as refused:
        Settings(f"sqlite:///{tmp_path}/dama.sqlite3").secret()
    assert str(refused.value).startswith(f"{file}: {why}; expected at least 32 characters of text")
    assert "\n" not in str(refused.value)
    if contents is not None:
        assert file.read_bytes() == contents, "a file that somebody put there is not written over"


def test_a_secret_file_may_end_with_a_line_feed(tmp_path: Path) -> None:
    (tmp_path / "dama.secret").write_text(f"{KEY}\n")
    assert Settings(f"sqlite:///{tmp_path}/dama.sqlite3").secret() == KEY


def test_a_secret_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "dama.secret"
    synced: list[tuple[int, bool]] = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append((os.fstat(number).st_size, file.exists())))
    secret = Settings(f"sqlite:///{tmp_path}/dama.sqlite3").secret()
    assert synced == [(len(secret), False)]


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
