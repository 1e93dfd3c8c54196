"""Annotated games: moves with what is said of them and what could have been played instead."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dama.errors import PdnError
from dama.game import Game
from dama.move import Move
from dama.pdn.scores import DECIDED, Score, score_of
from dama.position import Position


@dataclass(frozen=True, slots=True)
class AnnotatedMove:
    """A move with its glyphs (NAGs, 0…255), the comments after it, and the lines that could replace it."""

    move: Move
    nags: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    variations: tuple["Line", ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """Moves in a row, and the comments before the first of them."""

    moves: tuple[AnnotatedMove, ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class PdnGame:
    """A game as a PDN text tells it: where it began, its main line, its score, and its headers.

    ``quiet_plies`` is what the clock showed at the start. ``headers`` holds none that says what another field
    holds: Result, GameType, Rules, SetUp and FEN. ``conflicts`` holds what the rules say against a game that
    could be read all the same: moves after its end, or a score that is not the board's.
    """

    start: Position
    line: Line = Line()
    score: Score = "*"
    headers: Mapping[str, str] = field(default_factory=dict)
    quiet_plies: int = 0
    conflicts: tuple[PdnError, ...] = field(default=(), compare=False)

    @classmethod
    def from_game(cls, game: Game, headers: Mapping[str, str] | None = None) -> "PdnGame":
        """Return the moves and the result of a game, under these headers."""
        line = Line(tuple(map(AnnotatedMove, game.moves)))
        return cls(game.start, line, score_of(game.result), dict(headers or {}), game.start_quiet_plies)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return tuple(annotated.move for annotated in self.line.moves)

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position of the main line, the start position first."""
        return tuple(itertools.accumulate(self.moves, Position.after, initial=self.start))

    def game(self) -> Game:
        """Return the main line as a game, which ends as the score says.

        Where the board has not decided it, a score for one side means that the other resigned, and an equal
        one that a draw was agreed on. Raises GameOver for moves after the end.
        """
        game = Game(self.start, self.quiet_plies)
        for move in self.moves:
            game.play(move)
        if game.result is None and self.score in DECIDED:
            winner = DECIDED[self.score]
            if winner is None:
                game.agree_draw()
            else:
                game.resign(winner.other)
        return game

    def json(self) -> dict[str, Any]:
        """Return the game as plain JSON values, with the FEN after every move."""
        return {
            "headers": dict(self.headers),
            "rules": self.start.rules.name,
            "start": self.start.fen(),
            "quiet_plies": self.quiet_plies,
            **_line_json(self.line, self.start),
            "result": self.score,
        }


def _line_json(line: Line, position: Position) -> dict[str, Any]:
    moves = []
    for annotated in line.moves:
        after = position.after(annotated.move)
        moves.append(
            {
                **annotated.move.json(),
                "fen": after.fen(),
                "nags": list(annotated.nags),
                "comments": list(annotated.comments),
                "variations": [_line_json(variation, position) for variation in annotated.variations],
            }
        )
        position = after
    return {"comments": list(line.comments), "moves": moves}
