"""The rulesets as data: what differs from one flavour of dama to the next."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

from dama.squares import DIAGONAL, ORTHOGONAL, Grid

Progress = Literal["man steps forward", "promotion", "man moves"]
Priority = Literal["most pieces", "with a king", "most kings", "king first"]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules that differ between flavours of the game.

    A site can offer its own mix:

    >>> from dataclasses import replace
    >>> ours = replace(RULESETS["italian"], name="ours", priorities=("most pieces",), men_capture_kings=True)

    Raises ValueError for a priority or a kind of progress that does not exist.
    """

    name: str
    title: str
    removal_at_once: bool
    """Captured pieces leave jump by jump; otherwise when the move ends."""
    clock_plies: int | None = None
    """Plies without progress after which the game is a draw; None: no such rule."""
    clock_progress: Progress = "man steps forward"
    """What resets the clock beside a capture, which always does."""
    repetition: int | None = None
    """The occurrence of a position that draws the game; None: no such rule."""
    one_king_each_draws: bool = False
    several_men_beat_one: bool = False
    """Several men against one single man, nothing else on the board, win at once."""
    priorities: tuple[Priority, ...] = ("most pieces",)
    """Which captures go before others, each among what the one before left; with none, any whole series will
    do. "most pieces" and "most kings" are about what is taken, "with a king" about what takes; "king first"
    prefers the series whose first captured king comes earliest."""
    turning_back: bool = False
    """A king may turn by 180° between two jumps."""
    flying_kings: bool = True
    """Kings move and capture at any distance; otherwise by one square."""
    men_capture_kings: bool = True
    crowning_ends_series: bool = False
    """A capturing man stops on its last rank; otherwise it goes on capturing as a man while it can."""
    grid: Grid = ORTHOGONAL
    pieces_a_side: int = 16
    start: str = (
        "W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3:Ba6,b6,c6,d6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7"
    )
    """The position in which a game begins, as FEN."""
    game_type: str = "30,W,8,8,A0,0"
    """What PDN's header GameType says: flavours of one game share it."""

    def __post_init__(self) -> None:
        for given, known in ((self.priorities, Priority), ((self.clock_progress,), Progress)):
            for name in given:
                if name not in get_args(known):
                    raise ValueError(f"{self.name}: {name!r} is none of {', '.join(get_args(known))}")

    def __hash__(self) -> int:
        # Every look-up of a position asks for it: the name tells most rulesets apart, and fast.
        return hash(self.name)


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
    Ruleset(
        name="italian",
        title="Italian dama",
        removal_at_once=False,
        clock_plies=80,
        clock_progress="man moves",
        repetition=3,
        priorities=("most pieces", "with a king", "most kings", "king first"),
        flying_kings=False,
        men_capture_kings=False,
        crowning_ends_series=True,
        grid=DIAGONAL,
        pieces_a_side=12,
        start="W:W21-32:B1-12",
        game_type="22,W,8,8,N2,1",
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
