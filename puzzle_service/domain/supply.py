"""The supply: all puzzles that may still go out, and which of them a day gets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from puzzle_service.domain import plan, rhythm
from puzzle_service.domain.rhythm import Bands, Neighbour, Offer, Rule, Solver

Source = Literal["scheduled", "approved", "reserve", "brought_forward"]

ALARMING: Final[frozenset[Source]] = frozenset({"reserve", "brought_forward"})
"""The sources that are used for want of an approved puzzle."""


@dataclass(frozen=True)
class Choice:
    """The puzzle that a day gets, where it comes from, and whether its colours are swapped."""

    day: date
    offer: Offer
    source: Source
    swapped: bool

    @property
    def alarm(self) -> bool:
        """Whether an admin must look after the stock: nothing that was free for this day was approved."""
        return self.source in ALARMING


@dataclass(frozen=True)
class Plan:
    """Which puzzles days are given, and which rules of the rhythm are broken by that on which day."""

    given: Mapping[date, Offer]
    broken: Mapping[date, tuple[Rule, ...]]


@dataclass
class Supply:
    """Puzzles with a day of their own, by day; approved ones without and the reserve, by id.

    ``out`` went out on the first of the days in question: it was at hand too.
    """

    scheduled: dict[date, Offer] = field(default_factory=dict)
    approved: dict[str, Offer] = field(default_factory=dict)
    reserve: dict[str, Offer] = field(default_factory=dict)
    out: list[Offer] = field(default_factory=list)

    def best(self, day: date, shown: Sequence[Neighbour], last: Solver | None) -> Choice | None:
        """Return the choice for a day, or None when no puzzle is left.

        ``shown`` is what is out on the days around it, ``last`` the colour that solved the puzzle before.
        """
        for source, pool in self._pools(day):
            if pool:
                # Where there is nothing to choose, nothing needs to be weighed.
                offer = pool[0] if len(pool) == 1 else self._chosen(day, source, pool, shown)
                # The solver's colour alternates.
                return Choice(day, offer, source, swapped=offer.solver == last)
        return None

    def outlook(
        self, days: Iterable[date], shown: Sequence[Neighbour], last: Solver | None
    ) -> Iterator[Choice]:
        """Yield what goes out on each of the days, given in order, taking it from the supply."""
        known = list(shown)
        for day in days:
            choice = self.best(day, known, last)
            if choice is None:
                continue
            self.remove(choice.offer)
            known.append(rhythm.neighbour(day, choice.offer))
            last = _other(choice.offer.solver) if choice.swapped else choice.offer.solver
            yield choice

    def plan(self, days: Sequence[date], shown: Sequence[Neighbour]) -> Plan:
        """Give days that have no puzzle approved ones, the first of them if there are too few."""
        if not self.approved:
            return Plan({}, {})
        neighbours, bands = self._neighbours(shown), self._bands("approved")
        given = plan.fill(days, list(self.approved.values()), neighbours, bands)
        for day, offer in given.items():
            del self.approved[offer.id]
            self.scheduled[day] = offer
        return Plan(given, rhythm.broken(given, neighbours, bands))

    def remove(self, offer: Offer) -> None:
        """Take a puzzle out of the supply."""
        self.scheduled = {day: other for day, other in self.scheduled.items() if other is not offer}
        self.approved.pop(offer.id, None)
        self.reserve.pop(offer.id, None)

    def _chosen(self, day: date, source: Source, pool: Sequence[Offer], shown: Sequence[Neighbour]) -> Offer:
        return rhythm.choose(day, pool, self._neighbours(shown), self._bands(source))

    def _neighbours(self, shown: Sequence[Neighbour]) -> list[Neighbour]:
        return [*shown, *(rhythm.neighbour(day, offer) for day, offer in self.scheduled.items())]

    def _bands(self, source: Source) -> Bands:
        """Return the bands of the pool at hand: the reserve, or what is approved, with a day or without."""
        approved = [*self.approved.values(), *self.scheduled.values(), *self.out]
        pool = self.reserve.values() if source == "reserve" else approved
        return Bands.of([offer.difficulty for offer in pool])

    def _pools(self, day: date) -> Iterator[tuple[Source, Sequence[Offer]]]:
        yield "scheduled", [self.scheduled[day]] if day in self.scheduled else []
        yield "approved", list(self.approved.values())
        yield "reserve", list(self.reserve.values())
        # What waits for a later day is better than an empty one.
        yield "brought_forward", [offer for later, offer in self.scheduled.items() if later > day]


def _other(solver: Solver) -> Solver:
    return "B" if solver == "W" else "W"
