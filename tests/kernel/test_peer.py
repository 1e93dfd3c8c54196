"""Italian positions with the answers of another program, pydraughts, whose rules are not ours.

The file was written by ``bench/italian.py``; each line is a FEN, a tab and the legal moves as ``from-to``,
with ``:captured,…`` for captures.
"""

from pathlib import Path

from dama import Position, kernel
from dama.squares import DIAGONAL, squares_in

FILE = Path(__file__).parents[1] / "data" / "italian_moves.tsv"


def _text(start: int, end: int, captured: int) -> str:
    name = DIAGONAL.name
    taken = ",".join(name(square) for square in squares_in(captured))
    return f"{name(start)}-{name(end)}" + (f":{taken}" if taken else "")


def test_kernel_and_plain_rules_know_the_moves_that_another_program_knows() -> None:
    captures = 0
    for line in FILE.read_text(encoding="utf-8").splitlines():
        fen, moves = line.split("\t")
        position, expected = Position.from_fen(fen, "italian"), set(moves.split())
        assert {_text(*move) for move in kernel.moves(position)} == expected, fen
        assert {_text(*kernel.triple(move)) for move in position.legal_moves} == expected, fen
        captures += ":" in moves
    assert captures > 300
