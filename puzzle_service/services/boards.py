"""What a puzzle's row means on the board: position, last move, proof, with colours swapped where asked."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from dama import Move, Position
from dama.proof import Proof
from puzzle_service.models import Puzzle

CACHED: Final = 64
"""How many boards a process keeps: today's in both colours and what is practised most."""

_Key = tuple[str, str, bool]


@dataclass(frozen=True)
class Board:
    """A puzzle's position, the defender's last move before it, where from, and the proof."""

    position: Position
    previous: Position
    previous_move: Move
    proof: Proof


_boards: OrderedDict[_Key, Board] = OrderedDict()
_lock: Final = Lock()


def board(puzzle: Puzzle, *, swapped: bool = False) -> Board:
    """Return the board of a puzzle, from memory if it was asked for lately.

    An imported puzzle never changes, and swapping a large proof takes longer than everything else on a page.
    """
    key = (puzzle.id, puzzle.fen, swapped)
    with _lock:
        if key in _boards:
            _boards.move_to_end(key)
            return _boards[key]
    made = _made(puzzle, swapped=swapped)
    with _lock:
        _boards[key] = made
        while len(_boards) > CACHED:
            _boards.popitem(last=False)
    return made


def _made(puzzle: Puzzle, *, swapped: bool) -> Board:
    position = Position.from_fen(puzzle.fen, puzzle.rules)
    previous = Position.from_fen(puzzle.previous_fen, puzzle.rules)
    move = previous.parse_move(puzzle.previous_move)
    proof = Proof.from_json(position, puzzle.moves, puzzle.proof)
    if not swapped:
        return Board(position, previous, move, proof)
    return Board(position.swapped(), previous.swapped(), move.swapped(), proof.swapped())
