"""Measures the generator on one core: puzzles accepted a minute, what each source yields, and why others go.

    python bench/generate.py [--seconds 60] [--seed 1]

It searches chunk after chunk as `dama-generate --jobs 1` does, and takes the time of each chunk, so that the
yield of a source is by its own minutes. Processor time leaves out what a busy machine does meanwhile.
"""

import argparse
import time
from collections import Counter
from itertools import count

from generator.chunk import search_chunk
from generator.harvest import Harvest
from generator.progress import summary
from generator.record import Record


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    size = 0

    def keep(record: Record) -> None:
        nonlocal size
        size += len(record.line) + 1

    harvest = Harvest(keep)
    busy: Counter[str] = Counter()
    started, processor_started = time.perf_counter(), time.process_time()
    for number in count():
        if time.perf_counter() - started >= options.seconds:
            break
        before = time.process_time_ns()
        result = search_chunk(options.seed, number)
        busy[result.source] += time.process_time_ns() - before
        harvest.add(result)
    seconds, processor = time.perf_counter() - started, time.process_time() - processor_started
    print(summary(harvest, seconds))
    print(
        f"{60 * harvest.kept / processor:.0f} puzzles a processor minute,"
        f" {size / max(1, harvest.kept):.0f} bytes each"
    )
    for source, nanoseconds in busy.most_common():
        minutes = nanoseconds / 60e9
        in_two, in_three = (harvest.accepted[source, moves] / minutes for moves in (2, 3))
        print(
            f"  {source}: {100 * nanoseconds / busy.total():.0f} % of the time,"
            f" {in_two:.0f} in two and {in_three:.0f} in three a processor minute"
        )


if __name__ == "__main__":
    main()
