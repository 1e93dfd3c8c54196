"""Signing in with name and password, and out again."""

from datetime import timedelta
from typing import Final

from flask import Blueprint, g, make_response, redirect, render_template, request, session, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.domain.names import NAME_CHARACTERS
from puzzle_service.services import accounts, devices
from puzzle_service.web import player
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.site import request_time, site

REVIEWING_FOR: Final = timedelta(hours=12)
"""How long after signing in somebody may review; players stay signed in for as long as they come back."""

blueprint = Blueprint("sign_in", __name__)


def require_reviewer() -> Response | None:
    """Put the account of whoever may review into `g.account`; for anybody else there is nothing here."""
    token = player.token(player.SIGNED_IN_COOKIE)
    with site().database.read() as database:
        device = None if token is None else devices.get(database, token)
        account = None if device is None else accounts.get(database, device.player_id)
    if device is None or account is None or not account.role.reviews:
        raise NotFound
    if request_time() >= device.created_at + REVIEWING_FOR:
        wanted = request.full_path.rstrip("?") if request.method == "GET" else url_for("admin.queue")
        return redirect(url_for("sign_in.form", next=wanted), 303)
    g.account = account
    return None


@blueprint.get("/sign-in")
def form() -> Response:
    """Show the form."""
    return _form(request.args.get("next", ""))


@blueprint.post("/sign-in")
def sign_in() -> Response:
    """Sign in with name and password; the session then starts afresh."""
    name, password = request.form.get("name", "").strip(), request.form.get("password", "")
    wanted = request.form.get("next", "")
    if not _plausible(name, NAME_CHARACTERS) or not _plausible(password, accounts.LONGEST_PASSWORD):
        return _form(wanted, name, wrong=True)
    with site().database.read() as database:
        account = accounts.verify(database, name, password)
    if account is None:
        return _form(wanted, name, wrong=True)
    with site().database.write.begin() as database:
        token = devices.add(database, account.player_id, request_time())
    session.clear()
    response = redirect(_own_page(wanted), 303)
    player.keep_signed_in(response, token)
    return response


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """End this device's hold on whoever signed in, and have the browser drop what it has kept."""
    token = player.token(player.SIGNED_IN_COOKIE)
    if token is not None:
        with site().database.write.begin() as database:
            devices.drop(database, token)
    session.clear()
    response = redirect(url_for("puzzle.today"), 303)
    player.forget(response, player.SIGNED_IN_COOKIE)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def _form(wanted: str, name: str = "", *, wrong: bool = False) -> Response:
    error = _("Name or password is wrong.") if wrong else None
    page = render_template("sign_in.html", next=_own_page(wanted), name=name, error=error)
    return make_response(page, 401 if wrong else 200)


def _plausible(text: str, longest: int) -> bool:
    return 0 < len(text) <= longest and text.isprintable()


def _own_page(wanted: str) -> str:
    """Return where to go after signing in: never to another site, whatever the address says."""
    own = wanted.startswith("/") and not wanted.startswith("//") and wanted.isprintable()
    return wanted if own and "\\" not in wanted else url_for("me.record")
