"""A run of the program: search until it is time, enough or stopped, and keep what was found."""

import secrets
import time
import zlib
from collections.abc import Callable, Sized
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

import click

from generator import pipeline
from generator.chunk import ChunkResult
from generator.gate import DisagreementError
from generator.harvest import Harvest
from generator.journal import Journal, JournalError, Past, RunKey, opened
from generator.mix import Mix
from generator.novelty import Known
from generator.output import replacing, sweep
from generator.progress import shown, summary
from generator.sources.positions import Positions

_SEEDS: Final = 2**32


@dataclass(frozen=True, slots=True)
class Session:
    """What is asked of a run: either ``seconds`` or ``count``."""

    out: Path
    seconds: float | None
    count: int | None
    jobs: int
    seed: int | None
    """None for any."""
    mix: Mix
    known: Known
    hire: Callable[[], Executor]

    def run(self, stop: Sized, *, resume: bool) -> str | None:
        """Search and write, until ``stop`` holds anything; return what went wrong, or None.

        With ``resume`` it goes on with a run that was cut short, if there was one. Whatever was found is
        kept, except after a disagreement, which makes all of it doubtful. Raises OSError when a file cannot
        be written.
        """
        failure = None
        with opened(self.out) as journal:
            sweep(self.out)
            try:
                past = self._past(journal, resume=resume)
                # The file closes first: what was found is safe before anybody waits for workers.
                with replacing(self.out) as file:
                    harvest = Harvest(lambda record: file.write(record.line), self.known, self.count)
                    failure = self._search(harvest, journal, past, stop)
            except (DisagreementError, JournalError) as error:
                return f"{error}; {self.out} is left as it was"
            if failure is None:
                journal.remove()
        return self._verdict(failure, harvest.kept)

    def _past(self, journal: Journal, *, resume: bool) -> Past:
        """Return what the run has brought before; raises JournalError when that was another run."""
        past = journal.past() if resume else None
        if past is None:
            key = RunKey(secrets.randbelow(_SEEDS) if self.seed is None else self.seed, _told(self.mix))
            journal.begin(key)
            return Past(key)
        wanted = RunKey(past.key.seed if self.seed is None else self.seed, _told(self.mix))
        for name, was, now in zip(wanted.__slots__, astuple(past.key), astuple(wanted), strict=True):
            if was != now:
                raise JournalError(f"{journal.path} is of another run: its {name} is {was}, not {now}")
        return past

    def _search(self, harvest: Harvest, journal: Journal, past: Past, stop: Sized) -> str | None:
        """Fill the harvest and tell about it; return what ended the search before its time, or None."""
        started = time.monotonic() - past.seconds
        deadline = float("inf") if self.seconds is None else started + self.seconds
        for result in past.results:
            harvest.add(result)

        def bring_in(result: ChunkResult) -> None:
            journal.add(result, time.monotonic() - started)
            harvest.add(result)

        failure = None
        with shown(self.count, self.seconds, past.seconds) as progress:

            def is_over() -> bool:
                progress.show(harvest)
                return harvest.is_full or bool(stop) or time.monotonic() >= deadline

            try:
                pipeline.run(
                    bring_in,
                    self.hire,
                    seed=past.key.seed,
                    mix=self.mix,
                    workers=self.jobs,
                    done={result.number for result in past.results},
                    is_over=is_over,
                )
            except BrokenExecutor:
                failure = "workers die again and again"
            harvest.add_rest()
            progress.show(harvest)
        click.echo(f"seed {past.key.seed}: {summary(harvest, time.monotonic() - started)}", err=True)
        if stop and not harvest.is_full:
            return "interrupted"
        return failure

    def _verdict(self, failure: str | None, kept: int) -> str | None:
        on = "; --resume goes on" if failure else ""
        if not kept:
            return f"{failure or 'no puzzle found'}; {self.out} is left as it was{on}"
        return failure and f"{failure}; {self.out} has the {kept} puzzles found till then{on}"


def _told(mix: Mix) -> str:
    """Return the mix as text, with a checksum of positions that come from a file."""
    shares = [f"{each.source.name}={each.share:g}" for each in mix]
    for place, each in enumerate(mix):
        if isinstance(each.source, Positions):
            shares[place] += f" [{zlib.crc32(' '.join(each.source.fens).encode()):08x}]"
    return ", ".join(shares)
