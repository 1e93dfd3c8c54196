"""The rules of Italian dama in words, its numbers from the ruleset."""

from dama.rulesets import Ruleset
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import ngettext
from puzzle_service.web.rule_pages import diagonal_advice, endings
from puzzle_service.web.rule_pages import diagonal_diagrams as diagrams
from puzzle_service.web.rule_pages.content import Figure, Page, Section


def page(rules: Ruleset) -> Page:
    """Return the page of a preset that is played on the dark squares."""
    return Page(
        lead=_(
            "Italy's own draughts: short steps along the diagonals, men that never capture a king, and four"
            " rules"
            " about which capture goes first."
        ),
        sections=(
            _board(rules),
            _men(),
            _kings(),
            _capturing(),
            _series(),
            _priorities(rules),
            _removal(),
            _crowning(),
            _loops(),
            _end(rules),
            _draws(rules),
            _notation(),
        ),
        advice=diagonal_advice.advice(),
        sources=diagonal_advice.sources(),
    )


def _board(rules: Ruleset) -> Section:
    return Section(
        "board",
        _("Board and set-up"),
        (
            _(
                "The game is played on the %(squares)d dark squares of a board of eight by eight. Each"
                " player has a"
                " dark corner at the right hand.",
                squares=rules.grid.count,
            ),
            _("The squares are numbered from Black's side, left to right and row by row as White sees them."),
            ngettext(
                "Each side has %(num)d man. They fill the three rows nearest to their player.",
                "Each side has %(num)d men. They fill the three rows nearest to their player.",
                rules.pieces_a_side,
            ),
            _("White moves first, and then the sides take turns. Nobody may pass."),
        ),
        figures=(Figure(diagrams.START, _("The start. Seven first moves are possible.")),),
    )


def _men() -> Section:
    return Section(
        "men",
        _("How a man moves"),
        (_("A man moves one square diagonally forward, if that square is free. It never moves backwards."),),
        figures=(Figure(diagrams.MAN, _("The man on 22 has two moves.")),),
    )


def _kings() -> Section:
    return Section(
        "kings",
        _("How a king moves"),
        (_("A king moves one square in any of the four diagonal directions. It does not fly."),),
        figures=(Figure(diagrams.KING, _("The king on 18 has four moves, each to a square next to it.")),),
    )


def _capturing() -> Section:
    return Section(
        "capturing",
        _("Capturing"),
        (
            _("Capturing is compulsory: who can capture may make no other move."),
            _("A man jumps over an enemy man diagonally ahead of it to the free square just beyond."),
            _("A man never captures a king. A king is therefore safe from men."),
            _("A king jumps over an enemy next to it, man or king, in any of the four directions."),
        ),
        figures=(
            Figure(
                diagrams.MAN_TAKES,
                _("The man captures ahead, to the left or to the right. The man behind it is safe."),
            ),
            Figure(diagrams.MUST_CAPTURE, _("White must capture the man on 18.")),
            Figure(
                diagrams.KING_IS_SAFE,
                _(
                    "The same position with a king on 18: there is nothing to capture, and both white men"
                    " may move."
                ),
            ),
        ),
    )


def _series() -> Section:
    return Section(
        "series",
        _("Series of captures"),
        (
            _(
                "If the piece that has captured can capture again from where it landed, it must. All of that"
                " is one move."
            ),
            _("The move ends when the piece can capture no more."),
        ),
        figures=(
            Figure(diagrams.SERIES, _("The man takes three pieces in one move.")),
            Figure(diagrams.SHIELD, _("With a king on 19, the man has to stop after the first piece.")),
        ),
    )


def _priorities(rules: Ruleset) -> Section:
    names = {
        "most pieces": _("The most pieces: choose a capture that takes as many as possible."),
        "with a king": _("With a king: if a king and a man can take that many, the king must capture."),
        "most kings": _("The most kings: choose a capture that takes as many kings as possible."),
        "king first": _("A king early: choose a capture that meets its first king as early as possible."),
    }
    return Section(
        "priorities",
        _("Which capture goes first"),
        (
            _(
                "When several captures are possible, these rules are asked in order. Each looks only at what"
                " the one before has left."
            ),
            _(
                "What is still equal after the last rule is your free choice. Kings after the first one are"
                " not compared."
            ),
        ),
        steps=tuple(names[priority] for priority in rules.priorities),
        figures=(
            Figure(diagrams.MOST, _("Two pieces go before one.")),
            Figure(diagrams.WITH_KING, _("Each could take one piece. The king goes before the man.")),
            Figure(diagrams.KING_TAKES, _("The king takes the king, not the man.")),
            Figure(
                diagrams.KING_EARLIER,
                _("Both ways take one king and one man. The way that begins with the king goes first."),
            ),
            Figure(
                diagrams.MORE_BEFORE_EARLIER,
                _("Two kings late in the series go before one king early in it."),
            ),
            Figure(
                diagrams.LATER_KINGS,
                _(
                    "Both ways take two kings and begin with a king. Where the second king stands is not"
                    " compared, so the choice is free."
                ),
            ),
        ),
    )


def _removal() -> Section:
    return Section(
        "removal",
        _("When captured pieces leave the board"),
        (_("Captured pieces are lifted when the series has ended. No piece is jumped twice."),),
    )


def _crowning() -> Section:
    return Section(
        "crowning",
        _("Crowning"),
        (
            _(
                "A man that reaches the last row becomes a king, and its move ends there, even in the middle"
                " of captures."
            ),
            _("The new king moves as one from the next turn on."),
        ),
        figures=(
            Figure(
                diagrams.CROWNED,
                _(
                    "The man takes on 6 and is crowned on 2. A king could go on and take on 5, but the"
                    " series is over."
                ),
            ),
        ),
    )


def _loops() -> Section:
    return Section(
        "loops",
        _("Loops and turning back"),
        (
            _(
                "While a piece moves, its own first square counts as free. It can be crossed, and the move"
                " may end on it."
            ),
            _(
                "No rule about turning back is needed: the way back leads over a piece that has been"
                " captured already."
            ),
        ),
        figures=(
            Figure(
                diagrams.LOOP, _("The king goes round in a circle, takes four men and ends where it began.")
            ),
        ),
    )


def _end(rules: Ruleset) -> Section:
    return Section(
        "end",
        _("How a game ends"),
        (
            _("After every move these are looked at in this order, and the first that fits ends the game."),
            endings.resigning(),
        ),
        steps=endings.order(rules),
        figures=(
            Figure(diagrams.TAKEN, _("White takes the last piece and has won.")),
            Figure(
                diagrams.BLOCKED,
                _("White is to move. The man may capture no king and has no free square: Black has won."),
            ),
        ),
    )


def _draws(rules: Ruleset) -> Section:
    counted = (endings.counted(rules),) if rules.clock_plies else ()
    return Section(
        "draws",
        _("Draws, and what is not a draw"),
        (
            endings.clock(rules),
            *counted,
            endings.repetition(rules),
            endings.one_king_each(rules),
            endings.several_men(rules),
        ),
        figures=(
            Figure(
                diagrams.CLOCK_STOPS,
                _(
                    "One quiet turn is left. A king's move ends the game as a draw; the man's move starts"
                    " the count again."
                ),
            ),
            Figure(
                diagrams.REPEATED,
                _(
                    "Both kings step to and fro. The second time they are back where they began, this"
                    " position is there for the third time: a draw."
                ),
            ),
            Figure(diagrams.KINGS, _("One king each: the game goes on.")),
            Figure(diagrams.SEVERAL, _("Two men against one: they have to win it move by move.")),
        ),
    )


def _notation() -> Section:
    return Section(
        "notation",
        _("Writing moves down"),
        (
            _("A step is written 22-18. A capture names every landing square: 29x22x15x6."),
            _("The first and the last square are enough where they fit one move only."),
        ),
    )
