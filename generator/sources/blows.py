"""Final blows: positions in which White ends the game with one long capture, drawn jump by jump."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from dama import Color, Position, Ruleset
from dama.movegen.orthogonal import LEFT, OPPOSITE, RAYS, RIGHT, UP
from dama.squares import FIRST_RANK, LAST_RANK, MEN_SQUARES, bit, squares_in
from generator.sources.choice import MOST_LEAD, lead

VICTIMS: Final = (3, 7)
"""Fewest and most pieces that a blow takes."""
MOST_KINGS_TAKEN: Final = 2
_KING_BLOWS: Final = 0.65
"""Share of blows that a king strikes."""
_LAST_ROW_BLOWS: Final = 0.3
"""Share of men's blows that cross the last row and go on along it, where hardly any would by chance."""
_FARTHEST_VICTIM: Final = 4
"""Squares to a king's next victim at most, so that the ways of kings stay readable."""
_VICTIM_KINGS: Final = 0.1
"""Share of kings among victims that could be men."""
_HELPERS: Final = (0, 1, 1, 2, 2, 3)
"""White pieces beside the one that strikes: they will be needed to force the blow, or are too many."""
_HELPING_KINGS: Final = 0.15
_GIVEN: Final = 1.0
"""Men that White will have given before the blow, at least."""


_TO_LAST_ROW: Final = (*range(24, 32), *range(40, 48))
"""Where a man's jumps straight up end on the last row: on ranks 4 and 6."""


@dataclass(slots=True)
class _Way:
    """How far a blow has come."""

    start: int
    square: int
    crossed: int
    """Squares that must be free when the blow begins."""
    direction: int | None = None
    victims: int = 0


def draw_blow(rng: Random, rules: Ruleset) -> Position | None:
    """Return a position, White to move, in which one capture should take everything that Black has.

    None stands for a draw that came to too few victims or too many kings. It is drawn by geometry as if
    captured pieces left at once: the rules have the last word.
    """
    is_king = rng.random() < _KING_BLOWS
    way = _way_of_king(rng) if is_king else _way_of_man(rng)
    if way.victims.bit_count() < VICTIMS[0]:
        return None
    kings = way.victims & (FIRST_RANK | LAST_RANK)  # where no black man stands
    kings |= sum(bit(square) for square in squares_in(way.victims & ~kings) if rng.random() < _VICTIM_KINGS)
    if kings.bit_count() > MOST_KINGS_TAKEN:
        return None
    striker = Position(
        0 if is_king else bit(way.start),
        bit(way.start) if is_king else 0,
        way.victims & ~kings,
        kings,
        Color.WHITE,
        rules,
    )
    if lead(striker) > MOST_LEAD - _GIVEN:
        return None
    return _helped(rng, striker, way.victims | way.crossed)


def _way_of_king(rng: Random) -> _Way:
    start = rng.randrange(64)
    way = _Way(start, start, bit(start))
    for _ in range(rng.randint(*VICTIMS)):
        if not _fly_on(rng, way):
            break
    return way


def _way_of_man(rng: Random) -> _Way:
    start = rng.randrange(8, 48)
    crosses_last_row = rng.random() < _LAST_ROW_BLOWS
    if crosses_last_row:
        start = rng.choice(_TO_LAST_ROW)
    way = _Way(start, start, bit(start))
    for _ in range(rng.randint(*VICTIMS)):
        # Up, where it can go up, is the way to the last row.
        directions = (
            (UP, *rng.sample((LEFT, RIGHT), 2)) if crosses_last_row else rng.sample((UP, LEFT, RIGHT), 3)
        )
        if not _jump_on(way, directions):
            break
    return way


def _fly_on(rng: Random, way: _Way) -> bool:
    """Let a king jump once more, never turning back; return whether there was a way."""
    for direction in rng.sample(range(4), 4):
        ray = RAYS[way.square][direction]
        if len(ray) < 2 or (way.direction is not None and direction == OPPOSITE[way.direction]):
            continue
        place = rng.randrange(min(len(ray) - 1, _FARTHEST_VICTIM))
        victim = bit(ray[place])
        if victim & (way.crossed | way.victims):
            continue
        landing = rng.randrange(place + 1, len(ray))
        # Earlier victims are gone by now: their squares are free, but not when the blow begins.
        way.crossed |= sum(map(bit, ray[: landing + 1])) & ~(victim | way.victims)
        way.victims |= victim
        way.square, way.direction = ray[landing], direction
        return True
    return False


def _jump_on(way: _Way, directions: Iterable[int]) -> bool:
    """Let a man jump once more, in the first direction that is free; return whether there was one."""
    for direction in directions:
        ray = RAYS[way.square][direction]
        if len(ray) < 2 or (bit(ray[0]) | bit(ray[1])) & (way.crossed | way.victims):
            continue
        way.victims |= bit(ray[0])
        way.crossed |= bit(ray[1])
        way.square = ray[1]
        return True
    return False


def _helped(rng: Random, position: Position, taken: int) -> Position:
    """Return the position with white helpers on squares that are not taken, as long as it stays level."""
    for _ in range(rng.choice(_HELPERS)):
        is_king = rng.random() < _HELPING_KINGS
        square = bit(rng.randrange(64) if is_king else rng.choice(MEN_SQUARES))
        if square & taken:
            continue
        taken |= square
        if is_king:
            helped = replace(position, white_kings=position.white_kings | square)
        else:
            helped = replace(position, white_men=position.white_men | square)
        if lead(helped) > MOST_LEAD - _GIVEN:
            break
        position = helped
    return position
