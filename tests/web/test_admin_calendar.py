"""The calendar: what it shows, and setting, moving, clearing and filling its days by plain forms."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from flask import Flask

from puzzle_service import web
from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import AuditEntry, Puzzle
from puzzle_service.services import lease, schedule
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.web import texts
from tests.conftest import AddPuzzles
from tests.web.conftest import ADMIN, ON_BOTH, Clock, Publish, Rows, Visitor
from tests.web.reviewing import (
    MONDAY,
    TUESDAY,
    WEDNESDAY,
    free,
    notices,
    row,
    said,
    send,
    undo_form,
    waiting,
    words,
)


def _tiles(page: str) -> dict[date, tuple[set[str], str]]:
    """Return the classes of each day of the calendar and what is to be read there."""
    found = re.findall(r'<td class="slot ([^"]+)">.*?id="d-([\d-]+)"(.*?)</td>', page, re.S)
    return {date.fromisoformat(day): (set(classes.split()), words(rest)) for classes, day, rest in found}


@pytest.fixture
def both_set(admin: Visitor, today: PublishedPuzzle, database: Database) -> tuple[str, str]:
    """Two puzzles, of tomorrow and of the day after."""
    first, second = free(database)[:2]
    for day, puzzle_id in ((TUESDAY, first), (WEDNESDAY, second)):
        said(admin, send(admin, "/admin/calendar/set", day=day, puzzle=puzzle_id, seen=""))
    return first, second


def test_the_calendar_shows_six_weeks_from_today_with_gaps_in_plain_sight(
    admin: Visitor, today: PublishedPuzzle, both_set: tuple[str, str]
) -> None:
    tiles = _tiles(admin.open("/admin/calendar"))
    assert list(tiles) == [MONDAY + timedelta(days=offset) for offset in range(42)]
    assert tiles[MONDAY][0] == {"published", "today"}
    assert "Out: puzzle 1" in tiles[MONDAY][1]
    assert tiles[TUESDAY][0] == {"scheduled"}
    assert "Gap" not in tiles[TUESDAY][1]
    gaps = [day for day, (classes, _) in tiles.items() if "gap" in classes]
    assert gaps == list(tiles)[3:]
    assert all("Gap" in tiles[day][1] for day in gaps)
    assert "the weekly rhythm would choose this one" in tiles[gaps[0]][1]
    assert "No puzzle is left for this day" in tiles[gaps[-1]][1]
    assert "39 days have no puzzle set." in words(admin.open("/admin/calendar"))


def test_a_day_that_does_not_begin_the_week_stands_below_its_weekday(admin: Visitor, clock: Clock) -> None:
    clock.now += timedelta(days=3)
    admin.sign_in(*ADMIN)
    page = admin.open("/admin/calendar")
    first_week = page[page.index("<tbody>") :].split("</tr>", 1)[0]
    assert first_week.count('<td class="blank">') == 3
    assert first_week.count('<td class="slot') == 4


def test_what_goes_out_tonight_and_in_how_many_hours_is_said_first(
    admin: Visitor, today: PublishedPuzzle, both_set: tuple[str, str]
) -> None:
    for path in ("/admin", "/admin/calendar"):
        page = words(admin.open(path))
        assert "Tuesday, 1 December, at 00:00 Istanbul: in 12 h 0 min" in page, path
        assert re.search(r"(White|Black) to move: win in \d · .* Set Look at it", page), path


@ON_BOTH
def test_a_puzzle_is_set_moved_and_cleared_and_each_step_can_be_undone(
    admin: Visitor, today: PublishedPuzzle, database: Database
) -> None:
    chosen = free(database)[0]
    answer = send(admin, "/admin/calendar/set", day=TUESDAY, puzzle=chosen, seen="")
    assert answer.location == f"/admin/calendar#d-{TUESDAY}"
    assert said(admin, answer) == "Tuesday, 1 December is set."
    answer = send(admin, "/admin/calendar/move", day=TUESDAY, to=WEDNESDAY, seen=chosen, seen_there="")
    assert said(admin, answer) == "Tuesday, 1 December is moved to Wednesday, 2 December."
    assert waiting(database) == {WEDNESDAY: chosen}
    answer = send(admin, "/admin/calendar/clear", day=WEDNESDAY, seen=chosen)
    page = admin.open(answer.location)
    assert "Its puzzle stays approved" in notices(page)
    assert waiting(database) == {}
    assert said(admin, send(admin, undo_form(page))).startswith("Undone.")
    assert waiting(database) == {WEDNESDAY: chosen}


@ON_BOTH
def test_moving_onto_a_taken_day_exchanges_the_two(
    admin: Visitor, both_set: tuple[str, str], database: Database
) -> None:
    first, second = both_set
    send(admin, "/admin/calendar/move", day=TUESDAY, to=WEDNESDAY, seen=first, seen_there=second)
    assert waiting(database) == {TUESDAY: second, WEDNESDAY: first}
    assert "puzzles exchanged" in admin.open("/admin/log")


@ON_BOTH
def test_filling_gives_each_gap_a_puzzle_and_says_what_is_left(
    admin: Visitor, today: PublishedPuzzle, database: Database, rows: Rows
) -> None:
    answer = send(admin, "/admin/calendar/fill")
    page = admin.open(answer.location)
    assert notices(page).startswith(
        "9 gaps are filled. 32 gaps are left: no approved puzzle is free. Approve some."
    )
    assert sorted(waiting(database)) == [MONDAY + timedelta(days=offset) for offset in range(1, 10)]
    assert rows(AuditEntry) == 1
    send(admin, undo_form(page))
    assert waiting(database) == {}
    for expected in ("9 gaps are filled.", "Nothing was filled."):
        assert expected in said(admin, send(admin, "/admin/calendar/fill")), "a double click"


def test_a_filling_that_was_overtaken_says_so_on_the_calendar(
    admin: Visitor, today: PublishedPuzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(*_arguments: object) -> None:
        raise ServiceError("changed", "a gap was filled meanwhile")

    monkeypatch.setattr(schedule, "fill", overtaken)
    assert "It has changed since." in said(admin, send(admin, "/admin/calendar/fill"))


def test_a_full_calendar_has_nothing_to_fill(
    admin: Visitor, today: PublishedPuzzle, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(40)
    # Forty puzzles alike are no rhythm.
    assert re.fullmatch(
        r"41 gaps are filled\. 4\d days break the weekly rhythm: nothing that is approved fits better\.",
        said(admin, send(admin, "/admin/calendar/fill")),
    )
    page = admin.open("/admin/calendar")
    assert "Every day has its puzzle." in page
    assert "Fill the gaps" not in page


@ON_BOTH
def test_of_two_admins_at_once_the_second_is_told_and_changes_nothing(
    admin: Visitor, both_set: tuple[str, str], database: Database
) -> None:
    first, second = both_set
    other = free(database)[0]
    before = waiting(database)
    stale = [
        ("set", {"day": TUESDAY, "puzzle": other, "seen": ""}),
        ("set", {"day": TUESDAY, "puzzle": other, "seen": second}),
        ("move", {"day": TUESDAY, "to": WEDNESDAY, "seen": first, "seen_there": ""}),
        ("move", {"day": TUESDAY, "to": WEDNESDAY, "seen": second, "seen_there": second}),
        ("clear", {"day": TUESDAY, "seen": second}),
    ]
    for change, fields in stale:
        answer = send(admin, f"/admin/calendar/{change}", **fields)
        assert said(admin, answer) == (
            "It has changed since. Nothing was done; here is how it stands now."
        ), (change, fields)
    assert waiting(database) == before


@ON_BOTH
def test_a_change_sent_twice_is_made_once(
    admin: Visitor, both_set: tuple[str, str], database: Database, rows: Rows
) -> None:
    entries = rows(AuditEntry)
    for expected in ("is cleared.", "It has changed since."):
        answer = send(admin, "/admin/calendar/clear", day=TUESDAY, seen=both_set[0])
        assert expected in said(admin, answer)
    assert rows(AuditEntry) == entries + 1
    assert TUESDAY not in waiting(database)


def test_days_that_passed_or_are_out_take_no_puzzle(
    admin: Visitor, today: PublishedPuzzle, database: Database
) -> None:
    chosen = free(database)[0]
    refusals = {
        MONDAY - timedelta(days=1): "That day has passed.",
        MONDAY: "That day has its puzzle already.",
    }
    for day, why in refusals.items():
        assert why in said(admin, send(admin, "/admin/calendar/set", day=day, puzzle=chosen, seen=""))
    assert "No puzzle waits for that day any more." in said(
        admin, send(admin, "/admin/calendar/move", day=MONDAY, to=TUESDAY)
    )
    assert waiting(database) == {}


@ON_BOTH
def test_what_cannot_be_read_is_nothing_that_is_there(admin: Visitor, stock: list[Record]) -> None:
    for change, fields in (
        ("set", {"day": "tomorrow", "puzzle": stock[0].id}),
        ("set", {"day": "2026-12-01\0", "puzzle": stock[0].id}),
        ("set", {"day": TUESDAY, "puzzle": "\0"}),
        ("set", {"day": TUESDAY, "puzzle": "nosuchpuzzle"}),
        ("set", {}),
        ("move", {"day": TUESDAY, "to": "0000-00-00"}),
        ("clear", {"day": ""}),
    ):
        assert send(admin, f"/admin/calendar/{change}", **fields).status_code == 404, (change, fields)
    for text in ("tomorrow", "0001-01-01", "9999-12-31", "2028-12-01", "2026-13-01"):
        assert admin.client.get(f"/admin/days/{text}").status_code == 404, text


def test_a_day_that_nobody_could_see_is_not_set_and_the_page_says_why(
    admin: Visitor, database: Database, stock: list[Record]
) -> None:
    far, chosen = "2062-12-01", {"day": TUESDAY, "puzzle": stock[0].id, "back": "/admin/calendar"}
    assert "too far ahead" in said(admin, send(admin, "/admin/calendar/set", **chosen | {"day": far}))
    assert "too far ahead" in said(admin, send(admin, f"/admin/puzzles/{stock[0].id}/approve", day=far))
    send(admin, "/admin/calendar/set", **chosen)
    assert "too far ahead" in said(admin, send(admin, "/admin/calendar/move", day=TUESDAY, to=far))
    assert "the same day" in said(admin, send(admin, "/admin/calendar/move", day=TUESDAY, to=TUESDAY))
    assert waiting(database) == {TUESDAY: stock[0].id}


def test_a_change_leads_back_to_the_page_it_was_asked_for_on_and_nowhere_else(
    admin: Visitor, stock: list[Record]
) -> None:
    fields = {"day": TUESDAY, "puzzle": stock[0].id}
    for back, expected in (
        ("/admin/days/2026-12-01", "/admin/days/2026-12-01"),
        ("https://evil.example/", "/admin"),
        ("//evil.example", "/admin"),
        ("/admin\r\nSet-Cookie: a=b", "/admin"),
    ):
        assert send(admin, "/admin/calendar/set", **fields, back=back).location == expected


def test_alarms_stand_on_every_page_with_what_to_do(
    admin: Visitor, database: Database, stock: list[Record], clock: Clock, publish: Publish
) -> None:
    with database.write.begin() as session:
        for record in stock:
            session.get_one(Puzzle, record.id).status = Status.CANDIDATE
    for page in ("", "/calendar", "/stock", "/log", "/accounts", "/days/2026-12-01"):
        path = f"/admin{page}"
        assert "No approved puzzle is left for the next day." in words(admin.open(path)), path
    assert "See to it" not in admin.open("/admin"), "the page to do it on is this one"
    assert "See to it" in admin.open("/admin/calendar")
    assert "this one would come from the reserve" in admin.open("/admin/calendar")
    assert row(database, publish().puzzle_id).status == Status.PUBLISHED
    assert "The last puzzle came from the reserve." in words(admin.open("/admin/log"))


def test_a_scheduler_that_stopped_and_a_day_that_is_late_are_alarms(
    admin: Visitor, today: PublishedPuzzle, database: Database, clock: Clock
) -> None:
    with database.write.begin() as session:
        lease.take(session, lease.SCHEDULER, "one", clock.now, 60)
    assert "scheduler" not in admin.open("/admin/log")
    clock.now += timedelta(minutes=7)
    assert "The scheduler does not run." in words(admin.open("/admin/log"))
    clock.now += timedelta(hours=12)
    admin.sign_in(*ADMIN)
    assert "Today's puzzle is late." in words(admin.open("/admin/log"))
    admin.open("/")
    assert "late" not in words(admin.open("/admin/log")), "the visitor has published it"


def test_the_script_of_the_calendar_says_what_the_page_gives_it_and_nothing_else(app: Flask) -> None:
    with app.test_request_context("/"):
        given = texts.calendar()
    script = (Path(web.__file__).parents[1] / "static" / "js" / "calendar.js").read_text()
    calls = re.findall(r"\bsay\((.*?), \{", script)
    asked = {key for call in calls for key in re.findall(r'"(\w+)"', call)}
    assert asked == given.keys()
    for key, text in given.items():
        assert "{day}" in text, key
