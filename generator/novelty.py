"""What makes a puzzle a new one among those known already (11).

Not the same up to mirror and colours, not the same skeleton, no board that looks alike, one of a source game.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from dama import Position
from dama.likeness import Placement, likeness, mirrored, placement
from generator.pool import PoolError, read_objects

ALIKE: Final = 0.8
"""Likeness from which on two boards are too much alike."""

DUPLICATE: Final = "duplicate"
SAME_SKELETON: Final = "same skeleton"
LOOK_ALIKE: Final = "look-alike"
SAME_GAME: Final = "same game"


@dataclass(frozen=True, slots=True)
class Traits:
    """What a puzzle is compared by."""

    id: str
    skeleton: str
    placement: Placement
    game: str | None

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """Return the traits that a record names; raises ValueError when it names no such thing."""
        match fields:
            case {"id": str(name), "rules": str(rules), "fen": str(fen), "skeleton": str(skeleton)}:
                position, game = Position.from_fen(fen, rules), fields.get("game")
                if not position.rules.grid.is_full:
                    raise ValueError(f"rules: {rules!r}; expected rules for the board of 64 squares")
                if game is None or isinstance(game, str):
                    return cls(name, skeleton, placement(position), game)
                raise ValueError("game: expected a text, or null")
        raise ValueError("expected a record with id, rules, fen and skeleton")


class Known:
    """The puzzles known so far."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._skeletons: set[str] = set()
        self._games: set[str] = set()
        self._placements: list[Placement] = []

    @classmethod
    def read(cls, paths: Iterable[Path]) -> Self:
        """Return what the files hold, one record a line; raises PoolError and OSError."""
        known = cls()
        for path in paths:
            for where, _, fields in read_objects(path):
                try:
                    known.add(Traits.of(fields))
                except ValueError as error:
                    raise PoolError(f"{where}: {error}") from error
        return known

    def add(self, traits: Traits) -> None:
        """Know one more puzzle."""
        self._ids.add(traits.id)
        self._skeletons.add(traits.skeleton)
        self._placements.append(traits.placement)
        if traits.game is not None:
            self._games.add(traits.game)

    def refusal(self, traits: Traits) -> str | None:
        """Return why a puzzle is not new, or None when it is."""
        if traits.id in self._ids:
            return DUPLICATE
        if traits.game in self._games:
            return SAME_GAME
        if traits.skeleton in self._skeletons:
            return SAME_SKELETON
        if self._has_alike(traits.placement):
            return LOOK_ALIKE
        return None

    def _has_alike(self, one: Placement) -> bool:
        seen = (one, mirrored(one))
        return any(likeness(form, other) >= ALIKE for other in self._placements for form in seen)
