"""Puzzle records: the lines that a generator writes and an import reads, checked by the plain rules."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from dama import Move, Position
from dama.proof import Proof, SolverNode
from dama.symmetry import puzzle_id

SCHEMA: Final = 1
MOVES: Final = (2, 3)
LONGEST: Final = 64

_FIELDS: Final[dict[str, type | tuple[type, ...]]] = {
    "id": str,
    "rules": str,
    "fen": str,
    "previous": dict,
    "moves": int,
    "key": str,
    "proof": dict,
    "first_moves": int,
    "difficulty": (int, float),
    "themes": list,
    "source": str,
    "generator": str,
    "seed": (int, str),
}


class RecordError(ValueError):
    """A line that is no sound puzzle; the message says what is wrong with it."""


@dataclass(frozen=True)
class Record:
    """A puzzle as it came in: its fields as they were written, and the proof they hold."""

    id: str
    rules: str
    fen: str
    previous_fen: str
    previous_move: str
    moves: int
    key: str
    first_moves: int
    difficulty: float
    themes: tuple[str, ...]
    source: str
    generator: str
    seed: str
    proof: Proof


def parse(line: str | bytes) -> Record:
    """Return the record in a line of JSON, its proof walked by the plain rules but not searched again.

    Raises RecordError, also for a puzzle with two keys, a second winning later move, or last moves that
    differ in more than where they land; and ProofError for a proof that proves something else.
    """
    fields = _fields(line)
    try:
        position = Position.from_fen(fields["fen"], fields["rules"])
        _check_previous(position, fields["previous"])
    except ValueError as error:
        raise RecordError(str(error)) from error
    if position.fen() != fields["fen"]:
        raise RecordError(f"fen: {fields['fen']!r}; expected board order: {position.fen()!r}")
    if fields["id"] != puzzle_id(position):
        raise RecordError(f"id: {fields['id']!r}; expected {puzzle_id(position)!r}")
    proof = Proof.from_json(position, fields["moves"], fields["proof"])
    proof.walk()
    if proof.keys != (fields["key"],):
        raise RecordError(f"key: {fields['key']!r}; the proof has {', '.join(proof.keys)}")
    if fields["first_moves"] != len(position.legal_moves):
        raise RecordError(f"first_moves: {fields['first_moves']}; expected {len(position.legal_moves)}")
    for defect in duals(proof):
        raise RecordError(defect)
    return Record(
        previous_fen=fields["previous"]["fen"],
        previous_move=fields["previous"]["move"],
        proof=proof,
        themes=tuple(fields["themes"]),
        difficulty=float(fields["difficulty"]),
        seed=str(fields["seed"]),
        **{name: fields[name] for name in ("id", "rules", "fen", "moves", "key", "first_moves")},
        **{name: fields[name] for name in ("source", "generator")},
    )


def duals(proof: Proof) -> Iterator[str]:
    """Yield what makes a proved win no puzzle: a second winning move, or last moves that differ too much."""
    for position, left, node in proof.solver_nodes():
        wins = list(node["wins"])
        if left > 1 and len(wins) > 1 and not _ends_game(node):
            yield f"{position.fen()}: {', '.join(wins)} all win within {left}; expected one move"
        if _ends_game(node) and len({_kind(position.parse_move(text)) for text in wins}) > 1:
            yield f"{position.fen()}: {', '.join(wins)} differ in the piece that moves or what it takes"


def _ends_game(node: SolverNode) -> bool:
    return all(not answers for answers in node["wins"].values())


def _kind(move: Move) -> tuple[int, frozenset[int]]:
    return move.origin, move.captured


def _fields(line: str | bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise RecordError("expected a JSON object")
    if fields.get("schema") != SCHEMA:
        raise RecordError(f"schema: {fields.get('schema')!r}; expected {SCHEMA}")
    for name, kind in _FIELDS.items():
        value = fields.get(name)
        # True is an int to Python, not to whoever wrote the line.
        if not isinstance(value, kind) or isinstance(value, bool):
            raise RecordError(f"{name}: {str(value)[:40]!r}; expected {_named(kind)}")
    if fields["moves"] not in MOVES:
        raise RecordError(f"moves: {fields['moves']}; expected one of {', '.join(map(str, MOVES))}")
    if not math.isfinite(fields["difficulty"]):
        raise RecordError(f"difficulty: {fields['difficulty']}; expected a finite number")
    for name in ("source", "generator", "seed"):
        _check_text(name, str(fields[name]))
    for theme in fields["themes"]:
        _check_text("themes", theme)
    return fields


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.isprintable() or len(value) > LONGEST:
        raise RecordError(f"{name}: {str(value)[:40]!r}; expected at most {LONGEST} printable characters")


def _named(kind: type | tuple[type, ...]) -> str:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return " or ".join(one.__name__ for one in kinds)


def _check_previous(position: Position, previous: dict[str, Any]) -> None:
    """Check that the puzzle arises by a legal move of the defender."""
    fen, text = previous.get("fen"), previous.get("move")
    if not (isinstance(fen, str) and isinstance(text, str)):
        raise RecordError("previous: expected fen and move")
    before = Position.from_fen(fen, position.rules)
    if defects := before.status():
        raise RecordError(f"previous: {', '.join(defects)}")
    if before.play(text) != position:
        raise RecordError(f"previous: {text} in {fen} leads to {before.play(text).fen()}")
