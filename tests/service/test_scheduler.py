"""The scheduler: late rather than never, once rather than four times."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from puzzle_service import scheduler
from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import lease, players
from puzzle_service.settings import Settings
from tests.service.racers import race

PROGRAM = [sys.executable, "-m", "puzzle_service.cli", "scheduler"]
PATIENCE = 60.0
AddPuzzles = Callable[..., list[str]]


def wait_until(condition: Callable[[], Any]) -> None:
    """Wait for another thread or process to make a condition true."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


class Job:
    """Counts its runs, and fails those it is told to."""

    def __init__(self, *failing: int) -> None:
        self.runs = 0
        self.failing = failing
        self.ran = threading.Event()

    def __call__(self) -> None:
        self.runs += 1
        self.ran.set()
        if self.runs in self.failing:
            raise RuntimeError("the database is away")


def test_there_is_one_job_and_it_runs_at_once() -> None:
    job = Job()
    built = scheduler.build(job)
    assert len(built.get_jobs()) == 1
    built.start()
    assert job.ran.wait(PATIENCE)
    built.shutdown()
    assert job.runs == 1


def test_a_job_that_slept_through_the_hour_runs_late_and_once() -> None:
    job = Job()
    built = scheduler.build(job)
    built.start(paused=True)
    built.modify_job(scheduler.JOB, next_run_time=datetime.now(UTC) - timedelta(hours=1))
    built.resume()
    assert job.ran.wait(PATIENCE)
    wait_until(lambda: built.get_job(scheduler.JOB).next_run_time > datetime.now(UTC))
    built.shutdown()
    assert job.runs == 1


def test_a_fault_is_logged_and_the_next_run_tries_again(caplog: pytest.LogCaptureFixture) -> None:
    job = Job(1)
    built = scheduler.build(job)
    built.start()
    assert job.ran.wait(PATIENCE)
    job.ran.clear()
    wait_until(lambda: "the database is away" in caplog.text)
    built.modify_job(scheduler.JOB, next_run_time=datetime.now(UTC))
    assert job.ran.wait(PATIENCE)
    built.shutdown()
    assert job.runs == 2


def test_a_run_publishes_and_a_second_one_changes_nothing(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(3)
    for minute in range(3):
        scheduler.reconcile(database, noon + timedelta(minutes=minute), settings)
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(Publication)) == 1


def test_an_empty_stock_is_logged(
    database: Database, settings: Settings, noon: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    scheduler.reconcile(database, noon, settings)
    assert "no proved puzzle is left" in caplog.text


def test_a_clock_set_back_is_logged(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    caplog: pytest.LogCaptureFixture,
) -> None:
    add_puzzles(3)
    scheduler.reconcile(database, noon, settings)
    assert caplog.records == []
    scheduler.reconcile(database, noon - timedelta(days=2), settings)
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "the clock says 2026-11-28 and the puzzle of 2026-11-30 is out" in caplog.text
    assert _published(database) == 1


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def test_of_two_schedulers_one_acts_and_the_other_stands_by(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", scheduler.__name__)
    add_puzzles(3)
    clock = Clock(noon)
    first, second = (scheduler.Actor(database, settings, clock) for _ in range(2))
    for _ in range(2):
        first.act()
        second.act()
    assert _published(database) == 1
    assert _said(caplog) == ["this scheduler acts", "another scheduler acts; this one stands by"]
    clock.now += timedelta(days=1)
    second.act()
    assert _published(database) == 2, "the first one is gone, and its lease has run out"
    assert _said(caplog)[2:] == ["this scheduler acts"]


def test_a_scheduler_that_leaves_lets_another_one_act_at_once(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(3)
    clock = Clock(noon - timedelta(days=1))
    first, second = (scheduler.Actor(database, settings, clock) for _ in range(2))
    first.act()
    second.leave()
    clock.now += timedelta(seconds=30)
    second.act()
    assert _holder(database).until > clock.now, "only its holder gives a lease up"
    first.leave()
    assert _holder(database).until == clock.now
    second.act()
    assert _holder(database).until > clock.now


def test_a_round_that_the_database_fails_is_one_line_and_the_next_one_acts(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_puzzles(1)
    actor = scheduler.Actor(database, settings, Clock(noon))
    with monkeypatch.context() as away:
        away.setattr(lease, "take", _fail)
        away.setattr(lease, "release", _fail)
        actor.act()
        actor.leave()
    assert [record.exc_info for record in caplog.records] == [None, None]
    assert caplog.text.count("the database is away") == 2
    assert _published(database) == 0
    actor.act()
    assert _published(database) == 1


def _fail(*_: object) -> bool:
    raise OperationalError("a statement", {}, RuntimeError("the database is away"))


def _said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == scheduler.__name__]


def _holder(database: Database) -> lease.Lease:
    with database.read() as session:
        held = lease.get(session, lease.SCHEDULER)
    assert held is not None
    return held


def _environ(settings: Settings) -> dict[str, str]:
    return os.environ | {"DAMA_DATABASE_URL": settings.database_url}


def test_schedulers_that_start_together_publish_once_and_stop_cleanly(
    database: Database, settings: Settings, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(8)
    running = [subprocess.Popen(PROGRAM, env=_environ(settings), stderr=subprocess.PIPE) for _ in range(2)]
    for process in running:
        _wait_until_started(process)
    wait_until(lambda: _published(database))
    for process, number in zip(running, [signal.SIGTERM, signal.SIGINT], strict=True):
        process.send_signal(number)
    errors = [process.communicate(timeout=PATIENCE)[1] for process in running]
    assert [process.returncode for process in running] == [0] * 2
    assert not any(b"Traceback" in error for error in errors)
    assert _published(database) == 1
    assert _holder(database).until <= datetime.now(UTC), "whoever held the lease has given it up"


def _wait_until_started(process: subprocess.Popen[bytes]) -> None:
    assert process.stderr is not None
    while b"scheduler started" not in (line := process.stderr.readline()):
        assert line, "the scheduler ended before it started"


def _published(database: Database) -> int:
    with database.read() as session:
        wanted = select(func.count()).select_from(Puzzle).where(Puzzle.status == Status.PUBLISHED)
        return session.scalar(wanted) or 0


STARTER = """
import os, subprocess, sys
child = subprocess.Popen([*sys.argv[1:], "--parent", str(os.getpid())])
print(child.pid, flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_scheduler_leaves_with_the_server_that_started_it(database: Database, settings: Settings) -> None:
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER, *PROGRAM],
        env=_environ(settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert starter.stdout is not None
    child = int(starter.stdout.readline())
    _wait_until_started(starter)
    starter.kill()
    assert b"the server is gone" in starter.communicate(timeout=PATIENCE)[1]
    wait_until(lambda: not _is_running(child))


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


WRITER = """
import datetime, time
from puzzle_service import db, scheduler
from puzzle_service.services import devices, players
from puzzle_service.settings import Settings

def race(number, wait, say, url):
    settings = Settings(url, secret_key="x")
    database, now = db.connect(settings), datetime.datetime.now(datetime.UTC)
    wait()
    until, made = time.monotonic() + 1, 0
    while time.monotonic() < until or made < 10:
        with database.write.begin() as session:
            player, token = players.create_guest(session, now)
        scheduler.reconcile(database, now, settings)
        with database.read() as session:
            assert devices.guest(session, token) == player
        made += 1
    say(made)
    database.close()
"""


def test_workers_and_scheduler_write_together_without_a_locked_database(
    database: Database, settings: Settings, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(3)
    made = race(WRITER, 4, settings.database_url)
    assert len(made) == 4
    assert _published(database) == 1
    with database.write.begin() as session:
        assert players.create_guest(session, datetime.now(UTC))[0] == 1 + sum(map(int, made))
