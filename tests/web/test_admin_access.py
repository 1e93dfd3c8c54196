"""Who may open the review pages: reviewers and admins, and to everybody else there is nothing."""

import re
from collections.abc import Iterator

import pytest
from flask import Flask

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.roles import Role
from puzzle_service.services import accounts, passwords
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, PASSWORD, Clock, Visitor, wrong_moves
from tests.web.reviewing import MONDAY

FOR_ADMINS = ("/admin/accounts", "/admin/generation", "/admin/generation/stop")
EXAMPLES = {"day": MONDAY.isoformat(), "amendment": "void", "entry_id": 1}


def _signed_in(app: Flask, database: Database, clock: Clock, name: str, role: Role) -> Visitor:
    with database.write.begin() as session:
        accounts.create(session, name, passwords.hashed(PASSWORD), clock.now, role=role, player_id=None)
    somebody = Visitor(app)
    somebody.sign_in(name)
    somebody.open("/")
    return somebody


@pytest.fixture
def reviewer(app: Flask, database: Database, clock: Clock) -> Visitor:
    return _signed_in(app, database, clock, "mehmet", Role.REVIEWER)


@pytest.fixture
def addresses(app: Flask, stock: list[Record]) -> list[tuple[str, str]]:
    """Every route of the area, with each of its methods."""
    found = list(_addresses(app, stock[0].id))
    assert len(found) > 30
    return found


def _addresses(app: Flask, puzzle_id: str) -> Iterator[tuple[str, str]]:
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/admin"):
            values = {name: EXAMPLES.get(name, puzzle_id) for name in rule.arguments}
            for method in sorted(rule.methods or ()):
                yield method, adapter.build(rule.endpoint, values, method=method)


def _statuses(visitor: Visitor, address: str) -> set[int]:
    """Return what any method gets there, one that writes with a token and without, and a slash too many."""
    unsafe = ("POST", "PUT", "PATCH", "DELETE")
    asked = [(address, method, False) for method in ("GET", "HEAD", "OPTIONS", *unsafe)]
    asked += [(address, method, True) for method in unsafe]
    return _asked(visitor, *asked, (f"{address}/", "GET", False), (f"{address}/", "POST", True))


def _asked(visitor: Visitor, *requests: tuple[str, str, bool]) -> set[int]:
    """Return what requests get: their address, their method, and whether the token comes along."""
    token = {"X-CSRFToken": visitor.csrf}
    return {
        visitor.client.open(address, method=method, headers=token if signed else {}).status_code
        for address, method, signed in requests
    }


def test_to_visitors_guests_and_players_there_are_no_review_pages(
    app: Flask, database: Database, clock: Clock, today: PublishedPuzzle, addresses: list[tuple[str, str]]
) -> None:
    passer_by, guest = Visitor(app), Visitor(app)
    passer_by.open("/")
    guest.play(guest.puzzle(), wrong_moves(today.proof.root)[0])
    player = _signed_in(app, database, clock, "zeynep", Role.PLAYER)
    for address in {address for _, address in addresses} | {"/admin/nothing", "/admin//log"}:
        assert _statuses(player, address) == {404}, address
        for somebody in (passer_by, guest):
            assert _asked(somebody, (address, "GET", False), (address, "POST", True)) == {404}, address


@ON_BOTH
def test_reviewers_open_every_page_but_those_of_accounts_and_generator(
    reviewer: Visitor, today: PublishedPuzzle, addresses: list[tuple[str, str]]
) -> None:
    reviewer.open("/admin")
    for method, address in addresses:
        if method == "GET":
            expected = 404 if address in FOR_ADMINS else 200
            assert reviewer.client.get(address).status_code == expected, address
        elif method == "POST" and address not in FOR_ADMINS:
            assert reviewer.client.post(address).status_code == 400, f"{address} without a token"


def test_to_reviewers_there_is_no_page_for_admins(reviewer: Visitor) -> None:
    reviewer.open("/admin")
    for address in FOR_ADMINS:
        assert _statuses(reviewer, address) == {404}, address


def test_only_admins_are_shown_the_way_to_accounts_and_generator(admin: Visitor, reviewer: Visitor) -> None:
    for path in ("/admin", "/admin/stock"):
        assert 'action="/admin/generation"' in admin.open(path)
        assert "/admin/generation" not in reviewer.open(path)
    for path in ("/admin", "/admin/calendar", "/admin/stock", "/admin/log"):
        assert 'href="/admin/accounts"' in admin.open(path)
        assert 'href="/admin/accounts"' not in reviewer.open(path)


def test_each_page_is_marked_as_part_of_a_section(admin: Visitor, today: PublishedPuzzle) -> None:
    for path, section in {
        "/admin": "Review",
        f"/admin/puzzles/{today.puzzle_id}": "Review",
        "/admin/calendar": "Calendar",
        "/admin/days/2026-12-01": "Calendar",
        "/admin/stock": "Stock",
        "/admin/generation": "Stock",
        "/admin/log": "Log",
        "/admin/accounts": "Accounts",
    }.items():
        sections = re.search(r'<nav class="area.*?</nav>', admin.open(path), re.S)
        assert sections
        assert re.findall(r'aria-current="page">([^<]+)<', sections[0]) == [section], path


def test_who_signed_out_or_lost_the_role_is_a_player_again(
    admin: Visitor, reviewer: Visitor, database: Database, clock: Clock
) -> None:
    assert reviewer.client.get("/admin/calendar").status_code == 200
    with database.write.begin() as session:
        accounts.set_role(session, "ayşe", "mehmet", Role.PLAYER, clock.now)
    assert reviewer.client.get("/admin/calendar").status_code == 404
    admin.leave()
    assert admin.client.get("/admin").status_code == 404


def test_no_review_page_has_inline_code_or_styles_and_all_can_be_read_without_scripts(
    admin: Visitor, today: PublishedPuzzle, addresses: list[tuple[str, str]]
) -> None:
    for method, address in addresses:
        if method == "GET":
            page = admin.open(address)
            assert not re.search(r"<[^>]+\s(style|on[a-z]+)=", page), address
            assert "<style" not in page
            for attributes in re.findall(r"<script([^>]*)>", page):
                assert 'type="application/json"' in attributes or 'src="/static/' in attributes
            assert len(re.findall(r"<h1\b", page)) == 1, address
            assert '<meta name="robots" content="noindex">' in page
            ids = re.findall(r'\sid="([^"]+)"', page)
            assert len(ids) == len(set(ids)), address
