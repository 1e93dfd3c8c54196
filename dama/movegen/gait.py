"""How a piece goes: where it steps and what it jumps, along the lines of its board."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dama.pieces import Color
from dama.squares import Grid, bit

Ray = tuple[int, ...]
"""The squares in one direction, nearest first, up to the edge of the board."""


class Jump(NamedTuple):
    """A single jump: in which direction, over which square and where to."""

    direction: int
    victim: int
    landing: int


class Gait:
    """The steps and jumps of one kind of piece from every square.

    A piece that flies moves over any number of free squares, and jumps from any distance to any free square
    up to the next piece. Any other steps to the next square, or jumps what stands there to the one beyond.
    """

    def __init__(self, lines: "Lines", directions: Sequence[int], *, flies: bool) -> None:
        self.opposite = lines.opposite
        step, jump = (None, None) if flies else (1, 2)
        ways = [[(direction, square[direction]) for direction in directions] for square in lines.rays]
        self._steps = [[ray[:step] for _, ray in each if ray] for each in ways]
        self._jumps = [[(direction, ray[:jump]) for direction, ray in each if len(ray) > 1] for each in ways]
        self._next = [sum(bit(ray[0]) for ray in each) for each in self._steps]
        self.reach = [sum(bit(square) for _, ray in each for square in ray[:-1]) for each in self._jumps]
        """For every square, where the pieces stand that can be jumped from there."""

    def can_step(self, pieces: int, occupied: int) -> bool:
        """Tell whether any of these pieces can move without capturing."""
        while pieces:
            lowest = pieces & -pieces
            if self._next[lowest.bit_length() - 1] & ~occupied:
                return True
            pieces ^= lowest
        return False

    def steps(self, square: int, occupied: int) -> Iterator[int]:
        """Yield where a piece on this square can move without capturing."""
        for ray in self._steps[square]:
            for target in ray:
                if occupied >> target & 1:
                    break
                yield target

    def jumps(self, square: int, occupied: int, prey: int) -> Iterator[Jump]:
        """Yield every jump from this square: over the first piece on a line, if it is one of the ``prey``."""
        for direction, ray in self._jumps[square]:
            victim = None
            for target in ray:
                if not occupied >> target & 1:
                    if victim is not None:
                        yield Jump(direction, victim, target)
                elif victim is not None or not prey >> target & 1:
                    break
                else:
                    victim = target


class Lines:
    """The lines of a board in each direction, and how men and kings go along them.

    ``directions`` are the (file, rank) from one square to the next; ``men`` says for each side by their index
    in which of them its men go. Kings go in all.
    """

    def __init__(
        self, grid: Grid, directions: Sequence[tuple[int, int]], men: Mapping[Color, Sequence[int]]
    ) -> None:
        self.rays = tuple(
            tuple(_ray(grid, square, direction) for direction in directions) for square in range(grid.count)
        )
        self.opposite = tuple(directions.index((-file, -rank)) for file, rank in directions)
        self.men = {color: Gait(self, ways, flies=False) for color, ways in men.items()}
        everywhere = range(len(directions))
        self.flying_kings = Gait(self, everywhere, flies=True)
        self.walking_kings = Gait(self, everywhere, flies=False)


def _ray(grid: Grid, square: int, direction: tuple[int, int]) -> Ray:
    (file, rank), (file_step, rank_step) = grid.place(square), direction
    squares = []
    while (target := grid.square_at(file := file + file_step, rank := rank + rank_step)) is not None:
        squares.append(target)
    return tuple(squares)
