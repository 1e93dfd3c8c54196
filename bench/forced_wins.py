"""Measures "win in at most N?" on fixed positions: the kernel against a plain exhaustive search, in one run.

    python bench/forced_wins.py [--moves 3] [--rounds 3]

The peer is compiled too, on the same move generator, and knows nothing of forced wins but their definition:
it tries the moves of both sides in the order in which they are generated, down to the last ply, until one
wins or refutes. It rules nothing out beforehand and remembers nothing. The best round of each counts.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dama import Position
from dama.kernel.bits import ONE, TWO, ZERO
from dama.kernel.calls import call, cells
from dama.kernel.compiler import compiled, u8, work_array
from dama.kernel.orthogonal import legal_moves, played
from dama.kernel.wins import LOST, OPEN, WON, shortest_win, standing
from dama.kernel.workspace import (
    ENEMY_KINGS,
    ENEMY_MEN,
    KINGS,
    LIMIT,
    MEN,
    MOVES,
    NODES,
    RULES,
    Work,
)

POSITIONS = Path(__file__).parent / "data" / "positions.txt"
U = np.uint64


@compiled(u8(work_array, u8, u8, u8, u8, u8, u8, u8, u8))
def _wins(
    work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, plies: U, solver: U
) -> U:
    """Return 1 when the solver wins within so many plies; ``solver`` is 1 when it is the solver's turn."""
    work[NODES] += ONE
    now = standing(men, kings, enemy_men, enemy_kings, rules)
    if now != OPEN:
        return ONE if now == (WON if solver == ONE else LOST) else ZERO
    if plies == ZERO:
        return ZERO
    end = legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    cell = at
    while cell < end:
        a, b, c, d = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        if _wins(work, end, a, b, c, d, rules, plies - ONE, ONE - solver) == solver:
            return solver
        cell += TWO
    return ONE - solver


@compiled(u8(work_array), entry=True)
def plain_shortest_win(work: Work) -> U:
    """Return in how many moves, at most LIMIT, the side to move wins; 0 for no win and for an ended game."""
    men, kings, enemy_men, enemy_kings = work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS]
    rules = work[RULES]
    if standing(men, kings, enemy_men, enemy_kings, rules) != OPEN:
        return ZERO
    moves = ONE
    while moves <= work[LIMIT]:
        plies = moves + moves - ONE
        if _wins(work, MOVES, men, kings, enemy_men, enemy_kings, rules, plies, ONE) != ZERO:
            return moves
        moves += ONE
    return ZERO


def measure(
    function: Callable[[Work], np.uint64], positions: list[Position], limit: int
) -> tuple[list[int], int, float]:
    """Return the answers, the nodes and the seconds of one pass over the positions."""
    answers, nodes = [], 0
    began = time.perf_counter()
    for position in positions:
        answers.append(call(position, function, limit))
        nodes += int(cells()[NODES])
    return answers, nodes, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description="forced wins: the kernel against a plain exhaustive search")
    parser.add_argument("--moves", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    positions = [Position.from_fen(line) for line in POSITIONS.read_text(encoding="utf-8").splitlines()]
    peers = {"kernel": shortest_win, "plain": plain_shortest_win}
    seconds: dict[str, list[float]] = {name: [] for name in peers}
    found: dict[str, tuple[list[int], int]] = {}
    for _ in range(options.rounds):
        for name, function in peers.items():
            answers, nodes, took = measure(function, positions, options.moves)
            found[name] = answers, nodes
            seconds[name].append(took)
    if found["kernel"][0] != found["plain"][0]:
        raise SystemExit("the two searches disagree")
    wins = sum(1 for answer in found["kernel"][0] if answer)
    print(f"win in at most {options.moves}? {len(positions)} positions, {wins} wins; both searches agree")
    for name in peers:
        each = min(seconds[name]) / len(positions)
        print(
            f"{name}: {1 / each:,.0f} positions a second, {1e6 * each:.1f} µs and"
            f" {found[name][1] / len(positions):.0f} nodes a position"
        )
    ratio = min(seconds["plain"]) / min(seconds["kernel"])
    print(f"ratio:  {ratio:.1f}")


if __name__ == "__main__":
    main()
