"""The question what is to become of a guest's days on a device where somebody else has signed in."""

import hashlib
import hmac
from typing import Final

from flask import Blueprint, current_app, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response

from puzzle_service.services import accounts, merging
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.merging import Merged
from puzzle_service.web import addresses, notices, player
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import ngettext
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site

PAIR_DIGITS: Final = 32

blueprint = Blueprint("merge", __name__)


@blueprint.get("/account/merge")
def ask() -> Response:
    """Say what adding the guest's days would do, and ask whether to."""
    wanted = addresses.own(request.args.get("next", ""), url_for("account.page"))
    with site().database.read() as database:
        found = _pair(database)
        if found is None:
            return redirect(wanted)
        account = accounts.get(database, found[1])
        try:
            would_be = merging.preview(database, *found, request_time(), site().settings)
        except ServiceError:
            return redirect(wanted)
    page = render_template(
        "account/merge.html", name=account and account.name, would_be=would_be, pair=_sign(found), next=wanted
    )
    return make_response(page)


@blueprint.post("/account/merge")
def answer() -> Response:
    """Add the guest's days, or leave the guest as it is for when whoever signed in has signed out."""
    wanted = addresses.own(request.form.get("next", ""), url_for("account.page"))
    choice = request.form.get("choice")
    if choice == "apart":
        notices.show_next(
            Notice(
                "info",
                _("The guest's days stay apart."),
                _("They are back when you sign out on this device."),
            )
        )
        return redirect(wanted, 303)
    if choice != "add":
        raise BadRequest("expected the choice to be add or apart")
    parts = site()
    try:
        with parts.database.write.begin() as database:
            found = _pair(database)
            if found is None or not hmac.compare_digest(_sign(found), request.form.get("pair", "")):
                return _out_of_date(wanted, still_asked=found is not None)
            merged = merging.merge(database, *found, request_time(), parts.settings)
    except ServiceError:
        return _out_of_date(wanted, still_asked=False)
    notices.show_next(_done(merged))
    response = redirect(wanted, 303)
    player.forget(response, player.GUEST_COOKIE)
    return response


def open_question(database: Session) -> bool:
    """Tell whether this device has a guest whose days could be added to those of whoever signed in."""
    return _pair(database) is not None


def _pair(database: Session) -> tuple[int, int] | None:
    """Return the guest of this device and who signed in on it, if there is anything to ask about them."""
    found, guest_id = player.signed_in(database), player.guest(database)
    if found is None or guest_id is None or guest_id == found.player_id:
        return None
    return (guest_id, found.player_id) if merging.has_days(database, guest_id) else None


def _sign(pair: tuple[int, int]) -> str:
    """Return what a page carries of the two it asks about: it must not be answered about two others."""
    text = "merge {} {}".format(*pair)
    return hmac.new(str(current_app.secret_key).encode(), text.encode(), hashlib.sha256).hexdigest()[
        :PAIR_DIGITS
    ]


def _out_of_date(wanted: str, *, still_asked: bool) -> Response:
    after = _("Here is how things stand now.") if still_asked else _("Nothing was changed by it.")
    notices.show_next(Notice("warn", _("That page was out of date."), after))
    return redirect(url_for("merge.ask", next=wanted) if still_asked else url_for("account.page"), 303)


def _done(merged: Merged) -> Notice:
    parts = [ngettext("%(num)d day was added.", "%(num)d days were added.", merged.added)]
    if merged.improved:
        parts.append(
            ngettext(
                "%(num)d day has the guest's better result now.",
                "%(num)d days have the guest's better result now.",
                merged.improved,
            )
        )
    if merged.kept:
        parts.append(
            ngettext(
                "%(num)d day of both stays as it was.", "%(num)d days of both stay as they were.", merged.kept
            )
        )
    parts.append(
        _("The streak is %(n)d, the best one %(best)d.", n=merged.after.current, best=merged.after.best)
    )
    if merged.lost_words:
        parts.append(_("The guest's recovery words open nothing any more."))
    return Notice("good", _("The days are together now."), " ".join(parts))
