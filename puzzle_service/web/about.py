"""The page about the site: what it is, how days and streaks count, what it knows of its players."""

from babel.dates import get_timezone_location
from flask import Blueprint, make_response, render_template
from werkzeug.wrappers import Response

from puzzle_service.domain import streaks
from puzzle_service.domain.attempts import MAX_ATTEMPTS, MAX_SLOW
from puzzle_service.services import records
from puzzle_service.web import player
from puzzle_service.web.i18n import language
from puzzle_service.web.site import request_time, site

blueprint = Blueprint("about", __name__)


@blueprint.get("/about")
def page() -> Response:
    """Show the page, with the visitor's streak in its head like on every other."""
    now, parts = request_time(), site()
    with parts.database.read() as session:
        found = records.me(session, player.find(session), now, parts.settings)
    text = render_template(
        "about.html",
        streak=found.current,
        attempts=MAX_ATTEMPTS,
        late=MAX_SLOW,
        freeze=streaks.FREEZE,
        full=streaks.FULL_METER,
        grace=parts.settings.grace.seconds // 3600,
        zone_name=get_timezone_location(parts.settings.timezone, locale=language(), return_city=True),
    )
    response = make_response(text)
    player.renew(response)
    return response
