"""Positions for comparing kernel and plain rules: random play and placement, the same in every run."""

import random
from collections.abc import Iterator
from dataclasses import replace

from dama import RULESETS, Color, Position, Ruleset
from dama.squares import bit

_ANY_CAPTURE = replace(RULESETS["turkish"], name="any capture", priorities=())
_TURNING = replace(RULESETS["turkish"], name="turning back", turning_back=True)
_ANY_AT_THE_END = replace(
    RULESETS["turkish-yoz"], name="any capture, turning back", priorities=(), turning_back=True
)
RULES = (*RULESETS.values(), _ANY_CAPTURE, _TURNING, _ANY_AT_THE_END)
"""Every preset, and what counterfactuals switch."""


def placed(rng: random.Random, rules: Ruleset, most: int) -> Position:
    """Put up to ``most`` pieces of each side on random squares, none of the men on its last rank."""
    squares = rng.sample(range(rules.grid.count), rules.grid.count)
    kings_share = rng.choice((0.0, 0.2, 0.5))
    sides: list[int] = []
    for color in Color:
        men = kings = 0
        for _ in range(rng.randint(1, most)):
            square = squares.pop()
            if rules.grid.crowning(color) >> square & 1 or rng.random() < kings_share:
                kings |= bit(square)
            else:
                men |= bit(square)
        sides += [men, kings]
    return Position(sides[0], sides[1], sides[2], sides[3], rng.choice(list(Color)), rules)


def played(rng: random.Random, rules: Ruleset) -> Iterator[Position]:
    """Play a random game from the start, or a thin position with kings, and yield all its positions."""
    position = Position.start(rules) if rng.random() < 0.5 else placed(rng, rules, 8)
    for _ in range(120):
        yield position
        if position.outcome() is not None:
            return
        position = position.after(rng.choice(position.legal_moves))
