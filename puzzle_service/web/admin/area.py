"""What every page of the area has in common: who may enter, how it reads requests and shows puzzles."""

from datetime import date
from functools import lru_cache

from flask import Blueprint
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from dama import Color, Position
from dama.diagram import thumbnail_svg
from puzzle_service.domain import puzzle_day
from puzzle_service.services import checks
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.review import PuzzleSummary
from puzzle_service.web import notices
from puzzle_service.web.sign_in import require_reviewer
from puzzle_service.web.site import request_time, site

THUMBNAILS = 1024
"""How many small boards a process keeps, of a kilobyte each."""

blueprint = Blueprint("admin", __name__, url_prefix="/admin")
blueprint.before_request(require_reviewer)


def today() -> date:
    """Return the site's day."""
    return puzzle_day.day_of(request_time(), site().settings.timezone)


def puzzle_id(text: str) -> str:
    """Return what can be the id of a puzzle; raises NotFound."""
    try:
        return checks.puzzle_id(text)
    except ServiceError as error:
        raise NotFound from error


@blueprint.app_template_filter()
def thumbnail(puzzle: PuzzleSummary, *, swapped: bool = False) -> Markup:
    """Return a puzzle's small board, the solver's side at the bottom."""
    return _thumbnail(puzzle.fen, puzzle.rules, swapped)


@blueprint.app_template_filter()
def task(puzzle: PuzzleSummary, *, swapped: bool = False) -> str:
    """Return what a puzzle asks for: "White to move: win in 2"."""
    # A FEN begins with the side to move.
    white = puzzle.fen.startswith(Color.WHITE) is not swapped
    return notices.heading(Color.WHITE if white else Color.BLACK, puzzle.moves)


@lru_cache(THUMBNAILS)
def _thumbnail(fen: str, rules: str, swapped: bool) -> Markup:
    position = Position.from_fen(fen, rules)
    if swapped:
        position = position.swapped()
    # Numbers and fixed names, nothing that anybody wrote.
    return Markup(thumbnail_svg(position, flipped=position.turn is Color.BLACK))  # noqa: S704
