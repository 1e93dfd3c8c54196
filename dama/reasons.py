"""Why a move is good: one plain reason, made from facts about the position, the move and the best lines."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Final

from dama.engine import Choice
from dama.move import Move
from dama.pieces import KING_WORTH, MAN_WORTH, Color, Pieces
from dama.position import Position
from dama.squares import ORTHOGONAL, squares_in

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "only_legal": "It is the only legal move.",
        "wins_now": "It wins at once.",
        "wins_by_force": "It wins by force in {moves} moves.",
        "holds_out": "Every move loses; this one holds out longest (moves left: {moves}).",
        "avoids_loss": "It is the only move that does not lose by force.",
        "takes_and_crowns": "It takes {taken} and crowns.",
        "gives_to_take": "It gives {given} to take {taken}.",
        "gives_to_crown": "It gives {given} to crown.",
        "takes_for": "It takes {taken} for {given}.",
        "takes": "It takes {taken}.",
        "crowns": "It crowns a man.",
        "keeps_material": "It is the only move that does not lose a man.",
        "saves_piece": "It brings the attacked piece on {square} to safety.",
        "parries": "It stops the attack on {square}.",
        "threatens": "It threatens to take {taken}.",
        "closes_file": "It closes the {file} file.",
        "runs": "It brings on a man whose way is free (steps to crowning: {steps}).",
        "joins": "It puts two men together, so that they cannot be taken from that side.",
        "king_reaches": "It brings the king to where it reaches {squares} squares instead of {before}.",
        "holds_draw": "It holds the draw.",
        "best_found": "Of {moves} moves it is the best, looking {depth} plies ahead.",
    }
)
"""The reasons by their codes, as English texts with the places of their values."""

A_MAN: Final = 60
"""Hundredths of a man by which the next best move is worse, at least, when it loses a man."""
LEVEL_SCORE: Final = 25
"""Hundredths of a man around nothing that mean a draw when one's own pieces are fewer."""

_NOTHING: Final[Mapping[str, int | str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Reason:
    """A code of ``REASONS`` with its values; ``str`` gives the English text.

    >>> str(Reason("gives_to_take", {"given": 1, "taken": 4}))
    'It gives 1 to take 4.'
    """

    code: str
    values: Mapping[str, int | str] = field(default_factory=lambda: _NOTHING)

    def __str__(self) -> str:
        return REASONS[self.code].format(**self.values)


@dataclass(frozen=True)
class Scene:
    """A position with the best move found, and the best of the others if there are any."""

    position: Position
    choice: Choice
    rival: Choice | None

    @property
    def move(self) -> Move:
        """The move to give a reason for."""
        return self.choice.move

    @cached_property
    def after(self) -> Position:
        """The position after the move."""
        return self.position.after(self.move)

    @property
    def own(self) -> Pieces:
        """The pieces of the side to move."""
        return self.position.pieces(self.position.turn)

    @property
    def is_by_man(self) -> bool:
        """Whether a man moves."""
        return bool(self.own.men >> self.move.origin & 1)

    @cached_property
    def exchange(self) -> tuple[int, int, bool]:
        """How many pieces the line takes and gives before its next quiet move, and whether it crowns."""
        taken, given, crowns = len(self.move.captured), 0, self.move.promotes
        for number, move in enumerate(self.choice.line[1:], 1):
            if not move.captured:
                break
            if number % 2:
                given += len(move.captured)
            else:
                taken += len(move.captured)
                crowns = crowns or move.promotes
        return taken, given, crowns


def reason_for(scene: Scene) -> Reason:
    """Return the first reason that the facts bear out, the most telling ones first."""
    for find in _FINDERS:
        if reason := find(scene):
            return reason
    count = len(scene.position.legal_moves)
    return Reason("best_found", {"moves": count, "depth": scene.choice.depth})


def _forced(scene: Scene) -> Reason | None:
    if scene.rival is None:
        return Reason("only_legal")
    mate = scene.choice.mate
    if mate is None:
        return Reason("avoids_loss") if (scene.rival.mate or 0) < 0 else None
    if mate < 0:
        return Reason("holds_out", {"moves": -mate})
    return Reason("wins_now") if mate == 1 else Reason("wins_by_force", {"moves": mate})


def _captures(scene: Scene) -> Reason | None:
    taken, given, crowns = scene.exchange
    move = scene.move
    if move.captured:
        if move.promotes and not given:
            return Reason("takes_and_crowns", {"taken": taken})
        if given:
            return Reason("takes_for", {"taken": taken, "given": given})
        return Reason("takes", {"taken": taken})
    if given and taken > given:
        return Reason("gives_to_take", {"given": given, "taken": taken})
    if given and crowns:
        return Reason("gives_to_crown", {"given": given})
    return Reason("crowns") if move.promotes and not given else None


def _keeps_material(scene: Scene) -> Reason | None:
    rival = scene.rival
    if rival is None or scene.choice.score - rival.score < A_MAN:
        return None
    keeps = _balance_after(scene.position, scene.choice) >= 0 > _balance_after(scene.position, rival)
    return Reason("keeps_material") if keeps else None


def _balance(position: Position, color: Color) -> float:
    own, enemy = position.pieces(color), position.pieces(color.other)
    men = own.men.bit_count() - enemy.men.bit_count()
    return MAN_WORTH * men + KING_WORTH * (own.kings.bit_count() - enemy.kings.bit_count())


def _balance_after(position: Position, choice: Choice) -> float:
    """Return what the mover has gained when the line's last captures have been made, in men."""
    end = position
    for move in choice.line:
        end = end.after(move)
    return _balance(end, position.turn) - _balance(position, position.turn)


def _defends(scene: Scene) -> Reason | None:
    turn = scene.position.turn
    before = scene.position.attacked(turn)
    if not before or scene.move.captured or scene.after.attacked(turn):
        return None
    name = scene.position.rules.grid.name
    if scene.move.origin in before:
        return Reason("saves_piece", {"square": name(scene.move.origin)})
    return Reason("parries", {"square": name(min(before))})


def _threatens(scene: Scene) -> Reason | None:
    enemy = scene.position.turn.other
    if scene.exchange[1] or scene.position.attacked(enemy):
        return None
    attackers = replace(scene.after, turn=scene.position.turn).legal_moves
    taken = max(len(move.captured) for move in attackers) if attackers else 0
    return Reason("threatens", {"taken": taken}) if taken else None


def _way_ahead(position: Position, square: int, color: Color) -> list[int]:
    """Return the squares from here to the last rank, straight on."""
    grid = position.rules.grid
    file, rank = grid.place(square)
    ranks = range(rank + 1, 8) if color is Color.WHITE else range(rank - 1, -1, -1)
    return [found for ahead in ranks if (found := grid.square_at(file, ahead)) is not None]


def _open_files(position: Position, color: Color) -> set[int]:
    """Return the files on which a man of this side has no piece of the other before it."""
    grid, other = position.rules.grid, position.pieces(color.other).all
    return {
        grid.place(square)[0]
        for square in squares_in(position.pieces(color).men)
        if not any(other >> ahead & 1 for ahead in _way_ahead(position, square, color))
    }


def _files(scene: Scene) -> Reason | None:
    grid = scene.position.rules.grid
    if grid is not ORTHOGONAL:
        return None  # where men go diagonally no file is a way to the last rank
    turn = scene.position.turn
    file, _ = grid.place(scene.move.target)
    if file in _open_files(scene.position, turn.other) - _open_files(scene.after, turn.other):
        return Reason("closes_file", {"file": grid.name(scene.move.target)[0]})
    way = _way_ahead(scene.position, scene.move.target, turn)
    pieces = scene.after.pieces(Color.WHITE).all | scene.after.pieces(Color.BLACK).all
    if scene.is_by_man and 0 < len(way) <= 4 and not any(pieces >> square & 1 for square in way):
        return Reason("runs", {"steps": len(way)})
    return None


def _structure(scene: Scene) -> Reason | None:
    if not scene.is_by_man or scene.position.rules.grid is not ORTHOGONAL:
        return None
    men = scene.after.pieces(scene.position.turn).men
    before = _has_neighbour(scene.position, scene.move.origin, scene.own.men)
    return Reason("joins") if not before and _has_neighbour(scene.after, scene.move.target, men) else None


def _has_neighbour(position: Position, square: int, men: int) -> bool:
    grid = position.rules.grid
    file, rank = grid.place(square)
    beside = (grid.square_at(file + x, rank + y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)))
    return any(found is not None and men >> found & 1 for found in beside)


def _king(scene: Scene) -> Reason | None:
    if scene.is_by_man or scene.move.captured:
        return None
    counts = []
    for position, square in (
        (scene.position, scene.move.origin),
        (replace(scene.after, turn=scene.position.turn), scene.move.target),
    ):
        counts.append(sum(move.origin == square for move in position.legal_moves))
    before, squares = counts
    return Reason("king_reaches", {"squares": squares, "before": before}) if squares > before else None


def _holds(scene: Scene) -> Reason | None:
    behind = _balance(scene.position, scene.position.turn) < 0
    return Reason("holds_draw") if behind and abs(scene.choice.score) <= LEVEL_SCORE else None


_FINDERS: Final[tuple[Callable[[Scene], Reason | None], ...]] = (
    _forced,
    _captures,
    _keeps_material,
    _defends,
    _threatens,
    _holds,
    _files,
    _structure,
    _king,
)
