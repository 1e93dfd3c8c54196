"""Recovery words: made once, and what they open."""

import html
import re

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from puzzle_service.models import Device, Player
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, PASSWORD, Rows, Visitor, wrong_moves


def _make(somebody: Visitor) -> str:
    """Make recovery words and return them as they are shown."""
    return _shown(somebody.fill_in("/account/recovery"))


def _shown(shown: TestResponse) -> str:
    """Return the words of a page that shows them."""
    assert shown.status_code == 200
    listed = re.search(r'id="words"[^>]*>(.*?)</ol>', shown.text, re.S)
    assert listed
    return " ".join(html.unescape(word) for word in re.findall(r"<li>([^<]+)</li>", listed[1]))


@pytest.fixture
def guest(visitor: Visitor, today: PublishedPuzzle) -> Visitor:
    """A guest who has made one wrong move."""
    visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0])
    return visitor


@ON_BOTH
def test_recovery_words_are_shown_once_and_kept_nowhere(visitor: Visitor, rows: Rows) -> None:
    visitor.sign_up("fatma")
    words = _make(visitor)
    assert len(words.split()) == 7
    for path in ("/account/recovery", "/account", "/account/export"):
        page = visitor.client.get(path).text
        assert words.split()[0] not in re.findall(r"\w+", page) or words not in page
        assert words not in (visitor.cookie("dama_session") or "")
    assert "You have made them." in visitor.open("/account")


def test_words_let_an_account_in_without_its_password(visitor: Visitor, app: Flask) -> None:
    visitor.sign_up("fatma")
    words = _make(visitor)
    elsewhere = Visitor(app)
    sent = elsewhere.fill_in("/recover", words=words.upper(), next="/p/1")
    assert (sent.status_code, sent.location) == (303, "/p/1")
    page = elsewhere.open("/account")
    assert "You are signed in as fatma." in page
    assert page.count("Another device") == 1


def test_somebody_recovered_sets_a_new_password_with_the_words(visitor: Visitor, app: Flask) -> None:
    visitor.sign_up("fatma")
    words = _make(visitor)
    elsewhere = Visitor(app)
    elsewhere.fill_in("/recover", words=words)
    changed = elsewhere.fill_in("/account/password", current=words, new=f"new {PASSWORD}")
    assert (changed.status_code, changed.location) == (303, "/account")
    assert "Nothing is kept about you" in visitor.open("/account")
    assert visitor.sign_in("fatma", f"new {PASSWORD}").status_code == 303


@ON_BOTH
def test_a_guest_carries_the_days_to_a_second_device(guest: Visitor, app: Flask, rows: Rows) -> None:
    words = _make(guest)
    second = Visitor(app)
    assert second.fill_in("/recover", words=words).status_code == 303
    assert second.puzzle()["attempts_left"] == 2
    page = second.open("/account")
    assert "You play as a guest" in page
    assert page.count("Another device") == 1
    assert guest.puzzle()["attempts_left"] == 2
    assert rows(Player) == 1


def test_a_guest_with_words_is_held_like_somebody_signed_in(guest: Visitor, app: Flask, rows: Rows) -> None:
    """So signing up on one of two devices leaves no other that holds an account as its guest."""
    words = _make(guest)
    assert guest.cookie("dama_player") is None
    second = Visitor(app)
    second.fill_in("/recover", words=words)
    second.sign_up("fatma")
    assert "fatma" in guest.open("/me")
    assert (rows(Player), rows(Device)) == (1, 2)
    guest.leave()
    assert guest.puzzle()["attempts_left"] == 3
    assert second.puzzle()["attempts_left"] == 2


@ON_BOTH
def test_a_guest_who_asks_for_words_twice_at_once_is_not_lost(guest: Visitor, app: Flask) -> None:
    """Of a double click the browser sees the second answer alone, which was asked for as a guest."""
    page = guest.open("/account/recovery")
    double = Visitor(app)
    for name in ("dama_session", "dama_player"):
        double.client.set_cookie(name, guest.cookie(name) or "")
    form = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    assert guest.client.post("/account/recovery", data=form).status_code == 200
    words = _shown(double.client.post("/account/recovery", data=form))
    assert double.puzzle()["attempts_left"] == 2
    assert double.cookie("dama_player") is None
    assert Visitor(app).fill_in("/recover", words=words).status_code == 303


@ON_BOTH
def test_days_held_by_words_can_be_added_to_an_account(guest: Visitor, app: Flask, rows: Rows) -> None:
    """They become those of this device's guest, and signing in asks about them as about any guest's."""
    words = _make(guest)
    Visitor(app).sign_up("fatma")
    sent = guest.sign_in("fatma")
    assert sent.location == "/account/merge?next=/me"
    assert "recovery words would open nothing any more" in guest.open(sent.location)
    guest.fill_in("/account/merge", choice="apart")
    guest.leave()
    assert guest.puzzle()["attempts_left"] == 2
    guest.sign_in("fatma")
    guest.fill_in("/account/merge", choice="add")
    assert rows(Player) == 1
    assert guest.puzzle()["attempts_left"] == 2
    assert Visitor(app).fill_in("/recover", words=words).status_code == 422


@ON_BOTH
def test_a_guest_who_has_an_account_by_now_is_nobodys_guest(guest: Visitor, app: Flask, rows: Rows) -> None:
    """Signing out must not open the account that was made on another device."""
    words = _make(guest)
    Visitor(app).sign_up("fatma")
    guest.sign_in("fatma")
    second = Visitor(app)
    second.fill_in("/recover", words=words)
    second.sign_up("zeynep")
    assert 'href="/account/merge"' not in guest.open("/account")
    guest.leave()
    assert "Nothing is kept about you" in guest.open("/account")
    assert guest.puzzle()["attempts_left"] == 3
    assert second.puzzle()["attempts_left"] == 2


@ON_BOTH
def test_new_words_make_the_old_ones_worthless(visitor: Visitor, app: Flask) -> None:
    visitor.sign_up("fatma")
    old = _make(visitor)
    assert "the old ones open nothing any more" in visitor.open("/account/recovery")
    new = _make(visitor)
    refused = Visitor(app).fill_in("/recover", words=old)
    assert refused.status_code == 422
    assert "Nobody has these words." in refused.text
    assert Visitor(app).fill_in("/recover", words=new).status_code == 303


@ON_BOTH
def test_words_that_can_be_nobodys_are_told_what_is_wrong_with_them(visitor: Visitor) -> None:
    for words, why in (
        ("", "Recovery words are 7 words; these are 0."),
        ("apple " * 6, "Recovery words are 7 words; these are 6."),
        ("apple " * 6 + "<appel>", "“appel” is none of the words there are."),
        ("apple " * 3000, "Recovery words are 7 words"),
    ):
        refused = visitor.fill_in("/recover", words=words[:16_000])
        assert refused.status_code == 422
        assert why in html.unescape(refused.text)
        assert visitor.cookie("dama_signed_in") is None


def test_words_in_turkish_are_read_with_and_without_their_dots(visitor: Visitor, app: Flask) -> None:
    """Turkish dotted and dotless i (list.js#472): a foreign keyboard has neither ı nor ş."""
    visitor.sign_up("fatma")
    visitor.client.get("/?lang=tr")
    words = _make(visitor)
    plain = words.upper().translate(str.maketrans("İIŞĞÜÖÇÂÎÛ", "IISGUOCAIU"))
    assert Visitor(app).fill_in("/recover", words=plain).status_code == 303
    assert Visitor(app).fill_in("/recover", words=words.replace(" ", "-")).status_code == 303


def test_recovering_on_a_device_with_a_guest_of_its_own_asks_first(
    guest: Visitor, app: Flask, today: PublishedPuzzle, rows: Rows
) -> None:
    words = _make(guest)
    second = Visitor(app)
    second.play(second.puzzle(), wrong_moves(today.proof.root)[0])
    asked = second.fill_in("/recover", words=words)
    assert asked.location == "/account/merge?next=/me"
    assert "before you opened your days" in second.open(asked.location)
    second.fill_in("/account/merge", choice="add")
    assert rows(Player) == 1


def test_who_has_nothing_to_recover_is_not_offered_words(visitor: Visitor) -> None:
    assert visitor.client.get("/account/recovery").location == "/account"
    visitor.open("/account")
    visitor.open("/sign-in")
    assert visitor.client.post("/account/recovery", data={"csrf_token": visitor.csrf}).status_code == 303
