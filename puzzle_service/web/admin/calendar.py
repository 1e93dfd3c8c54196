"""The calendar: what goes out on the days to come, and changes to it: set, move, clear, fill."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from flask import g, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.services import schedule
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.puzzles import PuzzleSummary
from puzzle_service.services.schedule import Filled, Seen
from puzzle_service.web import labels, notices, texts
from puzzle_service.web.admin import area
from puzzle_service.web.admin.area import blueprint
from puzzle_service.web.days import weekdays
from puzzle_service.web.i18n import day_label, ngettext, short_date_label, weekday_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site

WEEK = 7


@dataclass(frozen=True)
class Tile:
    """A day as the calendar shows it; on a gap the puzzle is the one that would go out as things stand."""

    day: date
    state: schedule.State
    name: str
    weekday: str
    date: str
    why: str
    icon: str
    puzzle: PuzzleSummary | None
    swapped: bool
    alarm: bool
    is_today: bool

    @property
    def held(self) -> str:
        """The id of the puzzle that waits for this day, if one does."""
        return self.puzzle.id if self.puzzle is not None and self.state == "scheduled" else ""


@blueprint.get("/calendar")
def calendar() -> Response:
    """Show the days to come in weeks, gaps in plain sight."""
    with site().database.read() as session:
        days = schedule.calendar(session, request_time(), site().settings)
    page = render_template(
        "admin/calendar.html",
        weeks=_weeks([_tile(day) for day in days]),
        weekdays=weekdays(),
        days=len(days),
        gaps=any(day.state == "gap" for day in days),
        unset=sum(day.state in ("gap", "closed") for day in days),
        texts=texts.calendar(),
    )
    return make_response(page)


@blueprint.post("/calendar/set")
def set_day() -> Response:
    """Put a puzzle on a day, in place of the one that was seen there, if any was."""
    day, puzzle_id = _day("day"), area.puzzle_id(request.form.get("puzzle", "").strip())
    seen = {day: request.form["seen"] or None} if "seen" in request.form else None

    def change(session: Session) -> int:
        return schedule.set_day(
            session, day, puzzle_id, g.account.name, request_time(), site().settings, seen=seen
        )

    return _changed(change, day, _("%(day)s is set.", day=day_label(day)))


@blueprint.post("/calendar/move")
def move_day() -> Response:
    """Move the puzzle of a day to another one, whose puzzle comes here in exchange."""
    day, to = _day("day"), _day("to")

    def change(session: Session) -> int:
        return schedule.move(
            session, day, to, g.account.name, request_time(), site().settings, seen=_seen(day, to)
        )

    names = {"day": day_label(day), "to": day_label(to)}
    return _changed(change, to, _("%(day)s is moved to %(to)s.", **names))


@blueprint.post("/calendar/clear")
def clear_day() -> Response:
    """Take a day from its puzzle, which stays approved."""
    day = _day("day")

    def change(session: Session) -> int:
        return schedule.clear_day(session, day, g.account.name, request_time(), seen=_seen(day))

    done = _("%(day)s is cleared.", day=day_label(day))
    return _changed(change, day, done, _("Its puzzle stays approved and waits for another day."))


@blueprint.post("/calendar/fill")
def fill() -> Response:
    """Fill the gaps by the weekly rhythm with approved puzzles."""
    try:
        with site().database.write.begin() as session:
            filled = schedule.fill(session, request_time(), site().settings, g.account.name)
    except ServiceError as error:
        notices.show_next(labels.refusal(error.code))
    else:
        if filled.entry is not None:
            area.offer_undo(filled.entry)
        notices.show_next(_filled(filled))
    return redirect(url_for("admin.calendar"), 303)


def _filled(filled: Filled) -> Notice:
    title = _("Nothing was filled.")
    if filled.days:
        title = ngettext("%(num)d gap is filled.", "%(num)d gaps are filled.", len(filled.days))
    rest = []
    if filled.left:
        left = ngettext("%(num)d gap is left:", "%(num)d gaps are left:", filled.left)
        rest += [left, _("no approved puzzle is free. Approve some.")]
    if filled.broken:
        unusual = ngettext(
            "%(num)d day breaks the weekly rhythm:",
            "%(num)d days break the weekly rhythm:",
            len(filled.broken),
        )
        rest += [unusual, _("nothing that is approved fits better.")]
    return Notice("warn" if filled.left else "good", title, " ".join(rest))


def _changed(change: Callable[[Session], int], day: date, done: str, rest: str = "") -> Response:
    """Carry out a change and go back to the page it was asked for on, the day it was about chosen."""
    try:
        with site().database.write.begin() as session:
            entry = change(session)
    except ServiceError as error:
        if error.code == "not_found":
            raise NotFound from error
        notices.show_next(labels.refusal(error.code))
    else:
        area.offer_undo(entry)
        notices.show_next(Notice("good", done, rest))
    if "back" in request.form:
        return area.back()
    return redirect(url_for("admin.calendar", _anchor=f"d-{day}"), 303)


def _seen(*days: date) -> Seen | None:
    """Return what the page showed on the days of a change: fields "seen" and "seen_there", empty for none."""
    fields = ("seen", "seen_there")[: len(days)]
    if not all(field in request.form for field in fields):
        return None
    return {day: request.form[field] or None for day, field in zip(days, fields, strict=True)}


def _day(field: str) -> date:
    return area.day(request.form.get(field, ""))


def _tile(day: schedule.Day) -> Tile:
    icon, why = labels.decision(day)
    return Tile(
        day=day.day,
        state=day.state,
        name=day_label(day.day),
        weekday=weekday_label(day.day),
        date=short_date_label(day.day),
        why=why,
        icon=icon,
        puzzle=day.puzzle,
        swapped=day.swapped,
        alarm=day.alarm,
        is_today=day.day == area.today(),
    )


def _weeks(tiles: list[Tile]) -> list[list[Tile | None]]:
    """Return the tiles in weeks from Monday on, None where a week has no tile."""
    padded: list[Tile | None] = [None] * tiles[0].day.weekday() + list(tiles)
    padded += [None] * (-len(padded) % WEEK)
    return [padded[start : start + WEEK] for start in range(0, len(padded), WEEK)]
