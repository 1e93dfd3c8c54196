"""A proof as the walker on a page reads it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dama import Move, Position
from dama.proof import Proof


def proof_json(
    proof: Proof, previous: Move | None, tries: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """Return the tree with each of its moves in full; ``previous`` is the move that led to its root.

    ``tries`` are wrong first moves with lines of their own, whose moves come along.
    """
    plies = {" ".join(line): move.json() for line, move in proof.lines()}
    for first, line in (tries or {}).items():
        plies |= {" ".join(shown): move.json() for shown, move in _moves(proof.position, (first, *line))}
    return {
        "fen": proof.position.fen(),
        "turn": proof.position.turn.value,
        "moves": proof.moves,
        "previous": None if previous is None else previous.json(),
        "root": proof.root,
        "plies": plies,
    }


def _moves(position: Position, line: Sequence[str]) -> Iterator[tuple[Sequence[str], Move]]:
    for place, text in enumerate(line, 1):
        move = position.parse_move(text)
        yield line[:place], move
        position = position.after(move)
