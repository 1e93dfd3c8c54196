"""The computer's play: the best move of a game or a position, by a level or by limits of one's own.

>>> from dama import Position
>>> choice = best_move(Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"), nodes=2000)
>>> str(choice.move), choice.mate, [str(move) for move in choice.line[:2]]
('b7-b8', 2, ['b7-b8', 'd7xd2xb2xb7'])

Importing this module loads nothing of the kernel; the first search does, and compiles it when it must.
"""

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dama.game import Game, steps_forward
from dama.levels import LEVELS, Level
from dama.move import Move
from dama.pieces import Color
from dama.position import Position
from dama.squares import bit

if TYPE_CHECKING:
    from dama.kernel.play import Thought, Triple

NO_LIMIT: Final = 1 << 60
"""So many positions are more than any search looks at."""
FORCED_NODES: Final = 2_000
"""What is looked at when there is only one legal move, so that its line and score can be told."""
EVEN: Final = 20
"""Hundredths of a man up to which the engine takes a draw when little is left to play for."""
WORSE: Final = -60
"""Hundredths of a man at which it takes a draw at any time."""
FEW_PIECES: Final = 8
MANY_QUIET_PLIES: Final = 16
"""Little is left to play for with so few pieces on the board, or when so long nothing has happened."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move with what speaks for it.

    ``score`` is in hundredths of a man for the side to move, ``line`` the best play found for both sides, the
    move first; ``depth`` the plies looked at in full and ``nodes`` the positions. ``mate`` is, for a game
    decided by force, the number of moves the winner needs at most: negative when it is the opponent.
    """

    move: Move
    score: int
    line: tuple[Move, ...]
    depth: int
    nodes: int
    mate: int | None


def best_move(
    game: Game | Position,
    *,
    level: str | Level | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    stop: threading.Event | None = None,
) -> Choice:
    """Return the move to play: by a level, or within so many positions, plies or seconds.

    A game brings its clock and its repetitions; a position is a game's first. Without a limit in seconds the
    answer depends on nothing but the limits and the seed, which decides between equals. ``stop`` ends the
    search early: the best move so far is returned. Raises ValueError when the game has ended, when the level
    is unknown, and for limits that are none.
    """
    played = _as_game(game)
    if level is not None:
        if nodes is not None or depth is not None or seconds is not None:
            raise ValueError("a level was given and limits beside it; expected one or the other")
        return _by_level(played, _find_level(level), seed, stop)
    if nodes is None and depth is None and seconds is None:
        raise ValueError("no limit was given; expected a level, nodes, a depth or seconds")
    for name, limit in (("nodes", nodes), ("a depth", depth), ("seconds", seconds)):
        if limit is not None and not limit > 0:  # NaN is none, either
            raise ValueError(f"{name} of {limit} were asked for; expected more than 0")
    return search(played, nodes=nodes or NO_LIMIT, depth=depth, stop=_ending(seconds, stop), seed=seed)


def accepts_draw(game: Game, side: Color | None = None, *, stop: threading.Event | None = None) -> bool:
    """Tell whether the engine takes a draw that it is offered, playing that side or else the one to move."""
    position = game.position
    score = best_move(game, level="medium", stop=stop).score
    if side not in (None, position.turn):
        score = -score
    pieces = (position.pieces(Color.WHITE).all | position.pieces(Color.BLACK).all).bit_count()
    is_late = pieces <= FEW_PIECES or game.quiet_plies >= MANY_QUIET_PLIES
    return score <= (EVEN if is_late else WORSE)


def search(
    game: Game,
    *,
    nodes: int,
    depth: int | None = None,
    among: Sequence[Move] | None = None,
    contempt: int = 0,
    stop: Callable[[], bool] | None = None,
    seed: int = 0,
) -> Choice:
    """Return the best of a game's legal moves, or of those ``among`` which to choose."""
    from dama.kernel import play

    position = game.position
    moves = list(position.legal_moves if among is None else among)
    random.Random(seed).shuffle(moves)
    if len(position.legal_moves) == 1:
        nodes = min(nodes, FORCED_NODES)
    thought = play.think(
        position,
        [(move.origin, move.target, sum(map(bit, move.captured))) for move in moves],
        nodes=min(nodes, NO_LIMIT),
        depth=play.DEEPEST if depth is None else depth,
        past=_past(game),
        quiet_plies=game.quiet_plies,
        contempt=contempt,
        stop=stop,
    )
    return _choice(position, thought)


def _as_game(game: Game | Position) -> Game:
    played = Game(game) if isinstance(game, Position) else game
    if played.result is not None:
        raise ValueError(f"no move to choose in {played.position.fen()}: the game has ended, {played.result}")
    return played


def _find_level(level: str | Level) -> Level:
    if isinstance(level, Level):
        return level
    try:
        return LEVELS[level]
    except KeyError:
        raise ValueError(f"unknown level {level!r}; expected one of {', '.join(LEVELS)}") from None


def _ending(seconds: float | None, stop: threading.Event | None) -> Callable[[], bool] | None:
    """Return what says when to end a search, or None for one that ends by itself."""
    if seconds is None:
        return None if stop is None else stop.is_set
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end or (stop is not None and stop.is_set())


def _by_level(game: Game, level: Level, seed: int, stop: threading.Event | None) -> Choice:
    if not level.errs or len(game.position.legal_moves) == 1:
        ending = _ending(None, stop)
        return search(game, nodes=level.nodes, contempt=level.contempt, stop=ending, seed=seed)
    return _beginners_move(game, level, seed)


def _beginners_move(game: Game, level: Level, seed: int) -> Choice:
    """Return the move that looks best to somebody who looks at each alone, and not at all of them well."""
    from dama.kernel import play

    moves = game.position.legal_moves
    chance = random.Random(f"{seed} {game.fen()}")
    looked_at = []
    for move in moves:
        choice = search(game, nodes=level.nodes // len(moves) + 1, depth=level.depth, among=[move])
        score = choice.score
        if choice.mate is None and chance.random() < level.oversight:
            score = -play.value(game.position.after(move))
        looked_at.append((score + chance.uniform(-1, 1) * level.misjudgement, choice))
    return max(looked_at, key=lambda pair: pair[0])[1]


def _past(game: Game) -> list[Position]:
    """Return the earlier positions that can come up again: none from before a capture or a step forward."""
    positions, moves = game.positions, game.moves
    first = len(moves)
    while first > 0:
        before, move = positions[first - 1], moves[first - 1]
        if move.captured or steps_forward(before, move):
            break
        first -= 1
    return list(positions[first:-1])


def _choice(position: Position, thought: "Thought") -> Choice:
    line = []
    for triple in thought.line:
        move = _matched(position, triple)
        line.append(move)
        position = position.after(move)
    return Choice(line[0], thought.score, tuple(line), thought.depth, thought.nodes, thought.mate)


def _matched(position: Position, triple: "Triple") -> Move:
    """Return the plain rules' move; a search that knows another is refused."""
    for move in position.legal_moves:
        if (move.origin, move.target, sum(map(bit, move.captured))) == triple:
            return move
    raise RuntimeError(f"kernel and plain rules disagree about the legal moves of {position.fen()}")
