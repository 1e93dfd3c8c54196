"""The weekly rhythm: which puzzle of a pool suits a day.

Easy Monday to hard Sunday. A day takes the puzzle that breaks the fewest rules, the more important ones
counting first, so that a thin pool gives an unusual week and never an empty day.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

Solver = Literal["W", "B"]

LENGTHS: Final = ({2}, {2}, {2, 3}, {2, 3}, {3}, {3}, {3})
"""The win-in-N of each weekday, Monday first."""

QUANTILES: Final = (0.15, 0.30, 0.45, 0.60, 0.75, 0.90)
"""Where one weekday's band of difficulty ends and the next begins, as shares of the pool."""

FLAVOURS: Final[tuple[frozenset[str], ...]] = (
    frozenset({"sacrifice"}),
    frozenset({"multi-sacrifice", "promotion"}),
    frozenset({"majority"}),
    frozenset({"self-play"}),
    frozenset({"sweep", "men only"}),
    frozenset({"blockade", "king hunt", "quiet key"}),
    frozenset({"180° trap", "zugzwang", "branching"}),
)
"""Themes or sources that each weekday prefers, Monday first."""

NATURAL_SOURCES: Final = frozenset({"self-play", "thinned middlegame"})
RARE_THEMES: Final = frozenset({"180° trap", "blockade", "quiet key", "zugzwang"})
THEME_DAYS: Final = 3
"""A leading theme comes once in so many days."""
VARIETY_DAYS: Final = 7
"""One natural position and one rare theme come at least once in so many days."""


@dataclass(frozen=True)
class Offer:
    """A puzzle that may go out, and who solves it as it is stored; the first theme is the leading one."""

    id: str
    moves: int
    difficulty: float
    themes: tuple[str, ...]
    source: str
    solver: Solver


@dataclass(frozen=True)
class Neighbour:
    """What went out, or will go out, on another day."""

    day: date
    themes: tuple[str, ...]
    source: str


def choose(day: date, pool: Sequence[Offer], neighbours: Sequence[Neighbour]) -> Offer | None:
    """Return the puzzle of the pool that suits the day best beside what the days around it bring.

    None for an empty pool. The same arguments give the same puzzle, whatever their order.
    """
    if not pool:
        return None
    best = pool
    for misfit in _misfits(day, pool, neighbours):
        found = [misfit(offer) for offer in best]
        least = min(found)
        best = [offer for offer, one in zip(best, found, strict=True) if one == least]
    return min(best, key=lambda offer: offer.id)


def band_cuts(difficulties: Sequence[float]) -> list[float]:
    """Return the difficulties at which one weekday's band ends and the next begins: quantiles of the pool.

    >>> band_cuts([0.0, 10.0])
    [1.5, 3.0, 4.5, 6.0, 7.5, 9.0]
    """
    ordered = sorted(difficulties)
    return [_quantile(ordered, share) for share in QUANTILES]


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _misfits(
    day: date, pool: Sequence[Offer], neighbours: Sequence[Neighbour]
) -> tuple[Callable[[Offer], int], ...]:
    """Return the rules of a day, the most important first: each says how badly a puzzle breaks it."""
    weekday = day.weekday()
    lengths, flavours = LENGTHS[weekday], FLAVOURS[weekday]
    cuts = band_cuts([offer.difficulty for offer in pool])
    leading, owed = _leading_themes(day, neighbours), _owed(day, neighbours)
    return (
        lambda offer: offer.moves not in lengths,
        lambda offer: bool(offer.themes) and offer.themes[0] in leading,
        lambda offer: _left_owing(offer, owed),
        lambda offer: abs(bisect_right(cuts, offer.difficulty) - weekday),
        lambda offer: offer.source not in flavours and flavours.isdisjoint(offer.themes),
    )


def _leading_themes(day: date, neighbours: Sequence[Neighbour]) -> frozenset[str]:
    """Return the leading themes of the days that are too near to repeat them."""
    near = timedelta(days=THEME_DAYS)
    return frozenset(
        one.themes[0] for one in neighbours if one.themes and one.day != day and abs(one.day - day) < near
    )


def _owed(day: date, neighbours: Sequence[Neighbour]) -> frozenset[tuple[bool, bool]]:
    """Return what each week that this day completes still lacks: a natural position, a rare theme."""
    around = {one.day: one for one in neighbours if one.day != day}
    owed = set()
    for first in range(-VARIETY_DAYS + 1, 1):
        days = [day + timedelta(days=first + offset) for offset in range(VARIETY_DAYS)]
        week = [around[other] for other in days if other in around]
        if len(week) == VARIETY_DAYS - 1:
            owed.add(
                (
                    not any(one.source in NATURAL_SOURCES for one in week),
                    not any(RARE_THEMES.intersection(one.themes) for one in week),
                )
            )
    return frozenset(owed)


def _left_owing(offer: Offer, owed: frozenset[tuple[bool, bool]]) -> int:
    """Return how many of a week's two obligations would be broken by this puzzle, in the worst week."""
    if not owed:
        return 0
    artificial, common = offer.source not in NATURAL_SOURCES, RARE_THEMES.isdisjoint(offer.themes)
    return max((natural and artificial) + (rare and common) for natural, rare in owed)
