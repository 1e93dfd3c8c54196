"""The process that searches, for tests: with the real engine, or with searches that do as they are told."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from puzzle_service.searching import Searches

PATIENCE = 300.0
"""Seconds: even loading takes a minute at a low priority when all cores have other work."""
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
asyncio.run(searcher.serve(Searches(folder), int(sys.argv[5]) if sys.argv[4:] else None))
"""


@cache
def compiled() -> None:
    """Compile the engine unless it has been: at its own low priority that takes long beside the tests."""
    code = "from puzzle_service import searcher; searcher.warm_up()"
    subprocess.run([sys.executable, "-c", code], check=True)


def until(happened: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


def _listens(socket_file: Path) -> bool:
    """Tell whether somebody listens there: the file is there a moment before that."""
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(socket_file)) == 0


@dataclass(frozen=True)
class Process:
    """A process that searches, ready, and the way to it."""

    process: subprocess.Popen[bytes]
    searches: Searches


@contextmanager
def process(*program: str, most: int = 2, **environ: str) -> Iterator[Process]:
    """Run a process that searches until the block ends; the engine's own unless told otherwise."""
    if not program:
        compiled()
    with tempfile.TemporaryDirectory(prefix="dama-search-") as folder:
        command = [sys.executable, *(program or REAL), folder, "--most", str(most)]
        running = subprocess.Popen(command, env=os.environ | environ)
        try:
            found = Searches(Path(folder))
            until(lambda: _listens(found.socket_file) or running.poll() is not None)
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
