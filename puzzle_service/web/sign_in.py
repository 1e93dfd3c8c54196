"""Signing in with name and password, and out again."""

from typing import Final

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from puzzle_service.domain.names import NAME_CHARACTERS, fold
from puzzle_service.services import accounts, devices, keys, merging, passwords
from puzzle_service.services.keys import Key
from puzzle_service.web import addresses, limits, notices, player
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site

CLEARED: Final = '"cache"'
"""What the browser drops when somebody leaves: the Back button then has nothing to show."""

blueprint = Blueprint("sign_in", __name__)


@blueprint.get("/sign-in")
def form() -> Response:
    """Show the form."""
    return _form(request.args.get("next", ""))


@blueprint.post("/sign-in")
def sign_in() -> Response:
    """Sign in with name and password; the session then starts afresh."""
    name, password = request.form.get("name", "").strip(), request.form.get("password", "")
    wanted = request.form.get("next", "")
    key = verified(name, password)
    response = None if key is None else opened(key, addresses.own(wanted))
    return _form(wanted, name, wrong=True) if response is None else response


def verified(name: str, password: str) -> Key | None:
    """Return the key that name and password are to an account, or None; raises TooMany for guessing."""
    if not _plausible(name, NAME_CHARACTERS) or not _plausible(password, passwords.MOST_CHARACTERS):
        return None
    # Counted before the password is looked at, so that tries sent at once do not get past the limit.
    limits.hit("sign_in", fold(name))
    with site().database.read() as database:
        key = accounts.verify(database, name, password)
    if key is not None:
        limits.succeeded("sign_in", fold(name))
    return key


def opened(key: Key, wanted: str) -> Response | None:
    """Sign in whoever a key opens as `entered` does; None when it was changed in the meantime."""
    with site().database.write.begin() as database:
        return entered(database, key.player_id, wanted) if keys.still_opens(database, key) else None


def entered(database: Session, player_id: int, wanted: str) -> Response:
    """Sign a player in on this device and go on, by way of a question if its guest has days of their own.

    The token is always a new one, and whoever was signed in here before no longer is. Somebody without an
    account, held by recovery words, becomes the guest of this device if it has none.
    """
    leaving, before = player.signed_in(database), player.token(player.SIGNED_IN_COOKIE)
    guest_id, new_guest = player.guest(database), None
    if leaving is not None and leaving.name is None and leaving.player_id != player_id and guest_id is None:
        guest_id, new_guest = leaving.player_id, before
    elif before is not None:
        devices.drop(database, before)
    token = devices.add(database, player_id, request_time())
    if guest_id is not None and guest_id != player_id and merging.has_days(database, guest_id):
        wanted = url_for("merge.ask", next=wanted)
    player.start_afresh()
    response = redirect(wanted, 303)
    player.keep_signed_in(response, token)
    if new_guest is not None:
        player.keep_guest(response, new_guest)
    return response


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """End this device's hold on whoever signed in; its guest, if it has one, is back."""
    token = player.token(player.SIGNED_IN_COOKIE)
    if token is not None:
        with site().database.write.begin() as database:
            devices.drop(database, token)
    return left(url_for("puzzle.today"))


@blueprint.post("/sign-out/everywhere")
def everywhere() -> Response:
    """End every device's hold on whoever signed in here."""
    with site().database.write.begin() as database:
        found = player.signed_in(database)
        if found is not None:
            devices.drop_all(database, found.player_id)
    response = left(url_for("sign_in.form"))
    if found is not None:
        notices.show_next(Notice("good", _("Signed out on every device.")))
    return response


def left(wanted: str) -> Response:
    """Go on as somebody who has signed out: the browser drops the token and what it has kept of pages."""
    player.start_afresh()
    response = redirect(wanted, 303)
    player.forget(response, player.SIGNED_IN_COOKIE)
    response.headers["Clear-Site-Data"] = CLEARED
    return response


def _form(wanted: str, name: str = "", *, wrong: bool = False) -> Response:
    error = _("Name or password is wrong.") if wrong else None
    page = render_template("sign_in.html", next=addresses.own(wanted), name=name, error=error)
    return make_response(page, 401 if wrong else 200)


def _plausible(text: str, longest: int) -> bool:
    return 0 < len(text) <= longest and text.isprintable()
