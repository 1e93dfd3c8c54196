"""Random placement: pieces dealt onto free squares, balanced, so that there is a fight."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from dama import Color, Position, Ruleset
from dama.squares import MEN_SQUARES, bit
from generator.quality import PIECES
from generator.sources import Candidate
from generator.sources.choice import has_quiet_choice, is_level

_DEFENDERS: Final = (3, 7)
_SURPLUS: Final = (-2, -1, -1, 0, 0, 1, 1)
"""How many pieces the solver has more than the defender; a puzzle allows one."""
_MEN_BITS: Final = tuple(map(bit, MEN_SQUARES))


@dataclass(frozen=True, slots=True)
class RandomPlacement:
    """Positions of 5 to 14 pieces, up to two kings a side, each of them there with ``king_chance``.

    White has nothing to capture, as a puzzle begins with a quiet move, and moves to choose from.
    """

    name: str
    king_chance: float

    def candidates(self, rng: Random, rules: Ruleset) -> Iterator[Candidate]:
        """Yield positions of pieces dealt at random, White to move."""
        while True:
            white, black = armies(rng)
            white_kings, black_kings = self._kings(rng, white), self._kings(rng, black)
            men = rng.sample(_MEN_BITS, white + black - white_kings - black_kings)
            white_men, black_men = sum(men[: white - white_kings]), sum(men[white - white_kings :])
            kings = _free_squares(rng, white_men | black_men, white_kings + black_kings)
            position = Position(
                white_men,
                sum(kings[:white_kings]),
                black_men,
                sum(kings[white_kings:]),
                Color.WHITE,
                rules,
            )
            if is_level(position) and has_quiet_choice(position):
                yield Candidate(position, self.name)

    def _kings(self, rng: Random, pieces: int) -> int:
        return min(pieces, (rng.random() < self.king_chance) + (rng.random() < self.king_chance))


def armies(rng: Random) -> tuple[int, int]:
    """Draw how many pieces White and Black have: a fight, and as many as a puzzle may have."""
    black = rng.randint(*_DEFENDERS)
    return min(max(black + rng.choice(_SURPLUS), PIECES[0] - black), PIECES[1] - black), black


def _free_squares(rng: Random, occupied: int, number: int) -> list[int]:
    squares: list[int] = []
    while len(squares) < number:
        square = bit(rng.randrange(64))
        if not occupied & square:
            occupied |= square
            squares.append(square)
    return squares
