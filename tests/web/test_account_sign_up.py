"""Signing up: who gets an account, and whose days it has."""

import html
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask

from puzzle_service.db import Database
from puzzle_service.models import Account, Attempt, Device, Player
from puzzle_service.services import devices, sign_ins
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, PASSWORD, Rows, Visitor, wrong_moves


@pytest.fixture
def guest(visitor: Visitor, today: PublishedPuzzle) -> Visitor:
    """A guest who has made one wrong move."""
    visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0])
    return visitor


@ON_BOTH
def test_an_account_takes_its_guest_over(guest: Visitor, rows: Rows, database: Database, app: Flask) -> None:
    held = guest.cookie("dama_player")
    assert held is not None
    with database.read() as session:
        player_id = devices.guest(session, held)
    assert "come along" in guest.open("/sign-up")
    sent = guest.fill_in("/sign-up", name="Işıl", password=PASSWORD)
    assert (sent.status_code, sent.location) == (303, "/account/recovery?next=/me")
    with database.read() as session:
        found = sign_ins.find(session, guest.cookie("dama_signed_in") or "")
    assert found is not None
    assert found.player_id == player_id
    assert (rows(Player), rows(Account), rows(Device)) == (1, 1, 1)
    assert guest.cookie("dama_player") is None
    assert guest.puzzle()["attempts_left"] == 2
    copy = Visitor(app)
    copy.client.set_cookie("dama_player", held)
    assert copy.puzzle()["attempts_left"] == 3


def test_signing_up_says_that_there_is_no_mail_and_offers_recovery_words(visitor: Visitor) -> None:
    page = visitor.open("/sign-up")
    assert "no new password by mail" in page
    assert "come along" not in page
    assert 'type="email"' not in page
    visitor.fill_in("/sign-up", name="fatma", password=PASSWORD, next="/p/1")
    page = visitor.open("/account/recovery?next=/p/1")
    assert "Welcome, fatma" in page
    assert "Make recovery words" in page
    assert '<a class="btn quiet" href="/p/1">Not now</a>' in page


def test_who_signs_up_without_having_played_begins_with_the_first_move(
    visitor: Visitor, today: PublishedPuzzle, rows: Rows
) -> None:
    visitor.sign_up("fatma")
    visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0])
    assert visitor.cookie("dama_player") is None
    assert (rows(Player), rows(Attempt)) == (1, 1)


@pytest.mark.parametrize(
    ("name", "password", "why", "field"),
    [
        ("", PASSWORD, "A name has 1 to 64 characters.", "name"),
        ("x" * 65, PASSWORD, "A name has 1 to 64 characters.", "name"),
        ("a\0b", PASSWORD, "A name has 1 to 64 characters.", "name"),
        ("fatma", "short", "A password has 8 to 256 characters.", "password"),
        ("fatma", "x" * 257, "A password has 8 to 256 characters.", "password"),
        ("fatma", "password1", "among the first that anybody would try", "password"),
        ("fatma", "fatmafatma", "among the first that anybody would try", "password"),
        ("command line", PASSWORD, "This name is taken.", "name"),
    ],
)
def test_a_name_or_password_that_cannot_be_is_refused_where_it_was_typed(
    visitor: Visitor, rows: Rows, name: str, password: str, why: str, field: str
) -> None:
    refused = visitor.fill_in("/sign-up", name=name, password=password)
    assert refused.status_code == 422
    at = re.search(rf'id="{field}-help">(.*?)</p>', refused.text, re.S)
    assert at
    assert why in at[1]
    assert refused.text.count('aria-invalid="true"') == 1
    assert password not in refused.text
    assert (rows(Player), rows(Account)) == (0, 0)
    assert visitor.cookie("dama_signed_in") is None


@pytest.mark.parametrize("name", ["IŞIL", "ışıl", "işil", "  Işıl ", "ISIL"[:1] + "şıl"])
def test_a_name_is_taken_with_a_dotted_or_a_dotless_i_alike(app: Flask, visitor: Visitor, name: str) -> None:
    """Turkish dotted and dotless i in names (list.js#472)."""
    Visitor(app).sign_up("Işıl")
    refused = visitor.fill_in("/sign-up", name=name, password=f"another {PASSWORD}")
    assert refused.status_code == 422
    assert "This name is taken." in refused.text
    assert visitor.sign_in(name).location == "/me"
    assert "Işıl" in visitor.open("/account")


@ON_BOTH
def test_a_form_sent_twice_makes_one_account_and_signs_in_to_it(
    guest: Visitor, app: Flask, rows: Rows
) -> None:
    page = guest.open("/sign-up")
    double = Visitor(app)
    for name in ("dama_session", "dama_player"):
        value = guest.cookie(name)
        assert value is not None
        double.client.set_cookie(name, value)
    csrf = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert csrf
    form = {"csrf_token": html.unescape(csrf[1]), "name": "fatma", "password": PASSWORD}
    for somebody in (guest, double):
        sent = somebody.client.post("/sign-up", data=form)
        assert (sent.status_code, "dama_signed_in=" in str(sent.headers)) == (303, True)
    assert (rows(Player), rows(Account)) == (1, 1)
    assert double.puzzle()["attempts_left"] == 2


@ON_BOTH
def test_forms_sent_at_the_same_time_make_one_account(guest: Visitor, app: Flask, rows: Rows) -> None:
    page = guest.open("/sign-up")
    csrf = re.search(r'name="csrf_token" value="([^"]+)"', page)
    cookies = {name: guest.cookie(name) or "" for name in ("dama_session", "dama_player")}
    assert csrf
    form = {"csrf_token": html.unescape(csrf[1]), "name": "fatma", "password": PASSWORD}
    start = Barrier(4)

    def send(_: int) -> tuple[int, bool]:
        client = app.test_client()
        for name, value in cookies.items():
            client.set_cookie(name, value)
        start.wait()
        sent = client.post("/sign-up", data=form)
        return sent.status_code, "dama_signed_in=" in str(sent.headers)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(send, range(4))) == [(303, True)] * 4
    assert (rows(Player), rows(Account), rows(Attempt)) == (1, 1, 1)


def test_who_has_an_account_needs_no_second_one(visitor: Visitor, rows: Rows) -> None:
    page = visitor.open("/sign-up")
    csrf = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert csrf
    visitor.sign_up("fatma")
    assert visitor.client.get("/sign-up").location == "/account"
    visitor.open("/account")
    sent = visitor.client.post(
        "/sign-up", data={"csrf_token": visitor.csrf, "name": "zeynep", "password": PASSWORD}
    )
    assert (sent.status_code, sent.location) == (303, "/account")
    assert rows(Account) == 1


def test_the_header_leads_to_signing_in_and_then_to_the_account(
    visitor: Visitor, today: PublishedPuzzle
) -> None:
    assert 'href="/sign-in?next=/me"' in visitor.open("/me")
    assert 'href="/sign-in?next=/me?why?"' in visitor.open("/me?why?")
    assert 'href="/sign-in"' in visitor.open("/")
    visitor.sign_up("<b>fatma</b>")
    page = visitor.open("/me")
    assert "&lt;b&gt;fatma&lt;/b&gt;" in page
    assert 'href="/account"' in page
    assert "Sign in</span>" not in page
    assert ">Review</a>" not in page
    asked = visitor.client.get("/admin")
    assert asked.status_code == 404
    assert "fatma" in asked.text


def test_who_is_not_signed_in_finds_the_way_to_the_page_that_is_not_there(visitor: Visitor) -> None:
    missing = visitor.client.get("/admin?status=rejected")
    assert missing.status_code == 404
    assert 'href="/sign-in?next=/admin?status%3Drejected"' in missing.text
