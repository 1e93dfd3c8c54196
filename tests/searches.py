"""The process that searches, for tests: with the real engine, or with searches that do as they are told."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from puzzle_service.searching import Searches

PATIENCE = 60.0
COMPILING = 600.0
"""Seconds that the first start may take: with nothing in the cache the whole engine is compiled."""
REAL = ["-m", "puzzle_service.searcher"]
OBEDIENT = """
import asyncio, os, sys, time
from pathlib import Path
from puzzle_service.searcher import Searcher
from puzzle_service.searching import Searches

def wait(game, request, stop):
    Path(request["began"]).touch()
    while not Path(request["until"]).exists() and not stop.wait(0.01):
        pass
    Path(request["ended"]).touch()
    return {"stopped": stop.is_set()}

def deaf(game, request, stop):
    Path(request["began"]).touch()
    time.sleep(60)

def fail(game, request, stop):
    raise ZeroDivisionError

folder, most = Path(sys.argv[1]), int(sys.argv[3])
kinds = {"wait": wait, "deaf": deaf, "fail": fail}
searcher = Searcher(kinds, most, seconds=float(os.environ.get("SECONDS", "60")), obedience=0.2)
asyncio.run(searcher.serve(Searches(folder), None))
"""


def until(happened: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Wait until something has happened."""
    deadline = time.monotonic() + patience
    while not happened():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


@dataclass(frozen=True)
class Process:
    """A process that searches, ready, and the way to it."""

    process: subprocess.Popen[bytes]
    searches: Searches


@contextmanager
def process(*program: str, most: int = 2, **environ: str) -> Iterator[Process]:
    """Run a process that searches until the block ends; the engine's own unless told otherwise."""
    with tempfile.TemporaryDirectory(prefix="dama-search-") as folder:
        command = [sys.executable, *(program or REAL), folder, "--most", str(most)]
        running = subprocess.Popen(command, env=os.environ | environ)
        try:
            found = Searches(Path(folder))
            until(lambda: found.socket_file.exists() or running.poll() is not None, COMPILING)
            assert running.poll() is None, "the process that searches has ended"
            yield Process(running, found)
        finally:
            running.kill()
            running.wait()


@contextmanager
def obedient(most: int = 2, **environ: str) -> Iterator[Process]:
    """Run a process whose searches wait until they are told to end, or fail, or do not listen."""
    with process("-c", OBEDIENT, most=most, **environ) as running:
        yield running
