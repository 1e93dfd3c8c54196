"""Records: what the generator writes down about a puzzle, one JSON object a line."""

import json
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from dama.symmetry import puzzle_id
from generator.examination import Puzzle

SCHEMA: Final = 2
GENERATOR: Final = f"dama-generate {version('dama-daily')}"


@dataclass(frozen=True, slots=True)
class Record:
    """A puzzle with all that the site needs to judge, answer and explain it."""

    id: str
    moves: int
    line: str
    """The JSON text, without a line feed."""


def write_record(puzzle: Puzzle, seed: int, chunk: int) -> Record:
    """Return the record of a puzzle found in a chunk of the run with this seed."""
    position, proof = puzzle.proof.position, puzzle.proof
    identity = puzzle_id(position)
    fields = {
        "schema": SCHEMA,
        "id": identity,
        "rules": position.rules.name,
        "fen": position.fen(),
        "previous": {"fen": puzzle.before.position.fen(), "move": str(puzzle.before.move)},
        "moves": proof.moves,
        "key": proof.key,
        "proof": proof.root,
        "first_moves": len(position.legal_moves),
        "difficulty": puzzle.difficulty,
        "features": puzzle.features,
        "score": puzzle.score,
        "themes": puzzle.themes,
        "tries": puzzle.tries,
        "checks": {check.name: check.value for check in puzzle.checks},
        "skeleton": puzzle.skeleton,
        "source": puzzle.source,
        # A source counts its games anew in every chunk.
        "game": None if puzzle.game is None else f"{puzzle.source} {seed}-{chunk}-{puzzle.game}",
        "generator": GENERATOR,
        "seed": seed,
    }
    line = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
    return Record(identity, proof.moves, line)
