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

from enum import IntEnum
from typing import Final

from dama.kernel import counting, duals, material, wins
from dama.kernel.calls import call, cells, is_turned
from dama.kernel.workspace import MOVES, NODES, STANDING
from dama.move import Move
from dama.position import Position
from dama.squares import bit

__all__ = [
    "MAX_DEPTH",
    "MAX_MOVES",
    "VICTORY",
    "Soundness",
    "Standing",
    "Triple",
    "balance",
    "distances",
    "divide",
    "judged_moves",
    "moves",
    "perft",
    "search_nodes",
    "soundness",
    "standing",
    "triple",
    "winning_moves",
    "wins_in",
]

Triple = tuple[int, int, int]
"""A legal move as (from, to, bitboard of the captured squares)."""

MAX_MOVES: Final = 12
"""The longest forced win that can be asked for, in moves of the solver."""

MAX_DEPTH: Final = 60
"""The deepest perft and balance; the workspace has room for the quiet moves of so many plies."""

VICTORY: Final = int(material.GAME) / 2
"""What a game won counts for in ``balance``, in men: more than all pieces together."""


class Standing(IntEnum):
    """How the game stands for the side to move."""

    OPEN = int(wins.OPEN)
    LOST = int(wins.LOST)
    WON = int(wins.WON)
    DRAWN = int(wins.DRAWN)


class Soundness(IntEnum):
    """The first thing found wrong with a puzzle, of those that take a search."""

    SOUND = int(duals.SOUND)
    NO_WIN = int(duals.NO_WIN)
    SOONER = int(duals.SOONER)
    SECOND_KEY = int(duals.SECOND_KEY)
    DUAL = int(duals.DUAL)
    ONE_KING_EACH = int(duals.ONE_KING_EACH)


_FIRST: Final = int(MOVES)
_SHIFT: Final = int(wins.DISTANCE_SHIFT)


def moves(position: Position) -> list[Triple]:
    """Return every legal move once, sorted.

    >>> moves(Position.from_fen("W:Wb3:Bb4,c5"))
    [(17, 35, 17213423616)]
    """
    return sorted(move for move, _ in _listed(position, 0))


def standing(position: Position) -> Standing:
    """Return how the game stands for the side to move, as far as the position alone decides it."""
    call(position, wins.move_distances, 0)
    return Standing(int(cells()[STANDING]))


def perft(position: Position, depth: int) -> int:
    """Count the lines of play of ``depth`` plies, each legal move counted once.

    A draw does not end a line: it takes no legal move away.
    Raises ValueError unless the depth is 0 to MAX_DEPTH.
    """
    if not 0 <= depth <= MAX_DEPTH:
        raise ValueError(f"perft of depth {depth} was asked for; expected 0 to {MAX_DEPTH}")
    return call(position, counting.count_lines, depth)


def divide(position: Position, depth: int) -> dict[str, int]:
    """Return the perft of ``depth`` plies by first moves, as move texts in board order.

    >>> divide(Position.from_fen("W:Wa7:Bh2"), 2)
    {'a7-b7': 2, 'a7-a8': 2}

    Raises ValueError unless the depth is 1 to MAX_DEPTH.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"a division of depth {depth} was asked for; expected 1 to {MAX_DEPTH}")
    return {
        str(move): call(position.after(move), counting.count_lines, depth - 1)
        for move in _matched(position, moves(position)).values()
    }


def wins_in(position: Position, limit: int) -> int | None:
    """Return the least number of moves, at most ``limit``, within which the side to move wins, or None.

    There is no win where the game has ended. Raises ValueError unless the limit is 1 to MAX_MOVES.
    """
    return call(position, wins.shortest_win, _checked_limit(limit)) or None


def search_nodes(position: Position, limit: int) -> int:
    """Return how many positions ``wins_in`` looks at."""
    call(position, wins.shortest_win, _checked_limit(limit))
    return int(cells()[NODES])


def winning_moves(position: Position, n: int) -> list[Move]:
    """Return the moves that win within ``n`` moves, themselves the first of them, in board order."""
    return list(_distances(position, _checked_limit(n), n))


def distances(position: Position, limit: int) -> dict[Move, int]:
    """Return the moves that win within ``limit`` moves, each with the least number it needs, in board order.

    >>> distances(Position.from_fen("W:Wa3,Kd1:Ba5"), 2)
    {<Move d1-b1>: 2, <Move d1-d5>: 2}
    """
    return _distances(position, 1, _checked_limit(limit))


def balance(position: Position, depth: int) -> float:
    """Return by how many men the side to move is up after ``depth`` plies of best play by material alone.

    A king counts as in ``dama.pieces``. Capturing being compulsory, the line goes on beyond the depth as long
    as there is something to take. A game won counts VICTORY, a lost one as much less, a drawn one nothing.

    >>> [balance(Position.from_fen(fen), 0) for fen in ("W:Wa2,h2:Ba5,b5,h7", "W:Wa4,h2:Ba5,b5,h7")]
    [-1.0, 0.0]

    Raises ValueError unless the depth is 0 to MAX_DEPTH.
    """
    if not 0 <= depth <= MAX_DEPTH:
        raise ValueError(f"a balance of depth {depth} was asked for; expected 0 to {MAX_DEPTH}")
    return (call(position, material.value_of_best_play, depth) - int(material.EVEN)) / 2


def judged_moves(position: Position, limit: int) -> dict[Triple, int]:
    """Return every legal move with the least number, at most ``limit``, of moves it wins within, or 0.

    It says what ``distances`` says, and of the moves that do not win too, without a look at the plain rules.

    >>> judged_moves(Position.from_fen("W:WKa2,a3:Bb3"), 1)
    {(16, 18, 131072): 1}
    """
    return dict(_listed(position, _checked_limit(limit)))


def triple(move: Move) -> Triple:
    """Return a move of the plain rules in the kernel's words."""
    return move.origin, move.target, sum(map(bit, move.captured))


def soundness(position: Position, n: int) -> Soundness:
    """Test what makes a puzzle sound as far as it takes a search; return the first fault.

    It is a win within exactly ``n`` moves with one key; at every later solver's node, in every line, one move
    wins in time, or several that all end the game at once; and one king each turns up after no winning move,
    although it is played on here. So the answer holds whether or not one king each is a draw.
    """
    return Soundness(call(position, duals.first_fault, _checked_limit(n)))


def _checked_limit(limit: int) -> int:
    if not 1 <= limit <= MAX_MOVES:
        raise ValueError(f"a forced win of {limit} moves was asked for; expected 1 to {MAX_MOVES}")
    return limit


def _listed(position: Position, limit: int, least: int = 1) -> list[tuple[Triple, int]]:
    """Return the legal moves, each with the least number from ``least`` to ``limit`` it wins within, or 0."""
    end = call(position, wins.move_distances, limit, least)
    written = cells()[_FIRST:end].tolist()
    pairs = zip(written[::2], written[1::2], strict=True)
    if is_turned(position):
        square, board = position.rules.grid.swapped_square, position.rules.grid.swapped_bitboard
        return [
            ((square(word & 63), square(word >> 6 & 63), captured and board(captured)), word >> _SHIFT)
            for word, captured in pairs
        ]
    return [((word & 63, word >> 6 & 63, captured), word >> _SHIFT) for word, captured in pairs]


def _distances(position: Position, least: int, limit: int) -> dict[Move, int]:
    listed = _listed(position, limit, least)
    found = {triple: number for triple, number in listed if number}
    if not found:  # the usual answer, and the plain rules need not be asked
        return {}
    legal = _matched(position, [triple for triple, _ in listed])
    return {move: found[triple] for triple, move in legal.items() if triple in found}


def _matched(position: Position, triples: list[Triple]) -> dict[Triple, Move]:
    """Return the plain rules' moves in board order; both sets of rules must know the same ones."""
    legal = {triple(move): move for move in position.legal_moves}
    if sorted(legal) != sorted(triples):
        raise RuntimeError(f"kernel and plain rules disagree about the legal moves of {position.fen()}")
    return legal
