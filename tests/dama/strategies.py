"""Positions for hypothesis: from random placement and from random play."""

import random

from hypothesis import strategies as st

from dama import RULESETS, Color, Position
from dama.squares import FIRST_RANK, LAST_RANK, bit


def placed(randomness: random.Random, rules: str, pieces: tuple[int, int] = (2, 14)) -> Position:
    """Return a position with a random number of pieces on random squares, men never on their last rank."""
    squares = randomness.sample(range(64), randomness.randint(*pieces))
    split = randomness.randint(1, len(squares) - 1)
    king_share = randomness.choice((0.0, 0.15, 0.4))
    men, kings = [0, 0], [0, 0]
    for place, square in enumerate(squares):
        side = int(place >= split)
        on_last_rank = bit(square) & (FIRST_RANK if side else LAST_RANK)
        if on_last_rank or randomness.random() < king_share:
            kings[side] |= bit(square)
        else:
            men[side] |= bit(square)
    turn = randomness.choice(tuple(Color))
    return Position(men[0], kings[0], men[1], kings[1], turn, RULESETS[rules])


def played(randomness: random.Random, rules: str, plies: int) -> Position:
    """Return the position after so many random plies from the start, or earlier if the game ends."""
    position = Position.start(rules)
    for _ in range(plies):
        if position.outcome() is not None:
            break
        position = position.after(randomness.choice(position.legal_moves))
    return position


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a position of any ruleset, placed or played."""
    randomness = random.Random(draw(st.integers(0, 2**32)))
    rules = draw(st.sampled_from(sorted(RULESETS)))
    if draw(st.booleans()):
        return placed(randomness, rules)
    return played(randomness, rules, draw(st.integers(0, 120)))
