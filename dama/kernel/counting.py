"""Perft on bitboards: how many lines of a given length the legal moves make."""

import numpy as np

from dama.kernel import rules as any_rules
from dama.kernel.bits import ONE, TWO, ZERO
from dama.kernel.compiler import compiled, u8, work_array
from dama.kernel.orthogonal import count_moves, legal_moves, played
from dama.kernel.workspace import ENEMY_KINGS, ENEMY_MEN, KINGS, LIMIT, MEN, MIXED, MOVES, RULES, Work

U = np.uint64


@compiled(u8(work_array, u8, u8, u8, u8, u8, u8, u8))
def _lines(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, depth: U) -> U:
    if depth == ZERO:
        return ONE
    if depth == ONE:
        return count_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    end = legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    lines = ZERO
    cell = at
    while cell < end:
        own, crowned, other, others = played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
        if depth == TWO:
            lines += count_moves(work, end, own, crowned, other, others, rules)
        else:
            lines += _lines(work, end, own, crowned, other, others, rules, depth - ONE)
        cell += TWO
    return lines


@compiled(u8(work_array, u8, u8, u8, u8, u8, u8, u8))
def _mixed_lines(work: Work, at: U, men: U, kings: U, enemy_men: U, enemy_kings: U, rules: U, depth: U) -> U:
    end = any_rules.legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    if depth == ONE:
        return (end - at) >> ONE
    lines = ZERO
    cell = at
    while cell < end:
        a, b, c, d = any_rules.played(work[cell], work[cell + ONE], men, kings, enemy_men, enemy_kings)
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
    return _lines(work, MOVES, men, kings, enemy_men, enemy_kings, rules, depth)
