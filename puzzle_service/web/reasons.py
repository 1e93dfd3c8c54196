"""Why a master would play a move, in the reader's language."""

from collections.abc import Callable, Mapping
from typing import Final

from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import ngettext

Values = Mapping[str, int | str]


def reason(code: str, values: Values) -> str:
    """Return the sentence for a reason of a hint, a code of ``dama.reasons.REASONS`` with its values."""
    return _SENTENCES[code](values)


_SENTENCES: Final[Mapping[str, Callable[[Values], str]]] = {
    "only_legal": lambda v: _("It is the only legal move.", **v),
    "wins_now": lambda v: _("It wins at once.", **v),
    "wins_by_force": lambda v: ngettext(
        "It wins by force in %(num)d move.", "It wins by force in %(num)d moves.", int(v["moves"])
    ),
    "holds_out": lambda v: _("Every move loses; this one holds out longest (moves left: %(moves)d).", **v),
    "avoids_loss": lambda v: _("It is the only move that does not lose by force.", **v),
    "takes_and_crowns": lambda v: _("It takes %(taken)d and crowns.", **v),
    "gives_to_take": lambda v: _("It gives %(given)d to take %(taken)d.", **v),
    "gives_to_crown": lambda v: _("It gives %(given)d to crown.", **v),
    "takes_for": lambda v: _("It takes %(taken)d for %(given)d.", **v),
    "takes": lambda v: _("It takes %(taken)d.", **v),
    "crowns": lambda v: _("It crowns a man.", **v),
    "keeps_material": lambda v: _("It is the only move that does not lose a man.", **v),
    "saves_piece": lambda v: _("It brings the attacked piece on %(square)s to safety.", **v),
    "parries": lambda v: _("It stops the attack on %(square)s.", **v),
    "threatens": lambda v: _("It threatens to take %(taken)d.", **v),
    "closes_file": lambda v: _("It closes the %(file)s file.", **v),
    "runs": lambda v: _("It brings on a man whose way is free (steps to crowning: %(steps)d).", **v),
    "joins": lambda v: _("It puts two men together, so that they cannot be taken from that side.", **v),
    "king_reaches": lambda v: ngettext(
        "It brings the king to where it reaches %(num)d square instead of %(before)d.",
        "It brings the king to where it reaches %(num)d squares instead of %(before)d.",
        int(v["squares"]),
        before=v["before"],
    ),
    "holds_draw": lambda v: _("It holds the draw.", **v),
    "best_found": lambda v: ngettext(
        "Of %(num)d move it is the best, looking %(depth)d plies ahead.",
        "Of %(num)d moves it is the best, looking %(depth)d plies ahead.",
        int(v["moves"]),
        depth=v["depth"],
    ),
}
