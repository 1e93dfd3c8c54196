"""The account's own page: password, data, deletion."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask

from puzzle_service.domain.roles import Role
from puzzle_service.models import Account, Attempt, Device, Player, Tally
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ADMIN, ON_BOTH, PASSWORD, Rows, Visitor, wrong_moves

PERSONAL = (Player, Account, Device, Attempt)


@pytest.fixture
def guest(visitor: Visitor, today: PublishedPuzzle) -> Visitor:
    """A guest who has failed."""
    for move in wrong_moves(today.proof.root)[:1] * 3:
        visitor.play(visitor.puzzle(), move)
    return visitor


@pytest.fixture
def fatma(guest: Visitor) -> Visitor:
    """The same guest, signed up."""
    guest.sign_up("fatma")
    return guest


def test_looking_at_the_account_makes_nobody_anything(visitor: Visitor, rows: Rows) -> None:
    page = visitor.open("/account")
    assert "Nothing is kept about you" in page
    assert "Delete" not in page
    assert [rows(table) for table in PERSONAL] == [0] * 4
    for path in ("/account/password", "/account/delete"):
        assert visitor.client.get(path).location == "/account"
    assert visitor.client.get("/account/export").status_code == 404


@ON_BOTH
def test_a_new_password_takes_the_place_of_the_old_one_and_ends_other_devices(
    fatma: Visitor, app: Flask, rows: Rows
) -> None:
    elsewhere = Visitor(app)
    elsewhere.sign_in("fatma")
    before = fatma.cookie("dama_signed_in")
    sent = fatma.fill_in("/account/password", current=PASSWORD, new=f"new {PASSWORD}")
    assert (sent.status_code, sent.location) == (303, "/account")
    assert fatma.cookie("dama_signed_in") not in (None, before)
    assert "The password is changed." in fatma.open("/account")
    assert "Nothing is kept about you" in elsewhere.open("/account")
    assert rows(Device) == 1
    assert elsewhere.fill_in("/sign-in", name="fatma", password=PASSWORD).status_code == 401
    assert elsewhere.sign_in("fatma", f"new {PASSWORD}").status_code == 303


@pytest.mark.parametrize(
    ("current", "new", "why"),
    [
        ("not this one", f"new {PASSWORD}", "neither your password nor your recovery words"),
        (PASSWORD, "short", "A password has 8 to 256 characters."),
        (PASSWORD, "password1", "among the first that anybody would try"),
        (PASSWORD, "fatmafatma", "among the first that anybody would try"),
    ],
)
def test_a_password_is_not_changed_for_a_wrong_one_or_to_a_weak_one(
    fatma: Visitor, app: Flask, current: str, new: str, why: str
) -> None:
    refused = fatma.fill_in("/account/password", current=current, new=new)
    assert refused.status_code == 422
    assert why in refused.text
    assert current not in refused.text
    assert Visitor(app).sign_in("fatma").status_code == 303


def test_guessing_the_password_on_an_open_device_is_bounded(fatma: Visitor) -> None:
    for _ in range(5):
        assert fatma.fill_in("/account/password", current="guess", new=PASSWORD).status_code == 422
    blocked = fatma.fill_in("/account/password", current=PASSWORD, new=f"new {PASSWORD}")
    assert blocked.status_code == 429
    assert int(blocked.headers["Retry-After"]) > 0


@ON_BOTH
def test_own_data_is_a_file_with_every_row_explained(fatma: Visitor, rows: Rows) -> None:
    response = fatma.client.get("/account/export")
    assert response.status_code == 200
    assert response.headers["Content-Disposition"] == 'attachment; filename="dama-data.json"'
    assert response.headers["Cache-Control"] == "no-store"
    assert response.mimetype == "application/json"
    data = json.loads(response.text)
    assert data["account"]["name"] == "fatma"
    assert (len(data["attempts"]), len(data["devices"])) == (3, 1)
    assert data.keys() == {"about", *data["about"]}


def test_a_guest_has_own_data_too(guest: Visitor) -> None:
    data = json.loads(guest.client.get("/account/export").text)
    assert data["account"] is None
    assert len(data["attempts"]) == 3


@ON_BOTH
def test_deletion_leaves_the_world_figures_and_nothing_else(fatma: Visitor, app: Flask, rows: Rows) -> None:
    sent = fatma.fill_in("/account/delete", sure="yes", password=PASSWORD)
    assert (sent.status_code, sent.location) == (303, "/account")
    assert sent.headers["Clear-Site-Data"] == '"cache"'
    assert [rows(table) for table in PERSONAL] == [0] * 4
    assert rows(Tally) == 1
    assert fatma.cookie("dama_signed_in") is None
    page = fatma.open("/account")
    assert "The account is deleted." in page
    assert "fatma" not in page
    assert Visitor(app).fill_in("/sign-in", name="fatma", password=PASSWORD).status_code == 401


@ON_BOTH
def test_a_guest_is_deleted_too(guest: Visitor, rows: Rows) -> None:
    assert "fatma" not in guest.open("/account/delete")
    assert guest.fill_in("/account/delete", sure="yes").status_code == 303
    assert [rows(table) for table in PERSONAL] == [0] * 4
    assert guest.cookie("dama_player") is None
    assert guest.puzzle()["attempts_left"] == 3


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"password": PASSWORD}, "Tick the box if you mean it."),
        ({"sure": "yes"}, "The password is wrong. Nothing was deleted."),
        ({"sure": "yes", "password": "wrong"}, "The password is wrong. Nothing was deleted."),
    ],
)
def test_deletion_takes_two_steps_and_the_password(
    fatma: Visitor, rows: Rows, fields: dict[str, str], why: str
) -> None:
    refused = fatma.fill_in("/account/delete", **fields)
    assert refused.status_code == 422
    assert why in refused.text
    assert rows(Account) == 1


@ON_BOTH
def test_a_deletion_sent_twice_at_once_is_one(fatma: Visitor, app: Flask, rows: Rows) -> None:
    page = fatma.open("/account/delete")
    cookies = {name: fatma.cookie(name) or "" for name in ("dama_session", "dama_signed_in")}
    form = {"csrf_token": fatma.csrf, "sure": "yes", "password": PASSWORD}
    assert "This deletes the account fatma" in page
    start = Barrier(3)

    def send(_: int) -> tuple[int, str | None]:
        client = app.test_client()
        for name, value in cookies.items():
            client.set_cookie(name, value)
        start.wait()
        sent = client.post("/account/delete", data=form)
        return sent.status_code, sent.location

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(send, range(3)))
    # Who comes so late that the account is gone cannot know its password any more.
    assert (303, "/account") in answers
    assert {status for status, _ in answers} <= {303, 422}
    assert [rows(table) for table in PERSONAL] == [0] * 4


@ON_BOTH
def test_the_only_admin_cannot_be_deleted(admin: Visitor, rows: Rows) -> None:
    refused = admin.fill_in("/account/delete", sure="yes", password=ADMIN[1])
    assert refused.status_code == 422
    assert "You are the only admin" in refused.text
    assert rows(Account) == 1
    assert admin.client.get("/admin").status_code == 200


@ON_BOTH
def test_a_deleted_player_on_a_second_device_begins_anew(fatma: Visitor, app: Flask) -> None:
    second = Visitor(app)
    second.sign_in("fatma")
    fatma.fill_in("/account/delete", sure="yes", password=PASSWORD)
    assert second.puzzle()["attempts_left"] == 3
    assert "Nothing is kept about you" in second.open("/account")


def test_an_account_page_says_what_somebody_may_do(admin: Visitor, fatma: Visitor) -> None:
    assert "You are an admin." in admin.open("/account")
    assert Role.ADMIN not in fatma.open("/account")
