"""Thinned middlegames: positions of self-play with pieces taken off until they have a puzzle's number."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from dama import Color, Position, Ruleset
from dama.squares import bit, squares_in
from generator.quality import PIECES, piece_counts
from generator.sources import Candidate
from generator.sources.choice import has_quiet_choice, is_level
from generator.sources.placement import armies
from generator.sources.selfplay import games

_THINNED: Final = 6
"""Ways to thin one position: a move of a game costs as much as they do."""
_FULLEST: Final = 24
"""Pieces of the positions that are thinned: of more, little of what the game made of them would be left."""


@dataclass(frozen=True, slots=True)
class ThinnedMiddlegames:
    """Positions that look as if played: every piece stands where a game has brought it."""

    name: str = "thinned middlegame"

    def candidates(self, rng: Random, rules: Ruleset) -> Iterator[Candidate]:
        """Yield positions with nothing to capture and moves to choose from, White to move."""
        for game in games(rng, rules):
            for _, _, position in game:
                seen = position if position.turn is Color.WHITE else position.swapped()
                if PIECES[1] < sum(piece_counts(seen)) <= _FULLEST:
                    for _ in range(_THINNED):
                        thinned = _thinned(rng, seen)
                        if is_level(thinned) and has_quiet_choice(thinned):
                            yield Candidate(thinned, self.name)


def _thinned(rng: Random, position: Position) -> Position:
    white, black = armies(rng)
    white_left = _some(rng, position.white_men | position.white_kings, white)
    black_left = _some(rng, position.black_men | position.black_kings, black)
    return Position(
        position.white_men & white_left,
        position.white_kings & white_left,
        position.black_men & black_left,
        position.black_kings & black_left,
        Color.WHITE,
        position.rules,
    )


def _some(rng: Random, pieces: int, number: int) -> int:
    squares = list(squares_in(pieces))
    return sum(map(bit, rng.sample(squares, min(number, len(squares)))))
