"""The rulesets as data: what differs from one flavour of dama to the next."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Progress = Literal["man steps forward", "promotion"]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules that differ between flavours of the game.

    Captures always reset the quiet-move clock; ``clock_progress`` says what else does.
    """

    name: str
    title: str
    removal_at_once: bool
    """Captured pieces leave jump by jump; otherwise when the move ends."""
    clock_plies: int | None = None
    """Plies without progress after which the game is a draw; None: no such rule."""
    clock_progress: Progress = "man steps forward"
    repetition: int | None = None
    """The occurrence of a position that draws the game; None: no such rule."""
    one_king_each_draws: bool = False
    several_men_beat_one: bool = False
    """Several men against one single man, nothing else on the board, win at once."""
    majority: bool = True
    """A move must take the most pieces possible; otherwise any whole series will do."""
    turning_back: bool = False
    """A king may turn by 180° between two jumps."""
    pieces_a_side: int = 16


_PRESETS: Final = (
    Ruleset(
        name="turkish",
        title="Turkish dama",
        removal_at_once=True,
        clock_plies=50,
        repetition=3,
        one_king_each_draws=True,
    ),
    Ruleset(
        name="turkish-classic",
        title="Turkish draughts, classic",
        removal_at_once=True,
        repetition=3,
        one_king_each_draws=True,
        several_men_beat_one=True,
    ),
    Ruleset(
        name="turkish-yoz",
        title="Turkish dama, captured pieces leave at the end",
        removal_at_once=False,
        clock_plies=40,
        clock_progress="promotion",
    ),
)

RULESETS: Final = MappingProxyType({ruleset.name: ruleset for ruleset in _PRESETS})
"""The presets by name."""


def find_ruleset(rules: str | Ruleset) -> Ruleset:
    """Return a preset by its name, or the ruleset itself.

    >>> find_ruleset("turkish").clock_plies
    50

    Raises ValueError for a name that is no preset.
    """
    if isinstance(rules, Ruleset):
        return rules
    try:
        return RULESETS[rules]
    except KeyError:
        raise ValueError(f"unknown ruleset {rules!r}; expected one of {', '.join(RULESETS)}") from None
