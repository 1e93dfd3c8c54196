"""The archive, the calendar of the record, and the page about the site."""

import html
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from puzzle_service.db import Database
from puzzle_service.models import Attempt
from puzzle_service.services import amendments, devices
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from tests.web.conftest import Clock, Publish, Visitor

DAY = timedelta(days=1)
AddPuzzles = Callable[..., list[str]]
RESULTS: dict[str, list[str | None]] = {
    "s": ["solved"],
    "2": ["wrong", "solved"],
    "f": ["wrong"] * 3,
    "-": [],
    ".": [None],
}


def cells(page: str) -> dict[str, str]:
    """Return what is read aloud of every day of a page's calendars, by its date."""
    texts = re.findall(r'<span class="sr">([^<]*?, [0-9]+ \w+): ([^<]*)</span>', page)
    return {day.partition(", ")[2]: words for day, words in texts}


Live = Callable[[str], None]


@pytest.fixture
def live(
    database: Database, visitor: Visitor, clock: Clock, publish: Publish, add_puzzles: AddPuzzles
) -> Live:
    """A function that lets the visitor live through days, one letter each, up to the present one."""

    def lived(letters: str) -> None:
        add_puzzles(len(letters))
        visitor.play(visitor.puzzle(), "a1-a2")  # what no board allows makes the guest and costs nothing
        token = visitor.cookie("dama_player")
        assert token is not None
        with database.read() as session:
            player = devices.guest(session, token)
        assert player is not None
        for letter in letters:
            _play(database, player, publish(), letter, clock.now)
            clock.now += DAY

    return lived


def _play(database: Database, player: int, published: PublishedPuzzle, letter: str, now: datetime) -> None:
    with database.write.begin() as session:
        for ordinal, result in enumerate(RESULTS[letter], 1):
            key: dict[str, Any] = {"player_id": player, "puzzle_id": published.puzzle_id, "ordinal": ordinal}
            times = {"started_at": now, "finished_at": now if result else None}
            session.merge(Attempt(**key, **times, plies=[], slow=0, result=result))


def test_every_day_of_the_archive_says_how_it_stands_and_leads_to_practice(
    visitor: Visitor, live: Live, clock: Clock, publish: Publish
) -> None:
    clock.now -= 28 * DAY  # the second of November
    live("s2f-ss")
    publish()
    page = visitor.open("/archive")
    assert {day: words for day, words in cells(page).items() if "still to come" not in words} == {
        "1 November": "before the first puzzle",
        "2 November": "solved, 1 attempt",
        "3 November": "solved, 2 attempts",
        "4 November": "not solved",
        "5 November": "not played",
        "6 November": "solved, 1 attempt",
        "7 November": "solved, 1 attempt",
        "8 November": "still open",
    }
    assert re.findall(r'<a href="(/p/\d+)"', page) == [f"/p/{number}" for number in range(1, 7)]
    assert '<a href="/" aria-current="date">' in page
    assert "4 of 7 puzzles solved" in page
    assert [name for name in ("cross", "minus", "dot") if f"icons.svg#{name}" in page] == [
        "cross",
        "minus",
        "dot",
    ]


def test_the_record_shows_a_freeze_where_it_was_used_and_what_the_meter_holds(
    visitor: Visitor, live: Live, publish: Publish
) -> None:
    live("sssssssss")
    assert "Freeze meter: 9 of 14" in visitor.open("/me")
    assert "One freeze is ready, and 5 more solved days make a second." in visitor.open("/me")
    live("f")
    publish()
    page = visitor.open("/me")
    assert "Wednesday, 9 December was not solved, and a freeze kept the streak." in page
    assert re.search(r"<b>9</b><span>streak</span>", page)
    assert cells(page)["9 December"] == "not solved, kept by a freeze"
    assert "Freeze meter: 2 of 14" in page
    assert "No freeze yet: 5 more solved days make one." in page
    assert len(re.findall(r'<li class="held">', page)) == 2
    assert "icons.svg#freeze" in page
    live("-")
    page = visitor.open("/me")
    assert "No streak yet" in page
    assert "a freeze kept the streak" not in page
    assert cells(page)["9 December"] == "not solved, kept by a freeze"


def test_a_day_in_its_grace_period_and_one_that_was_amended_are_told_apart(
    visitor: Visitor, live: Live, clock: Clock, database: Database, settings: Settings, publish: Publish
) -> None:
    live("s-.")
    with database.write.begin() as session:
        amendments.void(session, 2, "ayşe", clock.now, "unclear", settings)
    clock.now -= timedelta(hours=11)  # one o'clock in the morning
    publish()
    shown = cells(visitor.open("/me"))
    assert [shown[f"{day} December"] for day in (1, 2, 3)] == [
        "does not count",
        "can still be finished",
        "still open",
    ]
    assert shown["29 November"] == "before the first puzzle"


def test_a_day_without_a_puzzle_is_shown_as_such(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock, publish: Publish
) -> None:
    clock.now += 2 * DAY
    publish()
    page = visitor.open("/archive/2026-12")
    assert cells(page)["1 December"] == "no puzzle"
    assert cells(page)["2 December"] == "still open"


def test_months_lead_to_each_other_and_the_archive_shows_the_newest_first(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock, publish: Publish
) -> None:
    clock.now += 130 * DAY  # in April
    publish()
    page = visitor.open("/archive")
    months = re.findall(r"<caption[^>]*>([^<]+)</caption>", page)
    assert months == ["April 2027", "March 2027", "February 2027"]
    assert re.findall(r'class="btn" href="/archive/([^"]+)"', page) == ["2027-01", "2026-12", "2026-11"]
    for month, earlier, later in (
        ("2027-04", "2027-03", None),
        ("2027-01", "2026-12", "2027-02"),
        ("2026-11", None, "2026-12"),
    ):
        page = visitor.open(f"/archive/{month}")
        assert re.findall(r'rel="prev" href="/archive/([^"]+)"', page) == ([earlier] if earlier else [])
        assert re.findall(r'rel="next" href="/archive/([^"]+)"', page) == ([later] if later else [])


@pytest.mark.parametrize(
    "month", ["2026-10", "2027-01", "2026-12", "0000-01", "2026-13", "2026-1", "x", "٢٠٢٦-١١", "2026-11-30"]
)
def test_a_month_to_come_or_before_the_first_puzzle_is_not_found(
    app: Flask, today: PublishedPuzzle, month: str
) -> None:
    assert app.test_client().get(f"/archive/{month}").status_code == 404


def test_the_archive_of_a_site_without_a_puzzle_is_friendly(visitor: Visitor) -> None:
    assert "No puzzle is out yet." in visitor.open("/archive")
    assert "No streak yet" in visitor.open("/me")


def test_who_has_not_played_costs_no_look_at_attempts(
    statements: list[str], today: PublishedPuzzle, visitor: Visitor
) -> None:
    for path in ("/me", "/archive", "/archive/2026-11", "/about"):
        visitor.open(path)
        statements.clear()
        visitor.open(path)
        assert [one for one in statements if "attempt" in one] == [], path
        assert len([one for one in statements if "SELECT" in one]) == 1, path


def test_personal_pages_are_kept_by_no_cache(visitor: Visitor, today: PublishedPuzzle) -> None:
    for path in ("/me", "/archive", "/archive/2026-11", "/about"):
        assert visitor.client.get(path).headers["Cache-Control"] == "no-store"


def test_the_page_about_the_site_says_how_days_count_and_what_is_kept(
    visitor: Visitor, today: PublishedPuzzle
) -> None:
    page = html.unescape(visitor.open("/about"))
    for words in (
        "You have 3 attempts a day",
        "midnight by the clock of Istanbul",
        "3 more hours to finish it",
        "the meter pays 7 for it",
        "no mail, no tracking",
    ):
        assert words in page
    assert 'href="/account"' in page
    assert 'href="/about"' in visitor.open("/")
