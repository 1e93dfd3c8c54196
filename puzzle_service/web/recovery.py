"""Recovery words: making them, and getting back in with them, on this device or on another."""

from typing import Final

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from puzzle_service.services import accounts, players, recovery
from puzzle_service.services.recovery import BadWords, Language
from puzzle_service.web import addresses, limits, notices, player, sign_in
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import language
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import site

LISTS: Final[dict[str, Language]] = {
    "en": "english",
    "tr": "turkish",
    "ru": "russian",
    "bg": "english",
}
"""The list of words for each language of the site; there is none in Bulgarian."""

blueprint = Blueprint("recovery", __name__)


@blueprint.get("/account/recovery")
def words() -> Response:
    """Say what the words are for, and offer to make them."""
    with site().database.read() as database:
        player_id = player.find(database)
        if player_id is None:
            return redirect(url_for("account.page"))
        return _words(database, player_id)


@blueprint.post("/account/recovery")
def make() -> Response:
    """Make new words and show them, this once; a guest who has them is held like somebody signed in."""
    with site().database.write.begin() as database:
        player_id = player.find(database)
        if player_id is None or not players.lock(database, player_id):
            return redirect(url_for("account.page"), 303)
        made = recovery.new_code(database, player_id, LISTS[language()])
        token = player.token(player.GUEST_COOKIE) if player.signed_in(database) is None else None
        response = _words(database, player_id, made)
    if token is not None:
        # Other devices will hold the same player: signing out has to mean the same on each of them. The token
        # stays, for the same form sent again comes with the cookies from before.
        player.keep_signed_in(response, token)
        player.forget(response, player.GUEST_COOKIE)
    return response


@blueprint.get("/recover")
def form() -> Response:
    """Show the form for the words."""
    return _form(request.args.get("next", ""))


@blueprint.post("/recover")
def recover() -> Response:
    """Sign in whoever the words belong to."""
    text, wanted = request.form.get("words", ""), request.form.get("next", "")
    try:
        # A slip of the pen costs no try: it is told without looking anybody up.
        recovery.check(text)
    except BadWords as error:
        return _form(wanted, text, _slip(error))
    limits.hit("recovery")
    with site().database.read() as database:
        key = recovery.find(database, text)
        account = None if key is None else accounts.get(database, key.player_id)
    response = None if key is None else sign_in.opened(key, addresses.own(wanted))
    if response is None:
        return _form(
            wanted, text, _("Nobody has these words. Compare each of them with what you wrote down.")
        )
    limits.succeeded("recovery")
    if account is None:
        notices.show_next(Notice("good", _("Your days are on this device now.")))
    else:
        title = _("You are signed in as %(name)s.", name=account.name)
        notices.show_next(
            Notice("good", title, _("If you have lost your password, set a new one under your name."))
        )
    return response


def _words(database: Session, player_id: int, made: str | None = None) -> Response:
    page = render_template(
        "account/recovery.html",
        account=accounts.get(database, player_id),
        has_words=recovery.has_code(database, player_id),
        made=None if made is None else made.split(),
        next=addresses.own(request.values.get("next", ""), url_for("account.page")),
    )
    return make_response(page)


def _form(wanted: str, text: str = "", error: str | None = None) -> Response:
    page = render_template(
        "account/recover.html", next=addresses.own(wanted), words=text[: recovery.LONGEST_TEXT], error=error
    )
    return make_response(page, 200 if error is None else 422)


def _slip(error: BadWords) -> str:
    """Return what is wrong with words that can be nobody's."""
    if error.word is not None:
        return _("“%(word)s” is none of the words there are. Look for a slip of the pen.", word=error.word)
    return _("Recovery words are %(n)d words; these are %(m)d.", n=recovery.WORDS, m=error.count)
