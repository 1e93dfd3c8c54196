"""`dama-generate`: finds puzzles and writes them to a file, one JSON record a line."""

import importlib
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import click

from generator import pipeline, workers
from generator.gate import DisagreementError
from generator.harvest import Harvest
from generator.output import replacing
from generator.progress import shown, summary

_SEEDS: Final = 2**32


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File to write, one JSON record a line. It is replaced when the run ends, also by Ctrl-C.",
)
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Search for so many seconds.")
@click.option(
    "--count",
    type=click.IntRange(min=1),
    help="Search until there are so many puzzles, half of them won in two moves, half in three.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that search."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Where chance begins: the same seed and count give the same file. [default: any]",
)
@click.version_option(package_name="dama-daily")
def main(out: Path, seconds: float | None, count: int | None, jobs: int, seed: int | None) -> None:
    """Find puzzles of Turkish draughts, prove each by both implementations of the rules, and write them down.

    Give either --seconds or --count.
    """
    if (seconds is None) == (count is None):
        raise click.UsageError("give either --seconds or --count")
    if out.exists() and not out.is_file():
        raise click.BadParameter(f"{out} is no regular file", param_hint="--out")
    if not os.access(out.resolve().parent, os.W_OK):
        raise click.BadParameter(f"{out.parent} is no folder that can be written to", param_hint="--out")
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    try:
        cut_short = _generate(out, seconds, count, jobs, seed)
    except (DisagreementError, OSError) as error:
        click.echo(f"dama-generate: {error}; {out} is left as it was", err=True)
        sys.exit(1)
    if cut_short:
        click.echo(f"dama-generate: {cut_short}", err=True)
        sys.exit(1)


def _generate(out: Path, seconds: float | None, count: int | None, jobs: int, seed: int) -> str | None:
    """Search and write; return why the run ended before its time, or None when it did not."""
    cut_short = None
    with replacing(out) as file, _stop_requests() as stop:
        harvest = Harvest(lambda record: file.write(record.line), count)
        # Compiled here, once, if it is not in its cache: the workers then load it.
        importlib.import_module("dama.kernel")
        started = time.monotonic()
        deadline = float("inf") if seconds is None else started + seconds
        with workers.pool(jobs) as executor, shown(count, seconds) as progress:
            try:
                pipeline.run(
                    harvest,
                    executor,
                    seed=seed,
                    workers=jobs,
                    is_over=lambda: bool(stop) or time.monotonic() >= deadline,
                    on_progress=progress.show,
                )
            except BrokenProcessPool:
                cut_short = "a worker died"
        click.echo(f"seed {seed}: {summary(harvest, time.monotonic() - started)}", err=True)
        if stop:
            cut_short = "interrupted"
        if not file.lines:
            return f"{cut_short or 'no puzzle found'}; {out} is left as it was"
        return cut_short and f"{cut_short}; {out} has the {file.lines} puzzles found till then"


@contextmanager
def _stop_requests() -> Iterator[list[int]]:
    """Gather requests to stop (Ctrl-C, SIGTERM) instead of dying of the first; the second one aborts."""
    requests: list[int] = []

    def request(number: int, _frame: FrameType | None) -> None:
        if requests:
            raise KeyboardInterrupt
        requests.append(number)

    signals = (signal.SIGINT, signal.SIGTERM)
    previous = [signal.signal(number, request) for number in signals]
    try:
        yield requests
    finally:
        for number, handler in zip(signals, previous, strict=True):
            signal.signal(number, handler)
