"""What every page of the area says at its top: what must be looked after, and what goes out next."""

from dataclasses import dataclass
from datetime import date

from flask import url_for

from puzzle_service.domain import puzzle_day
from puzzle_service.services import puzzles, schedule, stock
from puzzle_service.services.puzzles import PuzzleSummary
from puzzle_service.services.schedule import Preview
from puzzle_service.web import labels
from puzzle_service.web.admin.area import blueprint
from puzzle_service.web.i18n import clock_label, day_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site


@dataclass(frozen=True)
class Alarm:
    """Something an admin must look after, and the page to do it on, if there is one."""

    notice: Notice
    address: str | None


@dataclass(frozen=True)
class Outlook:
    """What goes out at the next change of day, as things stand, and what has decided that."""

    day: date
    when: str
    icon: str
    why: str
    preview: Preview | None
    puzzle: PuzzleSummary | None


@blueprint.app_template_global()
def admin_alarms() -> list[Alarm]:
    """Return what must be looked after, the gravest first."""
    with site().database.read() as session:
        state = stock.status(session, request_time(), site().settings)
    return [Alarm(labels.alarm(alarm), _remedy(alarm, state)) for alarm in state.alarms]


@blueprint.app_template_global()
def admin_outlook() -> Outlook:
    """Return what goes out next."""
    now, settings = request_time(), site().settings
    change = puzzle_day.next_change(now, settings.timezone)
    day = puzzle_day.day_of(change, settings.timezone)
    with site().database.read() as session:
        preview = schedule.preview(session, day, now, settings)
        puzzle_id = None if preview is None else preview.puzzle.puzzle_id
        puzzle = None if puzzle_id is None else puzzles.by_id(session, [puzzle_id])[puzzle_id]
        closed = schedule.is_closed(session, day)
    hours, minutes = divmod(int((change - now).total_seconds()) // 60, 60)
    icon, why = labels.preview(preview, closed=closed)
    when = _(
        "%(day)s, at %(time)s: in %(h)d h %(min)d min",
        day=day_label(day),
        time=clock_label(change, settings.timezone),
        h=hours,
        min=minutes,
    )
    return Outlook(day, when, icon, why, preview, puzzle)


def _remedy(alarm: stock.Alarm, state: stock.Status) -> str | None:
    """Return the page on which an alarm is seen to; programs that do not run are seen to elsewhere."""
    if alarm in ("no_approved", "brought_forward", "from_reserve"):
        return url_for("admin.queue")
    return url_for("admin.day", day=state.ahead) if alarm == "ahead" else None
