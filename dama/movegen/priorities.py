"""Which captures go before others: each priority among the series that the one before it left."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Final, NamedTuple

from dama.movegen.series import Mover, Series
from dama.rulesets import Priority, Ruleset


class Capture(NamedTuple):
    """A whole series, who plays it, and of each captured piece in turn whether it is a king."""

    series: Series
    mover: Mover
    kings: tuple[bool, ...]


def _earliness(capture: Capture) -> float:
    return -capture.kings.index(True) if True in capture.kings else -inf


MERITS: Final[Mapping[Priority, Callable[[Capture], float]]] = {
    "most pieces": lambda capture: len(capture.kings),
    "with a king": lambda capture: capture.mover.are_kings,
    "most kings": lambda capture: sum(capture.kings),
    # Later kings are not compared.
    "king first": _earliness,
}


def preferred(captures: list[Capture], rules: Ruleset) -> list[Capture]:
    """Return the captures that no priority of the ruleset sets aside, in their order."""
    for priority in rules.priorities:
        merits = [MERITS[priority](capture) for capture in captures]
        best = max(merits, default=0)
        captures = [capture for capture, merit in zip(captures, merits, strict=True) if merit == best]
    return captures
