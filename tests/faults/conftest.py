"""Real servers on the real clock, and the puzzle that is out on them."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.services import intake, publication
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from tests.faults.browser import PATIENCE, Browser, at_last
from tests.service.conftest import puzzle_with_a_slow_move
from tests.service.test_serve import PROGRAM, free_port


@dataclass(frozen=True)
class Server:
    """A server that runs, with the file that it logs to."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def workers(self) -> list[int]:
        return [pid for pid in self._children() if b"\0scheduler\0" not in _command(pid)]

    def schedulers(self) -> list[int]:
        return [pid for pid in self._children() if b"\0scheduler\0" in _command(pid)]

    def family(self, workers: int) -> tuple[list[int], list[int]]:
        """Return workers and scheduler once all of them are there."""
        deadline = time.monotonic() + PATIENCE
        while (len(self.workers()), len(self.schedulers())) != (workers, 1):
            assert time.monotonic() < deadline, "the server is not complete"
            time.sleep(0.05)
        return self.workers(), self.schedulers()

    def _children(self) -> list[int]:
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


StartServer = Callable[..., Server]


@pytest.fixture
def here(settings: Settings) -> Settings:
    """The settings in a zone where it is about noon: no test begins on one day and ends on the next."""
    east = 12 - datetime.now(UTC).hour
    # The names of these zones count the hours the other way round.
    return replace(settings, timezone=ZoneInfo(f"Etc/GMT{-east:+d}"))


@pytest.fixture
def start(here: Settings, tmp_path: Path) -> Iterator[StartServer]:
    """A function that starts a server, on a given port or a free one, and waits until it answers."""
    with ExitStack() as running:

        def started(*options: str, port: int | None = None, **environ: str) -> Server:
            port = port or free_port()
            log = tmp_path / f"server-{len(list(tmp_path.glob('server-*.log')))}.log"
            settings = {
                "DAMA_DATABASE_URL": here.database_url,
                "DAMA_SECRET_KEY": here.secret_key or "",
                "DAMA_TIMEZONE": here.timezone.key,
            }
            with log.open("wb") as output:
                process = subprocess.Popen(
                    [*PROGRAM, "--port", str(port), *options],
                    env=os.environ | settings | environ,
                    stdout=output,
                    stderr=output,
                )
            running.callback(_stop, process)
            at_last(lambda: Browser(port).ask("GET", "/readyz"))
            return Server(process, port, log)

        yield started


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture
def today(database: Database, here: Settings, records: list[Record]) -> PublishedPuzzle:
    """A win in three, out on the day that it really is."""
    now = datetime.now(UTC)
    with database.write.begin() as session:
        intake.add(session, puzzle_with_a_slow_move(records), now, Status.APPROVED)
    found = publication.ensure_published(database.write, now, here)
    assert found is not None
    return found


def wrong_move(published: PublishedPuzzle) -> str:
    """Return a move that does not win."""
    return next(iter(published.proof.root["refuted"]))


def right_moves(published: PublishedPuzzle) -> list[str]:
    """Return the solver's moves of the main line."""
    return published.proof.main_line()[::2]
