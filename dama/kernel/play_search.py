"""The search for a move to play: principal variations, deeper and deeper, on bitboards.

Scores are hundredths of a man for the side to move; a game won in so many plies is worth WIN less those.
Capturing is compulsory: while there is something to take, no position is evaluated.
"""

from typing import Any

import numpy as np

from dama.kernel.bits import ONE, TWO, ZERO
from dama.kernel.compiler import (
    array_at,
    compiled,
    i8,
    inlined,
    part,
    pointer_to,
    u8,
    work_array,
    work_pointer,
)
from dama.kernel.evaluation import evaluate
from dama.kernel.ordering import MOVE, bring_best, order_moves, remember_refutation
from dama.kernel.play_path import after_move, clock_tag, is_clock_out, is_repeated, write_path
from dama.kernel.play_space import (
    DEPTH,
    DEPTH_LIMIT,
    LINE,
    LINE_LENGTH,
    LINE_WORDS,
    LINES,
    NODE_LIMIT,
    NOWHERE,
    PAST,
    PLIES,
    QUIET,
    ROOT_END,
    SCORE,
    STOP,
    STOPPED,
)
from dama.kernel.quiescence import NO_SCORE, SURE_WIN, WIN, drawn, settle, value_of_ended
from dama.kernel.rules import legal_moves, played
from dama.kernel.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    bound_of,
    depth_of,
    find,
    keep,
    move_of,
    packed,
    score_of,
    slot_of,
)
from dama.kernel.wins import OPEN, standing
from dama.kernel.workspace import (
    ENEMY_KINGS,
    ENEMY_MEN,
    KINGS,
    MEN,
    MOVES,
    NODES,
    ROOM,
    RULES,
    SIZE,
    Work,
)

U = np.uint64
S = np.int64

NOT_FINISHED = np.int64(0)

NONE = np.int64(0)
PLY = np.int64(1)
LAST_PLY = np.uint64(PLIES)
LONGEST_LINE = np.uint64(LINE)

REDUCED_FROM_DEPTH = np.int64(3)
REDUCED_AFTER = np.uint64(6)
REDUCED_MORE_AFTER = np.uint64(16)
"""Quiet moves after the first three (a move takes two cells), and more so after the first eight, are looked
at less deeply at first."""


@inlined
def _from_here(score: S, ply: U) -> S:
    """Return a score of the search as it is kept: wins are counted from the position itself."""
    if score >= SURE_WIN:
        return score + np.int64(ply)
    return score - np.int64(ply) if score <= -SURE_WIN else score


@inlined
def _from_root(score: S, ply: U) -> S:
    if score >= SURE_WIN:
        return score - np.int64(ply)
    return score + np.int64(ply) if score <= -SURE_WIN else score


@inlined
def _write_line(work: Work, ply: U, word: U, captured: U, window: S) -> None:
    """Put a move before the best line of the next ply, if the window is wide enough for an exact value."""
    if window <= PLY:
        return
    here, below = LINES + ply * LINE_WORDS, LINES + (ply + ONE) * LINE_WORDS
    length = min(work[below] + ONE, LONGEST_LINE)
    work[here] = length
    work[here + ONE] = word & MOVE
    work[here + TWO] = captured
    copied = ONE
    while copied < length:
        cell = TWO * copied
        work[here + cell + ONE] = work[below + cell - ONE]
        work[here + cell + TWO] = work[below + cell]
        copied += ONE


@inlined
def _reduction(depth: S, tried: U, captured: U) -> S:
    if depth < REDUCED_FROM_DEPTH or tried < REDUCED_AFTER or captured != ZERO:
        return NONE
    return PLY + PLY if tried >= REDUCED_MORE_AFTER and depth > REDUCED_FROM_DEPTH + PLY else PLY


@inlined
def _bound(best: S, least: S, enough: S) -> U:
    if best >= enough:
        return AT_LEAST
    return EXACT if best > least else AT_MOST


@inlined
def _is_leaf(work: Work, at: U, depth: S, ply: U, quiet: U) -> U:
    """Return 1 where only the captures that are due are looked at: there is no depth, or no room, left."""
    if ply >= LAST_PLY or at + ROOM > SIZE:
        return ONE
    return ONE if depth <= NONE and is_clock_out(work, quiet) == ZERO else ZERO


@inlined
def _shall_stop(work: Work, depth: S) -> U:
    """Return 1, and note it, when the search has used up its nodes or has been told to end.

    Positions without depth are judged to the end: so a move is found within any limit.
    """
    if depth > NONE and (work[NODES] >= work[NODE_LIMIT] or work[STOP] != ZERO):
        work[STOPPED] = ONE
    stopped: U = work[STOPPED]
    return stopped


@inlined
def _known_value(known: U, depth: S, least: S, enough: S, ply: U) -> S:
    """Return the value when the bounds or what is known already decide it, else NO_SCORE."""
    if least >= enough:
        return least
    if known == ZERO or depth_of(known) < depth or enough - least > PLY:
        return NO_SCORE
    score, bound = _from_root(score_of(known), ply), bound_of(known)
    decides = (
        bound == EXACT or (bound == AT_LEAST and score >= enough) or (bound == AT_MOST and score <= least)
    )
    return score if decides else NO_SCORE


@inlined
def _extension(work: Work, at: U, end: U) -> S:
    """Return by how many plies to look deeper: a capture without a choice is no decision."""
    return PLY if end == at + TWO and work[at + ONE] != ZERO else NONE


@compiled(i8(work_pointer, u8, u8, u8, u8, u8, u8, i8, i8, i8, u8, u8, u8))
def _search(
    cells: Any,
    at: U,
    men: U,
    kings: U,
    enemy_men: U,
    enemy_kings: U,
    rules: U,
    depth: S,
    least: S,
    enough: S,
    ply: U,
    quiet: U,
    since: U,
) -> S:
    """Return the value for the side to move; one that is not between the bounds is a bound itself.

    ``quiet`` plies have passed without progress; no position of the path before ``since`` can recur.
    """
    work = array_at(cells, SIZE)
    work[LINES + ply * LINE_WORDS] = ZERO
    if _is_leaf(work, at, depth, ply, quiet) != ZERO:
        return settle(cells, at, men, kings, enemy_men, enemy_kings, rules, least, enough, ply)
    work[NODES] += ONE
    if _shall_stop(work, depth) != ZERO:
        return NOT_FINISHED
    # Looked up as early as can be, so that the rest goes on while the table's memory answers.
    occupied, own, all_kings = men | kings | enemy_men | enemy_kings, men | kings, kings | enemy_kings
    clock = clock_tag(work, quiet)
    slot = slot_of(work, occupied, own, all_kings, clock) if depth > PLY else NOWHERE
    known = find(work, slot, occupied, own, all_kings, clock)
    now = standing(men, kings, enemy_men, enemy_kings, rules)
    if now != OPEN:
        return value_of_ended(work, now, ply)
    index = work[PAST] + ply
    write_path(work, index, men, kings, enemy_men, enemy_kings)
    if is_clock_out(work, quiet) | is_repeated(work, index, since) != ZERO:
        return drawn(work, ply)
    least, enough = max(least, np.int64(ply) - WIN), min(enough, WIN - np.int64(ply) - PLY)
    value = _known_value(known, depth, least, enough, ply)
    if value != NO_SCORE:
        return value
    end = legal_moves(work, at, men, kings, enemy_men, enemy_kings, rules)
    depth += _extension(work, at, end)
    first = order_moves(work, at, end, move_of(known), enemy_kings, ply, depth)
    best, best_move, floor, left = -NO_SCORE, move_of(known), least, depth - PLY
    cell = at
    while cell < end:
        bring_best(work, first, cell, end)
        word, captured = work[cell], work[cell + ONE]
        a, b, c, d = played(word, captured, men, kings, enemy_men, enemy_kings)
        low = -enough if cell == at else -floor - PLY
        shallow = left - _reduction(depth, cell - at, captured)
        if _is_leaf(work, end, shallow, ply + ONE, quiet + ONE) != ZERO:
            work[LINES + (ply + ONE) * LINE_WORDS] = ZERO
            value = -settle(cells, end, a, b, c, d, rules, low, -floor, ply + ONE)
        else:
            next_quiet, next_since = after_move(work, word, captured, quiet, since, index)
            value = -_search(
                cells, end, a, b, c, d, rules, shallow, low, -floor, ply + ONE, next_quiet, next_since
            )
        if value > floor and cell != at and (shallow < left or value < enough):
            next_quiet, next_since = after_move(work, word, captured, quiet, since, index)
            value = -_search(
                cells, end, a, b, c, d, rules, left, -enough, -floor, ply + ONE, next_quiet, next_since
            )
        if work[STOPPED] != ZERO:
            return NOT_FINISHED
        best = max(best, value)
        if value > floor:
            floor, best_move = value, word & MOVE
            _write_line(work, ply, word, captured, enough - least)
            if value >= enough:
                remember_refutation(work, at, cell, ply, depth)
                break
        cell += TWO
    known = packed(_from_here(best, ply), depth, _bound(best, least, enough), best_move)
    keep(work, slot, occupied, own, all_kings, clock, known)
    return best


@inlined
def _move_forward(work: Work, cell: U) -> None:
    """Put a move of the root before all others, which keep their order."""
    word, captured = work[cell], work[cell + ONE]
    while cell > MOVES:
        work[cell], work[cell + ONE] = work[cell - TWO], work[cell - ONE]
        cell -= TWO
    work[MOVES], work[MOVES + ONE] = word, captured


@part
def _search_root(cells: Any, depth: S) -> S:
    """Look at the moves of the root to a depth; write the best line and put its move first.

    Returns the value, also when the search was ended in the middle: the best of what was looked at.
    """
    work = array_at(cells, SIZE)
    men, kings, enemy_men, enemy_kings = work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS]
    rules, quiet, past, end = work[RULES], work[QUIET], work[PAST], work[ROOT_END]
    best = -NO_SCORE
    cell = MOVES
    while cell < end:
        word, captured = work[cell], work[cell + ONE]
        a, b, c, d = played(word, captured, men, kings, enemy_men, enemy_kings)
        next_quiet, since = after_move(work, word, captured, quiet, ZERO, past)
        left = depth - PLY
        if cell == MOVES:
            value = -_search(cells, end, a, b, c, d, rules, left, -NO_SCORE, NO_SCORE, ONE, next_quiet, since)
        else:
            value = -_search(cells, end, a, b, c, d, rules, left, -best - PLY, -best, ONE, next_quiet, since)
            if value > best and work[STOPPED] == ZERO:
                value = -_search(
                    cells, end, a, b, c, d, rules, left, -NO_SCORE, -best, ONE, next_quiet, since
                )
        if work[STOPPED] != ZERO:
            return best
        if value > best:
            best = value
            _write_line(work, ZERO, word, captured, NO_SCORE)
            _move_forward(work, cell)
        cell += TWO
    return best


@compiled(u8(work_array), entry=True)
def choose_move(work: Work) -> U:
    """Search for the best of the workspace's moves; return 1 when at least one depth was finished.

    The best move stands first in MOVES, and first in the line of ply 0.
    """
    # A pointer is passed on and not the array: counting references to that would take an eighth of the time.
    cells = pointer_to(work)
    work[STOPPED] = ZERO
    work[DEPTH] = work[LINE_LENGTH] = ZERO
    write_path(work, work[PAST], work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS])
    depth = PLY
    while np.uint64(depth) <= work[DEPTH_LIMIT]:
        score = _search_root(cells, depth)
        if score > -NO_SCORE:
            work[SCORE] = np.uint64(score)
            work[LINE_LENGTH] = work[LINES]
        if work[STOPPED] != ZERO:
            break
        work[DEPTH] = np.uint64(depth)
        if score >= WIN - np.int64(work[DEPTH]) or score <= -WIN + np.int64(work[DEPTH]):
            break
        depth += PLY
    return ONE if work[DEPTH] != ZERO else ZERO


@compiled(i8(work_array), entry=True)
def value_now(work: Work) -> S:
    """Return the evaluation of the workspace's position as it stands, captures that are due unheeded."""
    men, kings, enemy_men, enemy_kings = work[MEN], work[KINGS], work[ENEMY_MEN], work[ENEMY_KINGS]
    return evaluate(pointer_to(work), men, kings, enemy_men, enemy_kings, work[RULES], -NO_SCORE, NO_SCORE)
