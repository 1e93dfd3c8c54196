"""Moves: one side's turn, its whole capture series included."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypedDict

from dama.squares import ORTHOGONAL, Grid

Path = tuple[int, ...]
Place = tuple[int, int]
"""File and rank."""

MoveJson = TypedDict(
    "MoveJson",
    {"move": str, "from": str, "to": str, "captured": list[str], "promotes": bool, "paths": list[list[str]]},
)


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A legal move: where from, where to, and which pieces it takes.

    Two moves are the same when these three are; ``paths`` holds every way to play it, the one to show first.
    Squares are integers, in the board order of ``grid`` (a1 = 0).

    >>> from dama import Position
    >>> move = Position.from_fen("W:Wb3:Bb4,c5").parse_move("b3xd5")
    >>> str(move), move.path, sorted(move.captured), move.promotes, move.paths
    ('b3xb5xd5', (17, 33, 35), [25, 34], False, ((17, 33, 35),))
    """

    paths: tuple[Path, ...]
    captured: frozenset[int]
    promotes: bool
    grid: Grid = ORTHOGONAL

    @classmethod
    def from_paths(
        cls, paths: Iterable[Path], captured: frozenset[int], *, promotes: bool, grid: Grid = ORTHOGONAL
    ) -> "Move":
        """Return the move that any of these equivalent paths plays."""
        in_order = tuple(paths)
        if len(in_order) > 1:
            in_order = tuple(sorted(in_order, key=lambda path: _display_order(path, grid)))
        return cls(in_order, captured, promotes, grid)

    @property
    def path(self) -> Path:
        """The squares visited, first and last included, along the path to show."""
        return self.paths[0]

    @property
    def origin(self) -> int:
        """The square the piece leaves."""
        return self.paths[0][0]

    @property
    def target(self) -> int:
        """The square the piece ends on."""
        return self.paths[0][-1]

    @property
    def board_order(self) -> tuple[int, int, Path]:
        """Sort key by which the legal moves of a position are listed: from, to, then the path shown."""
        path = self.paths[0]
        return path[0], path[-1], path

    def capture_order(self, path: Path) -> Path:
        """Return the captured squares in the order in which this path jumps them."""
        order: list[int] = []
        for start, end in pairwise(path):
            # A leg may cross the square of a piece that is already gone, but jumps exactly one that is not.
            order.extend(
                square
                for square in self.captured
                if square not in order and _lies_between(*map(self.grid.place, (square, start, end)))
            )
        return tuple(order)

    def json(self) -> MoveJson:
        """Return the move as plain JSON values, squares by name."""
        return {
            "move": str(self),
            "from": self.grid.name(self.origin),
            "to": self.grid.name(self.target),
            "captured": [self.grid.name(square) for square in sorted(self.captured)],
            "promotes": self.promotes,
            "paths": [[self.grid.name(square) for square in path] for path in self.paths],
        }

    def mirrored(self) -> "Move":
        """Return the move in the left–right mirrored position; ValueError on the diagonal board."""
        return self._on_other_squares(self.grid.mirrored_square)

    def swapped(self) -> "Move":
        """Return the move in the position with colours swapped."""
        return self._on_other_squares(self.grid.swapped_square)

    def _on_other_squares(self, other: Callable[[int], int]) -> "Move":
        return Move.from_paths(
            (tuple(map(other, path)) for path in self.paths),
            frozenset(map(other, self.captured)),
            promotes=self.promotes,
            grid=self.grid,
        )

    def __str__(self) -> str:
        names = self.grid.names
        return ("x" if self.captured else "-").join([names[square] for square in self.paths[0]])

    def __repr__(self) -> str:
        return f"<Move {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.origin == other.origin and self.target == other.target and self.captured == other.captured

    def __hash__(self) -> int:
        return hash((self.origin, self.target, self.captured))


def _display_order(path: Path, grid: Grid) -> tuple[list[int], list[str]]:
    """Sort key of equivalent paths: the smallest leg lengths first, then the alphabet."""
    legs = [_length(grid.place(start), grid.place(end)) for start, end in pairwise(path)]
    return legs, [grid.name(square) for square in path]


def _length(start: Place, end: Place) -> int:
    """Return how many squares a straight leg goes."""
    return max(abs(end[0] - start[0]), abs(end[1] - start[1]))


def _lies_between(place: Place, start: Place, end: Place) -> bool:
    """Tell whether a place is on the straight leg between two others."""
    steps, whole = _length(start, place), _length(start, end)
    return 0 < steps < whole and all(
        (there - here) * steps == (middle - here) * whole
        for middle, here, there in zip(place, start, end, strict=True)
    )
