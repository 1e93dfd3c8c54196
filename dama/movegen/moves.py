"""The legal moves of a position by its ruleset, on either board."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from dama.move import Move, Path
from dama.movegen import diagonal, orthogonal
from dama.movegen.gait import Gait
from dama.movegen.priorities import Capture, preferred
from dama.movegen.series import Mover, whole_series
from dama.pieces import Color
from dama.rulesets import Ruleset
from dama.squares import DIAGONAL, ORTHOGONAL, Grid, squares_in

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
    movers = _movers(board, rules)
    if captures := preferred(_captures(board, movers, rules), rules):
        return sorted(_gathered(captures, rules.grid), key=lambda move: move.board_order)
    return [_quiet_move(rules.grid, *step) for step in sorted(_quiet_steps(board, movers))]


def has_legal_move(board: Board, rules: Ruleset) -> bool:
    """Tell whether the side to move can move at all; for a capture, a first jump is enough."""
    occupied = board.occupied
    gait_of_men, gait_of_kings, _ = _gaits(rules.grid, board.turn, rules.flying_kings)
    if gait_of_men.can_step(board.men, occupied) or gait_of_kings.can_step(board.kings, occupied):
        return True
    return any(
        True
        for mover in _movers(board, rules)
        for square in squares_in(mover.pieces)
        for _ in mover.gait.jumps(square, occupied, mover.prey)
    )


def _movers(board: Board, rules: Ruleset) -> tuple[Mover, Mover]:
    """Return the men and the kings of the side to move, with what the ruleset lets them do."""
    men, kings, enemy_men, enemy_kings, turn = board
    gait_of_men, gait_of_kings, last_rank = _gaits(rules.grid, turn, rules.flying_kings)
    enemies = enemy_men | enemy_kings
    prey_of_men = enemies if rules.men_capture_kings else enemy_men
    return Mover(men, gait_of_men, prey_of_men, last_rank), Mover(kings, gait_of_kings, enemies, 0)


@cache
def _gaits(grid: Grid, turn: Color, flying_kings: bool) -> tuple[Gait, Gait, int]:
    """Return how a side's men and kings go, and where its men are crowned."""
    lines = _LINES[grid]
    return lines.men[turn], lines.flying_kings if flying_kings else lines.walking_kings, grid.crowning(turn)


def _quiet_steps(board: Board, movers: Iterable[Mover]) -> Iterator[tuple[int, int, bool]]:
    """Yield where from, where to, and whether the piece is crowned."""
    occupied = board.occupied
    for mover in movers:
        for origin in squares_in(mover.pieces):
            for target in mover.gait.steps(origin, occupied):
                yield origin, target, mover.crowning >> target & 1 == 1


@cache
def _quiet_move(grid: Grid, origin: int, target: int, promotes: bool) -> Move:
    return Move(((origin, target),), frozenset(), promotes, grid)


def _captures(board: Board, movers: Iterable[Mover], rules: Ruleset) -> list[Capture]:
    occupied, enemy_kings = board.occupied, board.enemy_kings
    return [
        Capture(series, mover, tuple(enemy_kings >> victim & 1 == 1 for victim in series.captured))
        for mover in movers
        for origin in squares_in(mover.pieces)
        if mover.gait.reach[origin] & mover.prey
        for series in whole_series(mover, origin, occupied, rules)
    ]


def _gathered(captures: Iterable[Capture], grid: Grid) -> Iterator[Move]:
    """Yield a move for all the series that have both ends and the captured squares in common."""
    paths: dict[tuple[int, int, frozenset[int], bool], list[Path]] = {}
    for series, mover, _ in captures:
        origin, target = series.path[0], series.path[-1]
        key = origin, target, frozenset(series.captured), mover.crowning >> target & 1 == 1
        paths.setdefault(key, []).append(series.path)
    for (_, _, captured, promotes), ways in paths.items():
        yield Move.from_paths(ways, captured, promotes=promotes, grid=grid)
