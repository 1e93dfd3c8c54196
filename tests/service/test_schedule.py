"""The schedule: the calendar, its preview, and setting, moving, clearing and filling days."""

import threading
from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.domain.rhythm import LENGTHS, THEME_DAYS
from puzzle_service.domain.supply import Supply
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import publication, review, schedule
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings

DAY = timedelta(days=1)
MONDAY = date(2026, 11, 30)
FRIDAY = date(2026, 12, 4)
SUNDAY = date(2026, 12, 6)
AddPuzzles = Callable[..., list[str]]


class Desk:
    """Somebody who looks after the calendar at one instant."""

    def __init__(self, database: Database, settings: Settings, now: datetime) -> None:
        self.database, self.settings, self.now = database, settings, now

    def calendar(self, days: int = schedule.CALENDAR_DAYS) -> list[schedule.Day]:
        with self.database.read() as session:
            return schedule.calendar(session, self.now, self.settings, days)

    def day(self, day: date) -> schedule.Day:
        return next(one for one in self.calendar() if one.day == day)

    def holder(self, day: date) -> str | None:
        with self.database.read() as session:
            return session.scalar(select(Puzzle.id).where(Puzzle.day == day))

    def status(self, puzzle_id: str) -> str:
        with self.database.read() as session:
            return session.get_one(Puzzle, puzzle_id).status

    def preview(self, day: date) -> schedule.Preview | None:
        with self.database.read() as session:
            return schedule.preview(session, day, self.now, self.settings)

    def set(self, day: date, puzzle_id: str, seen: schedule.Seen | None = None) -> None:
        with self.database.write.begin() as session:
            schedule.set_day(session, day, puzzle_id, "ayşe", self.now, self.settings, seen)

    def move(self, day: date, to: date, seen: schedule.Seen | None = None) -> None:
        with self.database.write.begin() as session:
            schedule.move(session, day, to, "ayşe", self.now, self.settings, seen)

    def clear(self, day: date, seen: schedule.Seen | None = None) -> None:
        with self.database.write.begin() as session:
            schedule.clear_day(session, day, "ayşe", self.now, seen)

    def fill(self, days: int = schedule.CALENDAR_DAYS) -> schedule.Filled:
        with self.database.write.begin() as session:
            return schedule.fill(session, self.now, self.settings, "ayşe", days)

    def publish(self, now: datetime) -> str | None:
        found = publication.ensure_published(self.database.write, now, self.settings)
        return None if found is None else found.puzzle_id


@pytest.fixture
def desk(database: Database, settings: Settings, noon: datetime) -> Desk:
    return Desk(database, settings, noon)


def test_the_calendar_shows_what_is_out_what_waits_and_the_gaps(desk: Desk, add_puzzles: AddPuzzles) -> None:
    approved = add_puzzles(3)
    out = desk.publish(desk.now)
    waiting = next(one for one in approved if one != out)
    desk.set(FRIDAY, waiting)
    found = desk.calendar()
    assert [one.day for one in found] == [MONDAY + n * DAY for n in range(42)]
    today, tomorrow, friday = found[0], found[1], found[4]
    assert (today.state, today.number, today.source, today.alarm) == ("published", 1, None, False)
    assert today.puzzle is not None
    assert (today.puzzle.id, today.puzzle.number, today.puzzle.published_on) == (out, 1, MONDAY)
    assert (tomorrow.state, tomorrow.source, tomorrow.alarm) == ("gap", "approved", False)
    assert (friday.state, friday.source) == ("scheduled", "scheduled")
    assert friday.puzzle is not None
    assert friday.puzzle.id == waiting
    last = found[-1]
    assert (last.state, last.puzzle, last.position, last.alarm) == ("gap", None, None, True)


def test_the_calendar_tells_where_a_gap_would_be_filled_from(desk: Desk, add_puzzles: AddPuzzles) -> None:
    add_puzzles(1)
    add_puzzles(1, Status.CANDIDATE)
    kept = add_puzzles(1)[0]
    desk.set(FRIDAY, kept)
    days = desk.calendar(5)
    assert [(one.state, one.source, one.alarm) for one in days] == [
        ("gap", "approved", False),
        ("gap", "reserve", True),
        ("gap", "brought_forward", True),
        ("gap", None, True),
        ("scheduled", "scheduled", True),
    ]


@pytest.mark.parametrize("count", [0, -1, schedule.FORESEEN_DAYS + 1])
def test_the_calendar_is_no_longer_than_two_years(desk: Desk, count: int) -> None:
    with pytest.raises(ServiceError, match="expected 1 to 731"):
        desk.calendar(count)
    with pytest.raises(ServiceError, match="expected 1 to 731"):
        desk.fill(count)


def test_what_the_preview_shows_is_what_goes_out(desk: Desk, stock: list[Record]) -> None:
    """Board, colours and number, on every day, whether somebody has chosen the puzzle or the rhythm will."""
    desk.publish(desk.now)
    free = [one.id for one in stock if desk.status(one.id) == Status.APPROVED]
    desk.set(MONDAY + 3 * DAY, free[-1])
    expected = {day: desk.preview(day) for day in (MONDAY + n * DAY for n in range(len(stock) + 1))}
    shown = {one.day: one.position for one in desk.calendar(len(stock) + 1)}
    assert expected.pop(MONDAY + len(stock) * DAY) is None
    for n, (day, preview) in enumerate(expected.items()):
        assert preview is not None
        out = publication.ensure_published(desk.database.write, desk.now + n * DAY, desk.settings)
        assert preview.puzzle == out, day
        assert shown[day] == preview.puzzle.position
        assert (preview.source, preview.alarm) == (
            {0: None, 3: "scheduled"}.get(n, "approved"),
            False,
        )
    assert desk.preview(MONDAY - DAY) is None


def test_the_preview_of_a_past_day_is_what_was_out(desk: Desk, stock: list[Record]) -> None:
    first = desk.publish(desk.now)
    desk.now += 2 * DAY
    desk.publish(desk.now)
    found = desk.preview(MONDAY)
    assert found is not None
    assert (found.puzzle.puzzle_id, found.puzzle.number) == (first, 1)
    assert desk.preview(MONDAY + DAY) is None
    with pytest.raises(ServiceError, match="is too far; expected less than 731 days ahead"):
        desk.preview(date(2999, 12, 31))


def test_before_a_day_that_is_out_nothing_is_expected(desk: Desk, add_puzzles: AddPuzzles) -> None:
    add_puzzles(5)
    desk.publish(desk.now + 2 * DAY)
    assert [one.state for one in desk.calendar(4)] == ["closed", "closed", "published", "gap"]
    assert desk.preview(MONDAY) is None
    assert [day for day, _ in desk.fill(4).days] == [MONDAY + 3 * DAY]


@pytest.mark.parametrize("status", [Status.CANDIDATE, Status.APPROVED, Status.REJECTED])
def test_a_puzzle_is_set_for_a_day_and_approved_with_that(
    desk: Desk, add_puzzles: AddPuzzles, status: Status
) -> None:
    (puzzle_id,) = add_puzzles(1, status)
    desk.set(FRIDAY, puzzle_id)
    assert (desk.holder(FRIDAY), desk.status(puzzle_id)) == (puzzle_id, Status.APPROVED)
    desk.set(SUNDAY, puzzle_id)
    assert (desk.holder(FRIDAY), desk.holder(SUNDAY)) == (None, puzzle_id)
    with desk.database.read() as session:
        assert review.get(session, puzzle_id).reviewed_by == "ayşe"


def test_a_taken_day_is_given_to_another_puzzle_only_by_who_saw_which_has_it(
    desk: Desk, add_puzzles: AddPuzzles
) -> None:
    first, second = add_puzzles(2)
    desk.set(FRIDAY, first)
    for seen, code in ((None, "day_taken"), ({FRIDAY: None}, "changed"), ({FRIDAY: second}, "changed")):
        with pytest.raises(ServiceError) as refused:
            desk.set(FRIDAY, second, seen)
        assert refused.value.code == code
        assert desk.holder(FRIDAY) == first
    desk.set(FRIDAY, second, {FRIDAY: first})
    assert desk.holder(FRIDAY) == second
    assert desk.status(first) == Status.APPROVED


def test_what_cannot_be_set_is_refused(desk: Desk, add_puzzles: AddPuzzles) -> None:
    (free,) = add_puzzles(1)
    out = desk.publish(desk.now)
    assert out == free
    (other,) = add_puzzles(1)
    (withdrawn,) = add_puzzles(1, Status.WITHDRAWN)
    for day, puzzle_id, code in (
        (MONDAY - DAY, other, "day_passed"),
        (MONDAY, other, "day_taken"),
        (MONDAY + schedule.FORESEEN_DAYS * DAY, other, "too_far"),
        (date.max, other, "too_far"),
        (FRIDAY, out, "not_allowed"),
        (FRIDAY, withdrawn, "not_allowed"),
        (FRIDAY, "unknown", "not_found"),
        (FRIDAY, "\x00", "not_found"),
    ):
        with pytest.raises(ServiceError) as refused:
            desk.set(day, puzzle_id)
        assert refused.value.code == code, (day, puzzle_id)
    assert desk.holder(FRIDAY) is None


def test_a_puzzle_moves_to_a_free_day_and_changes_places_with_another(
    desk: Desk, add_puzzles: AddPuzzles
) -> None:
    first, second = add_puzzles(2)
    desk.set(MONDAY, first)
    desk.set(FRIDAY, second)
    desk.move(MONDAY, SUNDAY)
    assert [desk.holder(day) for day in (MONDAY, FRIDAY, SUNDAY)] == [None, second, first]
    desk.move(SUNDAY, FRIDAY, {SUNDAY: first, FRIDAY: second})
    assert [desk.holder(day) for day in (FRIDAY, SUNDAY)] == [first, second]
    with pytest.raises(ServiceError) as refused:
        desk.move(SUNDAY, FRIDAY, {SUNDAY: first, FRIDAY: second})
    assert refused.value.code == "changed"
    assert [desk.holder(day) for day in (FRIDAY, SUNDAY)] == [first, second]


def test_what_cannot_be_moved_stays(desk: Desk, add_puzzles: AddPuzzles) -> None:
    add_puzzles(1)
    desk.publish(desk.now)
    (waiting,) = add_puzzles(1)
    desk.set(FRIDAY, waiting)
    for day, to, code in (
        (SUNDAY, FRIDAY, "not_scheduled"),
        (FRIDAY, FRIDAY, "same_day"),
        (FRIDAY, MONDAY + schedule.FORESEEN_DAYS * DAY, "too_far"),
        (FRIDAY, date.max, "too_far"),
        (FRIDAY, MONDAY, "day_taken"),
        (FRIDAY, MONDAY - DAY, "day_passed"),
        (MONDAY, FRIDAY, "not_scheduled"),
    ):
        with pytest.raises(ServiceError) as refused:
            desk.move(day, to)
        assert refused.value.code == code, (day, to)
    assert desk.holder(FRIDAY) == waiting


def test_a_cleared_day_leaves_its_puzzle_approved(desk: Desk, add_puzzles: AddPuzzles) -> None:
    first, second = add_puzzles(2)
    desk.set(FRIDAY, first)
    with pytest.raises(ServiceError) as refused:
        desk.clear(FRIDAY, {FRIDAY: second})
    assert refused.value.code == "changed"
    desk.clear(FRIDAY, {FRIDAY: first})
    assert (desk.holder(FRIDAY), desk.status(first)) == (None, Status.APPROVED)
    with pytest.raises(ServiceError) as refused:
        desk.clear(FRIDAY)
    assert refused.value.code == "not_scheduled"


def test_filling_closes_the_gaps_by_the_rhythm_around_what_is_there(
    desk: Desk, add_puzzles: AddPuzzles
) -> None:
    themes = ("sacrifice", "promotion", "king hunt", "sweep", "majority", "branching")
    for n in range(120):
        add_puzzles(1, moves=2 + n % 2, difficulty=float(n), themes=[themes[n // 2 % 6]])
    add_puzzles(5, Status.CANDIDATE)
    desk.publish(desk.now)
    (hard,) = add_puzzles(1, moves=3, difficulty=99.0, themes=["king hunt"])
    desk.set(FRIDAY, hard)
    filled = desk.fill()
    assert [day for day, _ in filled.days] == [MONDAY + n * DAY for n in range(1, 42) if n != 4]
    assert (filled.left, desk.holder(FRIDAY)) == (0, hard)
    days = desk.calendar()
    assert {one.state for one in days[1:]} == {"scheduled"}
    for one in days:
        assert one.puzzle is not None
        assert one.puzzle.moves in LENGTHS[one.day.weekday()]
        assert not one.alarm
    leading = [one.puzzle.themes[0] for one in days if one.puzzle is not None]
    for n in range(len(leading) - THEME_DAYS + 1):
        assert len(set(leading[n : n + THEME_DAYS])) == THEME_DAYS, f"around {days[n].day}"
    assert desk.fill() == schedule.Filled((), 0, None, {})


def test_filling_takes_nothing_from_the_reserve_and_counts_what_is_left(
    desk: Desk, add_puzzles: AddPuzzles
) -> None:
    approved = add_puzzles(2)
    reserve = add_puzzles(3, Status.CANDIDATE)
    filled = desk.fill(7)
    assert {puzzle_id for _, puzzle_id in filled.days} == set(approved)
    assert (filled.left, {desk.status(one) for one in reserve}) == (5, {Status.CANDIDATE})
    assert desk.fill(7) == schedule.Filled((), 5, None, {})


def test_filling_while_somebody_sets_a_gap_leaves_that_day_one_puzzle(
    desk: Desk, add_puzzles: AddPuzzles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes second is told; PostgreSQL lets the other in first, SQLite the filling."""
    add_puzzles(9)
    (candidate,) = add_puzzles(1, Status.CANDIDATE)
    codes: list[str] = []

    def set_friday() -> None:
        try:
            desk.set(FRIDAY, candidate)
        except ServiceError as error:
            codes.append(error.code)

    setting, supply = threading.Thread(target=set_friday), publication.supply

    def slow_supply(session: Session, day: date) -> Supply:
        found = supply(session, day)
        setting.start()
        setting.join(0.5)
        return found

    monkeypatch.setattr(publication, "supply", slow_supply)
    try:
        desk.fill(7)
    except ServiceError as error:
        codes.append(error.code)
    setting.join()
    set_first = desk.holder(FRIDAY) == candidate
    assert codes == ["changed" if set_first else "day_taken"]
    assert (desk.status(candidate), desk.holder(SUNDAY) is None) == (
        (Status.APPROVED, True) if set_first else (Status.CANDIDATE, False)
    )


def test_what_was_filled_in_is_what_goes_out(desk: Desk, stock: list[Record]) -> None:
    filled = desk.fill(len(stock))
    out = [desk.publish(desk.now + n * DAY) for n in range(len(stock))]
    assert out == [puzzle_id for _, puzzle_id in filled.days]
    with desk.database.read() as session:
        assert not any(session.scalars(select(Publication.alarm)))


def test_publication_minds_what_waits_for_the_days_after(desk: Desk, add_puzzles: AddPuzzles) -> None:
    (same,) = add_puzzles(1, difficulty=1.0, themes=["sacrifice"])
    (other,) = add_puzzles(1, difficulty=9.0, themes=["promotion"])
    (waiting,) = add_puzzles(1, themes=["sacrifice"])
    desk.set(MONDAY + DAY, waiting)
    assert desk.publish(desk.now) == other
    assert desk.status(same) == Status.APPROVED
