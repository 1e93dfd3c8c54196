"""How much a puzzle promises: points for what people remember, less for what looks made up.

Sound puzzles are plenty and a day has one, so the score decides which are shown. It rewards

- themes, the more the rarer they are: what a solver has not seen a hundred times is told to others. What
  nearly every puzzle has (a sacrifice, a capture of four) earns next to nothing. Themes come in company
  (zugzwang with a quiet key, a sweep with a capture of four), so each counts half as much as it would without
  the next better one. A key that works only because captured pieces leave at once costs something: one
  popular site plays it otherwise;
- surprise: a quiet key, or pieces given away, up to four of them;
- near misses, up to four: a first move that fails to one of several replies alone is what makes people think
  (one that fails to the only reply there is does not);
- a natural look: a position of a game, few kings, more than a piece or two to fight against;
- economy: every idle piece costs;
- a board that is not crowded and a tree that is short, so that the whole solution fits into a head.

It does not reward difficulty: that decides on which day of the week a puzzle is due.
"""

from collections.abc import Collection
from typing import Final

from generator.quality import FEWEST_DEFENDERS, piece_counts
from generator.themes import pieces_given
from generator.win import Win

THEME_POINTS: Final = {
    "180° trap": 3.0,
    "zugzwang": 3.0,
    "blockade": 2.5,
    "last-row pass": 2.5,
    "quiet key": 2.0,
    "promote-and-give": 1.5,
    "majority": 1.0,
    "branching": 1.0,
    "sweep": 1.0,
    "men only": 1.0,
    "multi-sacrifice": 0.5,
    "king hunt": 0.5,
    "promotion": 0.5,
    "multi-capture": 0.25,
    "sacrifice": 0.25,
    "instant removal": 0.0,
}
INSTANT_REMOVAL: Final = -0.5
"""For what is a mere note, and plays otherwise elsewhere."""
SOURCE_POINTS: Final = {"self-play": 1.5, "thinned middlegame": 0.75}
"""What a position of a game, or one close to it, earns for its natural look."""
FADING: Final = 0.5
"""How much each further theme counts, compared with the one before."""
GIVEN_PIECE: Final = 0.4
MOST_GIVEN: Final = 4
TRY: Final = 0.4
MOST_TRIES: Final = 4
IDLE_PIECE: Final = -0.75
MISSING_DEFENDER: Final = -0.5
"""For every piece of the defender's that is not there to make it a fight."""
KING: Final = -0.3
"""For every king on the board beyond one a side."""
KINGS_FREE: Final = 2
PIECE: Final = -0.2
"""For every piece beyond as many as one takes in at a glance."""
PIECES_FREE: Final = 9
NODE: Final = -0.05
"""For every position beyond as many in which the solver must find a move, in the whole tree."""
NODES_FREE: Final = 4
MOST_NODES: Final = 24
DECIMALS: Final = 2


def score(win: Win, themes: Collection[str], source: str, tries: int) -> float:
    """Return the promise of a puzzle with these themes and so many close tries: the more, the better.

    It is the same for mirrored and colour-swapped copies from the same source.
    """
    position = win.position
    kings = (position.white_kings | position.black_kings).bit_count()
    solvers, defenders = piece_counts(position)
    nodes = min(len(win.nodes), MOST_NODES)
    points = (
        _of_themes(themes),
        SOURCE_POINTS.get(source, 0),
        GIVEN_PIECE * min(pieces_given(win), MOST_GIVEN),
        TRY * min(tries, MOST_TRIES),
        IDLE_PIECE * sum(pieces.bit_count() for pieces in win.idle),
        MISSING_DEFENDER * max(FEWEST_DEFENDERS - defenders, 0),
        KING * max(kings - KINGS_FREE, 0),
        PIECE * max(solvers + defenders - PIECES_FREE, 0),
        NODE * max(nodes - NODES_FREE, 0),
    )
    return round(sum(points), DECIMALS)


def _of_themes(themes: Collection[str]) -> float:
    best_first = sorted((THEME_POINTS[theme] for theme in themes), reverse=True)
    points = sum(each * FADING**place for place, each in enumerate(best_first))
    return points + INSTANT_REMOVAL * ("instant removal" in themes)
