"""Capture series: how one piece jumps on until it can jump no more."""

from collections.abc import Iterator
from typing import NamedTuple

from dama.move import Path
from dama.movegen.gait import Gait, Jump
from dama.rulesets import Ruleset
from dama.squares import bit


class Mover(NamedTuple):
    """The men, or the kings, of the side to move."""

    pieces: int
    gait: Gait
    prey: int
    """The enemies they may take."""
    crowning: int
    """The squares on which they become kings: none for kings."""

    @property
    def are_kings(self) -> bool:
        """Whether they are kings already."""
        return not self.crowning


class Series(NamedTuple):
    """A series, whole or under way: the squares visited, the squares captured in turn, and what is left."""

    path: Path
    captured: Path
    direction: int | None
    """Of the last jump."""
    occupied: int
    prey: int


def whole_series(mover: Mover, origin: int, occupied: int, rules: Ruleset) -> Iterator[Series]:
    """Yield every series from this square, each played on for as long as it goes."""
    # While it moves, the piece's own first square is free.
    start = Series((origin,), (), None, occupied & ~bit(origin), mover.prey)
    return _played_on(start, mover, rules)


def _played_on(series: Series, mover: Mover, rules: Ruleset) -> Iterator[Series]:
    jumps = _next_jumps(series, mover, rules)
    if series.captured and not jumps:
        yield series
    for direction, victim, landing in jumps:
        longer = Series(
            (*series.path, landing),
            (*series.captured, victim),
            direction,
            # Removed at once, a piece clears its square; removed at the end, it stands in the way till then.
            series.occupied & ~bit(victim) if rules.removal_at_once else series.occupied,
            series.prey & ~bit(victim),
        )
        yield from _played_on(longer, mover, rules)


def _next_jumps(series: Series, mover: Mover, rules: Ruleset) -> list[Jump]:
    square = series.path[-1]
    if rules.crowning_ends_series and series.captured and mover.crowning >> square & 1:
        return []
    jumps = mover.gait.jumps(square, series.occupied, series.prey)
    if rules.turning_back or series.direction is None:
        return list(jumps)
    back = mover.gait.opposite[series.direction]
    return [jump for jump in jumps if jump.direction != back]
