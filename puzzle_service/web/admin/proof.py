"""A proof as the walker on a page reads it."""

from typing import Any

from dama import Move
from dama.proof import Proof


def proof_json(proof: Proof, previous: Move | None) -> dict[str, Any]:
    """Return the tree with each of its moves in full; ``previous`` is the move that led to its root."""
    return {
        "fen": proof.position.fen(),
        "turn": proof.position.turn.value,
        "moves": proof.moves,
        "previous": None if previous is None else previous.json(),
        "root": proof.root,
        "plies": {" ".join(line): move.json() for line, move in proof.lines()},
    }
