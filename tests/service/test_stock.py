"""The stock: what is wrong with it, and what is in it."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.services import lease, publication, review, stock
from puzzle_service.services.stock import Alarm, Choices, Filters, Order, Page
from puzzle_service.settings import Settings

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
FRIDAY = date(2026, 12, 4)
AddPuzzles = Callable[..., list[str]]


def alarms(database: Database, settings: Settings, now: datetime) -> tuple[Alarm, ...]:
    with database.read() as session:
        return stock.status(session, now, settings).alarms


def midnight_after(noon: datetime) -> datetime:
    """The next change of day in Istanbul."""
    return noon + timedelta(hours=12)


def scheduler_runs(database: Database, now: datetime) -> None:
    with database.write.begin() as session:
        assert lease.take(session, lease.SCHEDULER, "one", now, lease.SCHEDULER_SECONDS)


def test_a_late_publication_is_an_alarm_until_it_is_made_up_for(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(9)
    publication.ensure_published(database.write, noon, settings)
    midnight = midnight_after(noon)
    for minutes, expected in ((0, ()), (5, ()), (6, ("late",)), (600, ("late",))):
        now = midnight + minutes * MINUTE
        scheduler_runs(database, now)
        assert alarms(database, settings, now) == expected, minutes
    publication.ensure_published(database.write, midnight + 601 * MINUTE, settings)
    assert alarms(database, settings, midnight + 601 * MINUTE) == ()


def test_a_site_that_has_never_published_is_not_late(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(9)
    assert alarms(database, settings, noon) == ()


def test_a_site_with_nothing_left_is_not_late_as_well(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(1)
    publication.ensure_published(database.write, noon, settings)
    scheduler_runs(database, noon + DAY)
    assert alarms(database, settings, noon + DAY) == ("nothing_left",)


def test_a_scheduler_that_is_gone_for_five_minutes_is_an_alarm(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(9)
    publication.ensure_published(database.write, noon, settings)
    scheduler_runs(database, noon)
    gone = noon + timedelta(seconds=lease.SCHEDULER_SECONDS)
    assert alarms(database, settings, gone + 5 * MINUTE) == ()
    assert alarms(database, settings, gone + 6 * MINUTE) == ("no_scheduler",)
    with database.write.begin() as session:
        lease.release(session, lease.SCHEDULER, "one", noon)
    assert alarms(database, settings, noon + 5 * MINUTE) == ()
    assert alarms(database, settings, noon + 6 * MINUTE) == ("no_scheduler",)


def test_a_site_that_never_had_a_scheduler_is_told_so_from_the_second_day_on(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(9)
    publication.ensure_published(database.write, noon, settings)
    assert alarms(database, settings, noon + 6 * MINUTE) == ()
    publication.ensure_published(database.write, noon + DAY, settings)
    assert alarms(database, settings, noon + DAY) == ("no_scheduler",)


def test_a_clock_that_ran_ahead_is_an_alarm_and_not_a_late_publication(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(9)
    for days in (0, 3):
        publication.ensure_published(database.write, noon + days * DAY, settings)
    scheduler_runs(database, noon + DAY)
    assert alarms(database, settings, noon + DAY) == ("ahead",)
    with database.write.begin() as session:
        publication.take_back(session, (noon + 3 * DAY).date(), "ayşe", noon + DAY, settings)
    assert alarms(database, settings, noon + DAY) == ("late",)


def test_the_gravest_alarm_comes_first(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(3, Status.CANDIDATE)
    publication.ensure_published(database.write, noon, settings)
    assert alarms(database, settings, noon + DAY) == ("late", "no_scheduler", "no_approved", "from_reserve")


@pytest.fixture
def shelf(database: Database, add_puzzles: AddPuzzles, noon: datetime) -> dict[str, str]:
    """Five puzzles that differ in everything, by a name for each."""
    added = {
        name: add_puzzles(1, status, imported_at=noon + n * MINUTE, score=n, **columns)[0]
        for n, (name, status, columns) in enumerate(
            [
                ("easy", Status.CANDIDATE, {"difficulty": 1.0, "themes": ["king hunt"], "moves": 2}),
                (
                    "hard",
                    Status.APPROVED,
                    {"difficulty": 9.0, "themes": ["180° trap", "sacrifice"], "moves": 3},
                ),
                (
                    "yoz",
                    Status.APPROVED,
                    {"difficulty": 5.0, "themes": ["sacrifice"], "rules": "turkish-yoz"},
                ),
                ("natural", Status.REJECTED, {"difficulty": 5.0, "themes": [], "source": "self-play"}),
                ("odd", Status.APPROVED, {"difficulty": 3.0, "themes": [], "fen": "W:Wa2,Kh7:BKb1,d7"}),
            ]
        )
    }
    with database.write.begin() as session:
        review.approve(session, added["yoz"], "ayşe", noon, noon.date(), FRIDAY)
    return added


def search(
    database: Database, filters: Filters, order: Order = "oldest", after: str | None = None, limit: int = 50
) -> Page:
    with database.read() as session:
        return stock.search(session, filters, order, after, limit)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), "easy hard yoz natural odd"),
        (Filters(status=Status.APPROVED), "hard yoz odd"),
        (Filters(status=Status.APPROVED, scheduled=True), "yoz"),
        (Filters(status=Status.APPROVED, scheduled=False), "hard odd"),
        (Filters(status=Status.PUBLISHED), ""),
        (Filters(moves=3), "hard"),
        (Filters(rules="turkish-yoz"), "yoz"),
        (Filters(source="self-play"), "natural"),
        (Filters(easiest=3.0, hardest=5.0), "yoz natural odd"),
        (Filters(easiest=0.0, hardest=0.0), ""),
        (Filters(themes=frozenset({"sacrifice"})), "hard yoz"),
        (Filters(themes=frozenset({"sacrifice", "180° trap"})), "hard"),
        (Filters(themes=frozenset({"sacrifice"}), text="trap"), "hard"),
        (Filters(rare=True), "hard"),
        (Filters(rare=True, themes=frozenset({"king hunt"})), ""),
        (Filters(text="kh7"), "odd"),
        (Filters(text=" Kh7:BKB1 "), "odd"),
        (Filters(text="self-"), "natural"),
        (Filters(text="%"), ""),
        (Filters(text="\x00"), ""),
    ],
)
def test_the_stock_is_searched_by_all_that_a_puzzle_is(
    database: Database, shelf: dict[str, str], filters: Filters, expected: str
) -> None:
    names = {puzzle_id: name for name, puzzle_id in shelf.items()}
    found = search(database, filters)
    assert " ".join(names[one.id] for one in found.puzzles) == expected
    assert (found.found, found.more) == (len(found.puzzles), False)


@pytest.mark.parametrize("text", ["king hunt", "KING HUNT", "KİNG HUNT", "kıng hunt", "kIng"])
def test_every_kind_of_i_finds_a_theme(database: Database, shelf: dict[str, str], text: str) -> None:
    assert [one.id for one in search(database, Filters(text=text)).puzzles] == [shelf["easy"]]


def test_the_head_of_an_id_finds_its_puzzle(database: Database, shelf: dict[str, str]) -> None:
    puzzle_id = shelf["odd"]
    for text in (puzzle_id, puzzle_id[:12], puzzle_id[:12].upper()):
        assert [one.id for one in search(database, Filters(text=text)).puzzles] == [puzzle_id]
    assert search(database, Filters(text=puzzle_id[1:])).puzzles == ()


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("oldest", "easy hard yoz natural odd"),
        ("newest", "odd natural yoz hard easy"),
        ("easiest", "easy odd yoz/natural hard"),
        ("hardest", "hard yoz/natural odd easy"),
        ("promising", "odd natural yoz hard easy"),
        ("day", "yoz ..."),
    ],
)
def test_what_is_found_comes_in_order_and_page_by_page(
    database: Database, shelf: dict[str, str], order: Order, expected: str
) -> None:
    everything = [one.id for one in search(database, Filters(), order).puzzles]
    for place, names in enumerate(expected.split()):
        if names != "...":
            tied = {shelf[name] for name in names.split("/")}
            start = place + sum(name.count("/") for name in expected.split()[:place])
            assert set(everything[start : start + len(tied)]) == tied
    pages, after = [], None
    while True:
        page = search(database, Filters(), order, after, 2)
        pages += [one.id for one in page.puzzles]
        assert page.found == len(shelf)
        if not page.more:
            break
        after = pages[-1]
    assert pages == everything


def test_the_next_page_is_found_after_its_puzzle_has_left_the_filters(
    database: Database, shelf: dict[str, str], noon: datetime
) -> None:
    with database.write.begin() as session:
        review.reject(session, shelf["hard"], "ayşe", noon, "dull")
    found = search(database, Filters(status=Status.APPROVED), after=shelf["hard"])
    assert [one.id for one in found.puzzles] == [shelf["yoz"], shelf["odd"]]
    whole = search(database, Filters(status=Status.APPROVED), after="unknown")
    assert whole == search(database, Filters(status=Status.APPROVED))


def test_a_puzzle_that_was_out_is_found_with_day_and_number(
    database: Database, settings: Settings, shelf: dict[str, str], noon: datetime
) -> None:
    published = publication.ensure_published(database.write, noon, settings)
    assert published is not None
    first, second, *_ = search(database, Filters(), "day").puzzles
    assert (first.id, first.number, first.published_on) == (published.puzzle_id, 1, noon.date())
    assert (second.id, second.number, second.published_on, second.day) == (shelf["yoz"], None, None, FRIDAY)


def test_the_choices_are_what_occurs(database: Database, shelf: dict[str, str]) -> None:
    with database.read() as session:
        found = stock.choices(session)
        placed = review.get(session, shelf["easy"]).summary.source
    assert placed < "self-play"
    assert found == Choices(
        themes=("180° trap", "king hunt", "sacrifice"),
        sources=(placed, "self-play"),
        rules=("turkish", "turkish-yoz"),
    )
