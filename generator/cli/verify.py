"""`dama-generate verify`: puzzles found out again by the plain rules, and kernel and plain rules compared."""

import secrets
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, TypeVar

import click
from tqdm import tqdm

from generator.cli.endings import fail
from generator.cli.generate import count_type, jobs_option, seed_type

if TYPE_CHECKING:
    from generator.pool import Entry

_BATCH: Final = 20
"""Random positions handed to a worker at a time."""
_SEEDS: Final = 2**32

Task = TypeVar("Task")


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--sample", type=count_type, help="Take so many puzzles by chance instead of all.")
@click.option("--faults", is_flag=True, help="Put faults into every proof, too, and see that all are found.")
@click.option(
    "--random",
    "positions",
    type=count_type,
    help="Compare kernel and plain rules on so many random positions, half of them won.",
)
@jobs_option
@click.option("--seed", type=seed_type, help="Where chance begins. [default: any]")
def verify(
    files: tuple[Path, ...],
    sample: int | None,
    faults: bool,
    positions: int | None,
    jobs: int,
    seed: int | None,
) -> None:
    """Find out again all that the records in FILES say, by the plain rules and by the kernel.

    Every puzzle must pass every filter by both, and every word of its record must be found again. Exit code 1
    with the position at the first difference.
    """
    if not files and positions is None:
        raise click.UsageError("give FILES of puzzles, or --random")
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    if files:
        entries = _entries(files, sample, seed)
        found = _summed(_verified_with_faults if faults else _verified, entries, jobs, len(entries))
        click.echo(f"{len(entries):,} puzzles are as their records say, by the plain rules and by the kernel")
        if faults:
            click.echo(f"{found:,} faults put into their proofs, all found")
    if positions is not None:
        batches = [(seed, number, size) for number, size in enumerate(_sizes(positions))]
        found = _summed(_compared, batches, jobs, len(batches))
        click.echo(f"{positions:,} random positions, {found:,} of them won: kernel and plain rules agree")
        click.echo(f"seed {seed}")


def _entries(files: tuple[Path, ...], sample: int | None, seed: int) -> list["Entry"]:
    from generator.pool import PoolError, read_pools

    try:
        entries = list(read_pools(files))
    except (OSError, PoolError) as error:
        fail(str(error))
    if sample is None:
        return entries
    return Random(seed).sample(entries, min(sample, len(entries)))


def _sizes(count: int) -> Iterator[int]:
    while count > 0:
        yield min(count, _BATCH)
        count -= _BATCH


def _summed(work: Callable[[Task], int], tasks: Iterable[Task], jobs: int, total: int) -> int:
    """Return the sum of what the work brings, done by so many processes; exit with what it raises first."""
    from dama import workers
    from generator.verify import VerificationError

    tasks, pending, found = iter(tasks), set[Future[int]](), 0
    bar = tqdm(total=total, unit="", dynamic_ncols=True, mininterval=0.5)
    try:
        with workers.crew(jobs) as crew, bar:
            while True:
                pending |= {crew.submit(work, task) for task in islice(tasks, 2 * jobs - len(pending))}
                if not pending:
                    return found
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                found += sum(future.result() for future in done)
                bar.update(len(done))
    except VerificationError as error:
        fail(str(error))
    except BrokenExecutor:
        fail("a worker died")


def _verified(entry: "Entry") -> int:
    from generator.verify import verify as verify_entry

    verify_entry(entry)
    return 0


def _verified_with_faults(entry: "Entry") -> int:
    from generator.verify import inject_faults

    _verified(entry)
    return inject_faults(entry)


def _compared(batch: tuple[int, int, int]) -> int:
    from generator.verify import compare, random_positions

    return sum(compare(position) is not None for position in random_positions(*batch))
