"""The rules again, for speed: compiled bitboards that share no move generation with ``dama.movegen``.

>>> from dama import Position, kernel
>>> kernel.perft(Position.start(), 5)
85090
>>> position = Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7")
>>> kernel.wins_in(position, 3), kernel.winning_moves(position, 2), kernel.soundness(position, 2).name
(2, [<Move b7-b8>], 'SOUND')

Importing this package loads Numba and the compiled code from its cache, or compiles it (some seconds), so
import it only where it is needed. Every function releases the GIL; threads may call them at once.
"""

import threading
from collections.abc import Callable
from enum import IntEnum
from typing import Final

import numpy as np

from dama.kernel import counting, duals, wins, workspace
from dama.kernel.workspace import Work
from dama.move import Move
from dama.notation import Color
from dama.position import Position
from dama.rulesets import Ruleset
from dama.squares import bit, swapped_bitboard, swapped_square

__all__ = [
    "MAX_MOVES",
    "Soundness",
    "Triple",
    "distances",
    "divide",
    "moves",
    "perft",
    "search_nodes",
    "soundness",
    "winning_moves",
    "wins_in",
]

Triple = tuple[int, int, int]
"""A legal move as (from, to, bitboard of the captured squares)."""

MAX_MOVES: Final = 12
"""The longest forced win that can be asked for, in moves of the solver."""


class Soundness(IntEnum):
    """The first thing found wrong with a puzzle, of those that take a search."""

    SOUND = int(duals.SOUND)
    NO_WIN = int(duals.NO_WIN)
    SOONER = int(duals.SOONER)
    SECOND_KEY = int(duals.SECOND_KEY)
    DUAL = int(duals.DUAL)
    ONE_KING_EACH = int(duals.ONE_KING_EACH)


def moves(position: Position) -> list[Triple]:
    """Return every legal move once, sorted.

    >>> moves(Position.from_fen("W:Wb3:Bb4,c5"))
    [(17, 35, 17213423616)]
    """
    return sorted(move for move, _ in _listed(position, counting.list_moves, 1))


def perft(position: Position, depth: int) -> int:
    """Count the lines of play of ``depth`` plies, each legal move counted once.

    A draw does not end a line: it takes no legal move away. Raises ValueError for a negative depth.
    """
    if depth < 0:
        raise ValueError(f"perft of depth {depth} was asked for; expected 0 or more")
    return _asked(position, counting.count_lines, depth)


def divide(position: Position, depth: int) -> dict[str, int]:
    """Return the perft of ``depth`` plies by first moves, as move texts in board order.

    >>> divide(Position.from_fen("W:Wa7:Bh2"), 2)
    {'a7-b7': 2, 'a7-a8': 2}

    Raises ValueError for a depth below 1.
    """
    if depth < 1:
        raise ValueError(f"a division of depth {depth} was asked for; expected 1 or more")
    return {
        str(move): _asked(position.after(move), counting.count_lines, depth - 1)
        for move in _matched(position, moves(position)).values()
    }


def wins_in(position: Position, limit: int) -> int | None:
    """Return the least number of moves, at most ``limit``, within which the side to move wins, or None.

    There is no win where the game has ended. Raises ValueError unless the limit is 1 to MAX_MOVES.
    """
    return _asked(position, wins.shortest_win, _checked_limit(limit)) or None


def search_nodes(position: Position, limit: int) -> int:
    """Return how many positions ``wins_in`` looks at."""
    _asked(position, wins.shortest_win, _checked_limit(limit))
    return int(_local.work[workspace.NODES])


def winning_moves(position: Position, n: int) -> list[Move]:
    """Return the moves that win within ``n`` moves, themselves the first of them, in board order."""
    return list(_distances(position, _checked_limit(n), n))


def distances(position: Position, limit: int) -> dict[Move, int]:
    """Return the moves that win within ``limit`` moves, each with the least number it needs, in board order.

    >>> distances(Position.from_fen("W:Wa3,Kd1:Ba5"), 2)
    {<Move d1-b1>: 2, <Move d1-d5>: 2}
    """
    return _distances(position, 1, _checked_limit(limit))


def soundness(position: Position, n: int) -> Soundness:
    """Test what makes a puzzle sound as far as it takes a search; return the first fault.

    It is a win within exactly ``n`` moves with one key; at every later solver's node, in every line, one move
    wins in time, or several that all end the game at once; and one king each turns up after no winning move,
    although it is played on here. So the answer holds whether or not one king each is a draw.
    """
    return Soundness(_asked(position, duals.first_fault, _checked_limit(n)))


class _Local(threading.local):
    def __init__(self) -> None:
        self.work = workspace.new()


_local = _Local()


def _flags(rules: Ruleset) -> int:
    flags = (
        (rules.removal_at_once, workspace.REMOVAL_AT_ONCE),
        (rules.turning_back, workspace.TURNING_BACK),
        (rules.majority, workspace.MAJORITY),
        (rules.one_king_each_draws, workspace.ONE_KING_EACH_DRAWS),
        (rules.several_men_beat_one, workspace.SEVERAL_MEN_BEAT_ONE),
    )
    return sum(int(flag) for is_set, flag in flags if is_set)


def _asked(position: Position, ask: Callable[[Work], np.uint64], limit: int, least: int = 1) -> int:
    """Ask a compiled function about a position as the side to move sees it."""
    boards = position.white_men, position.white_kings, position.black_men, position.black_kings
    if position.turn is Color.BLACK:
        boards = (
            swapped_bitboard(position.black_men),
            swapped_bitboard(position.black_kings),
            swapped_bitboard(position.white_men),
            swapped_bitboard(position.white_kings),
        )
    work = _local.work
    work[0], work[1], work[2], work[3] = boards
    work[4], work[5], work[6], work[7], work[8] = _flags(position.rules), least, limit, 0, 0
    answer = int(ask(work))
    if work[8]:
        raise OverflowError(f"too many moves for the kernel in lines from {position.fen()}")
    return answer


def _checked_limit(limit: int) -> int:
    if not 1 <= limit <= MAX_MOVES:
        raise ValueError(f"a forced win of {limit} moves was asked for; expected 1 to {MAX_MOVES}")
    return limit


def _listed(
    position: Position, ask: Callable[[Work], np.uint64], limit: int, least: int = 1
) -> list[tuple[Triple, int]]:
    """Return the moves that a compiled function writes down, each with the number it writes beside it."""
    end = _asked(position, ask, limit, least)
    cells = _local.work[int(workspace.MOVES) : end].tolist()
    listed = []
    for word, captured in zip(cells[::2], cells[1::2], strict=True):
        move = word & 63, word >> 6 & 63, captured
        if position.turn is Color.BLACK:
            move = swapped_square(move[0]), swapped_square(move[1]), swapped_bitboard(captured)
        listed.append((move, word >> int(wins.DISTANCE_SHIFT)))
    return listed


def _distances(position: Position, least: int, limit: int) -> dict[Move, int]:
    listed = _listed(position, wins.move_distances, limit, least)
    found = {triple: number for triple, number in listed if number}
    if not found:  # the usual answer, and the plain rules need not be asked
        return {}
    legal = _matched(position, [triple for triple, _ in listed])
    return {move: found[triple] for triple, move in legal.items() if triple in found}


def _matched(position: Position, triples: list[Triple]) -> dict[Triple, Move]:
    """Return the plain rules' moves in board order; both sets of rules must know the same ones."""
    legal = {(move.origin, move.target, sum(map(bit, move.captured))): move for move in position.legal_moves}
    if sorted(legal) != sorted(triples):
        raise RuntimeError(f"kernel and plain rules disagree about the legal moves of {position.fen()}")
    return legal
