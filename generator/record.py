"""Records: what the generator writes down about a puzzle, one JSON object a line."""

import json
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from dama.proof import Proof
from dama.symmetry import puzzle_id
from generator.difficulty import difficulty
from generator.sources import Before
from generator.themes import themes_of

SCHEMA: Final = 1
GENERATOR: Final = f"dama-generate {version('dama-daily')}"


@dataclass(frozen=True, slots=True)
class Record:
    """A puzzle with all that the site needs to judge, answer and explain it."""

    id: str
    moves: int
    line: str
    """The JSON text, without a line feed."""


def write_record(proof: Proof, before: Before, source: str, seed: int) -> Record:
    """Return the record of a proved puzzle, White to move, and the defender's move before it."""
    position = proof.position
    identity = puzzle_id(position)
    fields = {
        "schema": SCHEMA,
        "id": identity,
        "rules": position.rules.name,
        "fen": position.fen(),
        "previous": {"fen": before.position.fen(), "move": str(before.move)},
        "moves": proof.moves,
        "key": proof.key,
        "proof": proof.root,
        "first_moves": len(position.legal_moves),
        "difficulty": difficulty(position, proof.moves),
        "themes": themes_of(proof),
        "source": source,
        "generator": GENERATOR,
        "seed": seed,
    }
    line = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
    return Record(identity, proof.moves, line)
