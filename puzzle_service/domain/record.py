"""Puzzle records: the lines that a generator writes and an import reads, checked by the plain rules."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from dama import Move, Position
from dama.proof import Proof
from dama.soundness import duals
from dama.symmetry import puzzle_id

SCHEMA: Final = 1
MOVES: Final = (2, 3)
LONGEST: Final = 64
MOST_THEMES: Final = 16
HARDEST: Final = 1e6
SHOWN: Final = 60
"""Characters of a wrong value that a message repeats."""

Check = Callable[[Proof], None]

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
    themes: tuple[str, ...]
    source: str
    generator: str
    seed: str
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
    if position.fen() != fields["fen"]:
        raise RecordError(f"fen: {_clip(fields['fen'])}; expected board order: {position.fen()!r}")
    if fields["id"] != puzzle_id(position):
        raise RecordError(f"id: {_clip(fields['id'])}; expected {puzzle_id(position)!r}")
    proof = Proof.from_json(position, fields["moves"], fields["proof"])
    check(proof)
    if proof.keys != (fields["key"],):
        raise RecordError(f"key: {_clip(fields['key'])}; the proof has {', '.join(proof.keys)}")
    if fields["first_moves"] != len(position.legal_moves):
        found = _clip(fields["first_moves"])
        raise RecordError(f"first_moves: {found}; expected {len(position.legal_moves)}")
    for defect in duals(proof):
        raise RecordError(defect)
    return Record(
        previous_fen=previous.fen(),
        previous_move=str(previous_move),
        proof=proof,
        themes=tuple(fields["themes"]),
        difficulty=float(fields["difficulty"]),
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
        raise RecordError(f"schema: {_clip(fields.get('schema'))}; expected {SCHEMA}")
    for name, kind in _FIELDS.items():
        value = fields.get(name)
        # True is an int to Python, not to whoever wrote the line.
        if not isinstance(value, kind) or isinstance(value, bool):
            raise RecordError(f"{name}: {_clip(value)}; expected {_named(kind)}")
    if fields["moves"] not in MOVES:
        raise RecordError(f"moves: {_clip(fields['moves'])}; expected one of {', '.join(map(str, MOVES))}")
    # Compared, not converted: JSON has whole numbers that no float holds.
    if not abs(fields["difficulty"]) <= HARDEST:
        raise RecordError(f"difficulty: {_clip(fields['difficulty'])}; expected at most {HARDEST} either way")
    if len(fields["themes"]) > MOST_THEMES:
        raise RecordError(f"themes: {len(fields['themes'])} of them; expected at most {MOST_THEMES}")
    for name in ("source", "generator", "seed"):
        _check_text(name, str(fields[name]))
    for theme in fields["themes"]:
        _check_text("themes", theme)
    return fields


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.isprintable() or len(value) > LONGEST:
        raise RecordError(f"{name}: {_clip(value)}; expected at most {LONGEST} printable characters")


def _clip(value: object) -> str:
    """Return a value as it may be shown: on one line, and not all of a long one."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _named(kind: type | tuple[type, ...]) -> str:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return " or ".join(one.__name__ for one in kinds)


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
