"""A player's record, from rows."""

from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone

import pytest

from puzzle_service import db
from puzzle_service.db import Database
from puzzle_service.models import Attempt
from puzzle_service.services import amendments, days, players, publication, records
from puzzle_service.services.records import Record
from puzzle_service.settings import Settings

DAY = timedelta(days=1)
AddPuzzles = Callable[..., list[str]]


class Calendar:
    """Days of published puzzles, and one player."""

    def __init__(self, database: Database, settings: Settings, now: datetime) -> None:
        self.database, self.settings, self.now = database, settings, now
        with database.write.begin() as session:
            self.player, _ = players.create_guest(session, now)

    def play(self, results: str) -> None:
        """Publish a day's puzzle, play it, one letter an attempt, and go to the next day."""
        found = publication.ensure_published(self.database.write, self.now, self.settings)
        assert found is not None
        with self.database.write.begin() as session:
            for ordinal, letter in enumerate(results, 1):
                result = {"w": "wrong", "s": "solved", ".": None}[letter]
                session.add(
                    Attempt(
                        player_id=self.player,
                        puzzle_id=found.puzzle_id,
                        ordinal=ordinal,
                        plies=[],
                        slow=0,
                        result=result,
                        started_at=self.now,
                        finished_at=self.now if result else None,
                    )
                )
        self.now += DAY

    def record(self, player: int | None = None) -> Record:
        with self.database.read() as session:
            return records.me(session, player or self.player, self.now, self.settings)


def test_nobody_has_an_empty_record(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(2)
    publication.ensure_published(database.write, noon, settings)
    with database.read() as session:
        record = records.me(session, None, noon, settings)
    assert (record.current, record.best, record.played, record.solved) == (0, 0, 0, 0)
    assert [(day.day, day.number, day.state, day.attempts) for day in record.days] == [
        (date(2026, 11, 30), 1, "open", 0)
    ]


def test_a_record_takes_as_many_statements_for_many_days_as_for_one(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime, statements: list[str]
) -> None:
    add_puzzles(6)
    calendar = Calendar(database, settings, noon)

    def count(player: int | None) -> int:
        statements.clear()
        with database.read() as session:
            records.me(session, player, calendar.now, settings)
        return sum("SELECT" in statement for statement in statements)

    counted = []
    for results in ("s", "ws", "www", "s"):
        calendar.play(results)
        counted.append((count(None), count(calendar.player), count(None)))
    # Each new day is read once, with what was amended.
    assert counted == [(3, 2, 1)] * 4


def test_a_record_counts_days_and_attempts(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(8)
    calendar = Calendar(database, settings, noon)
    for results in ("", "s", "ws", "wws", "www", "s", "w."):
        calendar.play(results)
    record = calendar.record()
    assert [(day.state, day.attempts) for day in record.days] == [
        ("before", 0),
        ("solved", 1),
        ("solved", 2),
        ("solved", 3),
        ("failed", 3),
        ("solved", 1),
        ("missed", 1),
    ]
    assert record.distribution == {1: 2, 2: 1, 3: 1, "failed": 1}
    assert (record.played, record.solved, record.current, record.best) == (5, 4, 0, 3)


def test_five_days_solved_and_today_open_is_a_streak_of_five(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(6)
    calendar = Calendar(database, settings, noon)
    for _ in range(5):
        calendar.play("s")
    publication.ensure_published(database.write, calendar.now, settings)
    record = calendar.record()
    assert (record.current, record.days[-1].state) == (5, "open")


def test_a_day_without_a_puzzle_is_neutral(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(2)
    calendar = Calendar(database, settings, noon)
    calendar.play("s")
    calendar.now += 3 * DAY
    calendar.play("s")
    assert calendar.record().current == 2


@pytest.mark.parametrize("hours", [-11, 0, 14])
def test_the_record_is_the_same_wherever_the_player_lives(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime, hours: int
) -> None:
    """A player at UTC-11 and one at UTC+14 see today as done right after solving."""
    add_puzzles(1)
    calendar = Calendar(database, settings, noon.astimezone(timezone(timedelta(hours=hours))))
    calendar.play("s")
    calendar.now -= DAY
    record = calendar.record()
    assert [(day.day, day.state) for day in record.days] == [(date(2026, 11, 30), "solved")]
    assert record.current == 1


def test_another_players_attempts_count_for_nothing(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(1)
    calendar = Calendar(database, settings, noon)
    calendar.play("s")
    with database.write.begin() as session:
        other, _ = players.create_guest(session, noon)
    assert calendar.record(other).solved == 0


def test_on_a_replaced_day_a_solve_of_either_counts_and_a_failure_breaks_nothing(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(5)
    calendar = Calendar(database, settings, noon)
    for results in ("s", "ws", "www"):
        calendar.play(results)
    for number in (2, 3):
        with database.write.begin() as session:
            amendments.replace(session, number, "ayşe", calendar.now, "two keys", settings)
    record = calendar.record()
    assert [(day.number, day.state, day.attempts) for day in record.days] == [
        (1, "solved", 1),
        (2, "solved", 2),
        (3, "excused", 0),
    ]
    assert (record.current, record.distribution["failed"]) == (2, 0)


def test_a_void_day_breaks_nothing(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(3)
    calendar = Calendar(database, settings, noon)
    for results in ("s", "www", "s"):
        calendar.play(results)
    assert calendar.record().current == 1
    with database.write.begin() as session:
        amendments.void(session, 2, "ayşe", calendar.now, "unclear", settings)
    assert calendar.record().current == 2


def test_the_days_that_are_out_stay_in_memory_and_what_another_process_changes_is_seen_at_once(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(6)
    calendar = Calendar(database, settings, noon)
    for results in ("s", "www", "www"):
        calendar.play(results)
    other = db.connect(settings)
    assert [day.state for day in calendar.record().days] == ["solved", "failed", "failed"]
    with other.write.begin() as session:
        amendments.replace(session, 2, "ayşe", calendar.now, "two keys", settings)
    assert [day.state for day in calendar.record().days] == ["solved", "excused", "failed"]
    with other.write.begin() as session:
        amendments.void(session, 3, "ayşe", calendar.now, "unclear", settings)
    assert [day.state for day in calendar.record().days] == ["solved", "excused", "excused"]
    assert publication.ensure_published(other.write, calendar.now, settings) is not None
    assert [day.state for day in calendar.record().days] == ["solved", "excused", "excused", "open"]
    other.close()


def test_for_a_moment_pages_believe_what_they_know_but_miss_no_puzzle_of_today(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_puzzles(4)
    monkeypatch.setattr(days, "FRESH_SECONDS", 3600.0)
    first = publication.ensure_published(database.write, noon, settings)
    assert first is not None
    with database.read() as session:
        assert publication.today(session, noon, settings) == first
    with database.write.begin() as session:
        amendments.replace(session, first.number, "ayşe", noon, "two keys", settings)
        replaced = publication.today(session, noon, settings)
    with database.read() as session:
        assert publication.today(session, noon, settings) == first, "a page of a moment ago"
    assert replaced is not None
    assert replaced != first, "whoever writes sees what there is"
    tomorrow = noon + timedelta(days=1)
    second = publication.ensure_published(database.write, tomorrow, settings)
    with database.read() as session:
        assert publication.today(session, tomorrow, settings) == second
        assert len(records.me(session, None, tomorrow, settings).days) == 2


def test_a_change_that_is_taken_back_leaves_nothing_in_memory(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(3)
    calendar = Calendar(database, settings, noon)
    calendar.play("www")
    with database.write() as session:
        amendments.void(session, 1, "ayşe", calendar.now, "unclear", settings)
        assert records.me(session, calendar.player, calendar.now, settings).days[0].state == "excused"
        session.rollback()
    assert calendar.record().days[0].state == "failed"


def test_with_the_clock_set_back_the_days_after_it_are_not_shown(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(3)
    calendar = Calendar(database, settings, noon)
    for results in ("s", "s", "s"):
        calendar.play(results)
    calendar.now -= 2 * DAY
    record = calendar.record()
    assert (record.current, [day.number for day in record.days]) == (2, [1, 2])
    calendar.now -= 7 * DAY
    record = calendar.record()
    assert (record.current, record.played, record.days) == (0, 0, ())


def test_days_before_the_first_one_played_are_shown_as_such_and_amended_ones_do_not_count(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(8)
    calendar = Calendar(database, settings, noon)
    for results in ("", "", "w", "s", ""):
        calendar.play(results)
    with database.write.begin() as session:
        amendments.void(session, 2, "ayşe", calendar.now, "unclear", settings)
    states = ["before", "excused", "missed", "solved", "missed"]
    assert [day.state for day in calendar.record().days] == states


def test_a_player_who_solved_only_the_puzzle_that_was_replaced_began_on_that_day(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(4)
    calendar = Calendar(database, settings, noon)
    for results in ("s", ""):
        calendar.play(results)
    with database.write.begin() as session:
        amendments.replace(session, 1, "ayşe", calendar.now, "two keys", settings)
    record = calendar.record()
    assert [(day.state, day.attempts) for day in record.days] == [("solved", 1), ("missed", 0)]


def test_a_freeze_keeps_the_streak_over_one_day_and_is_shown_on_it(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(10)
    calendar = Calendar(database, settings, noon)
    for _ in range(8):
        calendar.play("s")
    assert (calendar.record().current, calendar.record().meter) == (8, 8)
    calendar.play("www")
    record = calendar.record()
    assert (record.current, record.meter, record.days[-1].state) == (8, 1, "failed")
    assert [day.number for day in record.days if day.frozen] == [9]
    calendar.play("")
    record = calendar.record()
    assert (record.current, record.best, record.meter) == (0, 8, 0)
