"""Reviewing puzzles: the queue, and decisions."""

import re
from datetime import date, timedelta

import pytest

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import Puzzle
from puzzle_service.services import publication
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from tests.conftest import AddPuzzles
from tests.web.conftest import ADMIN, ON_BOTH, Clock, Visitor

TOMORROW = date(2026, 12, 1)


def _form(admin: Visitor, **fields: str) -> dict[str, str]:
    return {"csrf_token": admin.csrf, **fields}


def _row(database: Database, puzzle_id: str) -> Puzzle:
    with database.read() as session:
        return session.get_one(Puzzle, puzzle_id)


@pytest.fixture
def candidates(add_puzzles: AddPuzzles) -> list[str]:
    """Three candidates in the order of the queue."""
    return sorted(add_puzzles(3, Status.CANDIDATE))


def test_a_session_ends_by_itself(admin: Visitor, clock: Clock) -> None:
    clock.now += timedelta(hours=11, minutes=59)
    assert admin.client.get("/admin").status_code == 200
    clock.now += timedelta(minutes=1)
    assert admin.client.get("/admin").status_code == 303


def test_the_queue_lists_candidates_and_other_states_by_filter(
    admin: Visitor, candidates: list[str], stock: list[Record]
) -> None:
    page = admin.open("/admin")
    assert re.findall(r'data-item href="/admin/puzzles/(\w+)"', page) == candidates
    assert re.search(r"Candidates <span class=\"n\">3<", page)
    approved = admin.open("/admin?status=approved")
    listed = re.findall(r'data-item href="/admin/puzzles/(\w+)\?status=approved"', approved)
    assert sorted(listed) == sorted(record.id for record in stock)
    assert "No puzzles here." in admin.open("/admin?status=withdrawn")
    assert admin.client.get("/admin?status=lost").status_code == 404
    assert admin.client.get("/admin?after=%00").status_code == 404


def test_a_long_queue_has_pages(admin: Visitor, add_puzzles: AddPuzzles) -> None:
    ids = sorted(add_puzzles(35, Status.CANDIDATE))
    first = admin.open("/admin")
    following = re.search(r'class="btn" href="([^"]+)">Next page', first)
    assert following
    second = admin.open(following[1].replace("&amp;", "&"))
    listed = [re.findall(r'data-item href="/admin/puzzles/(\w+)"', page) for page in (first, second)]
    assert [len(page) for page in listed] == [25, 10]
    assert listed[0] + listed[1] == ids
    assert "Next page" not in second


def test_a_puzzle_is_shown_with_all_that_a_decision_needs(admin: Visitor, stock: list[Record]) -> None:
    record = max(stock, key=lambda one: len(repr(one.proof)))
    page = admin.open(f"/admin/puzzles/{record.id}?status=approved")
    for fact in (record.key.replace("-", "–"), record.fen, record.id, str(record.first_moves)):
        assert fact in page
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="diagram"' in page
    assert 'type="application/json" id="proof"' in page
    assert page.count('<details class="tree"') > 10
    for theme in record.themes:
        assert f"<li>{theme}</li>" in page
    assert admin.client.get("/admin/puzzles/unknown").status_code == 404
    assert admin.client.get("/admin/puzzles/%00").status_code == 404
    for decision in ("approve", "reject"):
        form = {"csrf_token": admin.csrf, "reason": "dull"}
        assert admin.client.post(f"/admin/puzzles/unknown/{decision}", data=form).status_code == 404


@ON_BOTH
def test_approving_goes_on_to_the_next_and_the_puzzle_comes_out_on_its_day(
    admin: Visitor, candidates: list[str], database: Database, clock: Clock, settings: Settings
) -> None:
    sent = admin.client.post(
        f"/admin/puzzles/{candidates[0]}/approve", data=_form(admin, day=TOMORROW.isoformat())
    )
    assert sent.location == f"/admin/puzzles/{candidates[1]}"
    assert "Approved for 1 December 2026." in admin.open(sent.location)
    row = _row(database, candidates[0])
    assert (row.status, row.day, row.reviewed_by) == (Status.APPROVED, TOMORROW, ADMIN[0])
    clock.now += timedelta(days=1)
    published = publication.ensure_published(database.write, clock.now, settings)
    assert published is not None
    assert published.puzzle_id == candidates[0]


def test_approving_the_last_one_leads_back_to_the_list(
    admin: Visitor, candidates: list[str], database: Database
) -> None:
    sent = admin.client.post(f"/admin/puzzles/{candidates[2]}/approve", data=_form(admin, day=""))
    assert sent.location == "/admin"
    assert "Approved." in admin.open("/admin")
    assert _row(database, candidates[2]).day is None


def test_a_day_that_cannot_be_is_refused_and_nothing_changes(
    admin: Visitor, candidates: list[str], database: Database
) -> None:
    first = _form(admin, day=TOMORROW.isoformat())
    admin.client.post(f"/admin/puzzles/{candidates[0]}/approve", data=first)
    refusals = {
        TOMORROW.isoformat(): "That day has its puzzle already.",
        "2026-11-29": "That day has passed.",
        "tomorrow": "“tomorrow” is not a day.",
    }
    for day, words in refusals.items():
        sent = admin.client.post(f"/admin/puzzles/{candidates[1]}/approve", data=_form(admin, day=day))
        assert sent.location == f"/admin/puzzles/{candidates[1]}"
        assert words in admin.open(sent.location)
    assert _row(database, candidates[1]).status == Status.CANDIDATE


def test_rejecting_needs_a_reason(admin: Visitor, candidates: list[str], database: Database) -> None:
    path = f"/admin/puzzles/{candidates[0]}/reject"
    for reason in ("", "   ", "x" * 201, "a\x00b"):
        sent = admin.client.post(path, data=_form(admin, reason=reason))
        assert "A reason of at most 200 characters is needed." in admin.open(sent.location)
    assert _row(database, candidates[0]).status == Status.CANDIDATE
    sent = admin.client.post(path, data=_form(admin, reason="the İlk hamle is plain"))
    assert sent.location == f"/admin/puzzles/{candidates[1]}"
    row = _row(database, candidates[0])
    assert (row.status, row.reason) == (Status.REJECTED, "the İlk hamle is plain")


def test_a_decision_taken_twice_is_refused_the_second_time(
    admin: Visitor, candidates: list[str], database: Database
) -> None:
    path = f"/admin/puzzles/{candidates[0]}/reject"
    admin.client.post(path, data=_form(admin, reason="first"))
    sent = admin.client.post(path, data=_form(admin, reason="second"))
    assert "Somebody has decided about this puzzle already." in admin.open(sent.location)
    assert _row(database, candidates[0]).reason == "first"


def test_skipping_leads_through_the_queue(admin: Visitor, candidates: list[str]) -> None:
    path, seen = f"/admin/puzzles/{candidates[0]}", []
    while path != "/admin":
        seen.append(path.rsplit("/", 1)[1])
        skip = re.search(r'id="skip" href="([^"]+)"', admin.open(path))
        assert skip
        path = skip[1]
    assert seen == candidates


def test_an_alarm_is_shown_to_the_admin(
    admin: Visitor, database: Database, stock: list[Record], clock: Clock, settings: Settings
) -> None:
    """No approved puzzle left: one from the reserve goes out and the admin is alarmed (hexapipes#109)."""
    assert "reserve" not in admin.open("/admin")
    with database.write.begin() as session:
        for record in stock:
            session.get_one(Puzzle, record.id).status = Status.CANDIDATE
    assert "No approved puzzle is left for the next day." in admin.open("/admin")
    assert publication.ensure_published(database.write, clock.now, settings) is not None
    with database.write.begin() as session:
        for record in stock[:9]:
            row = session.get_one(Puzzle, record.id)
            if row.status == Status.CANDIDATE:
                row.status = Status.APPROVED
    assert "The last puzzle came from the reserve." in admin.open("/admin")


def test_nothing_of_an_admins_pages_is_for_players(visitor: Visitor, stock: list[Record]) -> None:
    page = visitor.open("/")
    assert "/admin" not in page


def test_approving_a_scheduled_puzzle_again_keeps_its_day(
    admin: Visitor, candidates: list[str], database: Database
) -> None:
    address = f"/admin/puzzles/{candidates[0]}"
    assert 'name="day" min="2026-11-30" value=""' in admin.client.get(address).text
    admin.client.post(f"{address}/approve", data=_form(admin, day=TOMORROW.isoformat()))
    shown = re.search(r'name="day" min="[^"]+" value="([^"]*)"', admin.client.get(address).text)
    assert shown
    admin.client.post(f"{address}/approve", data=_form(admin, day=shown[1]))
    assert _row(database, candidates[0]).day == TOMORROW


def test_what_is_decided_is_not_offered_again(
    admin: Visitor, candidates: list[str], today: PublishedPuzzle
) -> None:
    def offered(puzzle_id: str) -> list[str]:
        page = admin.open(f"/admin/puzzles/{puzzle_id}")
        decisions = page[page.index('<div class="decide">') : page.index("<h2>Similar boards")]
        return re.findall(r'class="btn[^>]*>([^<]+?) *<', decisions)

    approved, rejected, waiting = candidates
    admin.client.post(f"/admin/puzzles/{approved}/approve", data=_form(admin, day=""))
    admin.client.post(f"/admin/puzzles/{rejected}/reject", data=_form(admin, reason="dull"))
    assert offered(waiting) == ["Approve", "Reject", "Skip"]
    assert offered(approved) == ["Set a day", "Reject", "Next"]
    assert offered(rejected) == ["Approve", "Next"]
    assert offered(today.puzzle_id) == ["Next"]


def test_similar_boards_stand_beside_a_candidate_with_a_figure(
    admin: Visitor, add_puzzles: AddPuzzles, today: PublishedPuzzle
) -> None:
    fen, rules = "W:Wa2,b2,c3,Kh1:Ba6,b7,Kh8", "turkish"
    (candidate,) = add_puzzles(1, Status.CANDIDATE, fen=fen, rules=rules)
    (near,) = add_puzzles(1, fen="W:Wa2,b2,c3,Kg1:Ba6,b7,Kh8")
    (same,) = add_puzzles(1, Status.CANDIDATE, fen="W:Wh2,g2,f3,Ka1:Bh6,g7,Ka8", rules="turkish-yoz")
    page = admin.open(f"/admin/puzzles/{candidate}")
    beside = page[page.index('<ul class="alike">') : page.index("<h2>Proof")]
    shown = re.findall(r'href="/admin/puzzles/(\w+)', beside)
    assert shown == [same, near]
    assert "The same board" in beside
    assert "candidate, turkish-yoz" in beside
    assert "86 % alike" in beside
    lonely = admin.open(f"/admin/puzzles/{today.puzzle_id}")
    assert "No other puzzle that is out or approved looks like this one." in lonely


@ON_BOTH
def test_of_two_reviewers_the_second_is_told_and_changes_nothing(
    admin: Visitor, candidates: list[str], database: Database
) -> None:
    address = f"/admin/puzzles/{candidates[0]}"
    seen = re.search(r'name="seen" value="([^"]*)"', admin.open(address))
    assert seen
    admin.client.post(f"{address}/reject", data=_form(admin, seen=seen[1], reason="dull"))
    sent = admin.client.post(f"{address}/approve", data=_form(admin, seen=seen[1], day=""))
    assert "It has changed since." in admin.open(sent.location)
    assert _row(database, candidates[0]).status == Status.REJECTED
    garbled = admin.client.post(f"{address}/approve", data=_form(admin, seen="lost in space"))
    assert garbled.status_code == 400
