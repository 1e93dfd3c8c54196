"""The run of `dama-generate` that searches."""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from types import FrameType
from typing import Final

import click

from generator.cli.endings import fail

_MOST_JOBS: Final = 256
"""More processes than any machine this is for has cores."""

_HIGHEST_SEED: Final = 2**63 - 1
"""What every reader of JSON and every database takes for a whole number."""
_MOST_PUZZLES: Final = 1_000_000
"""More than anybody has found."""

count_type = click.IntRange(min=1, max=_MOST_PUZZLES)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1, max=_MOST_JOBS),
    default=1,
    show_default=True,
    help="Processes that do the work.",
)
seed_type = click.IntRange(min=0, max=_HIGHEST_SEED)
seed_option = click.option(
    "--seed",
    type=seed_type,
    help="Where chance begins: the same seed and count give the same file. [default: any]",
)


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options of a run as given."""

    out: Path
    seconds: float | None
    count: int | None
    jobs: int
    seed: int | None
    mix: str | None
    known: tuple[Path, ...]
    positions: Path | None
    resume: bool


def generate(wishes: Wishes) -> None:
    """Search as wished; exit with code 1 and a line on the error stream when that fails."""
    if wishes.seconds is not None and not isfinite(wishes.seconds):
        raise click.BadParameter(f"{wishes.seconds} is no number of seconds", param_hint="--seconds")
    try:
        with _stop_requests() as stop:
            failure = _search(wishes, stop)
    except OSError as error:
        failure = f"{error}; {wishes.out} is left as it was"
    if failure:
        fail(failure)


def _search(wishes: Wishes, stop: list[int]) -> str | None:
    # Imported here, so that wrong usage is told at once and an early Ctrl-C finds its handler.
    from dama import workers
    from generator.mix import DEFAULT, parse, share_of_file
    from generator.novelty import Known
    from generator.pool import PoolError
    from generator.session import Session
    from generator.sources.positions import PositionsError

    try:
        available = DEFAULT if wishes.positions is None else (*DEFAULT, share_of_file(wishes.positions))
        known = Known.read(wishes.known)
    except (PoolError, PositionsError) as error:
        return str(error)
    try:
        mix = available if wishes.mix is None else parse(wishes.mix, available)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--mix") from error
    hire = partial(workers.hire, wishes.jobs)
    session = Session(wishes.out, wishes.seconds, wishes.count, wishes.jobs, wishes.seed, mix, known, hire)
    return session.run(stop, resume=wishes.resume)


def check_place(out: Path, read: Iterable[Path], option: str = "--out") -> None:
    """Raise click.BadParameter unless a file can be written there, and it is none of those that are read."""
    try:
        if out.exists() and any(out.samefile(path) for path in read):
            raise click.BadParameter(f"{out} is read, too; expected another file", param_hint=option)
        if out.exists() and not out.is_file():
            raise click.BadParameter(f"{out} is no regular file", param_hint=option)
        if not os.access(out.resolve().parent, os.W_OK):
            raise click.BadParameter(f"{out.parent} is no folder that can be written to", param_hint=option)
    except OSError as error:
        raise click.BadParameter(f"{out}: {error.strerror}", param_hint=option) from error


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
