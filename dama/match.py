"""Matches between two players: balanced openings, each with both colours, and what the result tells.

>>> score = Score(wins=80, draws=10, losses=10)
>>> score.share, [round(bound, 3) for bound in score.bounds]
(0.85, [0.767, 0.907])
>>> round(elo(10 / 11))
400
"""

import math
import random
import runpy
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from dama.engine import Choice, best_move, search
from dama.game import Game, Result
from dama.levels import LEVELS
from dama.move import Move
from dama.pieces import Color
from dama.position import Position

Player = Callable[[Game, int], tuple[Move, int]]
"""Chooses a move in a game, by a seed, and says how many positions it has looked at."""

OPENING_PLIES: Final = 8
OPENING_NODES: Final = 5_000
BALANCED: Final = 60
"""An opening is balanced when the engine, at OPENING_NODES, sees so many hundredths of a man at most."""
DEVIATIONS: Final = 1.96
"""Standard deviations on each side of a 95 % interval."""


class PlayerError(Exception):
    """A player of somebody's own has failed."""


@dataclass(frozen=True, slots=True)
class Score:
    """The results of a match as the first player sees them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The share of the points won: a draw is half a point."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % interval of the share, by Wilson's formula: it also holds when every game is won."""
        n, share, z = self.games, self.share, DEVIATIONS
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        # All or nothing bounds itself, which rounding would miss.
        return (middle - half if share else 0.0), (middle + half if share < 1 else 1.0)

    def plus(self, points: float) -> "Score":
        """Return the score after one more game: 1 for a win, ½ for a draw, 0 for a loss."""
        return Score(self.wins + (points == 1), self.draws + (points == 0.5), self.losses + (points == 0))


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a match: the result, how long it was, and what each of the two players has done."""

    first_is: Color
    result: Result
    plies: int
    nodes: tuple[int, int]
    seconds: tuple[float, float]

    @property
    def points(self) -> float:
        """The points of the first player."""
        if self.result.winner is None:
            return 0.5
        return 1.0 if self.result.winner is self.first_is else 0.0


def elo(share: float) -> float | None:
    """Return the difference in Elo points that a share of the points stands for; None for all or nothing."""
    if share in (0.0, 1.0):
        return None
    return -400 * math.log10(1 / share - 1)


@cache
def find_player(name: str) -> Player:
    """Return a player: a level, a number of nodes, ``random``, or FILE.py:FUNCTION for one of one's own.

    Raises ValueError for another name.
    """
    if name == "random":
        return _random_mover
    if name in LEVELS:
        return _by(lambda game, seed: best_move(game, level=name, seed=seed))
    if name.isdecimal() and int(name):
        return _by(lambda game, seed: best_move(game, nodes=int(name), seed=seed))
    path, _, function = name.partition(":")
    if path.endswith(".py") and function:
        return _own(name, _loaded(name, path).get(function))
    levels = ", ".join(LEVELS)
    raise ValueError(
        f"unknown player {name!r}; expected {levels}, random, a number of nodes or FILE.py:FUNCTION"
    )


def _loaded(name: str, path: str) -> dict[str, Any]:
    """Return what a file defines; raises ValueError when it cannot be run."""
    try:
        return runpy.run_path(path)
    except OSError as error:
        raise ValueError(f"no player {name!r}: {path} cannot be read: {error.strerror}") from error
    except (Exception, SystemExit) as error:
        raise ValueError(f"no player {name!r}: {path} cannot be run: {_told(error)}") from error


def _own(name: str, function: object) -> Player:
    """Return a function of somebody's own as a player whose failures name it."""
    if not callable(function):
        raise ValueError(f"no player {name!r}: there is no such function")

    def play(game: Game, seed: int) -> tuple[Move, int]:
        try:
            move, looked_at = function(game, seed)
            if move not in game.position.legal_moves or not isinstance(looked_at, int):
                raise ValueError(f"{(move, looked_at)!r} is no legal move with a number of positions")
        except (Exception, SystemExit) as error:
            raise PlayerError(f"{name} has failed in {game.fen()}: {_told(error)}") from error
        return move, looked_at

    return play


def _told(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _random_mover(game: Game, seed: int) -> tuple[Move, int]:
    moves = game.position.legal_moves
    return random.Random(f"{seed} {len(game.moves)}").choice(moves), len(moves)


def _by(choose: Callable[[Game, int], Choice]) -> Player:
    def play(game: Game, seed: int) -> tuple[Move, int]:
        choice = choose(game, seed)
        return choice.move, choice.nodes

    return play


def opening(rules: str, seed: int) -> Game:
    """Return a game after some moves by chance that leave neither side much better off."""
    chance = random.Random(seed)
    while True:
        game = Game(Position.start(rules))
        while len(game.moves) < OPENING_PLIES and game.result is None:
            game.play(chance.choice(game.position.legal_moves))
        if game.result is None and abs(search(game, nodes=OPENING_NODES).score) <= BALANCED:
            return game


def play_game(first: Player, second: Player, rules: str, number: int, seed: int = 0) -> Played:
    """Play one game of a match to its end: two games in a row share an opening, with the colours changed."""
    game = opening(rules, seed + number // 2)
    first_is = Color.BLACK if number % 2 else Color.WHITE
    nodes, seconds = [0, 0], [0.0, 0.0]
    while (result := game.result) is None:
        who = 0 if game.position.turn is first_is else 1
        began = time.thread_time()
        move, looked_at = (first, second)[who](game, seed + number)
        seconds[who] += time.thread_time() - began
        nodes[who] += looked_at
        game.play(move)
    return Played(first_is, result, len(game.moves), (nodes[0], nodes[1]), (seconds[0], seconds[1]))
