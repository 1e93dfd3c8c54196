"""A year of days by a clock that ticks as it likes: late, twice, for days not at all."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from puzzle_service import scheduler
from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import publication
from puzzle_service.settings import Settings
from tests.faults import books

AddPuzzles = Callable[..., list[str]]

DAYS = 370
FIRST = date(2026, 3, 1)
"""Clocks are set forward in March, back in October or November, and none of it is at the edge."""
DOWN_DAYS = 3
SECOND, MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))


@dataclass
class Days:
    """What happens from one midnight to the next: rounds of the scheduler, and visitors, by instant."""

    zone: ZoneInfo
    dice: random.Random
    down: int = 0
    log: list[tuple[datetime, str]] = field(default_factory=list)

    def midnight(self, place: int) -> datetime:
        day = FIRST + place * DAY
        return datetime(day.year, day.month, day.day, tzinfo=self.zone).astimezone(UTC)

    def events(self) -> Iterator[tuple[datetime, str]]:
        for place in range(DAYS):
            begin, end = self.midnight(place), self.midnight(place + 1)
            yield from sorted((min(at, end - SECOND), who) for at, who in self._day(begin, end))

    def _day(self, begin: datetime, end: datetime) -> list[tuple[datetime, str]]:
        if self.down == 0 and self.dice.random() < 0.02:
            self.down = DOWN_DAYS
        if self.down:
            self.down -= 1
            visits = self.dice.choice((1, 2, 3))
            return [(begin + self.dice.random() * (end - begin), "visitor") for _ in range(visits)]
        kind = self.dice.choice(("punctual", "late", "twice", "slept", "at the edges", "crowded", "nobody"))
        moment = self.dice.random() * 30 * SECOND
        return {
            "punctual": [(begin + moment, "scheduler"), (begin + 9 * HOUR, "visitor")],
            "late": [(begin + MINUTE, "visitor"), (begin + 2 * HOUR + moment, "scheduler")],
            "twice": [(begin + moment, "scheduler")] * 2,
            # All of the hour that the clocks leave out or repeat lies between these two.
            "slept": [(begin + HOUR, "scheduler"), (begin + 5 * HOUR + moment, "scheduler")],
            "at the edges": [(begin, "scheduler"), (end - SECOND, "scheduler"), (end - SECOND, "visitor")],
            "crowded": [(begin, "visitor"), (begin, "scheduler"), (begin, "visitor")],
            "nobody": [],
        }[kind]


@pytest.mark.parametrize(
    ("settings", "zone"),
    [
        ("sqlite", "Europe/Sofia"),
        ("sqlite", "America/New_York"),
        ("postgresql", "Europe/Berlin"),
    ],
    indirect=["settings"],
)
def test_every_day_of_a_year_on_which_anybody_could_play_has_exactly_one_puzzle(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, zone: str
) -> None:
    """Across both clock changes, whatever the scheduler does (wordle-it#62, apscheduler#606)."""
    local = Settings(settings.database_url, ZoneInfo(zone))
    dice = random.Random(zone)
    first_seen: dict[date, datetime] = {}
    shown: dict[date, str] = {}
    for now, who in Days(local.timezone, dice).events():
        day = now.astimezone(local.timezone).date()
        if day not in first_seen and len(first_seen) % 10 == 0:
            _stock_up(database, add_puzzles, day, dice)
        first_seen.setdefault(day, now)
        if who == "scheduler":
            scheduler.reconcile(database, now, local)
        else:
            seen = publication.ensure_published(database.write, now, local)
            assert seen is not None
            assert seen.day == day
            assert shown.setdefault(day, seen.puzzle_id) == seen.puzzle_id
    assert 280 < len(first_seen) < DAYS, "on some days nobody came, and on most somebody did"
    books.check(database)
    with database.read() as session:
        out = session.scalars(select(Publication).order_by(Publication.day)).all()
        waiting = session.scalars(select(Puzzle.day).where(Puzzle.day.is_not(None))).all()
    assert {one.day: one.published_at for one in out} == first_seen
    assert {one.day: one.puzzle_id for one in out} | shown == {one.day: one.puzzle_id for one in out}
    assert all(day is not None and day > out[-1].day for day in waiting), "no puzzle waits for the past"


def _stock_up(database: Database, add_puzzles: AddPuzzles, today: date, dice: random.Random) -> None:
    """Bring in puzzles for ten days, and put some of them on days, on which perhaps nobody will come."""
    ids = add_puzzles(10)
    with database.write.begin() as session:
        taken = set(session.scalars(select(Puzzle.day).where(Puzzle.status == Status.APPROVED)))
        for puzzle_id in ids[:4]:
            day = today + dice.randrange(1, 12) * DAY
            if day not in taken:
                taken.add(day)
                session.get_one(Puzzle, puzzle_id).day = day
