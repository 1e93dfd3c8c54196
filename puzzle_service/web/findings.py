"""What a generator found out about a puzzle, in words for reviewers."""

from collections.abc import Collection
from dataclasses import dataclass

from puzzle_service.domain.findings import Findings, Value
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import number_label


@dataclass(frozen=True)
class Figure:
    """A value with its name; one that is ``notable`` is worth a look, the others are as in most puzzles."""

    name: str
    value: str
    notable: bool


def checks(found: Findings) -> list[Figure]:
    """Return what every predicate has measured, in the order in which they were asked.

    Those that say yes or no ask for a reason to refuse the puzzle; of the others zero, one or nothing is the
    rule where they count what ought not to be there.
    """
    names = _check_names()
    return [
        Figure(names.get(name, name), _value(_as_read(name, value)), _is_notable(name, value))
        for name, value in found.checks.items()
    ]


def features(found: Findings) -> list[Figure]:
    """Return the terms of the difficulty before they are weighted; those that add nothing are quiet."""
    names = _feature_names()
    return [Figure(names[name], _value(value), value != 0) for name, value in found.features.items()]


def rule_notes(themes: Collection[str]) -> list[str]:
    """Return what a reviewer should know of the rules without which the key would not work."""
    notes = {
        "instant removal": _(
            "Captured pieces have to leave at once, jump by jump. One popular site lifts them when the move"
            " ends: there the key does not work. Players read a note with the solution."
        ),
        "180° trap": _(
            "A king may not turn right round between two jumps. If it might, the key would not work."
        ),
        "majority": _(
            "A capture has to take as many pieces as it can. If any capture would do, the key would not work."
        ),
    }
    return [note for theme, note in notes.items() if theme in themes]


def _is_notable(name: str, value: Value) -> bool:
    if isinstance(value, bool):
        return value
    usual = {"capture": 0, "exclusive": 0, "economy": "", "one key": 1, "one way": 1}
    return name in usual and value != usual[name]


def _as_read(name: str, value: Value) -> Value:
    """Return a value without the words of the generator's own language."""
    return value.replace(" against ", " : ") if name == "fight" and isinstance(value, str) else value


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number_label(value)
    return value or "–"


def _check_names() -> dict[str, str]:
    return {
        "no win": _("No forced win"),
        "win in one": _("Won in one move"),
        "size": _("Pieces on the board"),
        "kings": _("Kings of the side with more"),
        "no game": _("No game has this position"),
        "capture": _("Captures to begin with"),
        "first moves": _("Legal first moves"),
        "fight": _("Solver's pieces against defender's"),
        "exclusive": _("Other first moves that win, if later"),
        "material": _("Material after the best other first move"),
        "economy": _("Pieces it could do without"),
        "no move before": _("No legal move leads here"),
        "one key": _("First moves that win in time"),
        "one way": _("Most moves that win later on"),
        "last move": _("Last moves that differ"),
        "one against one": _("One piece against one somewhere"),
    }


def _feature_names() -> dict[str, str]:
    return {
        "nodes": _("Reading to find the key (doublings)"),
        "in_three": _("Win in three"),
        "given": _("Pieces given"),
        "turns": _("Turns of the last capture"),
        "tries": _("Near misses"),
        "quiet_key": _("Quiet key"),
        "turning_back_trap": _("180° trap"),
        "majority": _("Majority"),
        "instant_removal": _("Instant removal"),
        "first_moves": _("First moves (doublings)"),
        "lines": _("More full-length lines"),
        "losing_alternatives": _("Losing moves at move two (doublings)"),
        "last_choice": _("A choice of last moves"),
    }
