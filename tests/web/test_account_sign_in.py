"""Signing in and out: who gets in, where it leads, and what is left afterwards."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError
from werkzeug.test import TestResponse

from puzzle_service.domain.record import Record
from puzzle_service.models import Device
from puzzle_service.services import sign_ins
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ADMIN, ON_BOTH, Clock, Rows, Visitor, wrong_moves


def _form(somebody: Visitor, **fields: str) -> dict[str, str]:
    return {"csrf_token": somebody.csrf, **fields}


def _sign_in(somebody: Visitor, name: str = ADMIN[0]) -> None:
    somebody.open("/sign-in")
    sent = somebody.client.post("/sign-in", data=_form(somebody, name=name, password=ADMIN[1]))
    assert sent.status_code == 303


def test_the_admin_pages_are_not_there_for_who_is_not_signed_in(
    visitor: Visitor, stock: list[Record]
) -> None:
    for path in ("/admin", "/admin?status=rejected", f"/admin/puzzles/{stock[0].id}"):
        assert visitor.client.get(path).status_code == 404
    visitor.open("/sign-in")
    for decision in ("approve", "reject"):
        sent = visitor.client.post(f"/admin/puzzles/{stock[0].id}/{decision}", data=_form(visitor))
        assert sent.status_code == 404


@ON_BOTH
def test_a_wrong_password_and_an_unknown_name_are_refused_alike(admin: Visitor, visitor: Visitor) -> None:
    tries = [
        (ADMIN[0], "wrong password"),
        ("nobody", ADMIN[1]),
        ("", ""),
        ("a\x00", "b"),
        ("x" * 300, "y" * 5000),
    ]
    visitor.open("/sign-in")
    for name, password in tries:
        refused = visitor.client.post("/sign-in", data=_form(visitor, name=name, password=password))
        assert refused.status_code == 401
        assert "Name or password is wrong." in refused.text
    assert visitor.client.get("/admin").status_code == 404


def test_signing_in_leads_to_the_page_asked_for(admin: Visitor, visitor: Visitor) -> None:
    page = visitor.open("/sign-in?next=/admin?status%3Drejected")
    assert 'name="next" value="/admin?status=rejected"' in page
    form = _form(visitor, name=ADMIN[0], password=ADMIN[1], next="/admin?status=rejected")
    sent = visitor.client.post("/sign-in", data=form)
    assert (sent.status_code, sent.location) == (303, "/admin?status=rejected")


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "evil.example",
        "/admin?\r\nSet-Cookie: a=b",
        "/\t/evil.example",
        "javascript:alert(1)",
    ],
)
def test_signing_in_never_leads_to_another_site(visitor: Visitor, wanted: str) -> None:
    page = visitor.client.get("/sign-in", query_string={"next": wanted}).text
    assert 'name="next" value="/me"' in page


def test_a_reviewer_signs_in_again_after_half_a_day_and_goes_on_there(admin: Visitor, clock: Clock) -> None:
    clock.now += timedelta(hours=12)
    asked = admin.client.get("/admin?status=rejected")
    assert (asked.status_code, asked.location) == (303, "/sign-in?next=/admin?status%3Drejected")
    _sign_in(admin)
    assert admin.client.get("/admin").status_code == 200


@pytest.mark.parametrize("name", ["AYŞE", " ayşe ", "Ayşe"])
def test_case_and_spaces_of_a_name_do_not_matter(admin: Visitor, visitor: Visitor, name: str) -> None:
    _sign_in(visitor, name)
    assert visitor.client.get("/admin").status_code == 200


@ON_BOTH
def test_signing_out_ends_this_device_on_the_server_and_no_other(app: Flask, admin: Visitor) -> None:
    """A copy of the cookie is worth nothing afterwards; another browser of the same admin goes on."""
    cookie = admin.cookie("dama_signed_in")
    assert cookie is not None
    copy, elsewhere = Visitor(app), Visitor(app)
    copy.client.set_cookie("dama_signed_in", cookie)
    _sign_in(elsewhere)
    for somebody in (copy, elsewhere):
        assert somebody.client.get("/admin").status_code == 200
    sent = admin.client.post("/sign-out", data={"csrf_token": admin.csrf})
    assert (sent.status_code, sent.location) == (303, "/")
    assert sent.headers["Clear-Site-Data"] == '"cache"'
    assert admin.cookie("dama_signed_in") is None
    for somebody in (admin, copy):
        assert somebody.client.get("/admin").status_code == 404
    assert elsewhere.client.get("/admin").status_code == 200
    _sign_in(admin)
    assert copy.client.get("/admin").status_code == 404


def test_a_cookie_that_is_worth_nothing_signs_nobody_out(app: Flask, admin: Visitor) -> None:
    cookie = admin.cookie("dama_signed_in")
    assert cookie is not None
    admin.client.post("/sign-out", data={"csrf_token": admin.csrf})
    _sign_in(admin)
    copy = Visitor(app)
    copy.client.set_cookie("dama_signed_in", cookie)
    copy.open("/sign-in")
    assert copy.client.post("/sign-out", data={"csrf_token": copy.csrf}).status_code == 303
    assert admin.client.get("/admin").status_code == 200


def test_signing_in_starts_a_fresh_session(admin: Visitor) -> None:
    assert ADMIN[0] not in (admin.cookie("dama_session") or "")
    before = admin.csrf
    admin.client.post("/sign-out", data={"csrf_token": admin.csrf})
    assert admin.client.post("/sign-out", data={"csrf_token": before}).status_code == 400


@ON_BOTH
def test_every_sign_in_gives_a_new_token_and_ends_the_old_one(app: Flask, admin: Visitor, rows: Rows) -> None:
    """Whoever planted or copied a token before has nothing once its owner signs in (session fixation)."""
    before = admin.cookie("dama_signed_in")
    assert before is not None
    _sign_in(admin)
    assert admin.cookie("dama_signed_in") not in (None, before)
    assert rows(Device) == 1
    thief = Visitor(app)
    thief.client.set_cookie("dama_signed_in", before)
    assert thief.client.get("/admin").status_code == 404


def test_signing_in_keeps_when_a_puzzle_was_served(
    admin: Visitor, visitor: Visitor, today: PublishedPuzzle, clock: Clock
) -> None:
    """Who opened the puzzle before midnight and signs in after it still has the attempts of that day."""
    clock.now += timedelta(hours=11, minutes=55)  # 23:55 in Istanbul
    puzzle = visitor.puzzle()
    clock.now += timedelta(minutes=10)
    _sign_in(visitor)
    visitor.open("/me")
    visitor.open(f"/p/{today.number}")
    answer = visitor.play(puzzle | {"served": None}, wrong_moves(today.proof.root)[0])
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["attempts_left"] == 2


def test_a_database_that_fails_is_not_asked_again_for_the_header(
    admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def fail(*_: object) -> None:
        asked.append(1)
        raise OperationalError("SELECT", {}, Exception("the disk is on fire"))

    monkeypatch.setattr(sign_ins, "find", fail)
    for path in ("/me", "/admin", "/account"):
        answer = admin.client.get(path)
        assert answer.status_code == 503, path
        assert "The site is busy" in answer.text
    assert len(asked) == 3


def test_a_visitor_who_is_not_signed_in_is_not_asked_for(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_ins, "find", None)
    for path in ("/", "/me", "/sign-in", "/account"):
        visitor.open(path)


def test_six_wrong_passwords_are_blocked_at_five_and_a_right_one_starts_afresh(
    admin: Visitor, visitor: Visitor, clock: Clock
) -> None:
    def attempt(password: str) -> TestResponse:
        return visitor.fill_in("/sign-in", name=ADMIN[0], password=password)

    for _ in range(4):
        assert attempt("wrong").status_code == 401
    assert attempt(ADMIN[1]).status_code == 303
    for _ in range(5):
        assert attempt("wrong").status_code == 401
    blocked = attempt(ADMIN[1])
    assert (blocked.status_code, blocked.headers["Retry-After"]) == (429, "900")
    clock.now += timedelta(minutes=15)
    assert attempt(ADMIN[1]).status_code == 303
