"""Positions for hypothesis: from random placement and from random play."""

import random

from hypothesis import strategies as st

from dama import RULESETS, Position
from tests.positions import placed, played

MOST_PIECES = 8
"""Of each side, on random squares: more than enough for every kind of capture."""


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a position of any preset, placed or played."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    rules = RULESETS[draw(st.sampled_from(sorted(RULESETS)))]
    if draw(st.booleans()):
        return placed(rng, rules, MOST_PIECES)
    return rng.choice(list(played(rng, rules)))
