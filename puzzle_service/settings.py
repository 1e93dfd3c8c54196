"""What an operator can set, read from the environment."""

import os
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import Final, Literal, TypeVar
from zoneinfo import ZoneInfo

from limits import RateLimitItem, parse_many
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

PREFIX: Final = "DAMA_"
DEFAULT_DATABASE: Final = "sqlite:///var/dama.sqlite3"
DEFAULT_ZONE: Final = "Europe/Istanbul"
SECRET_CHARACTERS: Final = 32
GRACE_HOURS: Final = range(13)
BUSY_SECONDS: Final = range(1, 301)
PROXIES: Final = range(6)
SEARCHES: Final = range(1, 65)
MOST_TRIES: Final = 1_000_000
LONGEST_WINDOW: Final = 31 * 24 * 3600
"""Seconds."""
REDIS: Final = ("redis://", "rediss://", "redis+unix://")

LogFormat = Literal["text", "json"]

SECRETS: Final = ("SECRET_KEY", "METRICS_TOKEN")
_NO_TIME: Final = re.compile(r"(/|per)\s*0+\s*[a-z]", re.IGNORECASE)
_HOST: Final = re.compile(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]+)?")
_PASSWORD: Final = re.compile(r"(://[^:@/]*:)[^@/]*@")

T = TypeVar("T")


class SettingsError(ValueError):
    """Settings that cannot be used; the message lists every mistake."""


def limit(text: str) -> RateLimitItem:
    """Return how often something may be tried; raises ValueError that says what was expected.

    >>> limit("5 per 15 minutes").get_expiry()
    900
    """
    try:
        (item,) = parse_many(text)
    except ValueError:
        item = None
    # The library takes "per 0 minutes" for one minute.
    meant = item is not None and not _NO_TIME.search(text)
    if item is None or not meant or not 0 < item.amount <= MOST_TRIES or item.get_expiry() > LONGEST_WINDOW:
        raise ValueError(
            f"one number of tries up to {MOST_TRIES} and a time up to {LONGEST_WINDOW // 86400} days,"
            " such as 5 per 15 minutes"
        )
    return item


@dataclass(frozen=True)
class Limits:
    """How often something may be tried, and where the tries are counted.

    ``sign_in`` bounds the failures for one name from one address, ``sign_in_address`` those of the address;
    ``sign_up``, ``recovery`` (tries of a recovery code), ``guests`` (first moves of new players), ``games``
    (questions about games that the site does not keep) and ``engine`` (searches in them) are per address,
    ``moves`` per player. ``url`` is a Redis server; the database counts when there is none.
    """

    sign_in: RateLimitItem = field(default=limit("5 per 15 minutes"))
    sign_in_address: RateLimitItem = field(default=limit("30 per hour"))
    sign_up: RateLimitItem = field(default=limit("10 per hour"))
    recovery: RateLimitItem = field(default=limit("10 per hour"))
    guests: RateLimitItem = field(default=limit("300 per hour"))
    moves: RateLimitItem = field(default=limit("120 per minute"))
    games: RateLimitItem = field(default=limit("300 per minute"))
    engine: RateLimitItem = field(default=limit("120 per minute"))
    url: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Settings:
    """The site's settings, checked.

    ``grace`` is how long after the change of day an attempt begun before it may go on; ``busy_seconds`` how
    long a write waits for its turn. ``proxies`` is how many reverse proxies stand in front and are
    believed; ``trusted_hosts`` are the only names the site answers to, any when there are none.
    ``metrics_token`` opens /metrics, which is not there without it. ``searches`` is how many searches of the
    engine may run at once on this host.
    """

    database_url: str = DEFAULT_DATABASE
    timezone: ZoneInfo = field(default_factory=lambda: ZoneInfo(DEFAULT_ZONE))
    secret_key: str | None = field(default=None, repr=False)
    cookie_secure: bool = False
    grace: timedelta = timedelta(hours=3)
    busy_seconds: int = 15
    proxies: int = 0
    trusted_hosts: tuple[str, ...] = ()
    log_format: LogFormat = "text"
    metrics_token: str | None = field(default=None, repr=False)
    searches: int = 2
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Return the settings that the environment's DAMA_ variables give, defaults for the rest.

        Raises SettingsError with every mistake: the name, the value and what was expected.
        """
        reader = _Reader(os.environ if environ is None else environ)
        settings = cls(
            database_url=reader.read("DATABASE_URL", _database_url, DEFAULT_DATABASE),
            timezone=reader.read("TIMEZONE", _zone, DEFAULT_ZONE),
            secret_key=reader.read("SECRET_KEY", _secret, ""),
            cookie_secure=reader.read("COOKIE_SECURE", _flag, "0"),
            grace=reader.read("GRACE_HOURS", _hours, "3"),
            busy_seconds=reader.read("BUSY_SECONDS", _busy_seconds, "15"),
            proxies=reader.read("PROXIES", _proxies, "0"),
            trusted_hosts=reader.read("TRUSTED_HOSTS", _hosts, ""),
            log_format=reader.read("LOG_FORMAT", _log_format, "text"),
            metrics_token=reader.read("METRICS_TOKEN", _secret, ""),
            searches=reader.read("SEARCHES", _searches, "2"),
            limits=_limits(reader),
        )
        if reader.mistakes:
            raise SettingsError("these settings cannot be used:\n  " + "\n  ".join(reader.mistakes))
        return settings

    @property
    def url(self) -> URL:
        """The database's address with the driver we use."""
        return make_url(normalised_url(self.database_url))

    @property
    def database_file(self) -> Path | None:
        """The SQLite file, or None when the database is a server."""
        return Path(self.url.database or "") if self.url.get_backend_name() == "sqlite" else None

    @property
    def secret_file(self) -> Path | None:
        """The file that keeps the secret beside the SQLite file unless one is set; None for a server."""
        return None if self.database_file is None else self.database_file.with_suffix(".secret")

    def secret(self) -> str:
        """Return the key that signs cookies: the one that is set, else one kept beside the database file.

        Raises SettingsError when none is set and there is no file to keep it beside, or what that file holds
        is no secret.
        """
        if self.secret_key is not None:
            return self.secret_key
        if self.secret_file is None:
            raise SettingsError(
                f"{PREFIX}SECRET_KEY is not set; expected at least {SECRET_CHARACTERS} characters, the same "
                "on every host, because the database is not a file that a secret could be kept beside"
            )
        return _kept_secret(self.secret_file)


class _Reader:
    """Reads variables one by one and collects what is wrong with them."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.mistakes: list[str] = []

    def read(self, name: str, parse: Callable[[str], T], default: str) -> T:
        """Return the parsed value; a value that does not parse is noted, and the default stands in."""
        name = PREFIX + name
        text = self._environ.get(name, default)
        try:
            return parse(_utf8(text))
        except ValueError as error:
            # A secret must not end up in a log because something about it is wrong.
            shown = "(not shown)" if name.endswith(SECRETS) else repr(_PASSWORD.sub(r"\1***@", text))
            self.mistakes.append(f"{name}: {shown}; expected {error}")
            return parse(default)


def normalised_url(text: str) -> str:
    """Return a database address in SQLAlchemy's spelling, with psycopg as PostgreSQL's driver.

    >>> normalised_url("postgres://host/dama")
    'postgresql+psycopg://host/dama'
    """
    scheme, separator, rest = text.partition("://")
    if scheme in ("postgres", "postgresql"):
        scheme = "postgresql+psycopg"
    return scheme + separator + rest


def _database_url(text: str) -> str:
    expected = "sqlite:///FILE or postgresql://USER@HOST/NAME"
    try:
        url = make_url(normalised_url(text))
    except (ArgumentError, ValueError):
        raise ValueError(expected) from None
    if "\0" in "".join(filter(None, (url.username, url.password, url.host, url.database))):
        raise ValueError(f"{expected} without %00")
    if url.drivername == "sqlite":
        if url.host or url.username or url.password or url.port or url.query:
            raise ValueError(f"{expected}; for SQLite nothing but the path of a file")
        if url.database in (None, "", ":memory:"):
            raise ValueError(f"{expected}; a database in memory is gone with its process")
    elif url.drivername == "postgresql+psycopg":
        if wrong := _wrong_parameter(url):
            raise ValueError(f"{expected}, with the connection parameters of PostgreSQL: {wrong}")
    else:
        raise ValueError(expected)
    return text


def _wrong_parameter(url: URL) -> str | None:
    """Return what PostgreSQL's own library will not take of an address's parameters, or None."""
    # The driver takes a moment to load; who keeps his puzzles in a file does without.
    from psycopg import Error
    from psycopg.conninfo import make_conninfo, timeout_from_conninfo

    for name, value in url.query.items():
        # Several hosts may be given, each with its port; of everything else there is one.
        if "\0" in "".join(value) or (not isinstance(value, str) and name not in ("host", "port")):
            return f"{name} is given twice or holds %00"
    try:
        # What is no parameter of the library is one of the driver's own; those are ours to set.
        _, options = url.get_dialect()().create_connect_args(url)
        make_conninfo(**options)
        timeout_from_conninfo(dict(options))
    except (ArgumentError, Error, ValueError) as error:
        return " ".join(str(error).split())
    return None


def _utf8(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("text in UTF-8") from None
    return text


def _zone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (OSError, ValueError, KeyError):
        raise ValueError("the name of a time zone such as Europe/Istanbul") from None


def _secret(text: str) -> str | None:
    if 0 < len(text) < SECRET_CHARACTERS:
        raise ValueError(f"at least {SECRET_CHARACTERS} characters")
    return text or None


def _flag(text: str) -> bool:
    try:
        return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[text.lower()]
    except KeyError:
        raise ValueError("1 or 0") from None


def _whole_number(text: str, allowed: range, unit: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) in allowed):
        raise ValueError(f"a whole number of {unit} from {allowed.start} to {allowed.stop - 1}")
    return int(text)


def _hours(text: str) -> timedelta:
    return timedelta(hours=_whole_number(text, GRACE_HOURS, "hours"))


def _busy_seconds(text: str) -> int:
    return _whole_number(text, BUSY_SECONDS, "seconds")


def _proxies(text: str) -> int:
    return _whole_number(text, PROXIES, "proxies")


def _searches(text: str) -> int:
    return _whole_number(text, SEARCHES, "searches")


def _hosts(text: str) -> tuple[str, ...]:
    hosts = tuple(host.strip().lower() for host in text.split(",") if host.strip())
    if not all(_HOST.fullmatch(host) for host in hosts):
        raise ValueError("names of hosts with commas between them, such as dama.example, www.dama.example")
    return hosts


def _log_format(text: str) -> LogFormat:
    if text == "text":
        return "text"
    if text == "json":
        return "json"
    raise ValueError("text or json")


def _limits(reader: _Reader) -> Limits:
    names = [one.name for one in fields(Limits) if one.name != "url"]
    defaults = Limits()
    bounds = {
        name: reader.read(f"LIMIT_{name.upper()}", limit, str(getattr(defaults, name))) for name in names
    }
    return Limits(**bounds, url=reader.read("LIMITS_URL", _redis, ""))


def _redis(text: str) -> str | None:
    if not text:
        return None
    if not text.startswith(REDIS):
        raise ValueError("redis://HOST:PORT/NUMBER, or nothing to count in the database")
    try:
        import redis
    except ImportError:
        raise ValueError("the package redis to be installed: pip install 'dama-daily[redis]'") from None
    try:
        redis.ConnectionPool.from_url(text.replace("redis+unix", "unix", 1))
    except ValueError as error:
        raise ValueError(f"redis://HOST:PORT/NUMBER: {error}") from None
    return text


def _kept_secret(path: Path) -> str:
    """Return the secret in a file that only its owner can read, making it when it is missing."""
    if not path.exists():
        _make_secret(path)
    expected = f"expected at least {SECRET_CHARACTERS} characters of text; remove the file for a new secret"
    try:
        secret = path.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: not text; {expected}") from None
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}; {expected}") from error
    if len(secret) < SECRET_CHARACTERS:
        raise SettingsError(f"{path}: {len(secret)} characters; {expected}")
    return secret


def _make_secret(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            # On the disk before it has its name: a machine that stops here leaves no empty secret.
            os.fsync(file.fileno())
        # A link appears whole or not at all, so of several processes starting together one wins and all read
        # it.
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
