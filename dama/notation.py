"""Text forms: positions as PDN FEN, moves as paths of squares."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from dama.errors import AmbiguousMove, IllegalMove, InvalidNotation
from dama.move import Move
from dama.pieces import Color, Pieces
from dama.squares import DIAGONAL, ORTHOGONAL, Grid, bit, squares_in


@dataclass(frozen=True)
class _Form:
    """How squares and moves are written on a board, and how messages say so."""

    square: str
    """A regular expression, like the next one."""
    separator: str
    """What may stand between two squares of a move."""
    has_ranges: bool
    """``21-32`` in a FEN stands for every square from one to the other."""
    lists_captures: bool
    """Score sheets may list captured squares instead of landings."""
    position_example: str
    piece_shape: str
    move_examples: str

    @cached_property
    def move(self) -> re.Pattern[str]:
        """A whole move: two squares or more."""
        return re.compile(rf"(?:{self.square})(?:(?:{self.separator})(?:{self.square}))+(?:=K)?")


_FORMS: Final = {
    ORTHOGONAL: _Form(
        square="[a-h][1-8]",
        separator=r"\s*(?:[-–x×:]\s*)?",
        has_ranges=False,
        lists_captures=True,
        position_example="W:Wa2,b2,Kd4:Ba6,Kh8",
        piece_shape="square a1…h8 or king Ka1…Kh8",
        move_examples="a3-a4 or b3xb5xd5",
    ),
    DIAGONAL: _Form(
        square="3[0-2]|[12][0-9]|[1-9]",
        separator=r"\s*[-–x×:]\s*|\s+",
        has_ranges=True,
        lists_captures=False,
        position_example="W:W21-32,K18:B1,2,K12",
        piece_shape="square 1…32, range such as 21-32 or king K1…K32",
        move_examples="22-19 or 29x22x15",
    ),
}
_LETTERS: Final = tuple(Color)
_CLOCK: Final = re.compile("H[0-9]+")
_LONGEST_CLOCK: Final = 9999
"""More plies than any game is quiet for: a longer number is a slip of the pen."""


class Fen(NamedTuple):
    """What a FEN says: the side to move, the pieces of both sides, and what the quiet-move clock shows."""

    turn: Color
    sides: dict[Color, Pieces]
    quiet_plies: int


def parse_fen(text: str, grid: Grid = ORTHOGONAL) -> Fen:
    """Return what a PDN FEN says; without a clock (``:H12``) no ply was quiet.

    Raises InvalidNotation for anything else, with the part that is wrong.
    """
    shape = f"'{_FORMS[grid].position_example}' (side to move, White's pieces, Black's pieces)"
    parts = [part.strip() for part in text.strip().removesuffix(".").split(":")]
    clock = parts.pop() if len(parts) == 4 and _CLOCK.fullmatch(parts[3]) else "H0"
    if len(parts) != 3 or parts[0] not in _LETTERS:
        raise InvalidNotation(f"{text!r} is not a position; expected {shape}")
    sides: dict[Color, Pieces] = {}
    occupied = 0
    for part in parts[1:]:
        if part[:1] not in _LETTERS or Color(part[0]) in sides:
            raise InvalidNotation(f"{text!r} is not a position: {part!r} names no new side; expected {shape}")
        try:
            pieces = _parse_pieces(part[1:].strip(), occupied, grid)
        except InvalidNotation as error:
            raise InvalidNotation(f"{text!r} is not a position: {error}") from None
        sides[Color(part[0])] = pieces
        occupied |= pieces.all
    if len(clock) > len(f"H{_LONGEST_CLOCK}"):
        raise InvalidNotation(f"{text!r} is not a position: its clock is beyond {_LONGEST_CLOCK} plies")
    return Fen(Color(parts[0]), sides, int(clock[1:]))


def _parse_pieces(text: str, occupied: int, grid: Grid) -> Pieces:
    men = kings = 0
    for name in (name.strip() for name in text.split(",") if text):
        for square in _parse_squares(name, grid):
            if (occupied | men | kings) & bit(square):
                raise InvalidNotation(f"{grid.name(square)} is used twice")
            if name.startswith("K"):
                kings |= bit(square)
            else:
                men |= bit(square)
    return Pieces(men, kings)


def _parse_squares(name: str, grid: Grid) -> range:
    """Return the squares of an entry in a FEN: one, or those of a range."""
    form = _FORMS[grid]
    ends = name.removeprefix("K").split("-", 1 if form.has_ranges else 0)
    first, last = grid.parse(ends[0].strip()), grid.parse(ends[-1].strip())
    if first is None or last is None or last < first:
        raise InvalidNotation(f"{name!r} is no {form.piece_shape}")
    return range(first, last + 1)


def format_fen(fen: Fen, grid: Grid = ORTHOGONAL) -> str:
    """Return the PDN FEN, squares in board order and men and kings mixed; a clock at nothing is left out."""
    parts = [fen.turn, *(color + _format_pieces(fen.sides[color], grid) for color in Color)]
    if fen.quiet_plies:
        parts.append(f"H{fen.quiet_plies}")
    return ":".join(parts)


def _format_pieces(pieces: Pieces, grid: Grid) -> str:
    return ",".join(
        ("K" if pieces.kings & bit(square) else "") + grid.name(square) for square in squares_in(pieces.all)
    )


def parse_move(text: str, legal_moves: Sequence[Move], fen: str, grid: Grid = ORTHOGONAL) -> Move:
    """Return the one legal move that the text means.

    It may be any whole path, the two ends alone, or the Turkish score sheet's form that lists captured
    squares instead of landings. Raises InvalidNotation, IllegalMove or AmbiguousMove.
    """
    form = _FORMS[grid]
    if not form.move.fullmatch(text.strip()):
        raise InvalidNotation(
            f"{text!r} is not a move in {fen}; expected squares such as {form.move_examples}"
        )
    squares = tuple(grid.names.index(name) for name in re.findall(form.square, text))
    found = [move for move in legal_moves if squares in move.paths]
    found = found or [move for move in legal_moves if squares == (move.origin, move.target)]
    if form.lists_captures:
        found += [move for move in legal_moves if move not in found and _captures_are(squares, move)]
    if not found:
        raise IllegalMove(f"{text!r} is not legal in {fen}: {expected_moves(legal_moves)}", legal_moves)
    if len(found) > 1:
        raise AmbiguousMove(f"{text!r} is ambiguous in {fen}: it can mean {_listed(found)}", found)
    if text.rstrip().endswith("=K") and not found[0].promotes:
        raise IllegalMove(f"{text!r} is not legal in {fen}: {found[0]} crowns no man", legal_moves)
    return found[0]


def _captures_are(squares: tuple[int, ...], move: Move) -> bool:
    """Tell whether the squares are a move's first one and those it captures, in turn."""
    return set(squares[1:]) == move.captured and any(
        squares == (move.origin, *move.capture_order(path)) for path in move.paths
    )


def expected_moves(legal_moves: Sequence[Move]) -> str:
    """Say in words what must be played."""
    if not legal_moves:
        return "there is no legal move"
    if legal_moves[0].captured:
        pieces = dict.fromkeys(move.grid.name(move.origin) for move in legal_moves)
        return f"{' or '.join(pieces)} must capture: {_listed(legal_moves)}"
    return f"legal are {_listed(legal_moves)}"


def _listed(moves: Iterable[Move]) -> str:
    return ", ".join(map(_with_captures, moves))


def _with_captures(move: Move) -> str:
    if not move.captured:
        return str(move)
    return f"{move} (takes {' '.join(map(move.grid.name, sorted(move.captured)))})"
