"""The weekly rhythm: which puzzle of a pool suits a day.

Easy Monday to hard Sunday. A day takes the puzzle that breaks the fewest rules, the more important ones
counting first, so that a thin pool gives an unusual week and never an empty day.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

Solver = Literal["W", "B"]
Rule = Literal["length", "band", "theme", "natural", "rare"]

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
RARE_THEMES: Final = frozenset({"180° trap", "blockade", "quiet key", "zugzwang", "last-row pass"})
THEME_DAYS: Final = 3
"""A leading theme comes once in so many days."""
VARIETY_DAYS: Final = 7
"""One natural position and one rare theme come at least once in so many days."""


@dataclass(frozen=True)
class Offer:
    """A puzzle that may go out, and who solves it as it is stored; the first theme is the leading one.

    ``score`` says how much it promises, and decides between puzzles that suit a day equally well.
    """

    id: str
    moves: int
    difficulty: float
    themes: tuple[str, ...]
    source: str
    solver: Solver
    score: float = 0.0


@dataclass(frozen=True)
class Neighbour:
    """What went out, or will go out, on another day."""

    day: date
    themes: tuple[str, ...]
    source: str

    @property
    def leading(self) -> str | None:
        """The leading theme; None for a puzzle without any."""
        return self.themes[0] if self.themes else None

    @property
    def natural(self) -> bool:
        """Whether the position looks like one of a game."""
        return self.source in NATURAL_SOURCES

    @property
    def rare(self) -> bool:
        """Whether it has a rare theme."""
        return not RARE_THEMES.isdisjoint(self.themes)


@dataclass(frozen=True)
class Bands:
    """The weekdays' bands of difficulty: where each but the last one ends and the next begins."""

    cuts: tuple[float, ...]

    @classmethod
    def of(cls, difficulties: Sequence[float]) -> "Bands":
        """Return the bands of a pool of puzzles, which are quantiles of their difficulties.

        >>> Bands.of([0.0, 10.0]).cuts
        (1.5, 3.0, 4.5, 6.0, 7.5, 9.0)
        """
        ordered = sorted(difficulties)
        return cls(tuple(_quantile(ordered, share) for share in QUANTILES))

    def weekday(self, difficulty: float) -> int:
        """Return the weekday whose band holds a difficulty, Monday being 0."""
        return bisect_right(self.cuts, difficulty)

    def distance(self, difficulty: float, weekday: int) -> float:
        """Return how far a difficulty is outside of a weekday's band, 0 inside."""
        if weekday < len(self.cuts) and difficulty >= self.cuts[weekday]:
            return difficulty - self.cuts[weekday]
        if weekday > 0 and difficulty < self.cuts[weekday - 1]:
            return self.cuts[weekday - 1] - difficulty
        return 0.0


def choose(day: date, pool: Sequence[Offer], neighbours: Sequence[Neighbour], bands: Bands) -> Offer:
    """Return the puzzle of a pool that suits the day best beside what the days around it bring.

    The pool holds one at least. The same arguments give the same puzzle, whatever their order.
    """
    best = pool
    for misfit in _misfits(day, neighbours, bands):
        found = [misfit(offer) for offer in best]
        least = min(found)
        best = [offer for offer, one in zip(best, found, strict=True) if one == least]
    return min(best, key=lambda offer: (-offer.score, offer.id))


def broken(
    filled: Mapping[date, Offer], neighbours: Sequence[Neighbour], bands: Bands
) -> dict[date, tuple[Rule, ...]]:
    """Return the rules that puzzles break on the days that they fill, in the days' order.

    A week without a natural position or a rare theme is told of its last day, which need not be one of them;
    days of which nothing is known break no rule.
    """
    around = {one.day: one for one in neighbours}
    around |= {day: neighbour(day, offer) for day, offer in filled.items()}
    ends = {day + timedelta(days=n) for day in filled for n in range(VARIETY_DAYS)}
    found = {}
    for day in sorted(ends.intersection(around)):
        rules = [*_broken_on(day, filled[day], around, bands)] if day in filled else []
        week = [around[other] for other in _days(day, -VARIETY_DAYS + 1, 1) if other in around]
        if len(week) == VARIETY_DAYS:
            rules += ["natural"] if not any(one.natural for one in week) else []
            rules += ["rare"] if not any(one.rare for one in week) else []
        if rules:
            found[day] = tuple(rules)
    return found


def neighbour(day: date, offer: Offer) -> Neighbour:
    """Return what a puzzle means for the days around the one on which it goes out."""
    return Neighbour(day, offer.themes, offer.source)


def has_flavour(offer: Offer, weekday: int) -> bool:
    """Tell whether a puzzle has a theme, or comes from a source, that a weekday prefers."""
    return offer.source in FLAVOURS[weekday] or not FLAVOURS[weekday].isdisjoint(offer.themes)


def _broken_on(day: date, offer: Offer, around: Mapping[date, Neighbour], bands: Bands) -> Iterator[Rule]:
    if offer.moves not in LENGTHS[day.weekday()]:
        yield "length"
    if bands.weekday(offer.difficulty) != day.weekday():
        yield "band"
    if offer.themes and offer.themes[0] in _leading_themes(day, around):
        yield "theme"


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _misfits(day: date, neighbours: Sequence[Neighbour], bands: Bands) -> tuple[Callable[[Offer], int], ...]:
    """Return the rules of a day, the most important first: each says how badly a puzzle breaks it."""
    weekday = day.weekday()
    around = {one.day: one for one in neighbours}
    leading, owed = _leading_themes(day, around), _owed(day, around)
    return (
        lambda offer: offer.moves not in LENGTHS[weekday],
        lambda offer: bool(offer.themes) and offer.themes[0] in leading,
        lambda offer: _left_owing(neighbour(day, offer), owed),
        lambda offer: abs(bands.weekday(offer.difficulty) - weekday),
        lambda offer: not has_flavour(offer, weekday),
    )


def _days(day: date, first: int, end: int) -> list[date]:
    """Return the days from so many after a day on, before it when negative, up to the one before ``end``."""
    return [day + timedelta(days=n) for n in range(first, end)]


def _leading_themes(day: date, around: Mapping[date, Neighbour]) -> frozenset[str]:
    """Return the leading themes of the days that are too near to repeat them."""
    near = [other for other in _days(day, -THEME_DAYS + 1, THEME_DAYS) if other in around and other != day]
    return frozenset(leading for other in near if (leading := around[other].leading) is not None)


def _owed(day: date, around: Mapping[date, Neighbour]) -> frozenset[tuple[bool, bool]]:
    """Return what each week that this day completes still lacks: a natural position, a rare theme."""
    owed = set()
    for first in range(-VARIETY_DAYS + 1, 1):
        days = [other for other in _days(day, first, first + VARIETY_DAYS) if other != day]
        week = [around[other] for other in days if other in around]
        if len(week) == VARIETY_DAYS - 1:
            owed.add((not any(one.natural for one in week), not any(one.rare for one in week)))
    return frozenset(owed - {(False, False)})


def _left_owing(one: Neighbour, owed: frozenset[tuple[bool, bool]]) -> int:
    """Return how many of a week's two obligations would be broken by this puzzle, in the worst week."""
    if not owed:
        return 0
    return max((natural and not one.natural) + (rare and not one.rare) for natural, rare in owed)
