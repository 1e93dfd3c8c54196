"""One day: what is out or would go out, just as players see it, and what can be done about it."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from flask import g, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.domain.review import Status
from puzzle_service.services import amendments, audit, review, schedule
from puzzle_service.services.audit import Entry
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.review import PuzzleDetail
from puzzle_service.services.schedule import Preview
from puzzle_service.web import labels, notices, texts
from puzzle_service.web.admin import area
from puzzle_service.web.admin.area import blueprint
from puzzle_service.web.admin.proof import proof_json
from puzzle_service.web.i18n import day_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.pages import board
from puzzle_service.web.site import request_time, site

Amendment = Literal["replace", "void"]

ONE: Final = timedelta(days=1)


@dataclass(frozen=True)
class Shown:
    """What a day shows: the preview, what is known of its puzzle, and the last change about that."""

    preview: Preview
    detail: PuzzleDetail
    last: Entry | None

    @property
    def is_out(self) -> bool:
        """Whether players can see it or could."""
        return self.preview.source is None

    @property
    def is_void(self) -> bool:
        """Whether the puzzle was withdrawn where it stands."""
        return self.detail.summary.status is Status.WITHDRAWN


@blueprint.get("/days/<day>")
def day(day: str) -> Response:
    """Show what players see on a day, or would as things stand, and the forms to change it."""
    wanted = area.day(day)
    with site().database.read() as session:
        shown = _shown(session, wanted)
        closed = schedule.is_closed(session, wanted)
    page = render_template(
        "admin/day.html",
        day=wanted,
        name=day_label(wanted),
        before=wanted - ONE,
        after=wanted + ONE,
        today=area.today(),
        shown=shown,
        closed=closed,
        **({} if shown is None else _puzzle(shown)),
    )
    return make_response(page)


@blueprint.post("/days/<day>/<any(replace, void):amendment>")
def amend(day: str, amendment: Amendment) -> Response:
    """Replace or void what is out, in two steps: say what it means, and then do it."""
    wanted = area.day(day)
    here = redirect(url_for("admin.day", day=wanted), 303)
    if (reason := area.reason()) is None:
        notices.show_next(area.reason_needed())
        return here
    with site().database.read() as session:
        shown = _shown(session, wanted)
    if shown is None or not shown.is_out or wanted > area.today():
        raise NotFound
    if shown.is_void or request.form.get("seen") != shown.detail.id:
        notices.show_next(labels.refusal("changed"))
        return here
    if "confirmed" not in request.form:
        return _asked(wanted, amendment, shown, reason)
    return _amended(wanted, amendment, shown, reason)


def _asked(day: date, amendment: Amendment, shown: Shown, reason: str) -> Response:
    replacement = None
    if amendment == "replace":
        named = request.form.get("puzzle", "").strip()
        try:
            with site().database.read() as session:
                replacement = amendments.replacement(session, day, named or None)
        except ServiceError as error:
            notices.show_next(_cannot_replace(error.code, named))
            return redirect(url_for("admin.day", day=day, amend="yes"), 303)
    page = render_template(
        "admin/amend.html",
        day=day,
        name=day_label(day),
        amendment=amendment,
        shown=shown,
        reason=reason,
        replacement=replacement,
        stands=labels.standing,
    )
    return make_response(page)


def _amended(day: date, amendment: Amendment, shown: Shown, reason: str) -> Response:
    number, by, now, settings = shown.preview.puzzle.number, g.account.name, request_time(), site().settings
    replacement = request.form.get("puzzle", "").strip()
    try:
        with site().database.write.begin() as session:
            if amendment == "void":
                amendments.void(session, number, by, now, reason, settings, seen=shown.detail.id)
            else:
                amendments.replace(
                    session, number, by, now, reason, settings, replacement or None, seen=shown.detail.id
                )
    except ServiceError as error:
        notices.show_next(_cannot_replace(error.code, replacement))
    else:
        done = _("Declared void.") if amendment == "void" else _("Replaced.")
        notices.show_next(Notice("good", done, _("The day breaks nobody's streak.")))
    return redirect(url_for("admin.day", day=day), 303)


def _cannot_replace(code: str, named: str) -> Notice:
    """Return why a day keeps its puzzle; what is wrong with one that was named is said of that one."""
    title = {
        "not_found": _("There is no puzzle “%(id)s”.", id=named[:40]),
        "not_allowed": _("Puzzle “%(id)s” cannot go out: it has been out, or was rejected.", id=named[:40]),
    }
    if named and code in title:
        return Notice("warn", title[code], _("The day keeps its puzzle."))
    return labels.refusal(code)


def _shown(session: Session, day: date) -> Shown | None:
    try:
        preview = schedule.preview(session, day, request_time(), site().settings)
    except ServiceError as error:
        raise NotFound from error
    if preview is None:
        return None
    puzzle_id = preview.puzzle.puzzle_id
    entries = audit.entries(session, area.today(), limit=1, puzzle_id=puzzle_id)
    return Shown(preview, review.get(session, puzzle_id), entries[0] if entries else None)


def _puzzle(shown: Shown) -> dict[str, object]:
    """Return what the template shows of a puzzle, its colours as on the day."""
    puzzle = shown.preview.puzzle
    icon, why = labels.preview(shown.preview)
    return {
        "icon_name": icon,
        "why": why,
        "number": _("Puzzle %(number)d", number=puzzle.number),
        "heading": notices.heading(puzzle.position.turn, puzzle.moves),
        "board": board(puzzle.position, last=puzzle.previous_move, solver=puzzle.position.turn),
        "last_change": None if shown.last is None else _last_change(shown.last),
        "proof": proof_json(puzzle.proof, puzzle.previous_move),
        "texts": texts.proof(),
    }


def _last_change(last: Entry) -> str:
    return f"{labels.entry(last)}, {labels.who(last.by)}."
