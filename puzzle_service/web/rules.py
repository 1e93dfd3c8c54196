"""The rules of the games played here, one page each and all side by side: the same for everybody."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Blueprint, make_response
from markupsafe import Markup, escape
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from dama.diagram import piece_svg
from dama.marks import mark_svg
from dama.pieces import Color
from dama.rulesets import RULESETS, Ruleset
from dama.squares import DIAGONAL, ORTHOGONAL
from puzzle_service.services import records
from puzzle_service.web import labels, pages, player, sheets
from puzzle_service.web.rule_pages import comparison, diagonal, drawing, orthogonal, reasons
from puzzle_service.web.site import request_time, site

PAGES: Final = {ORTHOGONAL: orthogonal.page, DIAGONAL: diagonal.page}
"""What makes the page of a ruleset, by the squares it is played on."""

MOVE: Final = re.compile(r"\b(?:[a-h][1-8]|\d{1,2})(?:[–×](?:[a-h][1-8]|\d{1,2}))+\b")
"""A move in a text, as it is printed: "d3–e3", "29×22×15"."""

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules")
def index() -> Response:
    """Show the rulesets side by side, and which of their rules are ours."""
    return _shown("rules/index.html", _index)


@blueprint.get("/rules/<name>")
def page(name: str) -> Response:
    """Show the rules of one ruleset."""
    rules = RULESETS.get(name)
    if rules is None:
        raise NotFound
    return _shown("rules/page.html", lambda: _page(rules))


@blueprint.app_template_filter()
def unbroken(text: str) -> Markup:
    """Return a text whose moves go to the next line as a whole: browsers break lines at "–" and "×".

    >>> unbroken("First a3–a4 & then 29×22×15.")
    Markup('First <span class="keep">a3–a4</span> &amp; then <span class="keep">29×22×15</span>.')
    """
    # The text is escaped, and a move holds nothing that would need to be.
    return Markup(MOVE.sub(r'<span class="keep">\g<0></span>', str(escape(text))))  # noqa: S704


def _shown(template: str, values: Callable[[], Mapping[str, Any]]) -> Response:
    """Render a page once for each language and address, and fill in its head for this visitor."""
    now, parts = request_time(), site()
    with parts.database.read() as session:
        record = records.me(session, player.find(session), now, parts.settings)
    response = make_response(sheets.sheet(template, None, values).filled(pages.head(record)))
    player.renew(response)
    return response


def _index() -> dict[str, Any]:
    rulesets = tuple(RULESETS.values())
    return {
        "rulesets": rulesets,
        "rows": comparison.rows(*rulesets),
        "ours": [(rules, found) for rules in rulesets if (found := comparison.ours(rules))],
        "ruleset_name": labels.ruleset,
    }


def _page(rules: Ruleset) -> dict[str, Any]:
    return {
        "rules": rules,
        "rulesets": tuple(RULESETS.values()),
        "page": PAGES[rules.grid](rules),
        "facts": comparison.rows(rules),
        "ours": comparison.ours(rules),
        "ruleset_name": labels.ruleset,
        "board": lambda diagram: Markup(drawing.board(diagram, rules)),  # noqa: S704  (escaped where it is drawn)
        "deed": reasons.deed,
        "refusal": reasons.refusal,
        "piece": lambda is_king: Markup(piece_svg(Color.WHITE, is_king=is_king)),  # noqa: S704
        "mark": lambda shape: Markup(mark_svg(shape)),  # noqa: S704
    }
