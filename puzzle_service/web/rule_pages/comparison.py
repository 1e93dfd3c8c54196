"""The rulesets side by side: one row for each rule, told from the ruleset's fields."""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from dama.rulesets import Ruleset
from dama.squares import ORTHOGONAL
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import ngettext
from puzzle_service.web.rule_pages import endings

_OURS: Final = MappingProxyType(
    {
        "turkish": ("clock",),
        "turkish-classic": ("repetition",),
        "italian": ("clock", "repetition"),
    }
)
"""The rows in which a preset follows no source: the rule, or how it is counted, is ours."""


@dataclass(frozen=True)
class Cell:
    """What one ruleset says about a rule, and whether that is ours."""

    text: str
    is_ours: bool


@dataclass(frozen=True)
class Row:
    """A rule: its name and what each ruleset says about it."""

    name: str
    cells: tuple[Cell, ...]


def rows(*rulesets: Ruleset) -> tuple[Row, ...]:
    """Return the rules of some rulesets, each with a cell for every one of them."""
    return tuple(
        Row(name, tuple(Cell(told(rules), key in _OURS.get(rules.name, ())) for rules in rulesets))
        for key, (name, told) in _rules().items()
    )


def ours(rules: Ruleset) -> tuple[str, ...]:
    """Return in words which rules of a preset are ours, and why."""
    whole = _("The repetition is our rule. Without it some games would never end.")
    reasons = {
        "turkish": (
            ngettext(
                "How the clock counts is our rule. We read it as %(num)d move of each side, and a man's step"
                " to the"
                " side is no progress.",
                "How the clock counts is our rule. We read it as %(num)d moves of each side, and a man's"
                " step to the"
                " side is no progress.",
                (rules.clock_plies or 0) // 2,
            ),
        ),
        "turkish-classic": (whole,),
        "italian": (
            _(
                "The clock is our rule. The federation's ten rules only say that a game which nobody wins is"
                " a draw."
            ),
            whole,
        ),
    }
    return reasons.get(rules.name, ())


def _rules() -> dict[str, tuple[str, Callable[[Ruleset], str]]]:
    return {
        "board": (_("Board"), _board),
        "pieces": (_("Pieces"), _pieces),
        "man": (_("Man"), _man),
        "victims": (_("What a man captures"), _victims),
        "king": (_("King"), _king),
        "priorities": (_("Which capture goes first"), _priorities),
        "removal": (_("Captured pieces leave"), _removal),
        "crowning": (_("A man that reaches the last row in a series"), _crowning),
        "turning": (_("Turning back by 180°"), _turning),
        "clock": (_("Clock"), endings.clock),
        "repetition": (_("Repetition"), endings.repetition),
        "kings": (_("One king each"), _kings),
        "several": (_("Several men against one"), _several),
    }


def _board(rules: Ruleset) -> str:
    if rules.grid is ORTHOGONAL:
        return _("all %(squares)d squares", squares=rules.grid.count)
    return _("the %(squares)d dark squares", squares=rules.grid.count)


def _pieces(rules: Ruleset) -> str:
    return ngettext("%(num)d man a side", "%(num)d men a side", rules.pieces_a_side)


def _man(rules: Ruleset) -> str:
    if rules.grid is ORTHOGONAL:
        return _("one square forward or sideways; captures the same ways")
    return _("one square diagonally forward; captures forward")


def _victims(rules: Ruleset) -> str:
    return _("men and kings") if rules.men_capture_kings else _("men only, never a king")


def _king(rules: Ruleset) -> str:
    if rules.flying_kings:
        return _("any distance, and captures from afar")
    return _("one square in every direction, and captures what is next to it")


def _priorities(rules: Ruleset) -> str:
    names = {
        "most pieces": _("the most pieces"),
        "with a king": _("with a king"),
        "most kings": _("the most kings"),
        "king first": _("a king early"),
    }
    return " → ".join(names[priority] for priority in rules.priorities) or _("free choice")


def _removal(rules: Ruleset) -> str:
    return _("at once, jump by jump") if rules.removal_at_once else _("when the move has ended")


def _crowning(rules: Ruleset) -> str:
    return _("stops there") if rules.crowning_ends_series else _("goes on as a man")


def _turning(rules: Ruleset) -> str:
    if rules.turning_back:
        return _("allowed")
    # A captured piece that stays until the end stands in the way back.
    return _("not allowed") if rules.removal_at_once else _("cannot arise")


def _kings(rules: Ruleset) -> str:
    return _("draw at once") if rules.one_king_each_draws else _("the game goes on")


def _several(rules: Ruleset) -> str:
    return _("the several win at once") if rules.several_men_beat_one else _("the game goes on")
