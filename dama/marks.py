"""What a diagram points out, and the shape that each mark has: told apart without colour."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dama.move import Move

Squares = frozenset[int]

SHAPES: Final = {
    "origin": '<rect x="5" y="5" width="90" height="90" rx="10"/>',
    "target": '<circle cx="50" cy="50" r="15"/>',
    "landing": '<circle cx="50" cy="50" r="12"/>',
    "captured": '<path d="M24 24L76 76M76 24L24 76"/>',
    "forbidden": '<circle cx="50" cy="50" r="24"/><path d="M33 33L67 67"/>',
}
"""Each mark in a square of 100 units: a frame, a full dot, a ring, a cross, and a ring with a bar."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The squares to point out on a diagram.

    >>> from dama import Position
    >>> marks = Marks.of(Position.from_fen("W:Wb3:Bb4,c5").legal_moves)
    >>> sorted(marks.origins), sorted(marks.landings), sorted(marks.targets), sorted(marks.captured)
    ([17], [33], [35], [25, 34])
    """

    origins: Squares = frozenset()
    """Where moves begin."""
    targets: Squares = frozenset()
    """Where moves end."""
    landings: Squares = frozenset()
    """Where a capturing piece comes down on its way."""
    captured: Squares = frozenset()
    forbidden: Squares = frozenset()
    """Where a move may not end."""

    @classmethod
    def of(cls, moves: Iterable[Move], forbidden: Iterable[int] = ()) -> "Marks":
        """Return the marks of moves, each along the path shown first, and of ends that are forbidden."""
        moves = tuple(moves)
        return cls(
            origins=frozenset(move.origin for move in moves),
            targets=frozenset(move.target for move in moves),
            landings=frozenset(square for move in moves for square in move.path[1:-1]),
            captured=frozenset(square for move in moves for square in move.captured),
            forbidden=frozenset(forbidden),
        )

    def by_shape(self) -> tuple[tuple[str, Squares], ...]:
        """Return the squares with the name of their shape, in the order of drawing."""
        return (
            ("origin", self.origins),
            ("captured", self.captured),
            ("landing", self.landings),
            ("target", self.targets),
            ("forbidden", self.forbidden),
        )


def with_halo(shape: str) -> str:
    """Return the elements of a mark: its shape upon a halo, so that it shows on pieces of either colour."""
    return f'<g class="halo">{SHAPES[shape]}</g>{SHAPES[shape]}'


def mark_svg(shape: str) -> str:
    """Return one mark alone as a small ``<svg>`` element without words, for a legend beside it."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="legend" viewBox="0 0 100 100" aria-hidden="true">'
        f'<g class="mark {shape}">{with_halo(shape)}</g></svg>'
    )
