"""Measures the generator's throughput by the number of worker processes, in turns, and prints the ratios.

    python bench/generate_workers.py [--jobs 1 2] [--rounds 3] [--seconds 20]

Each run searches for the same time with the same seed and the default mix, through the same pipeline as
`dama-generate`. Chunks, each about half a second of work, depend less on luck than puzzles do.
"""

import argparse
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path

from dama import workers
from generator.chunk import ChunkResult
from generator.harvest import Harvest
from generator.mix import DEFAULT
from generator.novelty import Known
from generator.output import replacing
from generator.pipeline import run


def measured(out: Path, jobs: int, seconds: float, seed: int) -> tuple[float, float]:
    """Return chunks and puzzles a minute, from the first result on: workers take a while to start."""
    began: list[float] = []
    chunks: list[int] = []
    with replacing(out) as file:
        harvest = Harvest(lambda record: file.write(record.line), Known())

        def is_over() -> bool:
            return bool(began) and time.monotonic() - began[0] >= seconds

        def bring_in(result: ChunkResult) -> None:
            if not began:
                began.append(time.monotonic())
            elif not is_over():
                chunks.append(1)
            harvest.add(result)

        run(
            bring_in,
            partial(workers.hire, jobs),
            seed=seed,
            mix=DEFAULT,
            workers=jobs,
            done=(),
            is_over=is_over,
        )
        minutes = (time.monotonic() - began[0]) / 60
        harvest.add_rest()
    return 60 * len(chunks) / seconds, harvest.kept / minutes


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rates: dict[int, list[tuple[float, float]]] = {jobs: [] for jobs in options.jobs}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            for jobs in options.jobs:
                rate = measured(Path(folder) / "out.jsonl", jobs, options.seconds, options.seed + number)
                rates[jobs].append(rate)
    first = options.jobs[0]
    for jobs, found in rates.items():
        chunks, puzzles = (statistics.median(values) for values in zip(*found, strict=True))
        ratios = [rate[0] / base[0] for rate, base in zip(found, rates[first], strict=True)]
        print(
            f"{jobs} workers: {chunks:.0f} chunks and {puzzles:.0f} puzzles a minute,"
            f" {statistics.median(ratios):.2f} times the chunks of {first}"
        )


if __name__ == "__main__":
    main()
