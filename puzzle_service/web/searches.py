"""Searches of the engine for a request: counted, and refused in the reader's language."""

from typing import Final

from puzzle_service.searching import Answer, Kind, Refusal, SearchRefused
from puzzle_service.services import games
from puzzle_service.services.games import Sent
from puzzle_service.web import limits
from puzzle_service.web.errors import REPAIR_SECONDS, ApiError
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.site import site
from puzzle_service.web.turns import turn

RETRY_SECONDS: Final[dict[Refusal, int]] = {"busy": 2, "starting": 3, "late": 10, "lost": 3}


def search(kind: Kind, sent: Sent, **what: object) -> Answer:
    """Search in a game that was sent, and return what was found.

    Raises GameRefused for what is no game or one that has ended, TooMany for searches that are asked for too
    often, and ApiError (503) when none can be had now.
    """
    limits.hit("engine")
    with turn():
        games.going_on(sent)
    parts = site()
    if parts.searches is None:
        message = _("The computer does not play here.")
        raise ApiError(503, "no_engine", message, REPAIR_SECONDS)
    outcome = "fault"
    try:
        found = parts.searches.ask(kind, rules=sent.rules, start=sent.start, moves=sent.moves, **what)
        outcome = "found"
    except SearchRefused as refused:
        outcome = refused.why
        raise ApiError(
            503, f"engine_{refused.why}", _refusal(refused.why), RETRY_SECONDS[refused.why]
        ) from refused
    finally:
        if parts.metrics is not None:
            parts.metrics.searched(kind, outcome)
    return found


def _refusal(why: Refusal) -> str:
    return {
        "busy": _("The computer is thinking about other games. Please try again in a moment."),
        "starting": _("The computer is getting ready. Please try again in a moment."),
        "late": _("The computer has thought for too long. Please try again."),
        "lost": _("The computer was interrupted. Please try again."),
    }[why]
