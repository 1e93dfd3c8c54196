"""Signing in to review puzzles, and out again."""

from typing import Final

from flask import Blueprint, g, make_response, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from puzzle_service.services import admins
from puzzle_service.services.admins import Admin
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.site import request_time, site

SESSION_KEY: Final = "signed_in"
SECONDS: Final = 12 * 3600

blueprint = Blueprint("sign_in", __name__, url_prefix="/admin")


def require_admin() -> Response | None:
    """Send whoever is not signed in to the form; else put the admin into `g.admin`."""
    g.admin = _signed_in()
    if g.admin is not None:
        return None
    wanted = request.full_path.rstrip("?") if request.method == "GET" else url_for("admin.queue")
    return redirect(url_for("sign_in.form", next=wanted), 303)


@blueprint.get("/sign-in")
def form() -> Response:
    """Show the form."""
    return _form(request.args.get("next", ""))


@blueprint.post("/sign-in")
def sign_in() -> Response:
    """Sign in with name and password; the session then starts afresh."""
    name, password = request.form.get("name", "").strip(), request.form.get("password", "")
    wanted = request.form.get("next", "")
    if not _plausible(name, admins.NAME_CHARACTERS) or not _plausible(password, admins.LONGEST_PASSWORD):
        return _form(wanted, name, wrong=True)
    with site().database.read() as database:
        admin = admins.verify(database, name, password)
    if admin is None:
        return _form(wanted, name, wrong=True)
    session.clear()
    until = int(request_time().timestamp()) + SECONDS
    session[SESSION_KEY] = (admin.id, admin.session_key, until)
    return redirect(_own_page(wanted), 303)


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """End the admin's sessions, copies of the cookie included, and have the browser drop what it has kept."""
    if (admin := _signed_in()) is not None:
        with site().database.write.begin() as database:
            admins.end_sessions(database, admin)
    session.clear()
    response = redirect(url_for("sign_in.form"), 303)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def _signed_in() -> Admin | None:
    admin_id, session_key, until = session.get(SESSION_KEY, (None, "", 0))
    if admin_id is None or request_time().timestamp() >= until:
        return None
    with site().database.read() as database:
        return admins.get(database, admin_id, session_key)


def _form(wanted: str, name: str = "", *, wrong: bool = False) -> Response:
    error = _("Name or password is wrong.") if wrong else None
    page = render_template("admin/sign_in.html", next=_own_page(wanted), name=name, error=error)
    return make_response(page, 401 if wrong else 200)


def _plausible(text: str, longest: int) -> bool:
    return 0 < len(text) <= longest and text.isprintable()


def _own_page(wanted: str) -> str:
    """Return where to go after signing in: never to another site, whatever the address says."""
    own = wanted == "/admin" or wanted.startswith(("/admin/puzzles/", "/admin?"))
    return wanted if own and wanted.isprintable() and "\\" not in wanted else url_for("admin.queue")
