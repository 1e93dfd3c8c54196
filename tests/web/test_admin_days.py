"""One day among the review pages: what players will see, and replacing or voiding what they see now."""

import re
from datetime import timedelta

from flask import Flask

from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.models import Amendment, AuditEntry, Publication
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ADMIN, ON_BOTH, Clock, Publish, Rows, Visitor
from tests.web.reviewing import MONDAY, TUESDAY, free, row, said, send, undo_form, waiting, words

DAY = f"/admin/days/{MONDAY}"
NEXT = f"/admin/days/{TUESDAY}"


def _board(page: str) -> str:
    found = re.search(r'<svg [^>]*class="diagram".*?</svg>', page, re.S)
    assert found
    return found[0]


def _task(page: str) -> str:
    found = re.search(r"<h1>(.*?)</h1>", page, re.S)
    assert found
    return words(found[1])


def test_the_preview_of_a_day_is_what_players_see_when_it_comes(
    admin: Visitor, visitor: Visitor, today: PublishedPuzzle, clock: Clock
) -> None:
    for ahead in range(1, 5):
        preview = admin.open(f"/admin/days/{MONDAY + timedelta(days=ahead)}")
        clock.now += timedelta(days=1)
        seen = visitor.open("/")
        assert _board(preview) == _board(seen), ahead
        assert _task(preview) == _task(seen), ahead
        assert f"Puzzle {ahead + 1} · " in words(preview), ahead
        clock.now -= timedelta(days=1)
        admin.sign_in(*ADMIN)
        clock.now += timedelta(days=1)
        admin.sign_in(*ADMIN)


def test_a_day_without_a_set_puzzle_says_what_would_go_out_and_can_keep_it(
    admin: Visitor, today: PublishedPuzzle, database: Database
) -> None:
    page = admin.open(NEXT)
    assert "Not set: the weekly rhythm would choose this one" in words(page)
    proposed = re.search(r'name="puzzle" value="(\w+)"', page)
    assert proposed
    answer = send(admin, "/admin/calendar/set", day=TUESDAY, puzzle=proposed[1], seen="", back=NEXT)
    assert answer.location == NEXT
    page = admin.open(NEXT)
    assert waiting(database) == {TUESDAY: proposed[1]}
    assert "Last change : 1 December 2026 set, ayşe." in words(page).replace("change:", "change :")
    send(admin, undo_form(page), back=NEXT)
    assert waiting(database) == {}


def test_a_day_for_which_nothing_is_left_says_so(admin: Visitor, today: PublishedPuzzle) -> None:
    page = words(admin.open(f"/admin/days/{MONDAY + timedelta(days=30)}"))
    assert "No puzzle goes out on this day as things stand. Put one on it, or approve some." in page
    past = words(admin.open(f"/admin/days/{MONDAY - timedelta(days=30)}"))
    assert "No puzzle goes out" in past
    assert "Put one on it" not in past


@ON_BOTH
def test_voiding_takes_two_steps_and_a_reason_and_breaks_nothing(
    admin: Visitor, visitor: Visitor, today: PublishedPuzzle, database: Database, rows: Rows
) -> None:
    assert "A reason of at most" in said(admin, send(admin, f"{DAY}/void", seen=today.puzzle_id, reason=" "))
    asked = send(admin, f"{DAY}/void", seen=today.puzzle_id, reason="two keys")
    assert asked.status_code == 200
    assert "Nobody's streak breaks: who missed or failed this day loses nothing." in words(asked.text)
    assert rows(Amendment) == 0, "the first step only asks"
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', asked.text))
    done = admin.client.post(f"{DAY}/void", data=fields)
    assert "Declared void." in said(admin, done)
    found = row(database, today.puzzle_id)
    assert (found.status, found.reason) == (Status.WITHDRAWN, "two keys")
    page = admin.open(DAY)
    assert "Something is wrong" not in page
    assert "two keys" in page
    assert visitor.puzzle()["state"] == "open", "it stays to be played"
    entry = words(admin.open("/admin/log"))
    assert "30 November 2026: declared void" in entry
    assert "“two keys”" in entry


@ON_BOTH
def test_replacing_brings_the_puzzle_that_was_named(
    admin: Visitor, today: PublishedPuzzle, database: Database, publish: Publish
) -> None:
    chosen = free(database)[3]
    fields = {"seen": today.puzzle_id, "reason": "a cook", "puzzle": chosen}
    asked = send(admin, f"{DAY}/replace", **fields)
    assert f"The day gets puzzle {chosen} instead, under the same number." in words(asked.text)
    assert "Replaced." in said(admin, send(admin, f"{DAY}/replace", **fields, confirmed="yes"))
    assert (publish().puzzle_id, publish().number) == (chosen, 1)
    assert row(database, today.puzzle_id).status == Status.WITHDRAWN


def test_replacing_without_a_name_takes_what_suits_the_day(
    admin: Visitor, today: PublishedPuzzle, publish: Publish
) -> None:
    fields = {"seen": today.puzzle_id, "reason": "a cook", "puzzle": ""}
    asked = send(admin, f"{DAY}/replace", **fields).text
    proposed = re.search(r'name="puzzle" value="(\w+)"', asked)
    assert proposed, "the page that asks does not say which puzzle would come"
    assert f"The day gets puzzle {proposed[1]} instead" in words(asked)
    board = re.findall(r'<svg [^>]*class="thumbnail".*?</svg>', asked, re.S)[1]
    send(admin, f"{DAY}/replace", **fields | {"puzzle": proposed[1]}, confirmed="yes")
    assert publish().puzzle_id == proposed[1]
    assert board in admin.open("/admin/calendar")


def test_what_cannot_replace_is_refused_before_it_is_asked_for_and_named(
    admin: Visitor, today: PublishedPuzzle, database: Database
) -> None:
    dull = free(database)[0]
    send(admin, f"/admin/puzzles/{dull}/reject", reason="dull")
    for puzzle, why in (
        ("nosuchpuzzle", "There is no puzzle “nosuchpuzzle”."),
        ("a\tb", "There is no puzzle “a b”."),
        (dull, f"Puzzle “{dull}” cannot go out"),
        (today.puzzle_id, f"Puzzle “{today.puzzle_id}” cannot go out"),
    ):
        for confirmed in ({}, {"confirmed": "yes"}):
            fields = {"seen": today.puzzle_id, "reason": "a cook", "puzzle": puzzle, **confirmed}
            assert why in said(admin, send(admin, f"{DAY}/replace", **fields)), (puzzle, confirmed)


def test_replacing_when_nothing_is_left_says_so_before_it_is_asked_for(
    admin: Visitor, today: PublishedPuzzle, database: Database
) -> None:
    for puzzle in free(database):
        send(admin, f"/admin/puzzles/{puzzle}/reject", reason="dull")
    answer = send(admin, f"{DAY}/replace", seen=today.puzzle_id, reason="a cook", puzzle="")
    assert "No proved puzzle is left." in said(admin, answer)


def test_a_past_day_can_be_voided_and_a_coming_one_cannot(
    admin: Visitor, today: PublishedPuzzle, clock: Clock, database: Database, rows: Rows
) -> None:
    coming = send(admin, f"{NEXT}/void", seen=today.puzzle_id, reason="a cook", confirmed="yes")
    assert coming.status_code == 404
    clock.now += timedelta(days=2)
    admin.sign_in(*ADMIN)
    admin.open("/admin")
    send(admin, f"{DAY}/void", seen=today.puzzle_id, reason="a cook", confirmed="yes")
    assert row(database, today.puzzle_id).status == Status.WITHDRAWN
    assert rows(Amendment) == 1


@ON_BOTH
def test_a_double_click_replaces_once_and_of_two_admins_the_second_is_told(
    admin: Visitor, today: PublishedPuzzle, database: Database, rows: Rows
) -> None:
    fields = {"seen": today.puzzle_id, "reason": "a cook", "puzzle": "", "confirmed": "yes"}
    assert "Replaced." in said(admin, send(admin, f"{DAY}/replace", **fields))
    for amendment in ("replace", "void"):
        again = said(admin, send(admin, f"{DAY}/{amendment}", **fields))
        assert again == "It has changed since. Nothing was done; here is how it stands now."
    assert rows(Amendment) == 1
    assert rows(Publication) == 1
    assert rows(AuditEntry) == 1


def test_what_cannot_replace_is_refused_and_the_day_keeps_its_puzzle(
    admin: Visitor, today: PublishedPuzzle, publish: Publish
) -> None:
    for replacement in ("nosuchpuzzle", today.puzzle_id, "a\tb"):
        answer = send(
            admin,
            f"{DAY}/replace",
            seen=today.puzzle_id,
            reason="a cook",
            puzzle=replacement,
            confirmed="yes",
        )
        assert answer.status_code == 303
        assert admin.client.get(answer.location).status_code == 200
    assert publish().puzzle_id == today.puzzle_id
    assert admin.client.post(f"{DAY}/forget", data={"csrf_token": admin.csrf}).status_code == 404


def test_a_day_that_a_clock_published_ahead_names_the_command_that_takes_it_back(
    admin: Visitor, app: Flask, clock: Clock, publish: Publish
) -> None:
    clock.now += timedelta(days=1)
    publish()
    clock.now -= timedelta(days=1)
    page = words(admin.open(NEXT))
    assert "dama-daily take-back 2026-12-01" in page
    assert "A day that is still to come is out already." in page
    assert "Something is wrong" not in page


def test_while_a_later_day_is_out_every_page_says_why_tonight_stays_empty_and_leads_to_that_day(
    admin: Visitor, app: Flask, clock: Clock, publish: Publish
) -> None:
    publish()
    clock.now += timedelta(days=3)
    publish()
    clock.now -= timedelta(days=3)
    admin.sign_in(*ADMIN)
    later = MONDAY + timedelta(days=3)
    for path in ("/admin", "/admin/calendar", NEXT):
        page = admin.open(path)
        assert f'<a href="/admin/days/{later}">See to it</a>' in page, path
        assert "Stays empty: a later day is out" in words(page), path
        assert path == "/admin/calendar" or "No puzzle is left" not in words(page), path
    assert "Choose a puzzle" not in words(admin.open(NEXT))
    assert " 40 days have no puzzle set." in words(admin.open("/admin/calendar"))
