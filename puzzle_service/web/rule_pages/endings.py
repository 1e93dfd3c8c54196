"""How games end, in words: the same for every board, told from the fields of a ruleset."""

from dama.rulesets import Ruleset
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import ngettext


def order(rules: Ruleset) -> tuple[str, ...]:
    """Return what is looked at after a move, in this order."""
    steps = [
        _("A side without pieces has lost."),
        _("A side that is to move and has no legal move has lost."),
    ]
    if rules.several_men_beat_one:
        steps.append(
            _(
                "When only men are left, several on one side and a single one on the other, the several have"
                " won."
            )
        )
    if rules.one_king_each_draws:
        steps.append(_("When each side has one king and nothing else, the game is drawn."))
    if rules.repetition is not None:
        steps.append(repetition(rules))
    if rules.clock_plies is not None:
        steps.append(clock(rules))
    return tuple(steps)


def clock(rules: Ruleset) -> str:
    """Return the rule about turns without progress."""
    if rules.clock_plies is None:
        return _("No number of quiet turns draws a game.")
    return {
        "man steps forward": ngettext(
            "After %(num)d turn without a capture and without a man's step forward, the game is drawn.",
            "After %(num)d turns in a row without a capture and without a man's step forward, the game is"
            " drawn.",
            rules.clock_plies,
        ),
        "promotion": ngettext(
            "After %(num)d turn without a capture and without a crowning, the game is drawn.",
            "After %(num)d turns in a row without a capture and without a crowning, the game is drawn.",
            rules.clock_plies,
        ),
        "man moves": ngettext(
            "After %(num)d turn without a capture and without a man's move, the game is drawn.",
            "After %(num)d turns in a row without a capture and without a man's move, the game is drawn.",
            rules.clock_plies,
        ),
    }[rules.clock_progress]


def counted(rules: Ruleset) -> str:
    """Return how the turns of the clock are counted."""
    return ngettext(
        "The turns of both sides count together, so that is %(num)d turn of each side.",
        "The turns of both sides count together, so that is %(num)d turns of each side.",
        (rules.clock_plies or 0) // 2,
    )


def repetition(rules: Ruleset) -> str:
    """Return the rule about positions that come back."""
    if rules.repetition is None:
        return _("No repetition draws a game.")
    return ngettext(
        "When a position has come up %(num)d time, the game is drawn.",
        "When a position has come up %(num)d times, the game is drawn.",
        rules.repetition,
    )


def one_king_each(rules: Ruleset) -> str:
    """Return the rule about one king against one king."""
    if rules.one_king_each_draws:
        return _("One king against one king is a draw at once, even if one could capture the other.")
    return _("One king against one king is an ordinary position: the game goes on.")


def several_men(rules: Ruleset) -> str:
    """Return the rule about several men against a single one."""
    if rules.several_men_beat_one:
        return _(
            "Several men against one single man, with no king on the board, have won at once, whoever is to"
            " move."
        )
    return _("Several men against one single man must win on the board: the game goes on.")


def resigning() -> str:
    """Return what players can agree on."""
    return _("A player may also resign, and both may agree on a draw.")
