"""Puzzle records: the lines that a generator writes and an import reads, checked by the plain rules."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType
from typing import Any, Final

from dama import Move, Position
from dama.proof import Proof
from dama.soundness import duals
from dama.symmetry import puzzle_id
from puzzle_service.domain import findings
from puzzle_service.domain.fields import RecordError, check_kind, check_number, check_text, clip
from puzzle_service.domain.findings import Findings

SCHEMA: Final = 2
MOVES: Final = (2, 3)

Check = Callable[[Proof], None]

_FIELDS: Final[dict[str, tuple[type, ...]]] = {
    "id": (str,),
    "rules": (str,),
    "fen": (str,),
    "previous": (dict,),
    "moves": (int,),
    "key": (str,),
    "proof": (dict,),
    "first_moves": (int,),
    "difficulty": (int, float),
    "features": (dict,),
    "score": (int, float),
    "themes": (list,),
    "tries": (dict,),
    "checks": (dict,),
    "skeleton": (str,),
    "source": (str,),
    "game": (str, NoneType),
    "generator": (str,),
    "seed": (int, str),
}


@dataclass(frozen=True)
class Record:
    """A puzzle as it came in, and the proof it holds."""

    id: str
    rules: str
    fen: str
    previous_fen: str
    previous_move: str
    moves: int
    key: str
    first_moves: int
    difficulty: float
    score: float
    themes: tuple[str, ...]
    source: str
    generator: str
    seed: str
    findings: Findings
    proof: Proof


def parse(line: str | bytes, check: Check = Proof.walk) -> Record:
    """Return the record in a line of JSON, its texts in the form in which we write them.

    ``check`` walks the proof by the plain rules, and may do more. Raises RecordError, also for a puzzle with
    two keys, a second winning later move, or last moves that differ in more than where they land; and
    ProofError for a proof that proves something else.
    """
    try:
        return _record(_fields(line), check)
    except RecursionError as error:
        raise RecordError("nested too deep") from error


def _record(fields: dict[str, Any], check: Check) -> Record:
    try:
        position = Position.from_fen(fields["fen"], fields["rules"])
        previous, previous_move = _previous(position, fields["previous"])
    except ValueError as error:
        raise RecordError(str(error)) from error
    if not position.rules.grid.is_full:
        raise RecordError(f"rules: {clip(fields['rules'])}; expected rules for the board of 64 squares")
    if position.fen() != fields["fen"]:
        raise RecordError(f"fen: {clip(fields['fen'])}; expected board order: {position.fen()!r}")
    if fields["id"] != puzzle_id(position):
        raise RecordError(f"id: {clip(fields['id'])}; expected {puzzle_id(position)!r}")
    proof = Proof.from_json(position, fields["moves"], fields["proof"])
    check(proof)
    if proof.keys != (fields["key"],):
        raise RecordError(f"key: {clip(fields['key'])}; the proof has {', '.join(proof.keys)}")
    if fields["first_moves"] != len(position.legal_moves):
        found = clip(fields["first_moves"])
        raise RecordError(f"first_moves: {found}; expected {len(position.legal_moves)}")
    for defect in duals(proof):
        raise RecordError(defect)
    return Record(
        previous_fen=previous.fen(),
        previous_move=str(previous_move),
        proof=proof,
        themes=tuple(fields["themes"]),
        difficulty=float(fields["difficulty"]),
        score=float(fields["score"]),
        findings=findings.read(fields, proof),
        seed=str(fields["seed"]),
        **{name: fields[name] for name in ("id", "rules", "fen", "moves", "key", "first_moves")},
        **{name: fields[name] for name in ("source", "generator")},
    )


def _fields(line: str | bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise RecordError("expected a JSON object")
    if fields.get("schema") != SCHEMA:
        raise RecordError(f"schema: {clip(fields.get('schema'))}; expected {SCHEMA}")
    for name, kinds in _FIELDS.items():
        if name not in fields:
            raise RecordError(f"{name} is missing")
        check_kind(name, fields[name], *kinds)
    if fields["moves"] not in MOVES:
        raise RecordError(f"moves: {clip(fields['moves'])}; expected one of {', '.join(map(str, MOVES))}")
    for name in ("difficulty", "score"):
        check_number(name, fields[name])
    for name in ("source", "generator", "seed"):
        check_text(name, str(fields[name]))
    findings.check(fields)
    return fields


def _previous(position: Position, previous: dict[str, Any]) -> tuple[Position, Move]:
    """Return the position before and the legal move of the defender by which the puzzle arises."""
    fen, text = previous.get("fen"), previous.get("move")
    if not (isinstance(fen, str) and isinstance(text, str)):
        raise RecordError("previous: expected fen and move")
    before = Position.from_fen(fen, position.rules)
    if defects := before.status():
        raise RecordError(f"previous: {', '.join(defects)}")
    move = before.parse_move(text)
    after = before.play(move)
    if after != position:
        raise RecordError(f"previous: {move} in {before.fen()} leads to {after.fen()}")
    return before, move
