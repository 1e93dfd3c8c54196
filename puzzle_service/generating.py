"""Generating: a process beside the site that runs the generator and imports what it finds as candidates.

It is started by a worker but depends on none: whoever looks at the run reads of it in the database, and if it
is killed its lease ends by itself.
"""

import fcntl
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from threading import Thread
from typing import Final, Self

from sqlalchemy.exc import OperationalError

from puzzle_service.clock import Clock
from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.services import generation, intake
from puzzle_service.services.generation import Order, Result, Run
from puzzle_service.settings import PREFIX, Settings

PROGRAM: Final = "dama-generate"
BEAT_SECONDS: Final = 2.0
"""How often a run shows itself."""
OVERTIME: Final = 120
"""Seconds beyond what was asked for until a generator is ended by force: it compiles, and ends in order."""
STOPPING: Final = 30
"""Seconds that a generator gets to stop in."""
NICENESS: Final = 10
"""Players come first."""
KEPT_BYTES: Final = 16_384
SHOWN_LINES: Final = 12
LONGEST_LINE: Final = 300
FOLDER: Final = "dama-generate-"
"""How the names of the folders begin that runs work in."""
_ACCEPTED: Final = re.compile(r"([\d,]+) accepted")

log = logging.getLogger(__name__)


def program() -> list[str]:
    """Return the command of the generator that was installed with this site."""
    return [str(Path(sys.executable).with_name(PROGRAM))]


def spawn(settings: Settings, run_id: int) -> None:
    """Start the process of a run, which goes on whatever becomes of this one."""
    command = [sys.executable, "-m", "puzzle_service.cli", "generate", "--run", str(run_id)]
    environ = os.environ | {f"{PREFIX}DATABASE_URL": settings.database_url}
    process = subprocess.Popen(  # noqa: S603  (our own program)
        command,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    # Somebody has to take note of its end, or else it stays in the table of processes.
    Thread(target=process.wait, daemon=True).start()


def run(
    database: Database,
    run_id: int,
    clock: Clock,
    command: Sequence[str],
    timer: Callable[[], float] = time.monotonic,
) -> Run:
    """Carry out a run that was written down: generate, import, and say how it ended; returns that.

    Ctrl-C and SIGTERM end it, and what it has found is lost. The ``timer`` tells when a generator takes too
    long, for the clock may be put forward meanwhile.
    """
    worker = _Worker(database, run_id, clock, command, timer)
    try:
        with _folder() as folder:
            worker.work(folder)
    except FileNotFoundError:
        worker.end("failed", f"there is no {PROGRAM} beside this site's Python")
    except OSError as error:
        worker.end("failed", str(error))
    except KeyboardInterrupt:
        worker.end("failed", "ended from outside")
    return worker.state()


@contextmanager
def _folder() -> Iterator[Path]:
    """Give a folder that is gone afterwards; those that killed runs have left are taken away before."""
    for left in Path(gettempdir()).glob(f"{FOLDER}*"):
        # One that is new is empty until it is held.
        with suppress(OSError), _held(left) as is_ours:
            if is_ours and any(left.iterdir()):
                shutil.rmtree(left)
    with TemporaryDirectory(prefix=FOLDER) as name, _held(Path(name)):
        yield Path(name)


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Hold a folder for as long as this process lives, and tell whether it is this user's.

    Raises OSError when another process holds it, or when it is no folder.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield os.fstat(descriptor).st_uid == os.geteuid()
    finally:
        os.close(descriptor)


class _Worker:
    """What carries out one run."""

    def __init__(
        self,
        database: Database,
        run_id: int,
        clock: Clock,
        command: Sequence[str],
        timer: Callable[[], float],
    ) -> None:
        self._database, self._run_id, self._clock, self._command = database, run_id, clock, command
        self._timer = timer
        self._order: Order = "go_on"
        self._accepted = self._checked = self._added = 0
        self._refused: str | None = None
        self._lines: list[str] = []

    def state(self) -> Run:
        """Return the run as it stands."""
        with self._database.read() as session:
            return generation.get(session, self._run_id, self._clock())

    def work(self, folder: Path) -> None:
        """Generate and import, in a folder for the two files."""
        run = self.state()
        known, found = folder / "known.jsonl", folder / "found.jsonl"
        with known.open("w", encoding="utf-8") as file, self._database.read() as session:
            file.writelines(f"{line}\n" for line in intake.export(session))
        wanted = ["--out", found.name, "--seconds", str(run.seconds), "--known", known.name]
        code = self._generate([*self._command, *wanted], folder, run.seconds)
        # What was found before a failure is as good as any.
        if found.exists() and self._order != "give_up":
            self._bring_in(found, run.by)
        if self._order == "give_up":
            log.error("run %d of the generator counts as lost: nothing more is done for it", self._run_id)
        elif self._refused:
            self.end("failed", self._refused)
        elif self._order == "stop":
            self.end("stopped")
        elif code:
            self.end("failed", self._lines[-1] if self._lines else f"{PROGRAM} has ended with code {code}")
        else:
            self.end("done")

    def end(self, result: Result, error: str | None = None) -> None:
        """Write down how the run has ended."""
        with self._database.write.begin() as session:
            generation.end(session, self._run_id, self._clock(), result, added=self._added, error=error)

    def _generate(self, command: list[str], folder: Path, seconds: int) -> int:
        """Run the generator to its end, show how it goes on, and return its exit code."""
        latest = self._timer() + seconds + OVERTIME
        with _Generator(command, folder) as generator:
            while (code := generator.wait(BEAT_SECONDS)) is None:
                self._accepted, self._lines = generator.accepted, generator.lines
                before = self._order
                self._show()
                if self._order == "stop" and before == "go_on":
                    generator.ask_to_stop()
                    latest = self._timer() + STOPPING
                if self._order == "give_up" or self._timer() > latest:
                    generator.kill()
        self._accepted, self._lines = generator.accepted, generator.lines
        self._show()
        return code

    def _bring_in(self, found: Path, by: str) -> None:
        with found.open("rb") as lines:
            intake.bring_in(
                self._database,
                lines,
                Status.CANDIDATE,
                self._clock,
                by,
                on_refusal=self._refuse,
                # Who has stopped the search wants what it has found; who stops after it wants no more.
                goes_on=partial(self._goes_on, self._order),
            )

    def _goes_on(self, before: Order, done: intake.Import) -> bool:
        self._checked, self._added = done.checked, len(done.added)
        self._show()
        return self._order in ("go_on", before)

    def _refuse(self, number: int, why: str) -> None:
        log.error("line %d of what run %d has found: %s", number, self._run_id, why)
        self._refused = self._refused or f"line {number}: {why}"

    def _show(self) -> None:
        try:
            with self._database.write.begin() as session:
                self._order = generation.show(
                    session,
                    self._run_id,
                    self._clock(),
                    accepted=self._accepted,
                    checked=self._checked,
                    lines=self._lines,
                )
        except OperationalError as error:
            # It will answer again before the lease is over, or else the next sign of life is refused.
            log.error("the database did not answer: %s", error)


class _Generator:
    """The generator's process, and the last that it has said; it ends with the block, one way or another."""

    def __init__(self, command: list[str], folder: Path) -> None:
        # In a group of its own, so that its workers end with it.
        self._process = subprocess.Popen(  # noqa: S603  (the program beside our own Python)
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
        self._said = b""
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._process.wait()
        self._reader.join()

    @property
    def lines(self) -> list[str]:
        """The last lines that it has said; the states of a bar that is drawn over and over are lines too."""
        lines = re.split(r"[\r\n]+", self._said.decode(errors="replace"))
        shown = [line.strip()[:LONGEST_LINE] for line in lines if line.strip()]
        return ["".join(filter(str.isprintable, line)) for line in shown[-SHOWN_LINES:]]

    @property
    def accepted(self) -> int:
        """How many puzzles it says it has found."""
        found = _ACCEPTED.findall(self._said.decode(errors="replace"))
        return int(found[-1].replace(",", "")) if found else 0

    def wait(self, seconds: float) -> int | None:
        """Wait for its end for so many seconds at most; returns its exit code then."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        self._reader.join()
        return code

    def ask_to_stop(self) -> None:
        """Ask it to stop and to keep what it has found."""
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End it by force, with its workers."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101  (it is a pipe)
        with self._process.stdout as stream:
            while said := os.read(stream.fileno(), KEPT_BYTES):
                self._said = (self._said + said)[-KEPT_BYTES:]
