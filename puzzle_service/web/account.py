"""The page about whoever plays here: name, password, devices, recovery words, own data, deletion."""

import json

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.names import fold
from puzzle_service.services import accounts, keys, own_data, passwords, recovery, sign_ins
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.keys import Key
from puzzle_service.services.sign_ins import SignIn
from puzzle_service.web import limits, merge, notices, player, sign_in, sign_up
from puzzle_service.web.i18n import date_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site

EXPORT_NAME = "dama-data.json"

blueprint = Blueprint("account", __name__, url_prefix="/account")


@blueprint.get("")
def page() -> Response:
    """Show what this visitor can do about account, guest and data; there is something for everybody."""
    zone = site().settings.timezone
    with site().database.read() as database:
        found, player_id = _whoever(database)
        token = player.token(player.SIGNED_IN_COOKIE)
        places = () if found is None else sign_ins.places(database, found.player_id, token)
        text = render_template(
            "account/page.html",
            found=found,
            is_guest=player_id is not None and found is None,
            has_words=player_id is not None and recovery.has_code(database, player_id),
            may_merge=merge.open_question(database),
            places=[(place.here, date_label(puzzle_day.day_of(place.since, zone))) for place in places],
        )
    response = make_response(text)
    player.renew(response)
    return response


@blueprint.get("/password")
def password() -> Response:
    """Show the form for a new password."""
    with site().database.read() as database:
        found = player.signed_in(database)
    return _nobody() if found is None or found.name is None else _password_form(found.name)


@blueprint.post("/password")
def change_password() -> Response:
    """Change the password by the one so far or by recovery words; every other device is signed out."""
    current, new = request.form.get("current", ""), request.form.get("new", "")
    with site().database.read() as database:
        found = player.signed_in(database)
    if found is None or found.name is None:
        return _nobody()
    who = fold(found.name)
    limits.hit("sign_in", who)
    with site().database.read() as database:
        key = accounts.verify_own(database, found.player_id, current)
    if key is None:
        return _password_form(found.name, "wrong_password")
    limits.succeeded("sign_in", who)
    try:
        passwords.check(new, found.name)
        # It takes long on purpose: nobody else should have to wait with what they write.
        password_hash = passwords.hashed(new)
        with site().database.write.begin() as database:
            token = accounts.change_password(database, key, password_hash, request_time())
    except ServiceError as error:
        return _password_form(found.name, error.code)
    player.start_afresh()
    notices.show_next(
        Notice("good", _("The password is changed."), _("Every other device has been signed out."))
    )
    response = redirect(url_for("account.page"), 303)
    player.keep_signed_in(response, token)
    return response


@blueprint.get("/export")
def export() -> Response:
    """Hand over every row about this player as a file."""
    with site().database.read() as database:
        player_id = player.find(database)
        if player_id is None:
            raise NotFound
        rows = own_data.export(database, player_id, request_time())
    response = make_response(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
    response.mimetype = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="{EXPORT_NAME}"'
    return response


@blueprint.get("/delete")
def ask_to_delete() -> Response:
    """Say what deletion takes away, and ask for the second step."""
    with site().database.read() as database:
        found, player_id = _whoever(database)
    if player_id is None:
        return _nobody()
    return _delete_form(found)


@blueprint.post("/delete")
def delete() -> Response:
    """Delete this player without a trace, once it is clear that this is meant and who means it."""
    with site().database.read() as database:
        found, player_id = _whoever(database)
    if player_id is None:
        return _nobody()
    if request.form.get("sure") != "yes":
        return _delete_form(found, _("Tick the box if you mean it."))
    key = None
    if found is not None and found.name is not None:
        key = sign_in.verified(found.name, request.form.get("password", ""))
    try:
        with site().database.write.begin() as database:
            if accounts.get(database, player_id) is not None and not _opens(database, key, player_id):
                return _delete_form(found, _("The password is wrong. Nothing was deleted."))
            own_data.delete(database, player_id)
    except ServiceError as error:
        if error.code == "last_admin":
            return _delete_form(found, _("You are the only admin: make somebody else one first."))
        if error.code != "not_found":  # The same form sent twice: the first has done it.
            raise
    response = sign_in.left(url_for("account.page"))
    if found is None:
        player.forget(response, player.GUEST_COOKIE)
    gone = _("The guest is deleted.") if found is None or found.name is None else _("The account is deleted.")
    notices.show_next(
        Notice("good", gone, _("Nothing about it is kept but its part in the world figures of the puzzles."))
    )
    return response


def _whoever(database: Session) -> tuple[SignIn | None, int | None]:
    """Return who signed in on this device, if anybody did; and the player, who may be its guest."""
    found = player.signed_in(database)
    return found, player.guest(database) if found is None else found.player_id


def _nobody() -> Response:
    """Lead somebody who has no password here, any more or yet, to where one can sign in or up."""
    return redirect(url_for("account.page"), 303)


def _password_form(name: str, refused: str | None = None) -> Response:
    error = None
    if refused is not None:
        wrong = _("This is neither your password nor your recovery words.")
        error = wrong if refused == "wrong_password" else sign_up.refusal(refused)
    text = render_template(
        "account/password.html",
        name=name,
        error=error,
        wrong="current" if refused == "wrong_password" else "new",
    )
    return make_response(text, 200 if refused is None else 422)


def _opens(database: Session, key: Key | None, player_id: int) -> bool:
    return key is not None and key.player_id == player_id and keys.still_opens(database, key)


def _delete_form(found: SignIn | None, error: str | None = None) -> Response:
    text = render_template("account/delete.html", name=None if found is None else found.name, error=error)
    return make_response(text, 200 if error is None else 422)
