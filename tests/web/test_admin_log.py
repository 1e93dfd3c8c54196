"""The log among the review pages: who did what, and undoing it."""

import re
from datetime import timedelta

import pytest

from puzzle_service.db import Database
from puzzle_service.domain.names import OPERATOR
from puzzle_service.domain.review import Status
from puzzle_service.models import AuditEntry, Puzzle
from puzzle_service.services import review
from puzzle_service.services.publication import PublishedPuzzle
from tests.conftest import AddPuzzles
from tests.web.conftest import ADMIN, ON_BOTH, Clock, Rows, Visitor
from tests.web.reviewing import TUESDAY, free, notices, row, said, send, undo_form, waiting, words


@pytest.fixture
def candidate(add_puzzles: AddPuzzles) -> str:
    """A puzzle about which nobody has decided."""
    return add_puzzles(1, Status.CANDIDATE)[0]


def _entries(page: str) -> list[str]:
    return [words(one) for one in re.findall(r'<li class="entry.*?</li>', page, re.S)]


def test_each_decision_is_in_the_log_with_who_when_and_why(admin: Visitor, candidate: str) -> None:
    send(admin, f"/admin/puzzles/{candidate}/reject", reason="a plain capture")
    send(admin, f"/admin/puzzles/{candidate}/approve", day=TUESDAY)
    newest, oldest = _entries(admin.open("/admin/log"))
    assert newest.startswith("Approved for 1 December 2026 30 November 2026, 12:00 Istanbul · ayşe")
    assert oldest.startswith("Puzzle rejected 30 November 2026, 12:00 Istanbul · ayşe · “a plain capture”")
    assert candidate[:10] in newest
    assert newest.endswith("Undo")
    assert not oldest.endswith("Undo"), "it has changed since"


@ON_BOTH
def test_a_decision_is_undone_from_the_notice_after_it(
    admin: Visitor, candidate: str, database: Database
) -> None:
    answer = send(admin, f"/admin/puzzles/{candidate}/reject", reason="by mistake")
    page = admin.open(answer.location)
    assert notices(page) == "Rejected."
    undone = send(admin, undo_form(page), back="/admin")
    assert undone.location == "/admin"
    page = admin.open(undone.location)
    assert notices(page) == "Undone. Everything is as it was before."
    found = row(database, candidate)
    assert (found.status, found.reason, found.reviewed_by) == (Status.CANDIDATE, None, None)
    send(admin, undo_form(page))
    assert row(database, candidate).status == Status.REJECTED, "undoing is undone"
    assert "/undo" in admin.open("/admin")
    assert "/undo" not in admin.open("/admin"), "the offer stands once"


@ON_BOTH
def test_undoing_twice_and_what_has_changed_since_are_refused(
    admin: Visitor, candidate: str, database: Database, rows: Rows
) -> None:
    send(admin, f"/admin/puzzles/{candidate}/reject", reason="dull")
    undo = undo_form(admin.open("/admin/log"))
    send(admin, undo)
    admin.open("/admin")
    entries = rows(AuditEntry)
    assert said(admin, send(admin, undo)) == "That has been undone already."
    send(admin, f"/admin/puzzles/{candidate}/approve")
    undo = undo_form(admin.open("/admin"))
    with database.write.begin() as session:
        review.reject(session, candidate, "somebody", session.get_one(Puzzle, candidate).imported_at, "no")
    assert "It has changed since." in said(admin, send(admin, undo))
    assert row(database, candidate).status == Status.REJECTED
    assert rows(AuditEntry) == entries + 2
    assert send(admin, "/admin/log/999/undo").status_code == 404
    assert send(admin, f"/admin/log/{10**12}/undo").status_code == 404


def test_undone_entries_are_marked_and_what_players_saw_has_no_button(
    admin: Visitor, today: PublishedPuzzle, candidate: str
) -> None:
    send(admin, "/admin/days/2026-11-30/void", seen=today.puzzle_id, reason="a cook", confirmed="yes")
    send(admin, f"/admin/puzzles/{candidate}/reject", reason="dull")
    send(admin, undo_form(admin.open("/admin/log")))
    undoing, rejected, voided = _entries(admin.open("/admin/log"))
    assert undoing.startswith("Entry 2 undone")
    assert rejected.endswith("Undone")
    assert "Undo" not in voided
    assert "That cannot be undone." in said(admin, send(admin, "/admin/log/1/undo"))


def test_a_day_that_has_passed_is_not_given_back(
    admin: Visitor, today: PublishedPuzzle, database: Database, clock: Clock
) -> None:
    chosen = free(database)[0]
    send(admin, "/admin/calendar/set", day=TUESDAY, puzzle=chosen, seen="")
    send(admin, "/admin/calendar/clear", day=TUESDAY, seen=chosen)
    undo = undo_form(admin.open("/admin/log"))
    clock.now += timedelta(days=2)
    admin.sign_in(*ADMIN)
    assert "Undo" not in _entries(admin.open("/admin/log"))[0]
    assert "That day has passed." in said(admin, send(admin, undo))
    assert waiting(database) == {}


def test_the_log_is_filtered_by_who_what_and_which_puzzle_and_has_pages(
    admin: Visitor, candidate: str, database: Database, clock: Clock, add_puzzles: AddPuzzles
) -> None:
    with database.write.begin() as session:
        for puzzle in add_puzzles(52, Status.CANDIDATE):
            review.approve(session, puzzle, "mehmet", clock.now, clock.now.date())
        review.reject(session, candidate, "ayşe", clock.now, "dull")
    first = admin.open("/admin/log?by=mehmet&action=approve")
    older = re.search(r'class="btn" href="([^"]+)">Older entries', first)
    assert older
    second = admin.open(older[1].replace("&amp;", "&"))
    assert [len(_entries(page)) for page in (first, second)] == [50, 2]
    for query in (f"puzzle={candidate}", "by=ay%C5%9Fe", "action=reject"):
        (entry,) = _entries(admin.open(f"/admin/log?{query}"))
        assert entry.startswith("Puzzle rejected"), query
    assert "Nothing here." in admin.open("/admin/log?puzzle=nosuchpuzzle")
    for query in ("by=nobody", "action=shouting", "after=first", "after=-1", "puzzle=%00"):
        assert admin.client.get(f"/admin/log?{query}").status_code == 404, query


def test_what_a_program_did_is_told_in_the_readers_language_and_filtered_by_the_name_that_is_kept(
    admin: Visitor, candidate: str, database: Database, clock: Clock
) -> None:
    with database.write.begin() as session:
        review.reject(session, candidate, OPERATOR, clock.now, "dull")
    page = admin.open("/admin/log?by=command+line&lang=tr")
    (entry,) = _entries(page)
    assert "komut satırı" in entry
    assert OPERATOR not in entry
    assert re.search(r'<option value="command line" selected>komut satırı<', page)


def test_a_long_fill_names_some_of_its_puzzles_and_counts_the_rest(
    admin: Visitor, today: PublishedPuzzle
) -> None:
    send(admin, "/admin/calendar/fill")
    (entry,) = _entries(admin.open("/admin/log"))
    assert entry.startswith("9 gaps filled")
    assert "and 5 more" in entry
