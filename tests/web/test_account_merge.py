"""A guest's days on a device where somebody else signs in: the question, and its answers."""

import re
from datetime import timedelta

import pytest
from flask import Flask

from puzzle_service.models import Attempt, Device, Player
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, Clock, Publish, Rows, Visitor, wrong_moves

pytestmark = ON_BOTH


def _solve(somebody: Visitor, published: PublishedPuzzle) -> None:
    """Play the right moves at today's puzzle against the site's own defence."""
    node = published.proof.root
    while True:
        move, answers = next(iter(node["wins"].items()))
        answer = somebody.play(somebody.puzzle(), move).json
        assert answer is not None
        if answer["verdict"] == "solved":
            return
        node = answers[answer["reply"]["move"]]


@pytest.fixture
def fatma(app: Flask, today: PublishedPuzzle) -> Visitor:
    """Somebody with an account and a solved day, on a device of her own."""
    somebody = Visitor(app)
    _solve(somebody, today)
    somebody.sign_up("fatma")
    return somebody


@pytest.fixture
def tomorrow(fatma: Visitor, clock: Clock, publish: Publish) -> PublishedPuzzle:
    """The puzzle of the day after."""
    clock.now += timedelta(days=1)
    return publish()


@pytest.fixture
def guest(visitor: Visitor, tomorrow: PublishedPuzzle) -> Visitor:
    """A guest on another device who has solved the day after."""
    _solve(visitor, tomorrow)
    return visitor


def test_signing_in_on_a_device_with_somebody_elses_guest_asks_first(guest: Visitor, rows: Rows) -> None:
    sent = guest.sign_in("fatma")
    assert sent.location == "/account/merge?next=/me"
    assert rows(Player) == 2
    page = guest.open(sent.location)
    assert "as fatma" in page
    figures = re.findall(r'<th scope="row">([^<]+)</th><td>(\d+)</td><td>(\d+)</td>', page)
    assert figures == [("The guest", "1", "1"), ("You", "1", "1"), ("Together", "2", "2")]
    assert "1 day would be new to you." in page
    assert (rows(Player), rows(Attempt)) == (2, 2)


def test_added_days_make_one_streak_and_the_guest_is_gone(guest: Visitor, rows: Rows, app: Flask) -> None:
    held = guest.cookie("dama_player")
    assert held is not None
    guest.sign_in("fatma")
    sent = guest.fill_in("/account/merge?next=/me", choice="add")
    assert (sent.status_code, sent.location) == (303, "/me")
    assert guest.cookie("dama_player") is None
    assert rows(Player) == 1
    page = guest.open("/account")
    assert "1 day was added." in page
    assert "The streak is 2, the best one 2." in page
    assert re.search(r'<span id="streak">2</span>', guest.open("/me"))
    guest.leave()
    assert 'id="streak">0<' in guest.open("/me")
    copy = Visitor(app)
    copy.client.set_cookie("dama_player", held)
    assert copy.puzzle()["state"] == "open"


def test_signing_out_gives_the_guest_back(guest: Visitor, rows: Rows) -> None:
    guest.sign_in("fatma")
    sent = guest.fill_in("/account/merge?next=/", choice="apart")
    assert sent.location == "/"
    assert guest.puzzle()["state"] == "open"
    assert 'href="/account/merge"' in guest.open("/account")
    guest.leave()
    assert guest.puzzle()["state"] == "solved"
    assert (rows(Player), rows(Attempt)) == (2, 2)


def test_days_kept_apart_can_still_be_added_later(guest: Visitor, rows: Rows) -> None:
    guest.sign_in("fatma")
    guest.fill_in("/account/merge", choice="apart")
    assert 'href="/account/merge"' in guest.open("/account")
    guest.fill_in("/account/merge", choice="add")
    assert rows(Player) == 1
    assert 'href="/account/merge"' not in guest.open("/account")


def test_a_day_of_both_keeps_the_better_result(
    visitor: Visitor, fatma: Visitor, today: PublishedPuzzle, rows: Rows
) -> None:
    for move in wrong_moves(today.proof.root)[:1] * 3:
        visitor.play(visitor.puzzle(), move)
    assert visitor.puzzle()["state"] == "failed"
    page = visitor.open(visitor.sign_in("fatma").location)
    assert "1 day is in both: the better result stays." in page
    visitor.fill_in("/account/merge", choice="add")
    assert "1 day of both stays as it was." in visitor.open("/account")
    assert visitor.puzzle()["state"] == "solved"


def test_nothing_is_asked_where_there_is_nothing_to_add(fatma: Visitor, app: Flask, visitor: Visitor) -> None:
    assert visitor.sign_in("fatma").location == "/me"
    asked = visitor.client.get("/account/merge?next=/p/1")
    assert (asked.status_code, asked.location) == (302, "/p/1")
    assert Visitor(app).client.get("/account/merge").location == "/account"


def test_a_page_that_asked_about_somebody_else_merges_nobody(guest: Visitor, app: Flask, rows: Rows) -> None:
    """A stale merge page: meanwhile another account has signed in on the device."""
    Visitor(app).sign_up("zeynep")
    guest.sign_in("fatma")
    pair = re.search(r'name="pair" value="(\w+)"', guest.open("/account/merge"))
    assert pair
    guest.sign_in("zeynep")
    sent = guest.fill_in("/account/merge", choice="add", pair=pair[1])
    assert (sent.status_code, sent.location) == (303, "/account/merge?next=/account")
    page = guest.open(sent.location)
    assert "That page was out of date." in page
    assert "as zeynep" in page
    assert rows(Player) == 3


def test_an_answer_sent_twice_merges_once(guest: Visitor, app: Flask, rows: Rows) -> None:
    guest.sign_in("fatma")
    double = Visitor(app)
    page = guest.open("/account/merge")
    for name in ("dama_session", "dama_player", "dama_signed_in"):
        value = guest.cookie(name)
        assert value is not None
        double.client.set_cookie(name, value)
    form = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)) | {"choice": "add"}
    assert guest.client.post("/account/merge", data=form).location == "/account"
    again = double.client.post("/account/merge", data=form)
    assert (again.status_code, again.location) == (303, "/account")
    assert "Nothing was changed by it." in double.open("/account")
    assert rows(Player) == 1


@pytest.mark.parametrize("choice", ["", "both"])
def test_an_answer_that_is_none_is_refused(guest: Visitor, rows: Rows, choice: str) -> None:
    guest.sign_in("fatma")
    assert guest.fill_in("/account/merge", choice=choice).status_code == 400
    assert rows(Player) == 2


def test_a_tab_opened_as_a_guest_cannot_move_for_whoever_signs_in_later(
    guest: Visitor, clock: Clock, publish: Publish, rows: Rows
) -> None:
    """Two tabs: a move of the old one is refused and spends nothing; loaded again, it is the account's."""
    clock.now += timedelta(days=1)
    published = publish()
    puzzle, csrf = guest.puzzle(), guest.csrf
    before = rows(Attempt)
    guest.sign_in("fatma")
    guest.csrf = csrf
    refused = guest.play(puzzle, wrong_moves(published.proof.root)[0])
    assert refused.status_code == 400
    assert refused.json is not None
    assert refused.json["error"]["code"] == "csrf_failed"
    assert rows(Attempt) == before
    answer = guest.play(guest.puzzle(), wrong_moves(published.proof.root)[0])
    assert answer.status_code == 200
    assert rows(Player) == 2


def test_signing_out_everywhere_ends_every_device_and_leaves_guests_alone(
    guest: Visitor, fatma: Visitor, rows: Rows
) -> None:
    guest.sign_in("fatma")
    guest.fill_in("/account/merge", choice="apart")
    page = guest.open("/account")
    assert page.count("Another device") == 1
    sent = guest.client.post("/sign-out/everywhere", data={"csrf_token": guest.csrf})
    assert (sent.status_code, sent.location) == (303, "/sign-in")
    assert "Signed out on every device." in guest.open("/sign-in")
    assert rows(Device) == 1
    assert "Nothing is kept about you" in fatma.open("/account")
    assert "You play as a guest" in guest.open("/account")
    assert fatma.puzzle()["state"] == "open"
