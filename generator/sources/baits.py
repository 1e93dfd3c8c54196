"""Baits: men that a black king could go on to capture if it might turn back, the making of 180° traps."""

from itertools import pairwise

from dama.movegen.orthogonal import RAYS
from dama.squares import bit


def bait_squares(start: int, end: int, occupied: int) -> list[int]:
    """Return where a bait for a king whose last jump led from ``start`` to ``end`` can stand.

    That is beyond ``start``, as seen from ``end``, with a free square behind. ``occupied`` are the squares of
    all pieces after the capture.
    """
    back = next(ray for ray in RAYS[end] if start in ray)
    squares = []
    for square, behind in pairwise(back[back.index(start) + 1 :]):
        if occupied & (bit(square) | bit(behind)):
            break
        squares.append(square)
    return squares
