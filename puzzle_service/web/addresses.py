"""Where a visitor goes on to: only ever a page of this site."""

from flask import request, url_for

SIGNING_IN = ("sign_in.", "sign_up.", "recovery.")


def own(wanted: str, otherwise: str | None = None) -> str:
    """Return a wanted address if it is one of this site, else another one, which is the player's record."""
    is_own = wanted.startswith("/") and not wanted.startswith("//") and wanted.isprintable()
    if is_own and "\\" not in wanted:
        return wanted
    return url_for("me.record") if otherwise is None else otherwise


def here() -> str | None:
    """Return the address to come back to after signing in, None where coming back would make no sense."""
    if (request.endpoint or "").startswith(SIGNING_IN):
        return request.values.get("next") or None
    if request.method != "GET" or request.path == url_for("puzzle.today"):
        return None
    return request.full_path if request.query_string else request.path
