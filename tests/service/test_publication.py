"""Publication: one puzzle a day, whoever gets there first, and never two."""

import contextlib
import threading
from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from sqlalchemy import func, select

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import amendments, publication, review, schedule, stock
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings

DAY = timedelta(days=1)
AddPuzzles = Callable[..., list[str]]


def publish(database: Database, now: datetime, settings: Settings) -> PublishedPuzzle | None:
    return publication.ensure_published(database.write, now, settings)


def published(database: Database, now: datetime, settings: Settings) -> PublishedPuzzle:
    found = publish(database, now, settings)
    assert found is not None
    return found


def status_of(database: Database, puzzle_id: str) -> tuple[str, date | None]:
    with database.read() as session:
        row = session.get_one(Puzzle, puzzle_id)
        return row.status, row.day


def test_the_first_visitor_publishes_when_nobody_has(
    database: Database, settings: Settings, stock: list[Record], noon: datetime
) -> None:
    with database.read() as session:
        assert publication.today(session, noon, settings) is None
    found = published(database, noon, settings)
    assert (found.number, found.day, found.is_today) == (1, date(2026, 11, 30), True)
    with database.read() as session:
        assert publication.today(session, noon, settings) == found
        assert session.get_one(Publication, found.day).published_at == noon


def test_a_puzzle_that_is_out_stays(
    database: Database, settings: Settings, stock: list[Record], noon: datetime
) -> None:
    first = published(database, noon, settings)
    assert published(database, noon + timedelta(hours=11), settings) == first
    assert published(database, noon + DAY, settings).puzzle_id != first.puzzle_id


def test_nothing_left_is_no_puzzle_and_no_error(
    database: Database, settings: Settings, noon: datetime
) -> None:
    assert publish(database, noon, settings) is None


def test_the_puzzle_an_admin_put_on_the_day_goes_out(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(5)
    hard = add_puzzles(1, moves=3, difficulty=99.0)[0]
    with database.write.begin() as session:
        review.approve(session, hard, "ayşe", noon, noon.date(), date(2026, 11, 30))
    assert published(database, noon, settings).puzzle_id == hard
    assert status_of(database, hard) == (Status.PUBLISHED, None)


def test_a_puzzle_kept_for_another_day_is_left_alone(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    kept, free = add_puzzles(2)
    with database.write.begin() as session:
        review.approve(session, kept, "ayşe", noon, noon.date(), date(2026, 12, 2))
    assert published(database, noon, settings).puzzle_id == free
    assert status_of(database, kept) == (Status.APPROVED, date(2026, 12, 2))


def test_without_an_approved_puzzle_one_from_the_reserve_goes_out_with_an_alarm(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    caplog: pytest.LogCaptureFixture,
) -> None:
    approved = add_puzzles(1)
    reserve = add_puzzles(1, Status.CANDIDATE)
    add_puzzles(1, Status.REJECTED)
    assert published(database, noon, settings).puzzle_id == approved[0]
    assert caplog.records == []
    assert published(database, noon + DAY, settings).puzzle_id == reserve[0]
    assert "came from the reserve" in caplog.text
    with database.read() as session:
        assert [row.alarm for row in session.scalars(select(Publication).order_by(Publication.day))] == [
            False,
            True,
        ]
    assert publish(database, noon + 2 * DAY, settings) is None


def test_a_puzzle_kept_for_later_is_better_than_an_empty_day(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    caplog: pytest.LogCaptureFixture,
) -> None:
    kept = add_puzzles(1)[0]
    with database.write.begin() as session:
        review.approve(session, kept, "ayşe", noon, noon.date(), date(2026, 12, 24))
    assert published(database, noon, settings).puzzle_id == kept
    assert "puzzle 1 of 2026-11-30 was scheduled for a later day" in caplog.text
    assert "reserve" not in caplog.text
    add_puzzles(2)
    with database.read() as session:
        assert stock.status(session, noon, settings).alarms == ("brought_forward",)


def test_puzzles_that_lose_their_day_are_named_with_the_reason(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    caplog: pytest.LogCaptureFixture,
) -> None:
    add_puzzles(1)
    published(database, noon, settings)
    today, yesterday = add_puzzles(2)
    for puzzle_id, day in ((today, date(2026, 11, 30)), (yesterday, date(2026, 11, 29))):
        with database.write.begin() as session:
            session.get_one(Puzzle, puzzle_id).day = day
    published(database, noon, settings)
    again = "and approved without a day again: "
    assert f"scheduled for a day that has passed, {again}['{yesterday}']" in caplog.text
    assert f"scheduled for 2026-11-30, which takes no other puzzle, {again}['{today}']" in caplog.text
    assert status_of(database, today) == status_of(database, yesterday) == (Status.APPROVED, None)


def test_the_scheduler_down_for_three_days_publishes_today_only(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(5)
    scheduled = add_puzzles(1)[0]
    with database.write.begin() as session:
        review.approve(session, scheduled, "ayşe", noon, noon.date(), date(2026, 12, 2))
    published(database, noon, settings)
    found = published(database, noon + 4 * DAY, settings)
    assert (found.number, found.day) == (2, date(2026, 12, 4))
    with database.read() as session:
        days = session.scalars(select(Publication.day).order_by(Publication.day)).all()
    assert days == [date(2026, 11, 30), date(2026, 12, 4)]
    status, day = status_of(database, scheduled)
    assert day is None
    assert status == (Status.PUBLISHED if found.puzzle_id == scheduled else Status.APPROVED)


def test_a_future_number_is_like_one_that_does_not_exist(
    database: Database, settings: Settings, stock: list[Record], noon: datetime
) -> None:
    first = published(database, noon, settings)
    published(database, noon + DAY, settings)
    with database.read() as session:
        assert publication.by_number(session, 1, noon, settings) == first
        assert publication.by_number(session, 2, noon, settings) is None
        assert publication.by_number(session, 3, noon, settings) is None
        older = publication.by_number(session, 1, noon + DAY, settings)
    assert older is not None
    assert not older.is_today


def test_a_clock_set_back_publishes_nothing_before_what_is_out(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    """Numbers follow the days; and the days that are out are found again when the clock is."""
    add_puzzles(9)
    first = published(database, noon, settings)
    later = published(database, noon + 3 * DAY, settings)
    for back in (1, 2, -1, -300):
        now = noon + back * DAY
        assert publish(database, now, settings) is None, back
        with database.read() as session:
            assert publication.today(session, now, settings) is None
            why = publication.why_none(session, now, settings)
        assert (
            why
            == f"the clock says {now.date()} and the puzzle of 2026-12-03 is out: none is published before it"
        )
    assert published(database, noon, settings) == first
    assert published(database, noon + 3 * DAY, settings) == later
    following = published(database, noon + 4 * DAY, settings)
    assert (following.number, following.day) == (3, date(2026, 12, 4))


def test_a_number_beyond_what_databases_count_is_not_out(
    database: Database, settings: Settings, stock: list[Record], noon: datetime
) -> None:
    published(database, noon, settings)
    for number in (2**31, 2**63, 10**30):
        with database.read() as session:
            assert publication.by_number(session, number, noon, settings) is None
        with pytest.raises(ServiceError) as refused, database.write.begin() as session:
            amendments.void(session, number, "ayşe", noon, "unclear", settings)
        assert refused.value.code == "not_found"


def test_the_solvers_colour_alternates_and_everything_is_swapped_with_it(
    database: Database, settings: Settings, stock: list[Record], noon: datetime
) -> None:
    by_id = {one.id: one for one in stock}
    solvers = []
    for offset in range(6):
        found = published(database, noon + offset * DAY, settings)
        original = by_id[found.puzzle_id].proof
        solvers.append(found.position.turn.value)
        assert found.swapped is (offset % 2 == 1)
        assert found.position == (original.position.swapped() if found.swapped else original.position)
        found.proof.walk()
        assert found.previous_move is not None
        assert found.proof.position == found.position
    assert solvers == ["W", "B"] * 3


def test_the_same_puzzle_is_never_published_twice(
    database: Database, settings: Settings, stock: list[Record], noon: datetime
) -> None:
    found = [publish(database, noon + offset * DAY, settings) for offset in range(len(stock) + 2)]
    ids = [one.puzzle_id for one in found if one is not None]
    assert len(ids) == len(set(ids)) == len(stock)
    assert found[len(stock) :] == [None, None]


def test_filling_the_calendar_while_others_publish_loses_and_doubles_nothing(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(30)
    together = threading.Barrier(6)
    faults: list[Exception] = []

    def work(part: int) -> None:
        together.wait()
        try:
            for days in range(3):
                if part % 2:
                    published(database, noon + days * DAY, settings)
                else:
                    with contextlib.suppress(ServiceError), database.write.begin() as session:
                        schedule.fill(session, noon, settings, "ayşe", 10)
        except Exception as error:  # noqa: BLE001  (a thread's failure is the test's)
            faults.append(error)

    threads = [threading.Thread(target=work, args=(part,)) for part in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with database.read() as session:
        out = session.scalars(select(Publication.day).order_by(Publication.day)).all()
        waiting = session.scalars(select(Puzzle.day).where(Puzzle.day.is_not(None))).all()
        counted = session.scalar(select(func.count()).select_from(Puzzle))
    assert out == [noon.date() + days * DAY for days in range(3)]
    assert len(waiting) == len({*waiting, *out}) - 3
    assert counted == 30


def test_naive_instants_are_refused(database: Database, settings: Settings) -> None:
    with pytest.raises(ValueError, match="no UTC offset"), database.read() as session:
        publication.today(session, datetime(2026, 11, 30), settings)  # noqa: DTZ001
