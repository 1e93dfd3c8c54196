"""A child process that is kept running."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from puzzle_service.child import PAUSE_SECONDS, Child

PATIENCE = 60.0
STUBBORN = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).touch()
time.sleep(600)
"""


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Nursery:
    """Children whose starts are counted by the lines that they append to a file."""

    def __init__(self, folder: Path) -> None:
        self.file, self.clock = folder / "starts", Clock()
        self.file.touch()
        self.children: list[Child] = []

    def child(self, then: str) -> Child:
        code = f"import sys, time, os; open({str(self.file)!r}, 'a').write(f'{{os.getpid()}}\\n'); {then}"
        self.children.append(Child("sleeper", [sys.executable, "-c", code], clock=self.clock))
        return self.children[-1]

    def starts(self) -> list[int]:
        return [int(line) for line in self.file.read_text().splitlines()]

    def wait_for(self, count: int) -> list[int]:
        """Return the processes started, once there are so many and the last of them is known to run."""
        deadline = time.monotonic() + PATIENCE
        while len(self.starts()) < count:
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.02)
        return self.starts()


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    found = Nursery(tmp_path)
    yield found
    for child in found.children:
        child.stop(PATIENCE)


def _is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_a_child_that_runs_is_left_alone(nursery: Nursery, caplog: pytest.LogCaptureFixture) -> None:
    child = nursery.child("time.sleep(600)")
    for _ in range(5):
        child.tend()
        nursery.clock.now += PAUSE_SECONDS
    (pid,) = nursery.wait_for(1)
    assert caplog.records == []
    child.stop(PATIENCE)
    assert not _is_running(pid)


def test_a_child_that_ends_is_logged_once_and_followed_by_one_other(
    nursery: Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    child = nursery.child("sys.exit(3)")
    child.tend()
    (pid,) = nursery.wait_for(1)
    deadline = time.monotonic() + PATIENCE
    while not caplog.records:
        assert time.monotonic() < deadline, "waited in vain"
        child.tend()
        time.sleep(0.02)
    for _ in range(50):
        child.tend()
    assert nursery.starts() == [pid], "not in a tight loop"
    assert [record.getMessage() for record in caplog.records] == [
        "the sleeper has ended by itself and is started again"
    ]
    nursery.clock.now += PAUSE_SECONDS
    child.tend()
    assert len(nursery.wait_for(2)) == 2


def test_a_child_that_does_not_want_to_stop_is_made_to(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    child = Child("sleeper", [sys.executable, "-c", STUBBORN, str(ready)])
    child.tend()
    deadline = time.monotonic() + PATIENCE
    while not ready.exists():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
    child.stop(0.1)
    child.stop(0.1)


def test_what_never_started_has_nothing_to_stop() -> None:
    Child("sleeper", ["/no/such/program"]).stop(0.1)


def test_a_terminals_ctrl_c_does_not_reach_the_child(nursery: Nursery) -> None:
    nursery.child("time.sleep(600)").tend()
    (process,) = nursery.wait_for(1)
    assert os.getpgid(process) == process != os.getpgrp()
