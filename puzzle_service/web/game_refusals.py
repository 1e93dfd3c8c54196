"""Why a game that was sent is refused, in the reader's language."""

import re

from dama.errors import PdnError, UnsoundPosition
from puzzle_service.services.games import LONGEST_GAME, GameRefused
from puzzle_service.web.i18n import DEFAULT, language
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.submission import BadSubmission


def told(error: GameRefused | BadSubmission) -> str:
    """Return what is wrong with a game and where.

    The rules complain in English, in full; in another language their reader is told the kind and the place.
    """
    return str(error) if language() == DEFAULT else _in_short(error)


def _in_short(error: GameRefused | BadSubmission) -> str:
    if isinstance(error, BadSubmission):  # no page asks like that, but a link may hold anything
        return _("This is neither a position nor a game.")
    cause = error.__cause__
    if isinstance(cause, PdnError):
        place = {"line": cause.line, "column": cause.column}
        return _("What stands in line %(line)d at column %(column)d fits into no game.", **place)
    if isinstance(cause, UnsoundPosition):
        return _(
            "No game has this position: a man stands on its last rank, or a side has no piece or too many."
        )
    if error.code == "too_long":
        return _("A game may take %(n)d moves, counted for both sides.", n=LONGEST_GAME)
    if error.code == "over":
        return _("The game is over before that.")
    if error.code == "illegal_move" and (found := re.match(r"moves\[(\d+)\]", str(error))):
        return _("Move %(n)d, counted for both sides, is not possible.", n=int(found[1]) + 1)
    return _("This is neither a position nor a game.")
