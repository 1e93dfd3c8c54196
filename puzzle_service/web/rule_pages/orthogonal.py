"""The rules of Turkish dama in words; what differs between its presets is told from the ruleset."""

from dama.rulesets import Ruleset
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import ngettext
from puzzle_service.web.rule_pages import endings, orthogonal_advice
from puzzle_service.web.rule_pages import orthogonal_diagrams as diagrams
from puzzle_service.web.rule_pages import orthogonal_differences as differences
from puzzle_service.web.rule_pages.content import Figure, Page, Section


def page(rules: Ruleset) -> Page:
    """Return the page of a preset that is played on all squares."""
    return Page(
        lead=_lead(rules),
        sections=(
            _board(rules),
            _men(),
            _kings(),
            _capturing(),
            _series(),
            _majority(),
            _removal(rules),
            _crowning(),
            _loops(rules),
            _one_move(),
            _end(rules),
            _draws(rules),
            *_courtesy(rules),
            _notation(),
        ),
        advice=orthogonal_advice.advice(rules),
        sources=orthogonal_advice.sources(rules),
    )


def _lead(rules: Ruleset) -> str:
    leads = {
        "turkish": _(
            "The game of this site's puzzles: men step straight ahead and sideways, kings fly along ranks"
            " and files,"
            " and captured pieces leave at once."
        ),
        "turkish-classic": _(
            "Turkish draughts as encyclopedias describe it, without a clock, where several men beat a single"
            " man."
        ),
        "turkish-yoz": _(
            "Turkish dama with one great difference: captured pieces stay on the board until the move has"
            " ended."
        ),
    }
    return leads[rules.name]


def _board(rules: Ruleset) -> Section:
    return Section(
        "board",
        _("Board and set-up"),
        (
            _(
                "The board has %(squares)d squares, and all of them are used. Their colours mean nothing.",
                squares=rules.grid.count,
            ),
            ngettext(
                "Each side has %(num)d man. White's stand on ranks 2 and 3, Black's on ranks 6 and 7.",
                "Each side has %(num)d men. White's stand on ranks 2 and 3, Black's on ranks 6 and 7.",
                rules.pieces_a_side,
            ),
            _("White moves first, and then the sides take turns. Nobody may pass."),
        ),
        figures=(
            Figure(
                diagrams.START, _("The start. Eight first moves are possible: one for each man in front.")
            ),
        ),
    )


def _men() -> Section:
    return Section(
        "men",
        _("How a man moves"),
        (
            _("A man steps one square forward, to the left or to the right, if that square is free."),
            _("It never moves backwards, and nothing in this game moves diagonally."),
        ),
        figures=(Figure(diagrams.MAN, _("The man on d4 has three moves.")),),
    )


def _kings() -> Section:
    return Section(
        "kings",
        _("How a king moves"),
        (
            _("A king moves any number of free squares forward, backward, left or right."),
            _("It stops before any piece in its way. Only by capturing can it pass one."),
        ),
        figures=(
            Figure(
                diagrams.KING,
                _(
                    "The king on d4 goes where the lines are free. Its own man on d6 and the black man on h4"
                    " stop it."
                ),
            ),
        ),
    )


def _capturing() -> Section:
    return Section(
        "capturing",
        _("Capturing"),
        (
            _("Capturing is compulsory: who can capture may make no other move."),
            _(
                "A man jumps over an enemy that stands next to it, ahead or to the side, to the free square"
                " just beyond."
            ),
            _(
                "A king captures at any distance. It jumps over one enemy, with free squares before it, and"
                " lands on"
                " any free square beyond, up to the next piece."
            ),
            _("A piece on the edge cannot be jumped towards that edge: there is no square beyond."),
        ),
        figures=(
            Figure(
                diagrams.MAN_TAKES,
                _(
                    "A man captures in three directions. Here it takes one piece in each, so the choice is"
                    " free."
                ),
            ),
            Figure(diagrams.NOT_BEHIND, _("An enemy behind the man or diagonal to it is safe from it.")),
            Figure(diagrams.TWO_IN_A_ROW, _("Two pieces one behind the other protect each other.")),
            Figure(
                diagrams.MUST_CAPTURE, _("White must capture with the man on h4. The man on a2 has to wait.")
            ),
            Figure(
                diagrams.KING_TAKES, _("The king takes the man on e4 from afar and chooses where to land.")
            ),
            Figure(diagrams.KING_STOPPED, _("Not even a king jumps over two pieces in a row.")),
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
            Figure(
                diagrams.KING_SERIES,
                _("The king must land on a6, because only from there it can take the second piece."),
            ),
        ),
    )


def _majority() -> Section:
    return Section(
        "majority",
        _("The most pieces"),
        (
            _("Among all captures of all your pieces, you must choose one that takes the most pieces."),
            _(
                "Men and kings count the same, one each, both the pieces that capture and those that are"
                " taken."
            ),
            _("When several captures take the same number, choose freely."),
        ),
        figures=(
            Figure(diagrams.MOST, _("Two men count more than one king.")),
            Figure(diagrams.EQUAL, _("Man or king may capture: each takes one piece.")),
        ),
    )


def _removal(rules: Ruleset) -> Section:
    if rules.removal_at_once:
        paragraphs: tuple[str, ...] = (
            _("A captured piece leaves the board at once, before the next jump."),
            _("Its square is free from then on: it can be crossed and landed on."),
            _("A piece that was protected from behind can be captured once its protector is gone."),
        )
    else:
        paragraphs = (
            _(
                "Captured pieces stay where they are until the whole move has ended. Then all of them leave"
                " together."
            ),
            _("Until then they stand in the way: they cannot be jumped a second time, crossed or landed on."),
            _(
                "A captured piece also protects an enemy that stands in front of it, because no square is"
                " free beyond."
            ),
        )
    return Section(
        "removal",
        _("When captured pieces leave the board"),
        paragraphs,
        figures=differences.figures(rules, "removal"),
    )


def _crowning() -> Section:
    return Section(
        "crowning",
        _("Crowning"),
        (
            _(
                "A man that ends its move on the last rank becomes a king. It moves as one from the next"
                " turn on."
            ),
            _(
                "A man that reaches the last rank by a capture goes on capturing sideways, if it can, still"
                " as a man."
                " It is crowned when the move has ended."
            ),
        ),
        figures=(
            Figure(diagrams.CROWNED, _("The step to d8 crowns the man and ends the move.")),
            Figure(
                diagrams.CROWNED_LATER,
                _("The man passes through d8, takes the king on c8 as a man, and is crowned on b8."),
            ),
        ),
    )


def _loops(rules: Ruleset) -> Section:
    turning = [
        _(
            "A king may not turn back by 180° between two jumps. Straight on is no turn, and corners are"
            " allowed."
        )
    ]
    if not rules.removal_at_once:
        turning.append(
            _("Here the piece just captured stands in the way back, so this rule never has to decide.")
        )
    return Section(
        "loops",
        _("Loops and turning back"),
        (
            _(
                "While a piece moves, its own first square counts as free. It can be crossed, and the move"
                " may end on it."
            ),
            *turning,
            _("For a man the question cannot arise."),
        ),
        figures=(
            Figure(diagrams.LOOP, _("The king takes four pieces and may come back to where it began.")),
            Figure(diagrams.ACROSS, _("On its last jump the king crosses c3, the square it came from.")),
            *differences.figures(rules, "turn"),
            Figure(diagrams.STRAIGHT_ON, _("Straight on, the king takes both.")),
            Figure(diagrams.CORNERS, _("Two corners, one after the other, are fine.")),
        ),
    )


def _one_move() -> Section:
    return Section(
        "one-move",
        _("Several ways, one move"),
        (
            _("A move is where a piece begins, where it ends, and what it takes."),
            _(
                "Different landing squares on the way make no different move. This site shows one way and"
                " accepts all."
            ),
        ),
        figures=(
            Figure(diagrams.ONE_MOVE, _("By a4 or by a5: both ways take the same pieces to the same end.")),
        ),
    )


def _end(rules: Ruleset) -> Section:
    return Section(
        "end",
        _("How a game ends"),
        (
            _("After every move these are looked at in this order, and the first that fits ends the game."),
            _(
                "A side that is blocked while the other is to move has not lost. When both are blocked, the"
                " side to move loses."
            ),
            endings.resigning(),
        ),
        steps=endings.order(rules),
        figures=(
            Figure(diagrams.TAKEN, _("White takes the last piece and has won.")),
            Figure(diagrams.BLOCKED, _("Black is to move and cannot: White has won.")),
        ),
    )


def _draws(rules: Ruleset) -> Section:
    clock = (endings.clock(rules),) + ((endings.counted(rules),) if rules.clock_plies else ())
    return Section(
        "draws",
        _("Draws, and what is not a draw"),
        (
            *clock,
            endings.repetition(rules),
            endings.one_king_each(rules),
            endings.several_men(rules),
            _("A king against a man, and a man against a man, play on."),
        ),
        figures=(
            *differences.figures(rules, "clock"),
            *differences.figures(rules, "repetition"),
            *differences.figures(rules, "few"),
        ),
    )


def _courtesy(rules: Ruleset) -> tuple[Section, ...]:
    """Return the customs of the classic game."""
    if not rules.several_men_beat_one:
        return ()
    return (
        Section(
            "courtesy",
            _("Good manners"),
            (
                _(
                    "The classic rules ask for courtesy. A player says so when the other's pieces are under"
                    " attack, when a man stands one step from crowning, and when a king is made."
                ),
                _("On this site the board says it for you. You can turn that off."),
            ),
        ),
    )


def _notation() -> Section:
    return Section(
        "notation",
        _("Writing moves down"),
        (
            _("Files are a to h from White's left, ranks 1 to 8 from White's side. A step is written a3-a4."),
            _(
                "A capture names every landing square: b3xb5xd5. The first and the last are enough where"
                " they fit one move only."
            ),
            _(
                "Turkish score sheets name the captured squares instead of the landings. This site reads"
                " both."
            ),
        ),
    )
