"""The host's clock jumps back an hour, or ahead a day and back: nothing is doubled and nothing lost."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.models import Publication
from puzzle_service.scheduler import Actor
from puzzle_service.services import publication, rate_limits
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.services.rate_limits import DatabaseStorage
from puzzle_service.settings import Settings, limit
from puzzle_service.web import create_app
from puzzle_service.web.site import EXTENSION
from tests.faults import books
from tests.faults.conftest import right_moves, wrong_move
from tests.web.conftest import Clock, Visitor

MIDNIGHT = datetime(2026, 11, 30, 21, 0, tzinfo=UTC)
"""As Tuesday begins in Istanbul."""
FIVE = limit("5 per 15 minutes")
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


class House:
    """A site and two schedulers, all by one clock that anybody may set."""

    def __init__(self, app: Flask, database: Database, settings: Settings, clock: Clock) -> None:
        self.app, self.database, self.settings, self.clock = app, database, settings, clock
        self.schedulers = [Actor(database, settings, clock) for _ in range(2)]

    def set(self, now: datetime) -> None:
        """Set the clock, and let the schedulers look at it."""
        self.clock.now = now
        for scheduler in self.schedulers:
            scheduler.act()

    def published(self) -> PublishedPuzzle:
        with self.database.read() as session:
            found = publication.today(session, self.clock.now, self.settings)
        assert found is not None
        return found

    def solve(self, visitor: Visitor) -> None:
        """Solve the first page's puzzle from wherever the visitor stands."""
        puzzle = visitor.puzzle()
        for place, move in enumerate(right_moves(self.published())):
            answer = visitor.play(puzzle, move, ply=2 * place).json
        assert answer is not None
        assert answer["verdict"] == "solved"

    def alarms(self) -> list[str]:
        found: list[str] = self.app.test_client().get("/healthz").get_json()["alarms"]
        return found

    def out(self) -> list[tuple[int, str]]:
        """Return number and day of each publication, once the books are found to be right."""
        books.check(self.database)
        with self.database.read() as session:
            rows = session.execute(select(Publication.number, Publication.day).order_by(Publication.day))
            return [(number, f"{day:%d %b}") for number, day in rows]


@pytest.fixture
def house(database: Database, settings: Settings, stock: list[Record], noon: datetime) -> Iterator[House]:
    clock = Clock(noon)
    app = create_app(settings, clock)
    yield House(app, database, settings, clock)
    app.extensions[EXTENSION].database.close()


@pytest.fixture
def early(house: House) -> Visitor:
    return Visitor(house.app)


@pytest.fixture
def late(house: House) -> Visitor:
    return Visitor(house.app)


def test_a_clock_that_goes_back_over_midnight_lives_the_hour_twice_and_publishes_once(
    house: House, early: Visitor, late: Visitor
) -> None:
    house.set(MIDNIGHT - 10 * MINUTE)
    assert early.play(early.puzzle(), wrong_move(house.published())).status_code == 200
    house.set(MIDNIGHT + 10 * MINUTE)
    second, page = house.published(), late.puzzle()
    assert late.play(page, wrong_move(second)).status_code == 200
    house.set(MIDNIGHT - 50 * MINUTE)
    assert house.alarms() == ["ahead"]
    assert late.puzzle()["number"] == 1
    assert late.play(page | {"attempt": 2}, wrong_move(second)).status_code == 404, "it is not out again yet"
    house.solve(early)
    house.set(MIDNIGHT + 11 * MINUTE)
    assert house.alarms() == []
    again = late.puzzle()
    assert (again["number"], again["attempt"], again["attempts_left"]) == (2, 2, 2)
    house.solve(late)
    house.solve(early)
    assert 'id="streak">2<' in early.open("/")
    assert 'id="streak">1<' in late.open("/")
    assert house.out() == [(1, "30 Nov"), (2, "01 Dec")]


def test_what_a_clock_published_a_day_ahead_is_taken_back_and_comes_on_its_day(
    house: House, early: Visitor, noon: datetime
) -> None:
    house.set(noon)
    house.solve(early)
    house.set(noon + DAY)
    house.set(noon + MINUTE)
    assert house.out() == [(1, "30 Nov"), (2, "01 Dec")]
    assert house.alarms() == ["ahead"]
    assert early.puzzle()["number"] == 1
    assert 'id="streak">1<' in early.open("/")
    with house.database.write.begin() as session:
        publication.take_back(session, (noon + DAY).date(), "ayşe", house.clock.now, house.settings)
    assert house.alarms() == []
    assert house.out() == [(1, "30 Nov")]
    house.set(MIDNIGHT)
    house.solve(early)
    assert 'id="streak">2<' in early.open("/")
    assert house.out() == [(1, "30 Nov"), (2, "01 Dec")]


def test_a_puzzle_played_by_a_clock_ahead_stays_and_is_done_when_its_day_comes(
    house: House, early: Visitor, late: Visitor, noon: datetime
) -> None:
    house.set(noon)
    house.solve(early)
    house.set(noon + DAY)
    ahead = house.published()
    house.solve(early)
    assert late.play(late.puzzle(), wrong_move(ahead)).status_code == 200
    house.set(noon + HOUR)
    with pytest.raises(ServiceError, match="has been played"), house.database.write.begin() as session:
        publication.take_back(session, ahead.day, "ayşe", house.clock.now, house.settings)
    assert 'id="streak">1<' in early.open("/")
    house.set(MIDNIGHT + MINUTE)
    assert house.published() == ahead
    assert early.puzzle()["state"] == "solved"
    assert 'id="streak">2<' in early.open("/")
    assert late.puzzle()["attempts_left"] == 2
    assert house.out() == [(1, "30 Nov"), (2, "01 Dec")]


def test_what_was_counted_by_a_clock_ahead_hinders_nobody_afterwards(
    database: Database, noon: datetime
) -> None:
    def hit(now: datetime) -> timedelta | None:
        with database.write.begin() as session:
            return rate_limits.hit(DatabaseStorage(session, now), FIVE, "somebody", now)

    for now in (noon + DAY, noon):
        assert [hit(now) for _ in range(5)] == [None] * 5
        assert hit(now) == 15 * MINUTE
