"""Amendments: what can still be done about a day that is out, and about one that came out too early."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from sqlalchemy import func, select

from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.models import Attempt, Publication, Puzzle
from puzzle_service.services import amendments, players, publication, review, schedule
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


def test_replacing_keeps_day_and_number_and_withdraws_the_first(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(2)
    first = published(database, noon, settings)
    with database.write.begin() as session:
        second = amendments.replace(session, 1, "ayşe", noon, "two keys", settings)
    found = published(database, noon, settings)
    assert (found.number, found.day, found.puzzle_id) == (1, first.day, second)
    assert second != first.puzzle_id
    assert status_of(database, first.puzzle_id)[0] == Status.WITHDRAWN
    assert publish(database, noon + DAY, settings) is None


@pytest.mark.parametrize(
    ("number", "reason", "code"),
    [(2, "two keys", "not_found"), (1, " ", "bad_request"), (1, "two keys", "nothing_left")],
)
def test_what_cannot_be_replaced_stays(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    number: int,
    reason: str,
    code: str,
) -> None:
    add_puzzles(1)
    first = published(database, noon, settings)
    with pytest.raises(ServiceError) as refused, database.write.begin() as session:
        amendments.replace(session, number, "ayşe", noon, reason, settings)
    assert refused.value.code == code
    assert published(database, noon, settings) == first
    assert status_of(database, first.puzzle_id)[0] == Status.PUBLISHED


def test_a_void_puzzle_stays_and_is_void_once(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(2)
    first = published(database, noon, settings)
    with database.write.begin() as session:
        amendments.void(session, 1, "ayşe", noon, "unclear", settings)
    assert published(database, noon, settings) == first
    with pytest.raises(ServiceError) as refused, database.write.begin() as session:
        amendments.void(session, 1, "ayşe", noon, "unclear", settings)
    assert refused.value.code == "not_allowed"


def test_an_admin_may_name_the_replacement(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(9)
    (named,) = add_puzzles(1, Status.CANDIDATE, moves=3, difficulty=99.0)
    published(database, noon, settings)
    published(database, noon + DAY, settings)
    with database.write.begin() as session:
        assert amendments.replace(session, 1, "ayşe", noon + DAY, "two keys", settings, named) == named
    with database.read() as session:
        found = publication.by_number(session, 1, noon + DAY, settings)
        row = session.get_one(Publication, noon.date())
    assert found is not None
    assert (found.puzzle_id, found.number, found.swapped, row.alarm) == (named, 1, False, False)
    assert status_of(database, named) == (Status.PUBLISHED, None)


def test_a_named_replacement_gives_up_its_day(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    first, second = add_puzzles(2)
    with database.write.begin() as session:
        review.approve(session, first, "ayşe", noon, noon.date(), noon.date())
        review.approve(session, second, "ayşe", noon, noon.date(), date(2026, 12, 24))
    published(database, noon, settings)
    with database.write.begin() as session:
        amendments.replace(session, 1, "ayşe", noon, "two keys", settings, second)
    assert status_of(database, second) == (Status.PUBLISHED, None)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (Status.REJECTED, "not_allowed"),
        (Status.WITHDRAWN, "not_allowed"),
        (Status.PUBLISHED, "not_allowed"),
        (None, "not_found"),
    ],
)
def test_what_may_not_go_out_replaces_nothing(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    status: Status | None,
    code: str,
) -> None:
    add_puzzles(2)
    first = published(database, noon, settings)
    named = "unknown" if status is None else add_puzzles(1, status)[0]
    with pytest.raises(ServiceError) as refused, database.write.begin() as session:
        amendments.replace(session, 1, "ayşe", noon, "two keys", settings, named)
    assert refused.value.code == code
    assert published(database, noon, settings) == first
    assert status_of(database, first.puzzle_id)[0] == Status.PUBLISHED


def test_a_past_day_is_replaced_beside_what_came_after_it(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    """The replacement repeats the leading theme neither of the day before nor of the day after."""
    for theme in ("promotion", "sacrifice", "sweep"):
        (one,) = add_puzzles(1, themes=[theme])
        day = noon + ("promotion", "sacrifice", "sweep").index(theme) * DAY
        with database.write.begin() as session:
            review.approve(session, one, "ayşe", noon, noon.date(), day.date())
        published(database, day, settings)
    add_puzzles(1, themes=["sweep"], difficulty=1.0)
    add_puzzles(1, themes=["promotion"], difficulty=1.0)
    (other,) = add_puzzles(1, themes=["king hunt"], difficulty=99.0)
    with database.write.begin() as session:
        assert amendments.replace(session, 2, "ayşe", noon + 2 * DAY, "two keys", settings) == other


def test_what_a_clock_ahead_has_published_is_taken_back(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(9)
    first = published(database, noon, settings)
    for days in (2, 3):
        published(database, noon + days * DAY, settings)
    now = noon + DAY
    assert publish(database, now, settings) is None
    for days in (3, 2):
        with database.read() as session:
            taken = session.get_one(Publication, (noon + days * DAY).date()).puzzle_id
        with database.write.begin() as session:
            publication.take_back(session, (noon + days * DAY).date(), "ayşe", now, settings)
        assert status_of(database, taken) == (Status.APPROVED, None)
    following = published(database, now, settings)
    assert (following.number, following.day) == (2, now.date())
    assert published(database, noon, settings) == first


def test_a_puzzle_that_is_taken_back_waits_again_for_the_day_it_was_set_for(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    first, second, other = add_puzzles(3)
    tomorrow, later = (noon + DAY).date(), (noon + 5 * DAY).date()
    for day, puzzle_id in ((noon.date(), first), (tomorrow, second), (later, other)):
        with database.write.begin() as session:
            schedule.set_day(session, day, puzzle_id, "ayşe", noon, settings)
    published(database, noon, settings)
    for days in (1, 2):
        # The second time nothing else is left than what was kept for a later day.
        published(database, noon + days * DAY, settings)
    with database.read() as session:
        assert session.get_one(Publication, (noon + 2 * DAY).date()).puzzle_id == other
    for days in (2, 1):
        with database.write.begin() as session:
            publication.take_back(session, (noon + days * DAY).date(), "ayşe", noon, settings)
    assert status_of(database, second) == (Status.APPROVED, tomorrow)
    assert status_of(database, other) == (Status.APPROVED, later)


def test_a_puzzle_that_is_taken_back_takes_no_day_from_another(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    kept, other = add_puzzles(2)
    later = (noon + 5 * DAY).date()
    with database.write.begin() as session:
        schedule.set_day(session, later, kept, "ayşe", noon, settings)
        review.reject(session, other, "ayşe", noon, "dull")
    published(database, noon + DAY, settings)
    (third,) = add_puzzles(1)
    with database.write.begin() as session:
        schedule.set_day(session, later, third, "ayşe", noon, settings)
        publication.take_back(session, (noon + DAY).date(), "ayşe", noon, settings)
    assert status_of(database, kept) == (Status.APPROVED, None)
    assert status_of(database, third) == (Status.APPROVED, later)


def test_what_came_from_the_reserve_goes_back_to_it(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    (puzzle_id,) = add_puzzles(1, Status.CANDIDATE)
    published(database, noon + DAY, settings)
    with database.write.begin() as session:
        publication.take_back(session, (noon + DAY).date(), "ayşe", noon, settings)
    assert status_of(database, puzzle_id) == (Status.CANDIDATE, None)


@pytest.mark.parametrize(
    ("days", "code", "message"),
    [
        (0, "not_allowed", "has begun; expected a day that is still to come"),
        (-1, "not_found", "nothing is out for 2026-11-29"),
        (1, "not_allowed", "2026-12-03 is out too; expected the last day first"),
        (2, "not_found", "nothing is out for 2026-12-02"),
        (3, "not_allowed", "has been played"),
    ],
)
def test_what_cannot_be_taken_back_stays(
    database: Database,
    settings: Settings,
    add_puzzles: AddPuzzles,
    noon: datetime,
    days: int,
    code: str,
    message: str,
) -> None:
    add_puzzles(9)
    for ahead in (0, 1, 3):
        out = published(database, noon + ahead * DAY, settings)
    with database.write.begin() as session:
        player, _ = players.create_guest(session, noon)
        session.add(
            Attempt(player_id=player, puzzle_id=out.puzzle_id, ordinal=1, plies=[], slow=0, started_at=noon)
        )
    with pytest.raises(ServiceError, match=message) as refused, database.write.begin() as session:
        publication.take_back(session, (noon + days * DAY).date(), "ayşe", noon, settings)
    assert refused.value.code == code
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(Publication)) == 3


def test_an_amended_day_is_not_taken_back(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(1)
    published(database, noon + DAY, settings)
    with database.write.begin() as session:
        amendments.void(session, 1, "ayşe", noon + DAY, "unclear", settings)
    with pytest.raises(ServiceError, match="has been amended"), database.write.begin() as session:
        publication.take_back(session, (noon + DAY).date(), "ayşe", noon, settings)
