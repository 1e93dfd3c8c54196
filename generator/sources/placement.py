"""Random placement: pieces dealt onto free squares, balanced, so that there is a fight."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from dama import Color, Position, Ruleset
from dama.squares import bit
from generator.sources import Candidate

_DEFENDERS: Final = (3, 7)
_SURPLUS: Final = (-2, -1, -1, 0, 0, 1, 1)
"""How many pieces the solver has more than the defender; a puzzle allows one."""
_BOTH_END_RANKS: Final = 0xFF000000000000FF
_NOT_A_B: Final = 0xFCFCFCFCFCFCFCFC
_NOT_G_H: Final = 0x3F3F3F3F3F3F3F3F


@dataclass(frozen=True, slots=True)
class RandomPlacement:
    """Positions of 4 to 14 pieces, up to two kings a side, each of them there with ``king_chance``.

    No man stands on its first or last rank, where no game leaves one, and no man of White's can capture:
    a puzzle begins with a quiet move.
    """

    name: str
    king_chance: float

    def candidates(self, rng: Random, rules: Ruleset) -> Iterator[Candidate]:
        """Yield positions of pieces dealt at random, White to move."""
        while True:
            black = rng.randint(*_DEFENDERS)
            white = black + rng.choice(_SURPLUS)
            squares = [bit(square) for square in rng.sample(range(64), black + white)]
            white_kings, black_kings = self._kings(rng, white), self._kings(rng, black)
            position = Position(
                sum(squares[white_kings:white]),
                sum(squares[:white_kings]),
                sum(squares[white + black_kings :]),
                sum(squares[white : white + black_kings]),
                Color.WHITE,
                rules,
            )
            men = position.white_men | position.black_men
            if not men & _BOTH_END_RANKS and not _white_men_capture(position):
                yield Candidate(position, self.name)

    def _kings(self, rng: Random, pieces: int) -> int:
        return min(pieces, (rng.random() < self.king_chance) + (rng.random() < self.king_chance))


def _white_men_capture(position: Position) -> bool:
    black = position.black_men | position.black_kings
    empty = ~(position.white_men | position.white_kings | black) & 0xFFFFFFFFFFFFFFFF
    ahead = (black >> 8) & (empty >> 16)
    right = (black >> 1) & (empty >> 2) & _NOT_G_H
    left = (black << 1) & (empty << 2) & _NOT_A_B
    return bool(position.white_men & (ahead | right | left))
