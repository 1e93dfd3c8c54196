"""Retrograde composition: from an ending back to where it was forced, two plies or four."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final

from dama import Position, Ruleset, kernel
from dama.kernel import Soundness
from dama.squares import FIRST_RANK, MEN_SQUARES, bit, squares_in
from generator.predecessors import capturing_ways, occupied, quiet_ways, taken_back
from generator.quality import has_few_kings, has_right_size
from generator.sources import Candidate
from generator.sources.baits import bait_squares
from generator.sources.blows import draw_blow
from generator.sources.choice import has_quiet_choice, is_level

_REPLIES: Final = (3, 12)
"""Ways back tried for the defender's reply: from an ending, which is cheap, and from a win on the way."""
_MOVES: Final = 8
"""Ways back tried for the solver's move before each of them."""
_CAPTURED_BY_DEFENDER: Final = (1, 1, 1, 2, 2, 3)
_CAPTURED_BY_SOLVER: Final = (1, 1, 2)
"""Pieces that a capture takes, as often as they are named."""
_MIDDLE_CAPTURES: Final = 0.4
"""Share of captures among the solver's moves that are not the key; the key is quiet."""
_KINGS_CAPTURE: Final = 0.5
"""Share of captures by a king of the defender's, if it has one: rules of their own apply to kings."""
_BAITS: Final = 0.5
"""Share of these captures for which a bait is put out."""
_VICTIM_KINGS: Final = 0.12
"""Share of kings among pieces put back where men could stand."""

Ending = Callable[[Random, Ruleset], Position | None]
"""Draws a position, White to move, that one move should win; None when the draw came to nothing."""


@dataclass(frozen=True, slots=True)
class Retrograde:
    """Positions from which an ending can be forced: its last ``moves - 1`` moves of both sides taken back.

    Each ending gives one candidate at most. A move taken back is legal, but only a search can tell whether it
    is forced, so every position on the way is tested for a win with one key.
    """

    name: str
    moves: tuple[int, ...]
    """In how many moves the candidates should be won: one number or another."""
    ending: Ending = draw_blow
    suits: Callable[[Position], bool] = is_level
    """What is asked of a position before anything is searched."""
    quiet_replies: float = 0.1
    """Share of replies of the defender that capture nothing."""

    def candidates(self, rng: Random, rules: Ruleset) -> Iterator[Candidate]:
        """Yield wins with one key and as many quiet first moves as a puzzle needs, White to move."""
        while True:
            ending = self.ending(rng, rules)
            if ending is None or kernel.wins_in(ending, 1) != 1:
                continue
            position = self._begun(rng, ending, rng.choice(self.moves))
            if position is not None and has_right_size(position) and has_few_kings(position):
                yield Candidate(position, self.name)

    def _begun(self, rng: Random, ending: Position, moves: int) -> Position | None:
        """Return a position, won in so many moves by way of the ending, that begins with a quiet move."""
        position: Position | None = ending
        for number in range(2, moves + 1):
            is_beginning = number == moves
            suits = partial(self._suits, moves=number, is_beginning=is_beginning)
            captures = 0.0 if is_beginning else _MIDDLE_CAPTURES
            position = position and self._earlier(rng, position, _REPLIES[number > 2], captures, suits)
        return position

    def _suits(self, position: Position, moves: int, *, is_beginning: bool) -> bool:
        return (
            self.suits(position)
            and (not is_beginning or has_quiet_choice(position, moves))
            and kernel.wins_in(position, moves) == moves
            and kernel.soundness(position, moves) is Soundness.SOUND
        )

    def _earlier(
        self,
        rng: Random,
        position: Position,
        replies: int,
        captures: float,
        suits: Callable[[Position], bool],
    ) -> Position | None:
        """Take back a reply of Black's and a move of White's, until the position suits."""
        for _ in range(replies):
            replied = _reply_earlier(rng, position, 1 - self.quiet_replies)
            if replied is None:
                continue
            for _ in range(_MOVES):
                before = _move_earlier(rng, replied, captures)
                if before is not None and suits(before):
                    return before
        return None


def _reply_earlier(rng: Random, position: Position, captures: float) -> Position | None:
    """Take back a move of Black's, drawn at random, White to move; None when the draw is not legal."""
    kings = list(squares_in(position.black_kings))
    if rng.random() >= captures:
        return _quiet_move_earlier(rng, position)
    target = rng.choice(kings) if kings and rng.random() < _KINGS_CAPTURE else _any_black_piece(rng, position)
    return _capture_earlier(rng, position, target, rng.choice(_CAPTURED_BY_DEFENDER), _BAITS)


def _move_earlier(rng: Random, position: Position, captures: float) -> Position | None:
    """Take back a move of White's, Black to move."""
    seen = position.swapped()
    if rng.random() < captures:
        before = _capture_earlier(rng, seen, _any_black_piece(rng, seen), rng.choice(_CAPTURED_BY_SOLVER))
    else:
        before = _quiet_move_earlier(rng, seen)
    return before and before.swapped()


def _any_black_piece(rng: Random, position: Position) -> int:
    return rng.choice(list(squares_in(position.black_men | position.black_kings)))


def _quiet_move_earlier(rng: Random, position: Position) -> Position | None:
    ways = list(quiet_ways(position, _any_black_piece(rng, position)))
    if not ways:
        return None
    way = rng.choice(ways)
    return _if_legal(taken_back(position, way), way.origin, way.target, 0)


def _capture_earlier(
    rng: Random, position: Position, target: int, number: int, bait_chance: float = 0.0
) -> Position | None:
    """Take back a capture of so many pieces, or fewer if the way back ends.

    If it was a king's, a bait may be put out for it.
    """
    square, captured = target, 0
    baits: list[int] = []
    for _ in range(number):
        ways = list(capturing_ways(position, square))
        if not ways:
            break
        way = rng.choice(ways)
        assert way.victim is not None  # noqa: S101  (for the type checker: these ways capture)
        if not captured and not way.was_man and rng.random() < bait_chance:
            baits = bait_squares(way.origin, target, occupied(position))
        is_king = way.victim not in MEN_SQUARES or rng.random() < _VICTIM_KINGS
        position = taken_back(position, way, victim_is_king=is_king)
        square, captured = way.origin, captured | bit(way.victim)
    baits = [bait for bait in baits if bait in MEN_SQUARES and not occupied(position) & bit(bait)]
    if baits:
        position = replace(position, white_men=position.white_men | bit(rng.choice(baits)))
    return _if_legal(position, square, target, captured) if captured else None


def _if_legal(position: Position, origin: int, target: int, captured: int) -> Position | None:
    # A man may cross its last row while it captures, but no move begins with a man there.
    if position.black_men & FIRST_RANK or (origin, target, captured) not in kernel.moves(position):
        return None
    return position
