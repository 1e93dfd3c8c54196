"""The move before: every way a position can have come about by one legal move of the side not to move.

Moves are taken back by geometry and then played forwards by the plain rules, which alone decide.
"""

from collections.abc import Iterator

from dama import Color, Position
from dama.movegen.orthogonal import LEFT, RAYS, RIGHT, UP
from dama.squares import bit, rank_of, squares_in
from generator.sources import Before

_DEFENDERS_FIRST_RANK = 7
_DEFENDERS_LAST_RANK = 0


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
    for before, origin, target in _taken_back(position):
        if before.status() or before.outcome() is not None:
            continue
        for move in before.legal_moves:
            if (move.origin, move.target) == (origin, target) and before.after(move) == position:
                yield Before(before, move)


def _taken_back(position: Position) -> Iterator[tuple[Position, int, int]]:
    """Yield (position before, from, to) of what may have been Black's last move, White to move now."""
    men, kings = list(squares_in(position.black_men)), list(squares_in(position.black_kings))
    crowned = [king for king in kings if rank_of(king) == _DEFENDERS_LAST_RANK]
    yield from _steps(position, men, (UP,))
    yield from _steps(position, men, (LEFT, RIGHT))
    yield from _jumps(position, men)
    yield from _slides(position, kings)
    yield from _steps(position, crowned, (UP,))
    yield from _jumps(position, crowned)
    yield from _flying_jumps(position, kings)


def _steps(
    position: Position, targets: list[int], directions: tuple[int, ...]
) -> Iterator[tuple[Position, int, int]]:
    for target in targets:
        for direction in directions:
            for origin in RAYS[target][direction][:1]:
                if not _occupied(position) & bit(origin) and rank_of(origin) != _DEFENDERS_FIRST_RANK:
                    yield _before(position, target, origin, is_man=True), origin, target


def _slides(position: Position, targets: list[int]) -> Iterator[tuple[Position, int, int]]:
    for target in targets:
        for ray in RAYS[target]:
            for origin in _free(position, ray):
                yield _before(position, target, origin, is_man=False), origin, target


def _jumps(position: Position, targets: list[int]) -> Iterator[tuple[Position, int, int]]:
    for target in targets:
        for direction in (UP, LEFT, RIGHT):
            ray = RAYS[target][direction][:2]
            if len(list(_free(position, ray))) < 2 or rank_of(ray[1]) == _DEFENDERS_FIRST_RANK:
                continue
            before = _before(position, target, ray[1], is_man=True)
            yield from ((restored, ray[1], target) for restored in _with_victim(before, ray[0]))


def _flying_jumps(position: Position, targets: list[int]) -> Iterator[tuple[Position, int, int]]:
    for target in targets:
        for ray in RAYS[target]:
            free = list(_free(position, ray))
            for place, victim in enumerate(free):
                for origin in free[place + 1 :]:
                    before = _before(position, target, origin, is_man=False)
                    yield from ((restored, origin, target) for restored in _with_victim(before, victim))


def _occupied(position: Position) -> int:
    return position.pieces(Color.WHITE).all | position.pieces(Color.BLACK).all


def _free(position: Position, ray: tuple[int, ...]) -> Iterator[int]:
    """Yield the squares of a ray up to the first piece."""
    occupied = _occupied(position)
    for square in ray:
        if occupied & bit(square):
            return
        yield square


def _before(position: Position, target: int, origin: int, *, is_man: bool) -> Position:
    """Return the position with Black's piece back on ``origin``, Black to move."""
    men, kings = position.black_men & ~bit(target), position.black_kings & ~bit(target)
    if is_man:
        men |= bit(origin)
    else:
        kings |= bit(origin)
    return Position(position.white_men, position.white_kings, men, kings, Color.BLACK, position.rules)


def _with_victim(position: Position, square: int) -> Iterator[Position]:
    """Yield the position with a white man, then a white king put back; a man only where men can stand."""
    men, kings = position.white_men, position.white_kings
    if 0 < rank_of(square) < 7:
        yield Position(
            men | bit(square), kings, position.black_men, position.black_kings, Color.BLACK, position.rules
        )
    yield Position(
        men, kings | bit(square), position.black_men, position.black_kings, Color.BLACK, position.rules
    )
