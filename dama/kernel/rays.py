"""The rays of both grids: what a piece sees from a square in a direction, and the jump of a king."""

import numpy as np
import numpy.typing as npt

from dama.kernel.bits import LAST_SQUARE, ONE, THREE, TWO, ZERO, leading_zeros, lowest
from dama.kernel.compiler import inlined

U = np.uint64


def _rays() -> npt.NDArray[np.uint64]:
    rays = np.zeros((8, 64), dtype=np.uint64)
    orthogonal = {(square % 8, square // 8): square for square in range(64)}
    diagonal = {(square % 4 * 2 + square // 4 % 2, square // 4): square for square in range(32)}
    straight, slanting = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((-1, 1), (1, 1), (1, -1), (-1, -1))
    for first, squares, steps in ((0, orthogonal, straight), (4, diagonal, slanting)):
        for direction, (files, ranks) in enumerate(steps, first):
            for place, square in squares.items():
                file, rank = place[0] + files, place[1] + ranks
                while (file, rank) in squares:
                    rays[direction, square] |= np.uint64(1 << squares[file, rank])
                    file, rank = file + files, rank + ranks
    return rays


RAYS = _rays()
"""RAYS[direction, square]: the squares beyond it. Orthogonal are up 0, right 1, down 2, left 3, diagonal up
left 4, up right 5, down right 6, down left 7. Opposites differ by two; the nearest square is the lowest bit
for the first two directions of a grid, the highest for the others."""


@inlined
def nearest(direction: U, squares: U) -> U:
    """Return the first square of a ray's part; it must not be empty."""
    return lowest(squares) if direction & THREE < TWO else LAST_SQUARE - leading_zeros(squares)


@inlined
def reach(square: U, direction: U, occupied: U) -> U:
    """Return the free squares from a square up to the next piece."""
    ray: U = RAYS[direction, square]
    blockers = ray & occupied
    if blockers == ZERO:
        return ray
    blocker = nearest(direction, blockers)
    beyond: U = RAYS[direction, blocker]
    return ray ^ beyond ^ (ONE << blocker)


@inlined
def king_jump(square: U, direction: U, occupied: U, enemy: U) -> tuple[U, U]:
    """Return the piece a king jumps in a direction and the squares where it may land; no squares, no jump."""
    blockers = RAYS[direction, square] & occupied
    if blockers == ZERO:
        return ZERO, ZERO
    blocker = nearest(direction, blockers)
    victim = ONE << blocker
    if victim & enemy == ZERO:
        return ZERO, ZERO
    return victim, reach(blocker, direction, occupied)
