"""The draft of a plan: which day has which puzzle, what that breaks, and what an exchange would change."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date, timedelta
from random import Random
from typing import Final, Literal, NamedTuple

from puzzle_service.domain import rhythm
from puzzle_service.domain.rhythm import THEME_DAYS, VARIETY_DAYS, Neighbour, Offer

Shares = Mapping[int, Sequence[Offer]]
"""The puzzles that each weekday may take, the best first: one for each of its days, or more."""


class Traits(NamedTuple):
    """What a puzzle means for the days around its own."""

    leading: str | None
    natural: bool
    rare: bool


class Surroundings(NamedTuple):
    """What the days around one bring: the leading themes near to it, and how many weeks lack something.

    The weeks are those that it is part of, looked at without it.
    """

    leading: tuple[str | None, ...]
    natural: int
    rare: int

    def broken_by(self, traits: Traits) -> int:
        """Return how many rules a puzzle breaks here."""
        clashes = 0 if traits.leading is None else self.leading.count(traits.leading)
        return clashes + (not traits.natural) * self.natural + (not traits.rare) * self.rare


NOTHING: Final = Traits(None, natural=False, rare=False)


class Draft:
    """A plan in the making. Days are numbers here, and ``given`` holds the puzzle of each day to fill.

    ``broken`` counts the pairs of days too near to share their leading theme, and the weeks that lack a
    natural position or a rare theme, as far as they are days to fill or have one among them.
    """

    def __init__(
        self, days: Sequence[date], shares: Shares, neighbours: Sequence[Neighbour], chance: Random
    ) -> None:
        first = days[0] - timedelta(days=VARIETY_DAYS)
        length = (days[-1] - first).days + VARIETY_DAYS + 1
        self._weekdays = [(first + timedelta(days=n)).weekday() for n in range(length)]
        self._shares = shares
        offers = [offer for share in shares.values() for offer in share]
        self._traits = {offer.id: _traits(rhythm.neighbour(days[0], offer)) for offer in offers}
        self._day_of: dict[str, int] = {}
        self._brings = [NOTHING] * length
        known = {(one.day - first).days: one for one in neighbours}
        for day, one in known.items():
            if 0 <= day < length:
                self._brings[day] = _traits(one)
        self.given = self._first_draft([(day - first).days for day in days], chance)
        all_known = known.keys() | self.given.keys()
        weeks = [range(start, start + VARIETY_DAYS) for start in range(length - VARIETY_DAYS + 1)]
        self._whole = [
            all_known.issuperset(week) and not self.given.keys().isdisjoint(week) for week in weeks
        ]
        self._naturals = [sum(self._brings[day].natural for day in week) for week in weeks]
        self._rares = [sum(self._brings[day].rare for day in week) for week in weeks]
        self._surroundings: dict[int, Surroundings] = {}
        self.broken = self._count_broken()

    def _first_draft(self, days: Sequence[int], chance: Random) -> dict[int, Offer]:
        """Give each day one of the best puzzles of its weekday, what every week owes spread over the days."""
        rare = self._spread(days, "rare", frozenset(), chance)
        natural = self._spread(days, "natural", rare, chance)
        given = {}
        for weekday, share in self._shares.items():
            left = list(share)
            its_days = [day for day in days if self._weekdays[day] == weekday]
            chance.shuffle(its_days)
            # The days that a week depends on come first.
            its_days.sort(key=lambda day: (day not in rare) + (day not in natural))
            for day in its_days:
                wanted = day in natural, day in rare
                offer = min(left, key=lambda offer: self._unlike(offer, wanted))
                left.remove(offer)
                given[day] = offer
        for day, offer in given.items():
            self._day_of[offer.id] = day
            self._brings[day] = self._traits[offer.id]
        return dict(sorted(given.items()))

    def _unlike(self, offer: Offer, wanted: tuple[bool, bool]) -> tuple[int, int]:
        """Return how much of what a day should bring a puzzle lacks, and how much it would waste there."""
        traits = self._traits[offer.id]
        pairs = list(zip(wanted, (traits.natural, traits.rare), strict=True))
        lacks, wastes = pairs.count((True, False)), pairs.count((False, True))
        return lacks, wastes if any(wanted) else 0

    def _spread(
        self, days: Sequence[int], trait: Literal["natural", "rare"], taken: Set[int], chance: Random
    ) -> set[int]:
        """Return which days are to have a trait so that no week lacks it, if there is enough of it."""
        supply = Counter(
            weekday
            for weekday, share in self._shares.items()
            for offer in share
            if getattr(self._traits[offer.id], trait)
        )
        there = {day for day, brings in enumerate(self._brings) if getattr(brings, trait)}
        free, spread = set(days) - taken, set[int]()
        last = days[0] - 1
        while last + VARIETY_DAYS <= days[-1]:
            week = range(last + VARIETY_DAYS, last, -1)
            have = next((day for day in week if day in there), None)
            if have is None:
                fit = [day for day in week if day in free and supply[self._weekdays[day]]]
                if not fit:
                    last += 1
                    continue
                # As far apart as may be, unless there is enough for some to come earlier. Going over to
                # another weekday costs a day, and each of the seven may run out once.
                needed = (days[-1] - fit[0]) // VARIETY_DAYS + VARIETY_DAYS
                have = chance.choice(fit) if supply.total() > needed else fit[0]
                spread.add(have)
                supply[self._weekdays[have]] -= 1
            last = have
        return spread

    def _count_broken(self) -> int:
        found = 0
        for day in self.given:
            leading = self._brings[day].leading
            near = [other for other in _near(day) if other > day or other not in self.given]
            found += sum(leading is not None and self._brings[other].leading == leading for other in near)
        for lacks in (self._naturals, self._rares):
            found += sum(whole and not count for whole, count in zip(self._whole, lacks, strict=True))
        return found

    def in_trouble(self, after: int) -> int | None:
        """Return the first day to fill from one on, in a circle, that has a part in what is broken."""
        days = [*self.given]
        start = after % len(days)
        for day in (*days[start:], *days[:start]):
            if self._around(day).broken_by(self._brings[day]):
                return day
        return None

    def exchanges(self, day: int) -> Iterator[tuple[int, Offer]]:
        """Yield what a day may take instead, and how many rules more would be broken by that."""
        here, mine = self._around(day), self._brings[day]
        now = here.broken_by(mine)
        for offer in self._shares[self._weekdays[day]]:
            other = self._day_of.get(offer.id)
            if other == day:
                continue
            theirs = self._traits[offer.id]
            change = here.broken_by(theirs) - now
            if other is not None:
                # They are a week or more apart, so neither is among what surrounds the other.
                there = self._around(other)
                change += there.broken_by(mine) - there.broken_by(theirs)
            yield change, offer

    def exchange(self, day: int, offer: Offer) -> None:
        """Let a day take a puzzle; the day that has it now takes this one's."""
        mine, other = self.given[day], self._day_of.get(offer.id)
        del self._day_of[mine.id]
        if other is not None:
            self._put(other, mine)
        self._put(day, offer)

    def take_better(self) -> None:
        """Let days take what is left over where that has more flavour or score and breaks nothing more."""
        ranks = {offer.id: rank for share in self._shares.values() for rank, offer in enumerate(share)}
        for day, mine in list(self.given.items()):
            # The best come first.
            for change, offer in self.exchanges(day):
                if ranks[offer.id] >= ranks[mine.id]:
                    break
                if change <= 0 and offer.id not in self._day_of:
                    self.exchange(day, offer)
                    break

    def take_back(self, given: Mapping[int, Offer]) -> None:
        """Give the days again what they had."""
        self._day_of = {}
        for day, offer in given.items():
            self._put(day, offer)

    def _put(self, day: int, offer: Offer) -> None:
        before, traits = self._brings[day], self._traits[offer.id]
        around = self._around(day)
        self.broken += around.broken_by(traits) - around.broken_by(before)
        self.given[day], self._day_of[offer.id], self._brings[day] = offer, day, traits
        for start in range(day - VARIETY_DAYS + 1, day + 1):
            self._naturals[start] += traits.natural - before.natural
            self._rares[start] += traits.rare - before.rare
        for near in range(day - VARIETY_DAYS + 1, day + VARIETY_DAYS):
            self._surroundings.pop(near, None)

    def _around(self, day: int) -> Surroundings:
        found = self._surroundings.get(day)
        if found is None:
            weeks = [start for start in range(day - VARIETY_DAYS + 1, day + 1) if self._whole[start]]
            natural, rare = self._brings[day].natural, self._brings[day].rare
            found = self._surroundings[day] = Surroundings(
                tuple(self._brings[other].leading for other in _near(day)),
                sum(self._naturals[start] == natural for start in weeks),
                sum(self._rares[start] == rare for start in weeks),
            )
        return found


def _traits(one: Neighbour) -> Traits:
    return Traits(one.leading, one.natural, one.rare)


def _near(day: int) -> list[int]:
    """Return the days that may not share a day's leading theme."""
    return [other for other in range(day - THEME_DAYS + 1, day + THEME_DAYS) if other != day]
