"""The etiquette of the classic rules: what a player says aloud about the move just made."""

from dataclasses import dataclass
from typing import Literal

from dama.game import Game
from dama.pieces import Color
from dama.position import Position
from dama.squares import bit, squares_in

Code = Literal["under_attack", "one_step_from_crowning", "a_king"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something to announce: what, about whose pieces, and on which squares they stand, in board order."""

    code: Code
    side: Color
    squares: tuple[int, ...]


def notes(game: Game) -> tuple[Note, ...]:
    """Return what is to be announced after the last move of a game, nothing once the game has ended.

    >>> game = Game.from_fen("W:Wd5:Bf7,h4")
    >>> _ = game.play("d5-d6"), game.play("h4-h3"), game.play("d6-d7")
    >>> [(note.code, note.side.name, note.squares) for note in notes(game)]
    [('one_step_from_crowning', 'WHITE', (51,))]

    *under_attack*: pieces of the side to move that the other side could take if it were its turn;
    *one_step_from_crowning*: the man that has just moved stands on the rank before its last;
    *a_king*: it has just been crowned.
    """
    if game.result is not None:
        return ()
    position = game.position
    found = []
    if attacked := position.attacked(position.turn):
        found.append(Note("under_attack", position.turn, tuple(sorted(attacked))))
    if game.moves:
        last, mover = game.moves[-1], position.turn.other
        if last.promotes:
            found.append(Note("a_king", mover, (last.target,)))
        elif _is_one_step_from_crowning(position, mover, last.target):
            found.append(Note("one_step_from_crowning", mover, (last.target,)))
    return tuple(found)


def _is_one_step_from_crowning(position: Position, color: Color, square: int) -> bool:
    grid = position.rules.grid
    _, rank = grid.place(square)
    _, last_rank = grid.place(next(squares_in(grid.crowning(color))))
    return bool(position.pieces(color).men & bit(square)) and abs(rank - last_rank) == 1
