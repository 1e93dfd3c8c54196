"""The page to play on: the same for everybody, for the browser holds the game."""

from flask import Blueprint, make_response
from werkzeug.wrappers import Response

from dama import RULESETS
from dama.rulesets import Ruleset
from puzzle_service.services import games, records
from puzzle_service.web import labels, pages, player, sheets, texts
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.present import Json
from puzzle_service.web.signing import csrf_token
from puzzle_service.web.site import request_time, site

blueprint = Blueprint("play_pages", __name__)


@blueprint.get("/play")
def play() -> Response:
    """Show the page; which game it opens is the browser's business, one that the address holds included."""
    now, parts = request_time(), site()
    if parts.searches is not None:
        # Until the first move is asked for, what searches has started.
        parts.searches.want()
    with parts.database.read() as session:
        record = records.me(session, player.find(session), now, parts.settings)
    sheet = sheets.sheet("play/page.html", None, _values)
    response = make_response(sheet.filled({"csrf_token": csrf_token(), **pages.head(record)}))
    player.renew(response)
    return response


def _values() -> Json:
    return {
        "rule_choices": [(rules.name, labels.ruleset(rules), _summary(rules)) for rules in RULESETS.values()],
        "rulesets": [_ruleset(rules) for rules in RULESETS.values()],
        "texts": texts.play(),
        "longest": games.LONGEST_GAME,
    }


def _ruleset(rules: Ruleset) -> Json:
    """Return what the page's script has to know of a ruleset: its names, and the board to draw."""
    grid = "orthogonal" if rules.grid.is_full else "diagonal"
    return {"name": rules.name, "title": labels.ruleset(rules), "grid": grid}


def _summary(rules: Ruleset) -> str:
    """Return in a line what tells a ruleset from the others."""
    parts = []
    if not rules.grid.is_full:
        parts.append(_("32 dark squares"))
    if not rules.flying_kings:
        parts.append(_("kings move one square"))
    parts.append(
        _("pieces leave jump by jump") if rules.removal_at_once else _("pieces leave after the series")
    )
    if rules.several_men_beat_one:
        parts.append(_("several men beat a single one"))
    return ", ".join(parts)
