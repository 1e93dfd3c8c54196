"""What kernel and plain rules must say alike about a position, and mixes of rules to ask them about."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from dama import RULESETS, Position, Ruleset, kernel
from dama.rulesets import Priority


def mixed_rules(rng: random.Random) -> Ruleset:
    """Return rules of which each is by chance one way or the other, on either board."""
    preset = RULESETS[rng.choice(("turkish", "italian"))]
    return replace(
        preset,
        name="mix",
        priorities=tuple(rng.sample(get_args(Priority), rng.randint(0, 4))),
        removal_at_once=_either(rng),
        turning_back=_either(rng),
        flying_kings=_either(rng),
        men_capture_kings=_either(rng),
        crowning_ends_series=_either(rng),
        one_king_each_draws=_either(rng),
        several_men_beat_one=_either(rng),
    )


def _either(rng: random.Random) -> bool:
    return rng.random() < 0.5


def standing_of(position: Position) -> kernel.Standing:
    """Return how the game stands for the side to move, by the plain rules and in the kernel's words."""
    outcome = position.outcome()
    if outcome is None:
        return kernel.Standing.OPEN
    if outcome.winner is None:
        return kernel.Standing.DRAWN
    return kernel.Standing.WON if outcome.winner is position.turn else kernel.Standing.LOST


def differences(position: Position) -> Iterator[str]:
    """Yield in what the two differ about the next move: nothing, when all is well."""
    plain = sorted(map(kernel.triple, position.legal_moves))
    if kernel.moves(position) != plain:
        yield "moves"
    if kernel.perft(position, 1) != len(plain):
        yield "count of moves"
    if kernel.standing(position) is not standing_of(position):
        yield "standing"


def differs_further_on(position: Position) -> bool:
    """Tell whether the counts of the next side's moves differ: whether the kernel plays moves otherwise."""
    counts = {str(move): len(position.after(move).legal_moves) for move in position.legal_moves}
    return kernel.divide(position, 2) != counts
