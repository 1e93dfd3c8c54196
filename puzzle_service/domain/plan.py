"""The plan: which puzzles of a pool go out on a great many days, so that none of them lacks what suits it.

Choosing day by day would spend early what later days need. So each weekday first gets its share of the pool:
what has its length and is in its band, flavour and a high score first, and if that is too little what other
weekdays can spare. Then days of the same weekday exchange puzzles, or take one that is left over, as long as
that mends what days bring beside each other: a leading theme twice in three days, a week without a natural
position or a rare theme.
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import product
from random import Random
from typing import Final

from puzzle_service.domain import rhythm
from puzzle_service.domain.draft import Draft, Shares
from puzzle_service.domain.rhythm import Bands, Neighbour, Offer

PATIENCE: Final = 1000
"""How many exchanges in a row may mend nothing before what is still broken is left so."""
REST: Final = 10
"""For how many exchanges nothing goes back to a day that it has just left, or two would take turns."""


def fill(
    days: Sequence[date], pool: Sequence[Offer], neighbours: Sequence[Neighbour], bands: Bands
) -> dict[date, Offer]:
    """Return a puzzle for each of the days, or for the first of them when the pool holds fewer.

    ``neighbours`` is what other days bring. The same arguments give the same plan, whatever their order.
    """
    wanted = sorted(days)[: len(pool)]
    if not wanted:
        return {}
    # Always the same numbers, so that the same pool gives the same plan.
    chance = Random(0)
    draft = Draft(wanted, _shares(wanted, pool, bands), neighbours, chance)
    _mend(draft, chance)
    draft.take_better()
    return dict(zip(wanted, draft.given.values(), strict=True))


def _shares(days: Sequence[date], pool: Sequence[Offer], bands: Bands) -> Shares:
    """Return which puzzles each weekday may take, the best first: one for each of its days, or more."""
    wanted = Counter(day.weekday() for day in days)
    home = {
        offer.id: weekday
        for offer in pool
        if offer.moves in rhythm.LENGTHS[weekday := bands.weekday(offer.difficulty)]
    }
    spare = Counter(home.values())
    spare.subtract(wanted)
    place = home | _lent(pool, home, spare, bands)
    return {
        weekday: _best_first([offer for offer in pool if place.get(offer.id) == weekday], weekday)
        for weekday in wanted
    }


def _lent(
    pool: Sequence[Offer], home: Mapping[str, int], spare: Counter[int], bands: Bands
) -> dict[str, int]:
    """Return by id which puzzles go to weekdays that lack some: those that suit them least badly.

    ``home`` is the weekday that a puzzle suits, if any, and ``spare`` how many more such puzzles than days a
    weekday has, or fewer.
    """

    def misfit(pair: tuple[int, Offer]) -> tuple[bool, float, float, str]:
        weekday, offer = pair
        wrong_length = offer.moves not in rhythm.LENGTHS[weekday]
        return wrong_length, bands.distance(offer.difficulty, weekday), -offer.score, offer.id

    lent: dict[str, int] = {}
    left = Counter(spare)
    for weekday, offer in sorted(product(-spare, pool), key=misfit):
        at_home = home.get(offer.id)
        needed_there = at_home is not None and left[at_home] <= 0
        if left[weekday] < 0 and offer.id not in lent and not needed_there:
            lent[offer.id] = weekday
            left[weekday] += 1
            if at_home is not None:
                left[at_home] -= 1
    return lent


def _best_first(share: Sequence[Offer], weekday: int) -> list[Offer]:
    return sorted(share, key=lambda one: (not rhythm.has_flavour(one, weekday), -one.score, one.id))


def _mend(draft: Draft, chance: Random) -> None:
    """Let days exchange puzzles until no rule is broken, or no fewer have been for a long time."""
    least, best, idle = draft.broken, dict(draft.given), 0
    resting: deque[tuple[int, str]] = deque(maxlen=REST)
    while draft.broken and idle < PATIENCE:
        day = draft.in_trouble(chance.randrange(len(best)))
        if day is None:
            break
        mine = draft.given[day].id
        found = [one for one in draft.exchanges(day) if (day, one[1].id) not in resting]
        idle += 1
        if not found:
            continue
        change = min(change for change, _ in found)
        # Also when it mends nothing here: what is still to be mended comes to lie elsewhere.
        draft.exchange(day, chance.choice([offer for other, offer in found if other == change]))
        resting.append((day, mine))
        if draft.broken < least:
            least, best, idle = draft.broken, dict(draft.given), 0
    draft.take_back(best)
