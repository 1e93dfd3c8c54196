"""The player's own page: streak and freezes, last weeks, attempts."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, make_response, render_template
from werkzeug.wrappers import Response

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.domain.streaks import FREEZE, FULL_METER, NEUTRAL
from puzzle_service.services import records
from puzzle_service.services.days import DayState
from puzzle_service.services.records import Record
from puzzle_service.web import days, player, texts
from puzzle_service.web.i18n import day_label, ngettext
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.site import request_time, site

blueprint = Blueprint("me", __name__)


@dataclass(frozen=True)
class Bar:
    """One bar of the distribution: what it counts, how much, and its name read aloud."""

    label: str
    name: str
    count: int
    failed: bool = False


@blueprint.get("/me")
def record() -> Response:
    """Show the record of whoever holds the cookie."""
    now, parts = request_time(), site()
    with parts.database.read() as session:
        player_id = player.find(session)
        found = records.me(session, player_id, now, parts.settings)
    weeks = days.weeks(found.days, puzzle_day.day_of(now, parts.settings.timezone))
    page = render_template(
        "me.html",
        record=found,
        streak=found.current,
        streak_words=texts.streak(found.current),
        frozen=_frozen_last(found.days),
        meter=_meter_words(found.meter),
        freeze=FREEZE,
        full=FULL_METER,
        weeks=weeks,
        weekdays=days.weekdays(),
        legend=days.legend(weeks),
        distribution=_distribution(found),
    )
    response = make_response(page)
    player.renew(response)
    return response


def _frozen_last(found: Sequence[DayState]) -> str | None:
    """Return the last day that counts if a freeze was used for it, in words."""
    last = next((one for one in reversed(found) if one.state not in NEUTRAL), None)
    return day_label(last.day) if last is not None and last.frozen else None


def _meter_words(meter: int) -> str:
    """Return what the meter holds and what comes next: "8 of 14: one freeze is ready."."""
    ready, missing = meter // FREEZE, FREEZE - meter % FREEZE
    if not ready:
        return ngettext(
            "No freeze yet: %(num)d more solved day makes one.",
            "No freeze yet: %(num)d more solved days make one.",
            missing,
        )
    if meter == FULL_METER:
        return _("Two freezes are ready. The meter is full.")
    return ngettext(
        "One freeze is ready, and %(num)d more solved day makes a second.",
        "One freeze is ready, and %(num)d more solved days make a second.",
        missing,
    )


def _distribution(found: Record) -> list[Bar]:
    bars = [
        Bar(str(count), texts.solved_on(count), found.distribution[count])
        for count in range(1, MAX_ATTEMPTS + 1)
    ]
    return [*bars, Bar(_("not solved"), _("Not solved"), found.distribution["failed"], failed=True)]
