"""What a puzzle's row means on the board: position, last move, proof, with colours swapped where asked."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from dama import Move, Position
from dama.proof import Proof
from puzzle_service.cache import Cache
from puzzle_service.models import Puzzle

CACHED: Final = 64
"""How many boards a process keeps: today's in both colours and what is practised most."""


@dataclass(frozen=True)
class Board:
    """A puzzle's position, the defender's last move before it, where from, and the proof."""

    position: Position
    previous: Position
    previous_move: Move
    proof: Proof


_boards: Final = Cache[Board](CACHED)


def board(puzzle: Puzzle, *, swapped: bool = False) -> Board:
    """Return the board of a puzzle, from memory if it was asked for lately.

    An imported puzzle never changes, and swapping a large proof takes longer than everything else on a page.
    """
    return _boards.get((puzzle.id, puzzle.fen, swapped), lambda: _made(puzzle, swapped=swapped))


def find(session: Session, puzzle_id: str, fen: str, *, swapped: bool) -> Board:
    """Return the board of the puzzle with this id and position, whose row is read only if need be."""
    return _boards.get(
        (puzzle_id, fen, swapped), lambda: _made(session.get_one(Puzzle, puzzle_id), swapped=swapped)
    )


def _made(puzzle: Puzzle, *, swapped: bool) -> Board:
    position = Position.from_fen(puzzle.fen, puzzle.rules)
    previous = Position.from_fen(puzzle.previous_fen, puzzle.rules)
    move = previous.parse_move(puzzle.previous_move)
    proof = Proof.from_json(position, puzzle.moves, puzzle.proof)
    if not swapped:
        return Board(position, previous, move, proof)
    return Board(position.swapped(), previous.swapped(), move.swapped(), proof.swapped())
