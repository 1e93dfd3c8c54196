"""Positions for hypothesis: from random placement and from random play."""

import random

from hypothesis import strategies as st

from dama import RULESETS, Position
from dama.squares import ORTHOGONAL
from tests.positions import placed, played

MOST_PIECES = 8
"""Of each side, on random squares: more than enough for every kind of capture."""
_ORTHOGONAL = [name for name, rules in RULESETS.items() if rules.grid is ORTHOGONAL]


@st.composite
def _positions(draw: st.DrawFn, names: list[str]) -> Position:
    rng = random.Random(draw(st.integers(0, 2**32)))
    rules = RULESETS[draw(st.sampled_from(names))]
    if draw(st.booleans()):
        return placed(rng, rules, MOST_PIECES)
    return rng.choice(list(played(rng, rules)))


def positions() -> st.SearchStrategy[Position]:
    """Draw a position of any preset, placed or played."""
    return _positions(list(RULESETS))


def orthogonal_positions() -> st.SearchStrategy[Position]:
    """Draw a position on the board that is its own mirror image."""
    return _positions(_ORTHOGONAL)
