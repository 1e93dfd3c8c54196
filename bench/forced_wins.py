"""Measures "win in at most N?" on fixed positions: the kernel against a plain exhaustive search, in one run.

    python bench/forced_wins.py [--moves 3] [--rounds 15]

The peer is compiled too, on the same move generator, and knows nothing of forced wins but their definition:
it tries the moves of both sides in the order in which they are generated, down to the last ply, until one
wins or refutes. It rules nothing out beforehand and remembers nothing. Both are asked about all positions by
the same compiled loop, in turns, and measured by the processor time they take; the best round of each counts.
"""

import argparse
import statistics
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numba import types

from dama import Color, Position
from dama.kernel.bits import ONE, TWO, ZERO
from dama.kernel.calls import call, cells
from dama.kernel.compiler import compiled, u8, work_array
from dama.kernel.rules import legal_moves, played
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
Table = npt.NDArray[np.uint64]
table = types.Array(types.uint64, 2, "C")


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


@compiled(u8(work_array, table, u8), entry=True)
def answer_all(work: Work, boards: Table, plain: U) -> U:
    """Ask one of the searches about every row of boards, and write the answers and nodes behind them."""
    row = ZERO
    while row < U(len(boards)):
        work[MEN], work[KINGS] = boards[row, 0], boards[row, 1]
        work[ENEMY_MEN], work[ENEMY_KINGS] = boards[row, 2], boards[row, 3]
        work[NODES] = ZERO
        boards[row, 4] = plain_shortest_win(work) if plain == ONE else shortest_win(work)
        boards[row, 5] = work[NODES]
        row += ONE
    return row


def seen_by_the_side_to_move(position: Position) -> tuple[int, ...]:
    seen = position if position.turn is Color.WHITE else position.swapped()
    return seen.white_men, seen.white_kings, seen.black_men, seen.black_kings, 0, 0


def measure(boards: Table, plain: int) -> tuple[list[int], int, float]:
    """Return the answers, the nodes and the processor's seconds of one pass over the positions."""
    began = time.process_time()
    answer_all(cells(), boards, U(plain))
    seconds = time.process_time() - began
    return boards[:, 4].tolist(), int(boards[:, 5].sum()), seconds


def main() -> None:
    parser = argparse.ArgumentParser(description="forced wins: the kernel against a plain exhaustive search")
    parser.add_argument("--moves", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    positions = [Position.from_fen(line) for line in POSITIONS.read_text(encoding="utf-8").splitlines()]
    boards = np.array([seen_by_the_side_to_move(position) for position in positions], dtype=np.uint64)
    call(positions[0], shortest_win, options.moves)  # the rules and the limit stay in the workspace
    seconds: dict[str, list[float]] = {"kernel": [], "plain": []}
    found: dict[str, tuple[list[int], int]] = {}
    for _ in range(options.rounds):
        for plain, name in enumerate(seconds):
            answers, nodes, took = measure(boards, plain)
            found[name] = answers, nodes
            seconds[name].append(took)
    if found["kernel"][0] != found["plain"][0]:
        raise SystemExit("the two searches disagree")
    wins = sum(1 for answer in found["kernel"][0] if answer)
    print(f"win in at most {options.moves}? {len(positions)} positions, {wins} wins; both searches agree")
    for name, each_round in seconds.items():
        each = min(each_round) / len(positions)
        print(
            f"{name}: {1 / each:,.0f} positions a second, {1e6 * each:.1f} µs and"
            f" {found[name][1] / len(positions):.0f} nodes a position"
        )
    ratios = [plain / kernel for kernel, plain in zip(*seconds.values(), strict=True)]
    best, median = min(seconds["plain"]) / min(seconds["kernel"]), statistics.median(ratios)
    print(f"ratio:  {best:.1f} by the best rounds, {median:.1f} in the median of {len(ratios)}")


if __name__ == "__main__":
    main()
