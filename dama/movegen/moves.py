"""The legal moves of a position by its ruleset, on either board."""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from dama.move import Move, Path
from dama.movegen import diagonal, orthogonal
from dama.movegen.priorities import Capture, preferred
from dama.movegen.series import Mover, whole_series
from dama.pieces import Color
from dama.rulesets import Ruleset
from dama.squares import DIAGONAL, ORTHOGONAL, Grid, bit, squares_in

_LINES: Final = {ORTHOGONAL: orthogonal.LINES, DIAGONAL: diagonal.LINES}


class Board(NamedTuple):
    """The pieces as bitboards, seen by the side to move."""

    men: int
    kings: int
    enemy_men: int
    enemy_kings: int
    turn: Color

    @property
    def occupied(self) -> int:
        """Every square with a piece on it."""
        return self.men | self.kings | self.enemy_men | self.enemy_kings


def legal_moves(board: Board, rules: Ruleset) -> list[Move]:
    """Return every legal move in board order: captures when there are any, else quiet moves.

    Every equivalent path is listed, so a board made for it (kings amid a lattice of men) takes seconds.
    """
    if captures := preferred(list(_captures(board, rules)), rules):
        return sorted(_gathered(captures, board, rules), key=lambda move: move.board_order)
    return [
        _quiet_move(rules.grid, origin, target, _crowns(board, rules, origin, target))
        for origin, target in sorted(_quiet_moves(board, rules))
    ]


def has_legal_move(board: Board, rules: Ruleset) -> bool:
    """Tell whether the side to move can move at all; for a capture, a first jump is enough."""
    occupied, movers = board.occupied, _movers(board, rules)
    return any(
        mover.gait.can_step(square, occupied) for mover in movers for square in squares_in(mover.pieces)
    ) or any(
        next(mover.gait.jumps(square, occupied, mover.prey), None) is not None
        for mover in movers
        for square in squares_in(mover.pieces)
    )


def _movers(board: Board, rules: Ruleset) -> tuple[Mover, Mover]:
    """Return the men and the kings of the side to move, as the ruleset lets them move and capture."""
    lines = _LINES[rules.grid]
    enemies = board.enemy_men | board.enemy_kings
    men = Mover(
        board.men,
        lines.men[board.turn],
        enemies if rules.men_capture_kings else board.enemy_men,
        rules.grid.crowning(board.turn) if rules.crowning_ends_series else 0,
    )
    kings = Mover(
        board.kings, lines.flying_kings if rules.flying_kings else lines.walking_kings, enemies, stops=0
    )
    return men, kings


def _quiet_moves(board: Board, rules: Ruleset) -> Iterator[tuple[int, int]]:
    for mover in _movers(board, rules):
        for origin in squares_in(mover.pieces):
            for target in mover.gait.steps(origin, board.occupied):
                yield origin, target


@cache
def _quiet_move(grid: Grid, origin: int, target: int, promotes: bool) -> Move:
    return Move(((origin, target),), frozenset(), promotes, grid)


def _captures(board: Board, rules: Ruleset) -> Iterator[Capture]:
    for mover in _movers(board, rules):
        for origin in squares_in(mover.pieces):
            for series in whole_series(mover, origin, board.occupied, rules):
                kings = tuple(bool(board.enemy_kings >> victim & 1) for victim in series.captured)
                yield Capture(series, bool(board.kings >> origin & 1), kings)


def _gathered(captures: list[Capture], board: Board, rules: Ruleset) -> Iterator[Move]:
    """Yield a move for all the paths that have both ends and the captured squares in common."""
    paths: dict[tuple[int, int, frozenset[int]], list[Path]] = {}
    for series, *_ in captures:
        key = (series.path[0], series.path[-1], frozenset(series.captured))
        paths.setdefault(key, []).append(series.path)
    for (origin, target, captured), ways in paths.items():
        promotes = _crowns(board, rules, origin, target)
        yield Move.from_paths(ways, captured, promotes=promotes, grid=rules.grid)


def _crowns(board: Board, rules: Ruleset, origin: int, target: int) -> bool:
    return bool(board.men & bit(origin) and rules.grid.crowning(board.turn) & bit(target))
