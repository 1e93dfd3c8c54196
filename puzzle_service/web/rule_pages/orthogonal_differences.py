"""What the diagrams show in which the presets of Turkish dama differ."""

from dama.rulesets import Ruleset
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.rule_pages.content import Figure
from puzzle_service.web.rule_pages.orthogonal_diagrams import DIFFERENT


def figures(rules: Ruleset, topic: str) -> tuple[Figure, ...]:
    """Return the diagrams of a topic in which the presets differ."""
    captions = _captions()
    return tuple(Figure(diagram, captions[diagram.name]) for diagram in DIFFERENT[rules.name][topic])


def _captions() -> dict[str, str]:
    return {
        "at-once-crossing": _(
            "The man on e7 is taken third and gone before the king crosses its square on the way to g7."
        ),
        "at-once-landing": _(
            "The king ends on a3, where the first captured man stood. The man on b3 could be taken because"
            " a3 was free again."
        ),
        "at-the-end-crossing": _(
            "The man on e7 is captured but still stands there. The king cannot pass it towards g7."
        ),
        "at-the-end-shield": _("The captured man on a3 still stands behind the man on b3 and protects it."),
        "no-turn": _(
            "The king takes one man. It may not turn round on the file or rank it came by to take the other."
        ),
        "no-turn-at-end": _(
            "The king takes one man. The way back to the other is closed: the captured man still stands in"
            " it."
        ),
        "clock-stops": _(
            "One quiet turn is left. The step to the side ends the game as a draw; the step forward starts"
            " the count again."
        ),
        "clock-stops-but-for-kings": _(
            "One quiet turn is left. A man's step forward changes nothing, and the game is drawn; the"
            " crowning starts the count again."
        ),
        "wins-on-the-last": _(
            "One quiet turn is left. With b4–a4 White blocks Black: the win goes before the clock."
        ),
        "no-clock": _("However long nothing happens, the game goes on."),
        "repeated": _(
            "Both men step to and fro. The second time they are back where they began, this position is"
            " there for the third time: a draw."
        ),
        "repeated-freely": _("Both men step to and fro. They may do so as long as the clock runs."),
        "kings-draw": _("White could capture, but the game is drawn already."),
        "kings-play-on": _("One king each, and White captures and wins."),
        "several-play-on": _("Three men against one: they have to win it move by move."),
        "several-win": _("Three men against one: White has won."),
        "several-win-at-once": _("Black could capture one of the two, but the game is over: White has won."),
    }
