"""Compares the Italian rules, plain and kernel, with those of pydraughts on random positions.

    python bench/italian.py [--positions 20000] [--seed 2026] [--write FILE]

pydraughts is installed into a virtual environment in a temporary folder. Positions come from random games and
random placement; each must have the same moves (from, to, captured squares) by all three. ``--write`` keeps
the positions with pydraughts' answers: ``tests/data/italian_moves.tsv`` was made so, by ``--positions 1500``.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dama import RULESETS, Position, kernel
from dama.squares import squares_in
from tests.positions import placed, played

PEER = "pydraughts==0.6.7"
PEER_PROGRAM = """
import json, sys
from draughts import Board
answers = []
for fen in json.load(sys.stdin):
    moves = set()
    for move in Board("italian", fen).legal_moves():
        ends = [move.steps_move[0], move.steps_move[-1]]
        moves.add((*ends, tuple(sorted(square for square in move.captures or () if square))))
    answers.append(sorted(moves))
print(json.dumps(answers))
"""
ITALIAN = RULESETS["italian"]
Answer = tuple[int, int, tuple[int, ...]]
"""A move by the numbers of its squares: from, to, captured."""


def positions(rng: random.Random) -> Iterator[Position]:
    """Yield positions that somebody can move in, from random games and from random placement by turns."""
    while True:
        for position in played(rng, ITALIAN):
            for asked in (position, placed(rng, ITALIAN, rng.choice((3, 6, 9)))):
                if asked.outcome() is None:
                    yield asked


def install_peer(folder: str) -> str:
    """Return an interpreter that can import pydraughts; raises CalledProcessError when it cannot be had."""
    own = str(Path(folder) / "bin" / "python")
    for command in ([sys.executable, "-m", "venv", folder], [own, "-m", "pip", "install", "-q", PEER]):
        subprocess.run(command, check=True, capture_output=True)
    return own


def by_peer(python: str, asked: list[Position]) -> list[list[Answer]]:
    """Return pydraughts' legal moves of every position."""
    fens = json.dumps([position.fen() for position in asked])
    run = subprocess.run([python, "-c", PEER_PROGRAM], input=fens, check=True, capture_output=True, text=True)
    return [
        [(start, end, tuple(captured)) for start, end, captured in moves] for moves in json.loads(run.stdout)
    ]


def by_kernel(position: Position) -> list[Answer]:
    return sorted(
        (start + 1, end + 1, tuple(square + 1 for square in squares_in(captured)))
        for start, end, captured in kernel.moves(position)
    )


def by_plain_rules(position: Position) -> list[Answer]:
    return sorted(
        (move.origin + 1, move.target + 1, tuple(square + 1 for square in sorted(move.captured)))
        for move in position.legal_moves
    )


def line(position: Position, answers: list[Answer]) -> str:
    """Return a line of the data file: the FEN, a tab, the moves as ``from-to`` or ``from-to:captured,…``."""
    moves = (
        f"{start}-{end}" + (f":{','.join(map(str, captured))}" if captured else "")
        for start, end, captured in answers
    )
    return f"{position.fen()}\t{' '.join(moves)}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Italian dama: plain rules, kernel and pydraughts")
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    source = positions(random.Random(options.seed))
    asked = [next(source) for _ in range(options.positions)]
    with tempfile.TemporaryDirectory() as folder:
        answers = by_peer(install_peer(folder), asked)
    for position, expected in zip(asked, answers, strict=True):
        for name, found in (("plain rules", by_plain_rules), ("kernel", by_kernel)):
            if found(position) != expected:
                raise SystemExit(f"{position.fen()}: {name} {found(position)}, pydraughts {expected}")
    captures = sum(1 for moves in answers if moves[0][2])
    print(f"{len(asked):,} positions, {captures:,} with captures: plain rules, kernel and pydraughts agree")
    if options.write is not None:
        lines = [line(position, moves) for position, moves in zip(asked, answers, strict=True)]
        options.write.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
