"""A run of the program: search until it is time, enough or stopped, and keep what was found."""

import time
from collections.abc import Sized
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

import click

from generator import pipeline, workers
from generator.gate import DisagreementError
from generator.harvest import Harvest
from generator.output import replacing
from generator.progress import shown, summary


@dataclass(frozen=True, slots=True)
class Session:
    """What is asked of a run: either ``seconds`` or ``count``."""

    out: Path
    seconds: float | None
    count: int | None
    jobs: int
    seed: int

    def run(self, stop: Sized) -> str | None:
        """Search and write, until ``stop`` holds anything; return what went wrong, or None.

        Whatever was found is kept, except after a disagreement, which makes all of it doubtful. Raises
        OSError when the file cannot be written.
        """
        failure = None
        try:
            # The file closes first: what was found is safe before anybody waits for workers.
            with workers.pool(self.jobs) as executor, replacing(self.out) as file:
                harvest = Harvest(lambda record: file.write(record.line), self.count)
                started = time.monotonic()
                failure = self._search(harvest, executor, stop)
                seconds = time.monotonic() - started
                click.echo(f"seed {self.seed}: {summary(harvest, seconds)}", err=True)
        except DisagreementError as error:
            return f"{error}; {self.out} is left as it was"
        if not harvest.kept:
            return f"{failure or 'no puzzle found'}; {self.out} is left as it was"
        return failure and f"{failure}; {self.out} has the {harvest.kept} puzzles found till then"

    def _search(self, harvest: Harvest, executor: Executor, stop: Sized) -> str | None:
        """Fill the harvest; return what ended the search before its time, or None."""
        deadline = float("inf") if self.seconds is None else time.monotonic() + self.seconds
        with shown(self.count, self.seconds) as progress:
            try:
                pipeline.run(
                    harvest,
                    executor,
                    seed=self.seed,
                    workers=self.jobs,
                    is_over=lambda: bool(stop) or time.monotonic() >= deadline,
                    on_progress=progress.show,
                )
            except BrokenProcessPool:
                harvest.add_rest()
                return "interrupted" if stop else "a worker died"
        return "interrupted" if stop else None
