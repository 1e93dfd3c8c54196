"""What a run shows of itself: a bar with candidates, puzzles and refusals, and a summary at the end."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from generator.harvest import Harvest

_REFRESH = 0.5
_REFRESH_IN_A_LOG = 10.0
"""Seconds between two states of the bar, on a terminal and elsewhere."""


class Progress:
    """A bar on the error stream: puzzles towards a count, or seconds towards a time."""

    def __init__(self, count: int | None, seconds: float | None, past: float) -> None:
        self._started = time.monotonic() - past
        self._seconds = seconds
        unit = "puzzle" if seconds is None else "s"
        is_terminal = sys.stderr.isatty()
        self._bar = tqdm(
            total=count if seconds is None else seconds,
            unit=unit,
            mininterval=_REFRESH if is_terminal else _REFRESH_IN_A_LOG,
            dynamic_ncols=True,
            bar_format="{percentage:3.0f}%|{bar:12}| {elapsed} {desc}",
        )

    def show(self, harvest: Harvest) -> None:
        """Bring the bar up to date."""
        self._bar.set_description_str(one_line(harvest), refresh=False)
        now = harvest.kept if self._seconds is None else time.monotonic() - self._started
        total = self._bar.total or 0
        self._bar.update(min(now, total) - self._bar.n)

    def close(self) -> None:
        """Leave the bar as it stands."""
        self._bar.refresh()
        self._bar.close()


@contextmanager
def shown(count: int | None, seconds: float | None, past: float = 0.0) -> Iterator[Progress]:
    """Show a bar while the block runs, of a run that has taken ``past`` seconds already."""
    progress = Progress(count, seconds, past)
    try:
        yield progress
    finally:
        progress.close()


def one_line(harvest: Harvest) -> str:
    """Return candidates, puzzles and refusals by reason in one line, the most frequent first."""
    reasons = ", ".join(f"{reason} {number:,}" for reason, number in harvest.refused.most_common())
    return (
        f"{harvest.candidates.total():,} candidates, {harvest.kept:,} accepted | {reasons or 'none refused'}"
    )


def summary(harvest: Harvest, seconds: float) -> str:
    """Return what a run brought: puzzles a minute, each source's share and yield, refusals by reason.

    A source's share is of the processor time, and its yield for a minute of its own.
    """
    kept, candidates = harvest.kept, harvest.candidates.total()
    a_minute = 60 * kept / seconds
    lines = [f"{kept:,} puzzles of {candidates:,} candidates in {seconds:.1f} s ({a_minute:,.0f} a minute)"]
    width = max(map(len, (*harvest.candidates, *harvest.refused, "source")))
    yields = "two / three a minute"
    lines.append(
        f"  {'source':{width}} {'candidates':>11} {'in two':>8} {'in three':>8} {'time':>6} {yields:>21}"
    )
    busy = sum(harvest.seconds.values())
    for source, candidates in sorted(harvest.candidates.items()):
        in_two, in_three = harvest.accepted[source, 2], harvest.accepted[source, 3]
        minutes = harvest.seconds[source] / 60
        yields = f"{in_two / minutes:,.0f} / {in_three / minutes:,.0f}" if minutes else ""
        share = 60 * minutes / busy if busy else 0
        lines.append(
            f"  {source:{width}} {candidates:11,} {in_two:8,} {in_three:8,} {share:6.0%} {yields:>21}"
        )
    lines.append(f"  {'refused':{width}}")
    lines.extend(f"  {reason:{width}} {number:11,}" for reason, number in harvest.refused.most_common())
    return "\n".join(lines)
