"""Compares plain rules and kernel on a great many positions of every ruleset and of random mixes of rules.

    python bench/agreement.py [--positions 20000] [--seed 2026]

Half of the positions come from random play, half from random placement. Each must have the same legal moves,
their count and the same standing; every tenth pair also as many lines of two plies behind each move, and
every fiftieth pair, with few pieces, the same wins in two.
"""

import argparse
import random
from collections.abc import Callable, Iterator

from dama import RULESETS, Position, Ruleset, kernel
from dama.search import Search
from tests.kernel.agreement import differences, differs_further_on, mixed_rules
from tests.positions import placed, played

FEW = 7


def from_play(rng: random.Random, rules: Callable[[random.Random], Ruleset]) -> Iterator[Position]:
    """Yield the positions of random games without end."""
    while True:
        yield from played(rng, rules(rng))


def all_differences(position: Position, number: int) -> Iterator[str]:
    """Yield in what the two sets of rules differ about a position."""
    yield from differences(position)
    if number % 10 == 0 and differs_further_on(position):
        yield "lines of two plies"
    pieces = position.white_men | position.white_kings | position.black_men | position.black_kings
    if (
        number % 50 == 0
        and pieces.bit_count() <= FEW
        and position.outcome() is None
        and kernel.distances(position, 2) != Search().distances(position, 2)
    ):
        yield "wins in two"


def main() -> None:
    parser = argparse.ArgumentParser(description="plain rules and kernel on random positions")
    parser.add_argument("--positions", type=int, default=20_000, help="for each ruleset")
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    sources: dict[str, Callable[[random.Random], Ruleset]] = {
        name: lambda _, rules=rules: rules  # type: ignore[misc]
        for name, rules in RULESETS.items()
    }
    for name, rules in (sources | {"mixes of rules": mixed_rules}).items():
        rng = random.Random(f"{options.seed} {name}")
        games = from_play(rng, rules)
        captures = 0
        for number in range(options.positions):
            position = next(games) if number % 2 else placed(rng, rules(rng), rng.choice((1, 3, 6, 12)))
            for difference in all_differences(position, number // 2):
                raise SystemExit(f"{position.fen()} by {position.rules}: another {difference}")
            captures += any(move.captured for move in position.legal_moves)
        print(f"{name}: {options.positions:,} positions, {captures:,} with captures: no difference")


if __name__ == "__main__":
    main()
