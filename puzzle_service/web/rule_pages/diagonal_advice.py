"""Italian dama: tips, common mistakes, questions with answers, and where the rules come from."""

from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.rule_pages.content import Advice, Answer, Source


def advice() -> Advice:
    """Return what helps to play by the rules."""
    return Advice(_tips(), _mistakes(), _answers())


def sources() -> tuple[Source, ...]:
    """Return where the rules come from."""
    return (
        Source(
            _("The Italian draughts federation: ten rules of Italian dama"),
            _("How pieces move and capture, the four priorities, and how a game is won."),
            "https://www.federdama.org/cms/index.php/documenti-1/le-specialita/dama-italiana",
        ),
        Source(
            _("The Italian draughts federation: official rules of play"),
            _("The board, the numbers of the squares, and the set-up."),
            "http://www.fid.it/regolamenti/capo1.htm",
        ),
        Source(_("The Dames app"), _("The game as this ruleset plays it.")),
    )


def _tips() -> tuple[str, ...]:
    return (
        _("Get a king early. No man can capture it."),
        _("Hold your back row as long as you can: every man there keeps an enemy from being crowned."),
        _(
            "Capturing is compulsory for your opponent too. Give one piece to pull others where you want"
            " them."
        ),
        _(
            "Use the four priorities as a weapon: they tell you which capture your opponent will have to"
            " make."
        ),
        _("Count all captures before you move, and then those of your opponent after it."),
    )


def _mistakes() -> tuple[str, ...]:
    return (
        _("To capture a king with a man."),
        _("To let a king fly. It moves and captures over one square, like a man."),
        _("To capture with a man where a king could take as many."),
        _("To go on capturing with a man that has just been crowned."),
        _("To set the board with a light corner at the right hand."),
    )


def _answers() -> tuple[Answer, ...]:
    return (
        Answer(
            _("May I choose not to capture?"),
            _("No. And nobody loses a piece for overlooking a capture: another move is simply not possible."),
        ),
        Answer(
            _("Do kings count more than men when pieces are counted?"),
            _("No. First every piece counts one. Only among captures of the same number do kings decide."),
        ),
        Answer(
            _("May a man be blocked by a king that it could jump?"),
            _("Yes. A man cannot capture a king, so the king stands in its way."),
        ),
        Answer(
            _("Is one king against one king a draw?"),
            _("Not by itself. It becomes one by agreement, by repetition or by the clock."),
        ),
    )
