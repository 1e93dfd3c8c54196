"""The server: gunicorn with threads, and beside it the scheduler and, once wanted, what searches."""

import logging
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import click
from flask import Flask
from gunicorn import systemd
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from sqlalchemy.exc import IntegrityError

from puzzle_service import db, metrics, searching
from puzzle_service.child import Child
from puzzle_service.db import Database
from puzzle_service.domain import record
from puzzle_service.domain.names import OPERATOR
from puzzle_service.domain.review import Status
from puzzle_service.domain.roles import Role
from puzzle_service.searching import Searches
from puzzle_service.services import accounts, intake, passwords, stock
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings
from puzzle_service.web import create_app

ADMIN: Final = "admin"
STOP_SECONDS: Final = 10

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Prepared:
    """How many puzzles were imported, and the password of the admin that was made, to be shown once."""

    imported: int
    password: str | None


def prepare(settings: Settings, now: datetime) -> Prepared:
    """Make the site ready: the database's revision, the packaged stock if there is no puzzle, an admin."""
    db.upgrade(settings)
    database = db.connect(settings)
    try:
        return Prepared(_import_stock(database, now), _make_admin(database, now))
    finally:
        database.close()


@dataclass(frozen=True)
class Options:
    """How to serve; a socket that systemd has opened takes the place of host and port."""

    host: str
    port: int
    workers: int
    threads: int
    scheduler: bool

    @property
    def bind(self) -> str:
        """Host and port in one text."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def run(settings: Settings, options: Options) -> None:
    """Serve until SIGTERM or SIGINT; the database must be at this version's revision.

    Raises WrongRevision, SettingsError without a secret, and ServiceError when the port is taken.
    """
    db.check(settings)
    settings.secret()
    has_socket = systemd.listen_fds(unset_environment=False) > 0
    if not has_socket:
        _check_port(options.host, options.port)
    address = "the socket that was handed over" if has_socket else f"http://{options.bind}"
    with _shared_counts(settings), searching.shared() as searches:
        server = _Server(settings, options, address, searches)
        try:
            server.run()
        finally:
            server.stop_children()


@contextmanager
def _shared_counts(settings: Settings) -> Iterator[None]:
    """Give the workers a folder to keep their metrics in, if anybody may collect them."""
    if settings.metrics_token is None:
        yield
        return
    folder, owner = tempfile.mkdtemp(prefix="dama-metrics-"), os.getpid()
    os.environ[metrics.FOLDER] = folder
    try:
        yield
    finally:
        # Workers, which leave through here too, must not take what the others count with.
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)


class _Log(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's log, which becomes part of ours, without the addresses that it would name."""

    def setup(self, cfg: Any) -> None:
        """Send every line where ours go."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True

    def warning(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Log a warning; of a request that cannot be read, neither what it held nor who sent it."""
        if msg.startswith("Invalid request"):
            msg, args = "a request that is no HTTP was refused", ()
        super().warning(msg, *args, **kwargs)

    def exception(self, msg: object, *args: Any, **kwargs: Any) -> None:
        """Log a fault, without the address that was asked for."""
        if str(msg).startswith("Error handling request"):
            msg, args = "a fault while a request was handled", ()
        super().exception(msg, *args, **kwargs)


class _Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn, configured here and nowhere else."""

    def __init__(self, settings: Settings, options: Options, address: str, searches: Searches) -> None:
        self._settings, self._address, self._searches = settings, address, searches
        self._options = {
            "bind": options.bind,
            "workers": options.workers,
            "worker_class": "gthread",
            "threads": options.threads,
            "graceful_timeout": STOP_SECONDS,
            "logger_class": _Log,
            "loglevel": "warning",
            "control_socket_disable": True,
            # What a proxy says is believed when the settings say so, and by the application alone.
            "forwarded_allow_ips": "",
            "when_ready": self._ready,
        }
        self._pid = os.getpid()
        parent = ["--parent", str(self._pid)]
        command = [sys.executable, "-m", "puzzle_service.cli", "scheduler", *parent]
        self._scheduler = Child("scheduler", command) if options.scheduler else None
        most = ["--most", str(settings.searches)]
        command = [sys.executable, "-m", "puzzle_service.searcher", str(searches.folder), *most, *parent]
        self._searcher = Child("process that searches", command)
        super().__init__()

    def load_config(self) -> None:
        """Give gunicorn our options."""
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Make the application, in each worker its own."""
        return create_app(self._settings, searches=self._searches)

    def run(self) -> None:
        """Serve until told to stop."""
        _Arbiter(self).run()

    def _ready(self, _arbiter: Any) -> None:
        click.echo(f"Serving on {self._address} (Ctrl-C stops)")

    def tend_children(self) -> None:
        """Start what does not run: the scheduler, unless it runs elsewhere, and searches once wanted."""
        if self._scheduler is not None:
            self._scheduler.tend()
        if self._searches.is_wanted:
            self._searcher.tend()

    def stop_children(self) -> None:
        """Stop them; workers, which leave through here too, have none."""
        if os.getpid() == self._pid:
            self._searcher.stop(STOP_SECONDS)
            if self._scheduler is not None:
                self._scheduler.stop(STOP_SECONDS)


class _Arbiter(Arbiter):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's first process, the one of which there is exactly one: it looks after the others too."""

    def manage_workers(self) -> None:
        """Keep workers and other processes running; comes round every second, and not while stopping."""
        super().manage_workers()
        self.app.tend_children()

    def halt(self, reason: str | None = None, exit_status: int = 0) -> None:
        """Leave; whatever kept the workers from working is a failure like any other."""
        super().halt(reason, min(exit_status, 1))


def _import_stock(database: Database, now: datetime) -> int:
    with database.read() as session:
        if not stock.is_empty(session):
            return 0
    packaged = intake.packaged_stock()
    if not packaged.is_file():
        log.warning("there is no stock in the package: the site starts without a puzzle")
        return 0
    records = [record.parse(line) for line in packaged.read_bytes().splitlines()]
    try:
        with database.write.begin() as session:
            count = intake.add_all(session, records, now, Status.APPROVED)
            intake.finish(session, OPERATOR, now, count, Status.APPROVED)
            return count
    except IntegrityError:
        # Another process is preparing the same database.
        return 0


def _make_admin(database: Database, now: datetime) -> str | None:
    password = passwords.generated()
    password_hash = passwords.hashed(password)
    try:
        with database.write.begin() as session:
            if accounts.count_admins(session):
                return None
            accounts.create(session, ADMIN, password_hash, now, role=Role.ADMIN, player_id=None)
    except ServiceError:
        # Another process is preparing the same database.
        return None
    return password


def _check_port(host: str, port: int) -> None:
    """Raise ServiceError when the port cannot be had; gunicorn would try for five seconds, and log it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, UnicodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "no address"
            raise ServiceError("bad_request", f"cannot serve on {host}:{port}: {why}") from error
