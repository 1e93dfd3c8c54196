"""The log: who did what to which puzzle and when, and undoing it where nobody has played by it yet."""

from dataclasses import dataclass

from flask import g, make_response, render_template, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.services import audit
from puzzle_service.services.audit import Action, Entry
from puzzle_service.services.errors import ServiceError
from puzzle_service.web import labels, notices
from puzzle_service.web.admin import area
from puzzle_service.web.admin.area import blueprint
from puzzle_service.web.i18n import clock_label, date_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site

PAGE = 50
NAMED = 4
"""How many of an entry's puzzles are named; a long fill changes dozens."""
LONGEST_ID = 10


@dataclass(frozen=True)
class Line:
    """An entry of the log in words; ``more`` counts the puzzles that are not named."""

    entry: Entry
    did: str
    who: str
    when: str
    puzzles: list[str]
    more: int


@blueprint.get("/log")
def log() -> Response:
    """List what was done, the latest first, all of it or what the filters leave."""
    by, action, puzzle = (request.args.get(name, "").strip() for name in ("by", "action", "puzzle"))
    with site().database.read() as session:
        names = audit.names(session)
        if by and by not in names:
            raise NotFound
        entries = audit.entries(
            session,
            area.today(),
            after=_entry_id(request.args["after"]) if request.args.get("after") else None,
            limit=PAGE + 1,
            by=by or None,
            action=_action(action) if action else None,
            puzzle_id=area.puzzle_id(puzzle) if puzzle else None,
        )
    page = render_template(
        "admin/log.html",
        lines=[_line(entry) for entry in entries[:PAGE]],
        more=len(entries) > PAGE,
        names=[(name, labels.who(name)) for name in names],
        actions=[(one, labels.action(one)) for one in Action],
        chosen={"by": by or None, "action": action or None, "puzzle": puzzle or None},
    )
    return make_response(page)


@blueprint.post("/log/<int:entry_id>/undo")
def undo(entry_id: int) -> Response:
    """Undo an entry, which is written down as well and can be undone in its turn."""
    try:
        with site().database.write.begin() as session:
            done = audit.undo(session, entry_id, g.account.name, request_time(), area.today())
    except ServiceError as error:
        if error.code == "not_found":
            raise NotFound from error
        notices.show_next(labels.refusal(error.code))
        return area.back()
    area.offer_undo(done)
    notices.show_next(Notice("good", _("Undone."), _("Everything is as it was before.")))
    return area.back()


def _line(entry: Entry) -> Line:
    ids = [change.puzzle_id for change in entry.changes]
    zone = site().settings.timezone
    when = f"{date_label(entry.at.astimezone(zone).date())}, {clock_label(entry.at, zone)}"
    return Line(entry, labels.entry(entry), labels.who(entry.by), when, ids[:NAMED], len(ids[NAMED:]))


def _action(text: str) -> Action:
    try:
        return Action(text)
    except ValueError as error:
        raise NotFound from error


def _entry_id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_ID):
        raise NotFound
    return int(text)
