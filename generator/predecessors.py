"""The move before: every way a position can have come about by one legal move of the side not to move.

Moves are taken back by geometry and then played forwards by the plain rules, which alone decide.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from dama import Color, Position
from dama.movegen.orthogonal import LEFT, RAYS, RIGHT, UP
from dama.squares import MEN_SQUARES, bit, rank_of, squares_in
from generator.sources import Before

DEFENDERS_FIRST_RANK: Final = 7
DEFENDERS_LAST_RANK: Final = 0


class Backward(NamedTuple):
    """A way back for a black piece: from where it stands to where it may have come from."""

    target: int
    origin: int
    was_man: bool
    victim: int | None = None
    """The square of the white piece it may have taken on its way."""


def predecessor(position: Position) -> Before | None:
    """Return the most plausible legal move that leads here and the position before it, or None.

    A man's step forward is the most plausible, then its step aside, its captures, a king's move, the crowning
    of a man, a king's captures. Captures of several pieces are not looked for.
    """
    return next(predecessors(position), None)


def predecessors(position: Position) -> Iterator[Before]:
    """Yield every single step or single capture that leads here, the most plausible first."""
    if position.turn is Color.BLACK:
        yield from (before.swapped() for before in predecessors(position.swapped()))
        return
    for way in _ways_back(position):
        for before in _taken_back(position, way):
            if before.status() or before.outcome() is not None:
                continue
            for move in before.legal_moves:
                if (move.origin, move.target) == (way.origin, way.target) and before.after(move) == position:
                    yield Before(before, move)


def quiet_ways(position: Position, target: int) -> Iterator[Backward]:
    """Yield the ways back without a capture of the black piece on a square, White to move now."""
    if position.black_men & bit(target):
        yield from _steps(position, (target,), (UP, LEFT, RIGHT))
        return
    yield from _slides(position, (target,))
    if rank_of(target) == DEFENDERS_LAST_RANK:
        yield from _steps(position, (target,), (UP,))


def capturing_ways(position: Position, target: int) -> Iterator[Backward]:
    """Yield the ways back over one captured piece of the black piece on a square, White to move now."""
    if position.black_men & bit(target):
        yield from _jumps(position, (target,))
        return
    yield from _flying_jumps(position, (target,))
    if rank_of(target) == DEFENDERS_LAST_RANK:
        yield from _jumps(position, (target,))


def taken_back(position: Position, way: Backward, *, victim_is_king: bool = False) -> Position:
    """Return the position with the piece back where it came from and its victim alive, Black to move.

    A capture of several pieces is taken back jump by jump. Nothing tells whether the move is legal.
    """
    men, kings = position.black_men & ~bit(way.target), position.black_kings & ~bit(way.target)
    if way.was_man:
        men |= bit(way.origin)
    else:
        kings |= bit(way.origin)
    white_men, white_kings = position.white_men, position.white_kings
    if way.victim is not None:
        if victim_is_king:
            white_kings |= bit(way.victim)
        else:
            white_men |= bit(way.victim)
    return Position(white_men, white_kings, men, kings, Color.BLACK, position.rules)


def occupied(position: Position) -> int:
    """Return the squares of all pieces."""
    return position.white_men | position.white_kings | position.black_men | position.black_kings


def _ways_back(position: Position) -> Iterator[Backward]:
    """Yield what may have been Black's last move, White to move now, the most plausible first."""
    men, kings = tuple(squares_in(position.black_men)), tuple(squares_in(position.black_kings))
    crowned = [king for king in kings if rank_of(king) == DEFENDERS_LAST_RANK]
    yield from _steps(position, men, (UP,))
    yield from _steps(position, men, (LEFT, RIGHT))
    yield from _jumps(position, men)
    yield from _slides(position, kings)
    yield from _steps(position, crowned, (UP,))
    yield from _jumps(position, crowned)
    yield from _flying_jumps(position, kings)


def _taken_back(position: Position, way: Backward) -> Iterator[Position]:
    """Yield the position before, a victim as a man first, but that only where men can stand."""
    if way.victim is None or way.victim in MEN_SQUARES:
        yield taken_back(position, way)
    if way.victim is not None:
        yield taken_back(position, way, victim_is_king=True)


def _steps(position: Position, targets: Iterable[int], directions: tuple[int, ...]) -> Iterator[Backward]:
    for target in targets:
        for direction in directions:
            for origin in RAYS[target][direction][:1]:
                if not occupied(position) & bit(origin) and rank_of(origin) != DEFENDERS_FIRST_RANK:
                    yield Backward(target, origin, was_man=True)


def _slides(position: Position, targets: Iterable[int]) -> Iterator[Backward]:
    for target in targets:
        for ray in RAYS[target]:
            for origin in _free(position, ray):
                yield Backward(target, origin, was_man=False)


def _jumps(position: Position, targets: Iterable[int]) -> Iterator[Backward]:
    for target in targets:
        for direction in (UP, LEFT, RIGHT):
            ray = RAYS[target][direction][:2]
            if len(list(_free(position, ray))) == 2 and rank_of(ray[1]) != DEFENDERS_FIRST_RANK:
                yield Backward(target, ray[1], was_man=True, victim=ray[0])


def _flying_jumps(position: Position, targets: Iterable[int]) -> Iterator[Backward]:
    for target in targets:
        for ray in RAYS[target]:
            free = list(_free(position, ray))
            for place, victim in enumerate(free):
                for origin in free[place + 1 :]:
                    yield Backward(target, origin, was_man=False, victim=victim)


def _free(position: Position, ray: tuple[int, ...]) -> Iterator[int]:
    """Yield the squares of a ray up to the first piece."""
    pieces = occupied(position)
    for square in ray:
        if pieces & bit(square):
            return
        yield square
