"""Who may open the pages of the area; to everybody else there are none."""

from datetime import timedelta
from typing import Final

from flask import Flask, g, redirect, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.domain.roles import Role
from puzzle_service.services.accounts import Account
from puzzle_service.web import addresses, player
from puzzle_service.web.site import request_time, site

REVIEWING_FOR: Final = timedelta(hours=12)
"""How long after signing in somebody may review; players stay signed in for as long as they come back."""


def require_reviewer() -> Response | None:
    """Put the account of whoever may review into `g.account`; for anybody else there is nothing here."""
    with site().database.read() as database:
        found = player.signed_in(database)
    if found is None or found.name is None or not found.role.reviews:
        raise NotFound
    if request_time() >= found.since + REVIEWING_FOR:
        wanted = addresses.here() or url_for("admin.queue")
        return redirect(url_for("sign_in.form", next=wanted), 303)
    g.account = Account(found.player_id, found.name, found.role)
    return None


def require_admin() -> Response | None:
    """Let admins in as `require_reviewer` does reviewers; for those there is nothing here either."""
    refused = require_reviewer()
    if refused is None and g.account.role is not Role.ADMIN:
        raise NotFound
    return refused


GUARDED: Final = {
    "/admin/accounts": require_admin,
    "/admin/generation": require_admin,
    "/admin": require_reviewer,
}
"""Who may open what lies below an address; the first one that fits decides."""


def init_app(app: Flask) -> None:
    """Guard the review pages; this comes before every other look at a request."""
    app.before_request(_guard)


def _guard() -> Response | None:
    """Let nobody learn which pages there are that they may not open, whatever method or token they try."""
    for area, require in GUARDED.items():
        if f"{request.path}/".startswith(f"{area}/"):
            return require()
    return None
