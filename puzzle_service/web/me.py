"""The player's own page: streak, last weeks, attempts."""

from dataclasses import dataclass

from flask import Blueprint, make_response, render_template
from werkzeug.wrappers import Response

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.services import records
from puzzle_service.services.records import Record
from puzzle_service.web import days, player, texts
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
    today = puzzle_day.day_of(now, parts.settings.timezone)
    page = render_template(
        "me.html",
        record=found,
        streak=found.current,
        calendar=days.weeks(found.days, today),
        distribution=_distribution(found),
    )
    response = make_response(page)
    player.renew(response)
    return response


def _distribution(found: Record) -> list[Bar]:
    bars = [
        Bar(str(count), texts.solved_on(count), found.distribution[count])
        for count in range(1, MAX_ATTEMPTS + 1)
    ]
    return [*bars, Bar(_("not solved"), _("Not solved"), found.distribution["failed"], failed=True)]
