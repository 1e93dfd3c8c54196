"""The weekly rhythm: which puzzle of a pool suits a day, and which colour solves it.

Easy Monday to hard Sunday. A day takes the puzzle that breaks the fewest rules, the more important ones
counting first, so that a thin pool gives an unusual week and never an empty day.
"""

from bisect import bisect_right
from collections.abc import Sequence
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
    """A puzzle that may go out; the first of its themes is the leading one."""

    id: str
    moves: int
    difficulty: float
    themes: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Shown:
    """A puzzle that went out, and the colour that solved it."""

    day: date
    themes: tuple[str, ...]
    source: str
    solver: Solver


def choose(day: date, pool: Sequence[Offer], recent: Sequence[Shown]) -> Offer | None:
    """Return the puzzle of the pool that suits the day best after what went out; None for an empty pool.

    The same arguments give the same puzzle, whatever their order.
    """
    if not pool:
        return None
    cuts = band_cuts([offer.difficulty for offer in pool])
    return min(pool, key=lambda offer: (*_misfit(day, offer, cuts, recent), offer.id))


def band_cuts(difficulties: Sequence[float]) -> list[float]:
    """Return the difficulties at which one weekday's band ends and the next begins: quantiles of the pool.

    >>> band_cuts([0.0, 10.0])
    [1.5, 3.0, 4.5, 6.0, 7.5, 9.0]
    """
    ordered = sorted(difficulties)
    return [_quantile(ordered, share) for share in QUANTILES]


def must_swap(solver: Solver, recent: Sequence[Shown]) -> bool:
    """Tell whether a puzzle goes out with colours swapped, so that the solver's colour alternates."""
    last = max(recent, key=lambda shown: shown.day, default=None)
    return last is not None and last.solver == solver


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _misfit(
    day: date, offer: Offer, cuts: Sequence[float], recent: Sequence[Shown]
) -> tuple[bool, bool, int, int, bool]:
    weekday = day.weekday()
    band = bisect_right(cuts, offer.difficulty)
    return (
        offer.moves not in LENGTHS[weekday],
        _repeats_theme(day, offer, recent),
        _lacking(day, offer, recent),
        abs(band - weekday),
        FLAVOURS[weekday].isdisjoint({*offer.themes, offer.source}),
    )


def _repeats_theme(day: date, offer: Offer, recent: Sequence[Shown]) -> bool:
    since = day - timedelta(days=THEME_DAYS - 1)
    leading = {shown.themes[0] for shown in recent if shown.themes and since <= shown.day < day}
    return bool(offer.themes) and offer.themes[0] in leading


def _lacking(day: date, offer: Offer, recent: Sequence[Shown]) -> int:
    """Return how many of the week's two obligations would be broken by this puzzle."""
    since = day - timedelta(days=VARIETY_DAYS - 1)
    week = [shown for shown in recent if since <= shown.day < day]
    if len(week) < VARIETY_DAYS - 1:
        return 0
    natural = {shown.source for shown in week} | {offer.source}
    rare = {theme for shown in week for theme in shown.themes} | set(offer.themes)
    return int(natural.isdisjoint(NATURAL_SOURCES)) + int(rare.isdisjoint(RARE_THEMES))
