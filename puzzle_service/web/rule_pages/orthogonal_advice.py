"""Turkish dama: tips, common mistakes, questions with answers, and where the rules come from."""

from dama.rulesets import Ruleset
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.rule_pages.content import Advice, Answer, Source


def advice(rules: Ruleset) -> Advice:
    """Return what helps to play by the rules of a preset."""
    return Advice(_tips(), _mistakes(rules), _answers(rules))


def sources(rules: Ruleset) -> tuple[Source, ...]:
    """Return where the rules of a preset come from."""
    own = {
        "turkish": Source(_("The rules of CetinsGame's Dama"), _("The game that this ruleset stands for.")),
        "turkish-classic": Source(
            "Wikipedia: Turkish draughts",
            _("The encyclopedia's description, which this ruleset stands for."),
            "https://en.wikipedia.org/wiki/Turkish_draughts",
        ),
        "turkish-yoz": Source(
            _("The rules of YOZGAMES' Türk Daması"), _("The game that this ruleset stands for.")
        ),
    }
    return (
        own[rules.name],
        Source(
            _("The learning guide of the Turkish draughts federation"),
            _("Its examples of captures are among the positions by which our rules are tested."),
        ),
    )


def _tips() -> tuple[str, ...]:
    return (
        _("Keep your men in pairs. Two in a row cannot be jumped along that row."),
        _(
            "Capturing is compulsory for your opponent too. Give one piece to pull others where you want"
            " them."
        ),
        _("Count all captures before you move, and then those of your opponent after it."),
        _("A king is worth four to five men. Giving two men for a king is often a bargain."),
        _("Three kings nearly always beat one. Two kings cannot force it."),
        _("Keep some steps to the side in reserve. Who has no harmless move left must weaken the position."),
    )


def _mistakes(rules: Ruleset) -> tuple[str, ...]:
    mistakes = [
        _("To take a king where two men can be taken. The number decides, not the rank."),
        _("To stop in the middle of a series. It goes on as long as the piece can capture."),
        _("To overlook that a king must land where the longest series begins."),
        _("To capture backwards with a man. Only kings do."),
        _(
            "To play on as a king with a man that has just reached the last rank. It is crowned after the"
            " move."
        ),
    ]
    if rules.removal_at_once:
        mistakes.append(
            _("To forget that a captured piece is gone at once. It opens lines in the middle of a series.")
        )
    else:
        mistakes.append(
            _("To count on a square that a captured piece still holds. It is free only after the move.")
        )
    return tuple(mistakes)


def _answers(rules: Ruleset) -> tuple[Answer, ...]:
    answers = [
        Answer(
            _("May I choose not to capture?"),
            _("No. And nobody loses a piece for overlooking a capture: another move is simply not possible."),
        ),
        Answer(
            _("Does taking a king count more?"),
            _("No. Every piece counts one. Among captures of the same number you may prefer the king."),
        ),
        Answer(
            _("May a king jump over two pieces standing apart on one line?"),
            _("Yes, one after the other, if there is a free square behind each of them."),
        ),
        Answer(_("May the same piece be jumped twice?"), _("Never.")),
        Answer(_("Is a king against a man a draw?"), _("No. The game goes on.")),
    ]
    if rules.clock_progress == "man steps forward" and rules.clock_plies:
        answers.append(
            Answer(
                _("Does a man's step to the side start the clock again?"),
                _("No. Only a capture and a step forward do."),
            )
        )
    if rules.clock_progress == "promotion" and rules.clock_plies:
        answers.append(
            Answer(_("Does a man's step start the clock again?"), _("No. Only a capture and a crowning do."))
        )
    return tuple(answers)
