"""`dama-generate`: finds puzzles and writes them to a file, one JSON record a line."""

import os
import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from types import FrameType
from typing import Final

import click

_SEEDS: Final = 2**32
_MOST_JOBS: Final = 256
"""More processes than any machine this is for has cores."""


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
    "--jobs",
    type=click.IntRange(min=1, max=_MOST_JOBS),
    default=1,
    show_default=True,
    help="Processes that search.",
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
    if seconds is not None and not isfinite(seconds):
        raise click.BadParameter(f"{seconds} is no number of seconds", param_hint="--seconds")
    if (seconds is None) == (count is None):
        raise click.UsageError("give either --seconds or --count")
    _check_place(out)
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    try:
        with _stop_requests() as stop:
            # Imported here, so that wrong usage is told at once and an early Ctrl-C finds its handler.
            from generator.session import Session

            failure = Session(out, seconds, count, jobs, seed).run(stop)
    except OSError as error:
        failure = f"{error}; {out} is left as it was"
    if failure:
        click.echo(f"dama-generate: {failure}", err=True)
        sys.exit(1)


def _check_place(out: Path) -> None:
    try:
        if out.exists() and not out.is_file():
            raise click.BadParameter(f"{out} is no regular file", param_hint="--out")
        if not os.access(out.resolve().parent, os.W_OK):
            raise click.BadParameter(f"{out.parent} is no folder that can be written to", param_hint="--out")
    except OSError as error:
        raise click.BadParameter(f"{out}: {error.strerror}", param_hint="--out") from error


@contextmanager
def _stop_requests() -> Iterator[list[int]]:
    """Gather requests to stop (Ctrl-C, SIGTERM) instead of dying of them."""
    requests: list[int] = []

    def request(number: int, _frame: FrameType | None) -> None:
        requests.append(number)

    signals = (signal.SIGINT, signal.SIGTERM)
    previous = [signal.signal(number, request) for number in signals]
    try:
        yield requests
    finally:
        for number, handler in zip(signals, previous, strict=True):
            signal.signal(number, handler)
