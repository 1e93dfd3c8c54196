"""The supply: all puzzles that may still go out, and which of them a day gets."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from puzzle_service.domain import rhythm
from puzzle_service.domain.rhythm import Neighbour, Offer, Solver

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


@dataclass
class Supply:
    """Puzzles with a day of their own, by day; approved ones without and the reserve, by id."""

    scheduled: dict[date, Offer] = field(default_factory=dict)
    approved: dict[str, Offer] = field(default_factory=dict)
    reserve: dict[str, Offer] = field(default_factory=dict)

    def best(self, day: date, shown: Sequence[Neighbour], last: Solver | None) -> Choice | None:
        """Return the choice for a day, or None when no puzzle is left.

        ``shown`` is what is out on the days around it, ``last`` the colour that solved the puzzle before.
        """
        neighbours = self._neighbours(shown)
        for source, pool in self._pools(day):
            offer = rhythm.choose(day, pool, neighbours)
            if offer is not None:
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
            known.append(_neighbour(day, choice.offer))
            last = _other(choice.offer.solver) if choice.swapped else choice.offer.solver
            yield choice

    def schedule(self, day: date, shown: Sequence[Neighbour]) -> Offer | None:
        """Give a day the approved puzzle that suits it best; None when no one without a day is left."""
        offer = rhythm.choose(day, list(self.approved.values()), self._neighbours(shown))
        if offer is not None:
            del self.approved[offer.id]
            self.scheduled[day] = offer
        return offer

    def remove(self, offer: Offer) -> None:
        """Take a puzzle out of the supply."""
        self.scheduled = {day: other for day, other in self.scheduled.items() if other is not offer}
        self.approved.pop(offer.id, None)
        self.reserve.pop(offer.id, None)

    def _neighbours(self, shown: Sequence[Neighbour]) -> list[Neighbour]:
        return [*shown, *(_neighbour(day, offer) for day, offer in self.scheduled.items())]

    def _pools(self, day: date) -> Iterator[tuple[Source, Sequence[Offer]]]:
        yield "scheduled", [self.scheduled[day]] if day in self.scheduled else []
        yield "approved", list(self.approved.values())
        yield "reserve", list(self.reserve.values())
        # What waits for a later day is better than an empty one.
        yield "brought_forward", [offer for later, offer in self.scheduled.items() if later > day]


def _neighbour(day: date, offer: Offer) -> Neighbour:
    return Neighbour(day, offer.themes, offer.source)


def _other(solver: Solver) -> Solver:
    return "B" if solver == "W" else "W"
