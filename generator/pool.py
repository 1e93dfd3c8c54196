"""Pools: files of records as this program writes them, read line by line."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any, Final

from dama import Position
from dama.proof import Proof
from generator.quality import MOVES_TO_WIN
from generator.record import SCHEMA
from generator.themes import THEMES

_KINDS: Final[dict[str, type | tuple[type, ...]]] = {
    "id": str,
    "rules": str,
    "fen": str,
    "moves": int,
    "key": str,
    "proof": dict,
    "first_moves": int,
    "difficulty": (int, float),
    "features": dict,
    "score": (int, float),
    "themes": list,
    "tries": dict,
    "checks": dict,
    "skeleton": str,
    "source": str,
    "game": (str, NoneType),
}
_HIGHEST: Final = 1e6
"""More than any difficulty or score; beyond it may lie infinity, and whole numbers that no float holds."""
_LONGEST: Final = 2**20
"""Bytes of a line; a record has some thousands."""


class PoolError(ValueError):
    """A line that is no record of this program; the message names file, line and what was expected."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle of a pool: what its record says, and the line that says it."""

    where: str
    """File and line, for messages."""
    line: str
    id: str
    position: Position
    moves: int
    difficulty: float
    score: float
    themes: tuple[str, ...]
    skeleton: str
    source: str
    game: str | None
    fields: dict[str, Any]
    """All that the record holds."""

    def proof(self) -> Proof:
        """Return the proof; raises dama.proof.ProofError when it has another shape."""
        return Proof.from_json(self.position, self.moves, self.fields["proof"])


def read_pools(paths: Iterable[Path]) -> Iterator[Entry]:
    """Yield the puzzles of the files in order; raises PoolError, and OSError when a file cannot be read."""
    for path in paths:
        for where, line, fields in read_objects(path):
            yield read_entry(where, line, fields)


def read_objects(path: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield (file and line, text, JSON object) of every line that is a record by its schema.

    Empty lines do not count. Raises PoolError at the first line that is none, and OSError.
    """
    with path.open("rb") as file:
        for number, raw in enumerate(iter(lambda: file.readline(_LONGEST), b""), start=1):
            where = f"{path}, line {number}"
            if len(raw) == _LONGEST:
                raise PoolError(f"{where}: longer than {_LONGEST:,} bytes; expected a puzzle's record")
            try:
                # Some editors begin a file with a mark, and files put together have it inside.
                line = raw.decode("utf-8-sig").strip()
                fields = json.loads(line) if line else None
            except (ValueError, RecursionError) as error:
                raise PoolError(f"{where}: no JSON: {error}") from error
            if not line:
                continue
            if not isinstance(fields, dict) or fields.get("schema") != SCHEMA:
                raise PoolError(f"{where}: expected a puzzle's record of schema {SCHEMA}")
            yield where, line, fields


def read_entry(where: str, line: str, fields: dict[str, Any]) -> Entry:
    """Return the puzzle that a record holds; raises PoolError when a field is missing or of another kind."""
    for name, kind in _KINDS.items():
        if not isinstance(fields.get(name), kind) or not _is_usable(name, fields.get(name)):
            raise PoolError(f"{where}: the record has no {name} as this program writes it")
    try:
        position = Position.from_fen(fields["fen"], fields["rules"])
    except ValueError as error:
        raise PoolError(f"{where}: {error}") from error
    if not position.rules.grid.is_full:
        raise PoolError(f"{where}: rules: {fields['rules']!r}; expected rules for the board of 64 squares")
    return Entry(
        where=where,
        line=line,
        id=fields["id"],
        position=position,
        moves=fields["moves"],
        difficulty=fields["difficulty"],
        score=fields["score"],
        themes=tuple(fields["themes"]),
        skeleton=fields["skeleton"],
        source=fields["source"],
        game=fields.get("game"),
        fields=fields,
    )


def _is_usable(name: str, value: Any) -> bool:
    """Tell whether a value of the right kind is one that can be counted with, ordered and shown."""
    usable = True
    match name:
        case "moves":
            usable = value in MOVES_TO_WIN
        case "themes":
            usable = all(isinstance(theme, str) and theme in THEMES for theme in value)
        case "difficulty" | "score":
            usable = abs(value) <= _HIGHEST
    return usable and (not isinstance(value, str) or value.isprintable())
