"""Retrograde composition: from an ending back to where it was forced, two plies or four."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from dama import Color, Position, Ruleset, kernel
from dama.kernel import Soundness
from dama.squares import bit, rank_of, squares_in
from generator.predecessors import capturing_ways, quiet_ways, taken_back
from generator.quality import has_few_kings, has_right_size
from generator.sources import Candidate
from generator.sources.blows import draw_blow
from generator.sources.choice import has_quiet_choice

_REPLIES: Final = 3
"""Ways back tried for the defender's reply; few, so that one ending does not give many like puzzles."""
_MOVES: Final = 6
"""Ways back tried for the solver's move before each of them."""
_CAPTURED_BY_DEFENDER: Final = (1, 1, 1, 2, 2, 3)
_CAPTURED_BY_SOLVER: Final = (1, 1, 2)
"""Pieces that a capture takes, as often as they are named."""
_MIDDLE_CAPTURES: Final = 0.4
"""Share of captures among the solver's moves that are not the key; the key is quiet."""
_VICTIM_KINGS: Final = 0.12
"""Share of kings among pieces put back where men could stand."""

Ending = Callable[[Random, Ruleset], Position | None]
"""Draws a position, White to move, that one move should win; None when the draw came to nothing."""


@dataclass(frozen=True, slots=True)
class Retrograde:
    """Positions from which an ending can be forced: its last ``moves - 1`` moves of both sides taken back.

    Each ending gives one candidate at most. Every move taken back is legal, but whether it was forced only a
    search can tell; for positions between the ending and the candidate it has done so.
    """

    name: str
    moves: tuple[int, ...]
    """In how many moves the candidates should be won: one number or another."""
    ending: Ending = draw_blow
    quiet_replies: float = 0.1
    """Share of replies of the defender that capture nothing."""

    def candidates(self, rng: Random, rules: Ruleset) -> Iterator[Candidate]:
        """Yield positions that have as many quiet first moves as a puzzle needs, White to move."""
        while True:
            ending = self.ending(rng, rules)
            if ending is None or kernel.wins_in(ending, 1) != 1:
                continue
            position = self._begun(rng, ending, rng.choice(self.moves))
            if position is not None and has_right_size(position) and has_few_kings(position):
                yield Candidate(position, self.name)

    def _begun(self, rng: Random, ending: Position, moves: int) -> Position | None:
        """Return a position that may be a win in so many moves by way of the ending."""
        position: Position | None = ending
        for number in range(2, moves):
            position = position and self._earlier(
                rng, position, _MIDDLE_CAPTURES, partial(_is_sound_win, moves=number)
            )
        return position and self._earlier(rng, position, 0.0, partial(has_quiet_choice, moves=moves))

    def _earlier(
        self, rng: Random, position: Position, captures: float, suits: Callable[[Position], bool]
    ) -> Position | None:
        """Take back a reply of Black's and a move of White's, until the position suits."""
        for _ in range(_REPLIES):
            replied = _one_move_earlier(rng, position, 1 - self.quiet_replies, _CAPTURED_BY_DEFENDER)
            if replied is None:
                continue
            for _ in range(_MOVES):
                before = _one_move_earlier(rng, replied, captures, _CAPTURED_BY_SOLVER)
                if before is not None and suits(before):
                    return before
        return None


def _is_sound_win(position: Position, moves: int) -> bool:
    return kernel.wins_in(position, moves) == moves and kernel.soundness(position, moves) is Soundness.SOUND


def _one_move_earlier(
    rng: Random, position: Position, captures: float, numbers: tuple[int, ...]
) -> Position | None:
    """Take back a move, drawn at random, of the side not to move; None when the draw is not legal."""
    if position.turn is Color.BLACK:
        before = _one_move_earlier(rng, position.swapped(), captures, numbers)
        return before and before.swapped()
    target = rng.choice(list(squares_in(position.black_men | position.black_kings)))
    if captures and rng.random() < captures:
        return _capture_earlier(rng, position, target, rng.choice(numbers))
    ways = list(quiet_ways(position, target))
    if not ways:
        return None
    way = rng.choice(ways)
    return _if_legal(taken_back(position, way), way.origin, target, 0)


def _capture_earlier(rng: Random, position: Position, target: int, number: int) -> Position | None:
    """Take back a capture of so many pieces, or fewer if the way back ends."""
    square, captured = target, 0
    for _ in range(number):
        ways = list(capturing_ways(position, square))
        if not ways:
            break
        way = rng.choice(ways)
        assert way.victim is not None  # noqa: S101  (for the type checker: these ways capture)
        is_king = rank_of(way.victim) in {0, 7} or rng.random() < _VICTIM_KINGS
        position = taken_back(position, way, victim_is_king=is_king)
        square, captured = way.origin, captured | bit(way.victim)
    return _if_legal(position, square, target, captured) if captured else None


def _if_legal(position: Position, origin: int, target: int, captured: int) -> Position | None:
    return position if (origin, target, captured) in kernel.moves(position) else None
