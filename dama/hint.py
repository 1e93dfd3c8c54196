"""How a master would play: a move, the line that it leads to, and one plain reason.

>>> from dama import Game
>>> found = hint(Game.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"), nodes=5000)
>>> str(found.move), str(found.reason)
('b7-b8', 'It wins by force in 2 moves.')
"""

import threading
from dataclasses import dataclass
from typing import Final

from dama.engine import Choice, best_move, search
from dama.game import Game
from dama.levels import LEVELS
from dama.move import Move
from dama.reasons import Reason, Scene, reason_for

RIVAL_SHARE: Final = 4
"""The best of the other moves is looked for with one part in so many of the positions."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move to play, the best play found for both sides from there, the move first, and why."""

    move: Move
    line: tuple[Move, ...]
    reason: Reason


def hint(
    game: Game,
    *,
    nodes: int = LEVELS["master"].nodes,
    seed: int = 0,
    stop: threading.Event | None = None,
) -> Hint:
    """Return what a master would play, within so many positions; ``stop`` ends the search early.

    Raises ValueError when the game has ended.
    """
    choice = best_move(game, nodes=nodes, seed=seed, stop=stop)
    return Hint(choice.move, choice.line, explained(game, choice, stop=stop))


def explained(game: Game, choice: Choice, *, stop: threading.Event | None = None) -> Reason:
    """Return the reason for a choice of a game's next move, after a look at the best of the other moves."""
    others = [move for move in game.position.legal_moves if move != choice.move]
    nodes = choice.nodes // RIVAL_SHARE + 1
    ending = None if stop is None else stop.is_set
    rival = search(game, nodes=nodes, among=others, stop=ending) if others else None
    return reason_for(Scene(game.position, choice, rival))
