"""Why moves are forbidden, and what legal ones do, in the reader's language."""

from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import move_text
from puzzle_service.web.rule_pages.content import Forbidden, ForbiddenBecause, Legal


def because(reason: ForbiddenBecause) -> str:
    """Return why a move is forbidden, as a sentence."""
    return (_steps() | _captures() | _priorities())[reason]


def deed(legal: Legal) -> str:
    """Return a legal move with what it takes, and whether it crowns."""
    move, squares = move_text(legal.move), ", ".join(legal.takes)
    if legal.takes and legal.crowns:
        return _("%(move)s takes %(squares)s and crowns", move=move, squares=squares)
    if legal.takes:
        return _("%(move)s takes %(squares)s", move=move, squares=squares)
    if legal.crowns:
        return _("%(move)s crowns", move=move)
    return move


def refusal(forbidden: Forbidden) -> str:
    """Return a forbidden move with the reason."""
    return _("%(move)s: %(reason)s", move=move_text(forbidden.move), reason=because(forbidden.because))


def _steps() -> dict[ForbiddenBecause, str]:
    return {
        "diagonal": _("no piece of this game moves diagonally."),
        "too far": _("a man moves only one square."),
        "king too far": _("a king moves only one square."),
        "backwards": _("a man never moves backwards."),
        "must capture": _("a capture is possible, so one must be made."),
        "own piece": _("nobody passes over a piece of the same side."),
    }


def _captures() -> dict[ForbiddenBecause, str]:
    return {
        "capture backwards": _("a man never captures backwards."),
        "two in a row": _("two pieces stand one behind the other, and there is no free square between them."),
        "king is safe": _("a man never captures a king."),
        "goes on": _("the series goes on, and it must be played to its end."),
        "still a man": _(
            "the man becomes a king only when the move has ended. Until then it captures as a man."
        ),
        "stops there": _("the man has reached the last row, and the series ends there."),
        "still there": _("a captured piece stands in the way until the move has ended."),
        "turns back": _("a king may not turn back by 180° between two jumps."),
    }


def _priorities() -> dict[ForbiddenBecause, str]:
    return {
        "fewer": _("another capture takes more pieces."),
        "with the king": _("as many pieces can be taken by a king, and the king goes first."),
        "more kings": _("another capture takes as many pieces, and more kings among them."),
        "king earlier": _("another capture takes as many pieces and kings, and meets a king earlier."),
    }
