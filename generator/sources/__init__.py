"""Where candidates come from: each source is an endless seeded stream of positions, behind one interface."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Protocol

from dama import Color, Move, Position, Ruleset


@dataclass(frozen=True, slots=True)
class Before:
    """The position before a candidate and the defender's move that led from there to it."""

    position: Position
    move: Move

    def swapped(self) -> "Before":
        """Return the same with colours swapped."""
        return Before(self.position.swapped(), self.move.swapped())


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position that may be a puzzle, White to move, and what its source knows about its past."""

    position: Position
    source: str
    before: Before | None = None
    """The move really played; None for a position that was composed."""
    game: int | None = None
    """Which of the source's games it comes from; None for a position of no game."""

    def seen_by_white(self) -> "Candidate":
        """Return the candidate with White to move, colours swapped if need be."""
        if self.position.turn is Color.WHITE:
            return self
        return Candidate(
            self.position.swapped(), self.source, self.before and self.before.swapped(), self.game
        )


class Source(Protocol):
    """A way to come by candidates."""

    @property
    def name(self) -> str:
        """The name kept in a puzzle's record."""

    def candidates(self, rng: Random, rules: Ruleset) -> Iterator[Candidate]:
        """Yield candidates without end; the same generator state gives the same ones."""
