"""Measures the generator on one core: puzzles accepted a minute, what each source yields, and why others go.

    python bench/generate.py [--seconds 60] [--seed 1] [--each]

It searches chunk after chunk as `dama-generate --jobs 1` does. Yields are by a source's own processor time,
which leaves out what a busy machine does meanwhile. With --each every source has a run of its own: none is
refused what another has found before, and its refusals and themes are its own.
"""

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import count

from generator.chunk import search_chunk
from generator.harvest import Harvest
from generator.mix import DEFAULT, Mix
from generator.novelty import Known
from generator.progress import summary
from generator.record import Record
from generator.themes import RARE


@dataclass
class Haul:
    """What the records kept say together."""

    size: int = 0
    scores: list[float] = field(default_factory=list)
    themes: Counter[str] = field(default_factory=Counter)

    def keep(self, record: Record) -> None:
        fields = json.loads(record.line)
        self.size += len(record.line) + 1
        self.scores.append(fields["score"])
        self.themes.update(fields["themes"])

    def told(self) -> str:
        kept = max(1, len(self.scores))
        rare = ", ".join(f"{name} {self.themes[name]}" for name in sorted(RARE) if self.themes[name])
        return (
            f"{self.size / kept:,.0f} bytes each, score {sum(self.scores) / kept:.2f} on average;"
            f" rare themes: {rare or 'none'}"
        )


def measure(mix: Mix, seed: int, seconds: float) -> None:
    """Search for so long and print what it brought."""
    haul = Haul()
    harvest = Harvest(haul.keep, Known())
    started, longest = time.perf_counter(), 0.0
    for number in count():
        if time.perf_counter() - started >= seconds:
            break
        result = search_chunk(seed, number, mix)
        longest = max(longest, result.seconds)
        harvest.add(result)
    busy = sum(harvest.seconds.values())
    print(summary(harvest, time.perf_counter() - started))
    print(f"  {60 * harvest.kept / busy:.0f} puzzles a processor minute, {haul.told()}")
    print(f"  a chunk takes {busy / number:.2f} s on average, {longest:.2f} s at most\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="of each run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", action="store_true", help="measure every source alone")
    options = parser.parse_args()
    search_chunk(options.seed, 0)  # so that nobody pays for loading the compiled code
    for mix in [(share,) for share in DEFAULT] if options.each else [DEFAULT]:
        measure(mix, options.seed, options.seconds)


if __name__ == "__main__":
    main()
