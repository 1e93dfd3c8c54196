"""Signing up: a name and a password for whoever plays here, guest or not."""

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from puzzle_service.domain.names import NAME_CHARACTERS
from puzzle_service.services import accounts, devices, merging, passwords
from puzzle_service.services.errors import ServiceError
from puzzle_service.web import addresses, limits, notices, player, sign_in
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site

FIELDS = {
    "bad_name": "name",
    "name_taken": "name",
    "weak_password": "password",
    "common_password": "password",
}
"""Which field each refusal is about."""

blueprint = Blueprint("sign_up", __name__)


@blueprint.get("/sign-up")
def form() -> Response:
    """Show the form to whoever has no account yet."""
    with site().database.read() as database:
        found = player.signed_in(database)
        if found is not None and found.name is not None:
            return redirect(url_for("account.page"))
        return _form(database, request.args.get("next", ""))


@blueprint.post("/sign-up")
def sign_up() -> Response:
    """Make an account, take over the guest whose days it gets, and sign in to it on this device."""
    name, password = " ".join(request.form.get("name", "").split()), request.form.get("password", "")
    wanted = request.form.get("next", "")
    try:
        # What could be nobody's name or password costs neither a try nor a transaction.
        accounts.check(name, password)
        limits.hit("sign_up")
        # It takes long on purpose: nobody else should have to wait with what they write.
        password_hash = passwords.hashed(password)
        with site().database.write.begin() as database:
            return _signed_up(database, name, password_hash, addresses.own(wanted))
    except ServiceError as error:
        refused = error
    if refused.code in ("name_taken", "has_account"):
        # The same form sent twice: the second finds what the first has made, and knows its password.
        key = sign_in.verified(name, password)
        response = None if key is None else sign_in.opened(key, addresses.own(wanted))
        if response is not None:
            return response
    with site().database.read() as database:
        return _form(database, wanted, name, refused.code)


def refusal(code: str) -> str:
    """Return why a name or a password cannot be one, from a service's code."""
    reasons = {
        "bad_name": _("A name has 1 to %(n)d characters.", n=NAME_CHARACTERS),
        "name_taken": _("This name is taken. Choose another one, or sign in if it is yours."),
        "weak_password": _(
            "A password has %(least)d to %(most)d characters.",
            least=passwords.FEWEST_CHARACTERS,
            most=passwords.MOST_CHARACTERS,
        ),
        "common_password": _(
            "This password is among the first that anybody would try."
            " Take something longer, such as a few words that do not belong together."
        ),
    }
    return reasons.get(code, _("This could not be done. Load the page again and try once more."))


def _signed_up(database: Session, name: str, password_hash: str, wanted: str) -> Response:
    before = player.signed_in(database)
    if before is not None and before.name is not None:
        return redirect(url_for("account.page"), 303)
    player_id = player.guest(database) if before is None else before.player_id
    account = accounts.create(database, name, password_hash, request_time(), player_id=player_id)
    token = player.token(player.GUEST_COOKIE)
    takes_over = before is None and player_id is not None and token is not None
    if takes_over and token is not None:
        devices.drop(database, token)
    response = sign_in.entered(database, account.player_id, url_for("recovery.words", next=wanted))
    if takes_over:
        player.forget(response, player.GUEST_COOKIE)
    kept = _("Your days so far belong to it.") if player_id is not None else ""
    notices.show_next(Notice("good", _("Welcome, %(name)s: the account is made.", name=account.name), kept))
    return response


def _form(database: Session, wanted: str, name: str = "", refused: str | None = None) -> Response:
    player_id = player.find(database)
    page = render_template(
        "account/sign_up.html",
        next=addresses.own(wanted),
        name=name,
        error=None if refused is None else refusal(refused),
        wrong=FIELDS.get(refused or "", "form"),
        has_days=player_id is not None and merging.has_days(database, player_id),
    )
    return make_response(page, 200 if refused is None else 422)
