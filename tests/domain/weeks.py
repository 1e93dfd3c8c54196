"""The weekly rhythm as players read it: pools to fill weeks from, and a reader who checks every rule.

The reader knows nothing of the code that fills: table, bands and words are written down here once more.
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

import numpy as np

from puzzle_service.domain.rhythm import Offer

DAY = timedelta(days=1)
MONDAY = date(2026, 11, 30)
WINS_IN = {"Mon": "2", "Tue": "2", "Wed": "2 3", "Thu": "2 3", "Fri": "3", "Sat": "3", "Sun": "3"}
SHARES = (0.0, 0.15, 0.30, 0.45, 0.60, 0.75, 0.90, 1.0)
BANDS = dict(zip(WINS_IN, pairwise(SHARES), strict=True))
NATURAL = ("self-play", "thinned middlegame")
ARTIFICIAL = ("retrograde", "retrograde, four plies", "random placement", "mutation")
RARE = ("180° trap", "blockade", "quiet key", "zugzwang", "last-row pass")
COMMON = ("sacrifice", "multi-sacrifice", "promotion", "multi-capture", "sweep", "branching", "men only")


def complaints(days: Mapping[date, Offer], pool: Sequence[Offer]) -> dict[date, set[str]]:
    """Return what a reader finds wrong with each day, and with the week that it ends."""
    found: dict[date, set[str]] = defaultdict(set)
    difficulties = [one.difficulty for one in pool]
    for day, puzzle in days.items():
        name = f"{day:%a}"
        if str(puzzle.moves) not in WINS_IN[name].split():
            found[day].add("length")
        easier, harder = (np.quantile(difficulties, share) for share in BANDS[name])
        if puzzle.difficulty < easier or (puzzle.difficulty >= harder and name != "Sun"):
            found[day].add("band")
        near = [days[day + n * DAY] for n in (-2, -1, 1, 2) if day + n * DAY in days]
        if puzzle.themes and any(one.themes[:1] == puzzle.themes[:1] for one in near):
            found[day].add("theme")
        week = [days[day - n * DAY] for n in range(7) if day - n * DAY in days]
        if len(week) == 7 and not any(one.source in NATURAL for one in week):
            found[day].add("natural")
        if len(week) == 7 and not any(theme in RARE for one in week for theme in one.themes):
            found[day].add("rare")
    return {day: wrong for day, wrong in found.items() if wrong}


def pool(
    seed: int, size: int, *, rare: int = 0, natural: int = 0, common: Sequence[str] = COMMON
) -> list[Offer]:
    """Return so many puzzles, harder ones longer as a rule, so many of them rare and natural."""
    numbers = random.Random(seed)
    rares, naturals = (set(numbers.sample(range(size), count)) for count in (rare, natural))
    found = []
    for place, difficulty in enumerate(sorted(numbers.gauss(11, 3.5) for _ in range(size))):
        themes = [numbers.choice(common)]
        if place in rares:
            themes.insert(numbers.randrange(2), numbers.choice(RARE))
        found.append(
            Offer(
                id=f"{numbers.getrandbits(64):016x}",
                moves=_moves(place / size, numbers),
                difficulty=difficulty,
                themes=tuple(themes),
                source=numbers.choice(NATURAL if place in naturals else ARTIFICIAL),
                solver=numbers.choice(("W", "B")),
                score=numbers.random(),
            )
        )
    return numbers.sample(found, size)


def _moves(share: float, numbers: random.Random) -> int:
    """Return a length that fits the difficulty's weekday in nine of ten puzzles; the hardest are all long."""
    if 0.30 <= share < 0.60:
        return numbers.choice((2, 3))
    usual = 2 if share < 0.30 else 3
    return usual if share >= 0.90 or numbers.random() < 0.9 else 5 - usual
