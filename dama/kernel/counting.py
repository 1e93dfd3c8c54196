"""Perft by any rules: how many lines of a given length the legal moves make."""

import numpy as np

from dama.kernel.bits import ONE, TWO, ZERO
from dama.kernel.compiler import compiled, u8, work_array
from dama.kernel.orthogonal_lines import orthogonal_lines
from dama.kernel.rules import legal_moves, played
from dama.kernel.workspace import ENEMY_KINGS, ENEMY_MEN, KINGS, LIMIT, MEN, MIXED, MOVES, RULES, Work

U = np.uint64


@compiled(u8(work_array, u8, u8, u8, u8, u8, u8, u8))
def _mixed_lines(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, depth: U) -> U:
    end = legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    if depth == ONE:
        return (end - at) >> ONE
    lines = ZERO
    cell = at
    while cell < end:
        a, b, c, d = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        lines += _mixed_lines(work, end, a, b, c, d, rules, depth - ONE)
        cell += TWO
    return lines


@compiled(u8(work_array), entry=True)
def count_lines(work: Work) -> U:
    """Count the lines of the workspace's position, LIMIT plies long."""
    men, kings, enemy_men, enemy_kings = work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS]
    rules, depth = work[RULES], work[LIMIT]
    if rules & MIXED != ZERO and depth != ZERO:
        return _mixed_lines(work, MOVES, men, kings, enemy_men, enemy_kings, rules, depth)
    return orthogonal_lines(work, MOVES, men, kings, enemy_men, enemy_kings, rules, depth)
