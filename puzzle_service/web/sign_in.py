"""Signing in to review puzzles, and out again."""

from typing import Final

from flask import Blueprint, g, make_response, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from puzzle_service.services import admins
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.site import request_time, site

SESSION_KEY: Final = "admin"
SECONDS: Final = 12 * 3600
LONGEST_NAME: Final = 64
LONGEST_PASSWORD: Final = 256

blueprint = Blueprint("sign_in", __name__, url_prefix="/admin")


def require_admin() -> Response | None:
    """Send whoever is not signed in to the form; else put the admin into `g.admin`."""
    admin_id, until = session.get(SESSION_KEY, (None, 0))
    if admin_id is not None and request_time().timestamp() < until:
        with site().database.read() as database:
            g.admin = admins.get(database, admin_id)
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
    if not _plausible(name, LONGEST_NAME) or not _plausible(password, LONGEST_PASSWORD):
        return _form(wanted, name, wrong=True)
    with site().database.read() as database:
        admin = admins.verify(database, name, password)
    if admin is None:
        return _form(wanted, name, wrong=True)
    session.clear()
    session[SESSION_KEY] = (admin.id, int(request_time().timestamp()) + SECONDS)
    return redirect(_own_page(wanted), 303)


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """Forget who is signed in, and whatever the browser has kept of the pages."""
    session.clear()
    response = redirect(url_for("sign_in.form"), 303)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


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
