"""The accounts and their roles, for admins."""

import re
from datetime import timedelta

import pytest
from flask import Flask

from tests.web.conftest import ADMIN, ON_BOTH, Clock, Visitor


@pytest.fixture
def fatma(app: Flask) -> Visitor:
    """A player with an account."""
    somebody = Visitor(app)
    somebody.sign_up("fatma")
    return somebody


def _give(admin: Visitor, name: str, role: str) -> str:
    """Give a role and return what the page then says."""
    admin.open("/admin/accounts")
    form = {"csrf_token": admin.csrf, "name": name, "role": role}
    return admin.client.post("/admin/accounts", data=form, follow_redirects=True).text


def test_roles_are_for_admins_and_not_there_for_others(
    admin: Visitor, fatma: Visitor, visitor: Visitor, clock: Clock
) -> None:
    def answers(somebody: Visitor) -> tuple[int, int]:
        somebody.open("/sign-in")
        form = {"csrf_token": somebody.csrf, "name": "fatma", "role": "admin"}
        looked, sent = (
            somebody.client.get("/admin/accounts"),
            somebody.client.post("/admin/accounts", data=form),
        )
        return looked.status_code, sent.status_code

    assert answers(visitor) == answers(fatma) == (404, 404)
    assert "fatma: Reviewer." in _give(admin, "fatma", "reviewer")
    assert fatma.client.get("/admin").status_code == 200
    assert answers(fatma) == (404, 404)
    assert answers(admin) == (200, 303)
    clock.now += timedelta(hours=12)
    assert answers(admin) == (303, 303)


def test_a_role_holds_from_the_next_request_on(admin: Visitor, fatma: Visitor) -> None:
    _give(admin, "fatma", "reviewer")
    assert ">Review</a>" in fatma.open("/me")
    _give(admin, "fatma", "player")
    assert fatma.client.get("/admin").status_code == 404
    assert ">Review</a>" not in fatma.open("/me")


@ON_BOTH
def test_the_only_admin_stays_one_until_there_is_another(admin: Visitor, fatma: Visitor) -> None:
    assert "The only admin has to stay one" in _give(admin, ADMIN[0], "player")
    _give(admin, "fatma", "admin")
    page = _give(admin, ADMIN[0], "player")
    assert f"{ADMIN[0]}: Player." in page
    assert admin.client.get("/admin/accounts").status_code == 404
    assert fatma.client.get("/admin/accounts").status_code == 200


def test_a_role_that_is_none_and_an_account_that_is_gone_are_refused(admin: Visitor) -> None:
    assert "There is no such account any more." in _give(admin, "nobody", "reviewer")
    admin.open("/admin/accounts")
    form = {"csrf_token": admin.csrf, "name": ADMIN[0], "role": "king"}
    assert admin.client.post("/admin/accounts", data=form).status_code == 400


@pytest.mark.parametrize(("text", "found"), [("IŞIL", True), ("ışı", True), ("%", False), ("zzz", False)])
def test_a_name_is_found_with_a_dotted_or_a_dotless_i_alike(
    admin: Visitor, app: Flask, text: str, *, found: bool
) -> None:
    """Turkish dotted and dotless i in search (list.js#472)."""
    Visitor(app).sign_up("Işıl")
    page = admin.client.get("/admin/accounts", query_string={"q": text}).text
    names = re.findall(r'name="name" value="([^"]+)"', page)
    assert names == (["Işıl"] if found else [])
