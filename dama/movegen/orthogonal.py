"""How men and kings of Turkish dama move and capture: the specification, in plain Python.

Everything is seen from the side to move. A board is four bitboards: own men, own kings, enemies, and with
them the direction in which men move forward.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from dama.move import Move, Path
from dama.rulesets import Ruleset
from dama.squares import FIRST_RANK, LAST_RANK, bit, file_of, rank_of, squares_in

UP, DOWN, LEFT, RIGHT = range(4)
OPPOSITE: Final = (DOWN, UP, RIGHT, LEFT)
_STEPS: Final = ((0, 1), (0, -1), (-1, 0), (1, 0))


def _ray(square: int, direction: int) -> Path:
    """Return the squares from here to the edge of the board, nearest first."""
    file_step, rank_step = _STEPS[direction]
    file, rank = file_of(square) + file_step, rank_of(square) + rank_step
    squares = []
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(rank * 8 + file)
        file, rank = file + file_step, rank + rank_step
    return tuple(squares)


RAYS: Final = tuple(tuple(_ray(square, direction) for direction in range(4)) for square in range(64))


def _neighbours(square: int, *directions: int) -> int:
    """Return the squares next to this one in these directions, as a bitboard."""
    return sum(bit(RAYS[square][direction][0]) for direction in directions if RAYS[square][direction])


_KING_STEPS: Final = tuple(_neighbours(square, UP, DOWN, LEFT, RIGHT) for square in range(64))
_MAN_STEPS: Final = tuple(
    tuple(_neighbours(square, forward, LEFT, RIGHT) for square in range(64)) for forward in (UP, DOWN)
)
_MAN_JUMPS: Final = tuple(
    tuple(
        tuple(
            (direction, *RAYS[square][direction][:2])
            for direction in (forward, LEFT, RIGHT)
            if len(RAYS[square][direction]) > 1
        )
        for square in range(64)
    )
    for forward in (UP, DOWN)
)
"""Every (direction, victim, landing) there is for a man, by the direction in which men go and its square."""


class Board(NamedTuple):
    """The pieces as the side to move sees them; ``forward`` is UP for White and DOWN for Black."""

    men: int
    kings: int
    enemies: int
    forward: int

    @property
    def occupied(self) -> int:
        """Every square with a piece on it."""
        return self.men | self.kings | self.enemies

    @property
    def last_rank(self) -> int:
        """The squares on which own men are crowned."""
        return LAST_RANK if self.forward == UP else FIRST_RANK


class _Series(NamedTuple):
    """A capture series under way."""

    path: Path
    captured: Path
    direction: int | None
    occupied: int
    enemies: int
    """The enemies that may still be jumped."""


def legal_moves(board: Board, rules: Ruleset) -> list[Move]:
    """Return every legal move in board order: captures when there are any, else quiet moves.

    Every equivalent path is listed, so a board made for it (kings amid a lattice of men) takes seconds.
    """
    if captures := _captures(board, rules):
        return sorted(captures, key=lambda move: move.board_order)
    return [
        _quiet_move(origin, target, _crowns(board, origin, target))
        for origin, target in sorted(_quiet_moves(board))
    ]


def has_legal_move(board: Board) -> bool:
    """Tell whether the side to move can move at all; a first jump is enough, every ruleset alike."""
    occupied, steps = board.occupied, _MAN_STEPS[board.forward]
    for square in squares_in(board.men):
        if steps[square] & ~occupied:
            return True
    for square in squares_in(board.kings):
        if _KING_STEPS[square] & ~occupied:
            return True
    return any(
        next(_jumps(square, is_king, board.forward, occupied, board.enemies), None) is not None
        for is_king, pieces in ((False, board.men), (True, board.kings))
        for square in squares_in(pieces)
    )


def _crowns(board: Board, origin: int, target: int) -> bool:
    return bool(board.men & bit(origin) and board.last_rank & bit(target))


@cache
def _quiet_move(origin: int, target: int, promotes: bool) -> Move:
    return Move(((origin, target),), frozenset(), promotes)


def _quiet_moves(board: Board) -> Iterator[tuple[int, int]]:
    """Yield (from, to): a man steps one square forward or sideways, a king any number of free squares."""
    occupied, steps = board.occupied, _MAN_STEPS[board.forward]
    for square in squares_in(board.men):
        for target in squares_in(steps[square] & ~occupied):
            yield square, target
    for square in squares_in(board.kings):
        if _KING_STEPS[square] & ~occupied:
            for ray in RAYS[square]:
                for target in ray:
                    if occupied >> target & 1:
                        break
                    yield square, target


def _captures(board: Board, rules: Ruleset) -> list[Move]:
    """Return the capture series allowed by the ruleset, equivalent paths gathered in one move."""
    finished = [
        series
        for is_king, pieces in ((False, board.men), (True, board.kings))
        for square in squares_in(pieces)
        for series in _finished_series(
            # While it moves, the piece's own first square is free.
            _Series((square,), (), None, board.occupied & ~bit(square), board.enemies),
            is_king=is_king,
            forward=board.forward,
            rules=rules,
        )
    ]
    if "most pieces" in rules.priorities and finished:
        most = max(len(series.captured) for series in finished)
        finished = [series for series in finished if len(series.captured) == most]
    paths: dict[tuple[int, int, frozenset[int]], list[Path]] = {}
    for series in finished:
        key = (series.path[0], series.path[-1], frozenset(series.captured))
        paths.setdefault(key, []).append(series.path)
    return [
        Move.from_paths(ways, captured, promotes=_crowns(board, origin, target))
        for (origin, target, captured), ways in paths.items()
    ]


def _finished_series(series: _Series, *, is_king: bool, forward: int, rules: Ruleset) -> Iterator[_Series]:
    """Yield every way to play the series on until the piece can capture no more."""
    goes_on = False
    for direction, victim, landing in _jumps(
        series.path[-1], is_king, forward, series.occupied, series.enemies
    ):
        turns_back = series.direction is not None and direction == OPPOSITE[series.direction]
        if is_king and turns_back and not rules.turning_back:
            continue
        goes_on = True
        # Captured at once, a piece clears its square; captured at the end, it stands in the way till then.
        occupied = series.occupied & ~bit(victim) if rules.removal_at_once else series.occupied
        longer = _Series(
            (*series.path, landing),
            (*series.captured, victim),
            direction,
            occupied,
            series.enemies & ~bit(victim),
        )
        yield from _finished_series(longer, is_king=is_king, forward=forward, rules=rules)
    if series.captured and not goes_on:
        yield series


def _jumps(
    square: int, is_king: bool, forward: int, occupied: int, enemies: int
) -> Iterator[tuple[int, int, int]]:
    """Yield (direction, victim, landing) of every single jump from here.

    A man jumps the adjacent enemy ahead or beside it to the square just beyond; a king jumps the first piece
    in any of the four directions, if it is an enemy, and lands on any free square up to the next piece.
    """
    if not is_king:
        for direction, victim, landing in _MAN_JUMPS[forward][square]:
            if enemies >> victim & 1 and not occupied >> landing & 1:
                yield direction, victim, landing
        return
    for direction, ray in enumerate(RAYS[square]):
        victim = -1
        for target in ray:
            if not occupied >> target & 1:
                if victim >= 0:
                    yield direction, victim, target
            elif victim >= 0 or not enemies >> target & 1:
                break
            else:
                victim = target
