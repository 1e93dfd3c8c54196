"""What every page of the area has in common: its parts, how it reads requests and shows puzzles."""

from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from flask import Blueprint, g, redirect, request, session, url_for
from markupsafe import Markup
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from dama import Color, Position
from dama.diagram import thumbnail_svg
from puzzle_service.domain import puzzle_day
from puzzle_service.domain.roles import Role
from puzzle_service.services import checks, publication
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.puzzles import PuzzleSummary
from puzzle_service.web import addresses, notices
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site

THUMBNAILS = 1024
"""How many small boards a process keeps, of a kilobyte each."""
UNDO_KEY = "undo"
BELONGS_TO = {
    "admin.puzzle": "admin.queue",
    "admin.day": "admin.calendar",
    "admin.amend": "admin.calendar",
    "admin.generation_page": "admin.stock_page",
}
"""The part of the area to which a page belongs that its navigation does not lead to."""

blueprint = Blueprint("admin", __name__, url_prefix="/admin")


@dataclass(frozen=True)
class Section:
    """A part of the area, as its navigation shows it."""

    label: str
    address: str
    is_here: bool


@blueprint.app_template_global()
def admin_sections() -> list[Section]:
    """Return the parts of the area, the one that is shown marked."""
    sections = [
        (_("Review"), "admin.queue"),
        (_("Calendar"), "admin.calendar"),
        (_("Stock"), "admin.stock_page"),
        (_("Log"), "admin.log"),
    ]
    if g.account.role is Role.ADMIN:
        sections.append((_("Accounts"), "admin.accounts_page"))
    shown = request.endpoint or ""
    here = BELONGS_TO.get(shown, shown)
    return [Section(label, url_for(endpoint), endpoint == here) for label, endpoint in sections]


def today() -> date:
    """Return the site's day."""
    return puzzle_day.day_of(request_time(), site().settings.timezone)


def day(text: str) -> date:
    """Return the day that an address or a form names; raises NotFound."""
    try:
        found = date.fromisoformat(text)
    except ValueError as error:
        raise NotFound from error
    if found in (date.min, date.max):
        # A page leads to the day before and the day after, which these do not have.
        raise NotFound
    return found


def puzzle_id(text: str) -> str:
    """Return what can be the id of a puzzle; raises NotFound."""
    try:
        return checks.puzzle_id(text)
    except ServiceError as error:
        raise NotFound from error


def reason() -> str | None:
    """Return the reason that a form gives, or None when there is none that can be kept."""
    try:
        return checks.reason(request.form.get("reason", ""))
    except ServiceError:
        return None


def reason_needed() -> Notice:
    """Return what is said to whoever gives no reason."""
    return Notice("warn", _("A reason of at most %(n)d characters is needed.", n=checks.LONGEST_REASON))


def offer_undo(entry_id: int) -> None:
    """Have the page that this browser sees next offer to undo an entry of the log."""
    session[UNDO_KEY] = entry_id


@blueprint.app_template_global()
def undo_offer() -> int | None:
    """Return the entry that this page offers to undo, and forget it."""
    entry_id: int | None = session.pop(UNDO_KEY, None)
    return entry_id


def back() -> Response:
    """Go back to the page that a form was sent from."""
    return redirect(addresses.own(request.form.get("back", ""), url_for("admin.queue")), 303)


@blueprint.app_template_filter()
def thumbnail(puzzle: PuzzleSummary, *, swapped: bool = False) -> Markup:
    """Return a puzzle's small board, the solver's side at the bottom."""
    return _thumbnail(puzzle.fen, puzzle.rules, swapped)


@blueprint.app_template_filter()
def task(puzzle: PuzzleSummary, *, swapped: bool = False) -> str:
    """Return what a puzzle asks for: "White to move: win in 2"."""
    return notices.heading(Color(publication.solver(puzzle.fen, swapped=swapped)), puzzle.moves)


@lru_cache(THUMBNAILS)
def _thumbnail(fen: str, rules: str, swapped: bool) -> Markup:
    position = Position.from_fen(fen, rules)
    if swapped:
        position = position.swapped()
    # Numbers and fixed names, nothing that anybody wrote.
    return Markup(thumbnail_svg(position, flipped=position.turn is Color.BLACK))  # noqa: S704
