"""Text forms: positions as PDN FEN, moves as paths of squares."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from dama.errors import AmbiguousMove, IllegalMove, InvalidNotation
from dama.move import Move
from dama.pieces import Color, Pieces
from dama.squares import bit, parse_square, square_name, squares_in

_FEN_SHAPE: Final = "'W:Wa2,b2,Kd4:Ba6,Kh8' (side to move, White's pieces, Black's pieces)"
_LETTERS: Final = tuple(Color)
_CLOCK: Final = re.compile(r"H[0-9]+")
_MOVE: Final = re.compile(r"[a-h][1-8](?:\s*(?:[-–x×:]\s*)?[a-h][1-8])+(?:=K)?")
_SQUARE: Final = re.compile(r"[a-h][1-8]")


def parse_fen(text: str) -> tuple[Color, dict[Color, Pieces]]:
    """Return the side to move and the pieces of both sides.

    A clock (``:H12``) is read and dropped: it belongs to a game, not to a position.
    Raises InvalidNotation for anything that is not a PDN FEN, with the part that is wrong.
    """
    parts = [part.strip() for part in text.strip().removesuffix(".").split(":")]
    if len(parts) == 4 and _CLOCK.fullmatch(parts[3]):
        parts.pop()
    if len(parts) != 3 or parts[0] not in _LETTERS:
        raise InvalidNotation(f"{text!r} is not a position; expected {_FEN_SHAPE}")
    sides: dict[Color, Pieces] = {}
    occupied = 0
    for part in parts[1:]:
        if part[:1] not in _LETTERS or Color(part[0]) in sides:
            raise InvalidNotation(
                f"{text!r} is not a position: {part!r} names no new side; expected {_FEN_SHAPE}"
            )
        try:
            pieces = _parse_pieces(part[1:].strip(), occupied)
        except InvalidNotation as error:
            raise InvalidNotation(f"{text!r} is not a position: {error}") from None
        sides[Color(part[0])] = pieces
        occupied |= pieces.all
    return Color(parts[0]), sides


def _parse_pieces(text: str, occupied: int) -> Pieces:
    men = kings = 0
    for name in (name.strip() for name in text.split(",") if text):
        square = parse_square(name.removeprefix("K"))
        if square is None:
            raise InvalidNotation(f"{name!r} is no square a1…h8 or king Ka1…Kh8")
        if (occupied | men | kings) & bit(square):
            raise InvalidNotation(f"{square_name(square)} is used twice")
        if name.startswith("K"):
            kings |= bit(square)
        else:
            men |= bit(square)
    return Pieces(men, kings)


def format_fen(turn: Color, white: Pieces, black: Pieces) -> str:
    """Return the PDN FEN, squares in board order and men and kings mixed."""
    return ":".join((turn, Color.WHITE + _format_pieces(white), Color.BLACK + _format_pieces(black)))


def _format_pieces(pieces: Pieces) -> str:
    return ",".join(
        ("K" if pieces.kings & bit(square) else "") + square_name(square) for square in squares_in(pieces.all)
    )


def parse_move(text: str, legal_moves: Sequence[Move], fen: str) -> Move:
    """Return the one legal move that the text means.

    It may be any whole path, the two ends alone, or the Turkish score sheet's form that lists captured
    squares instead of landings. Raises InvalidNotation, IllegalMove or AmbiguousMove.
    """
    if not _MOVE.fullmatch(text.strip()):
        raise InvalidNotation(f"{text!r} is not a move in {fen}; expected squares such as a3-a4 or b3xb5xd5")
    squares = tuple(number for name in _SQUARE.findall(text) if (number := parse_square(name)) is not None)
    by_landings = [move for move in legal_moves if squares in move.paths]
    if not by_landings and len(squares) == 2:
        by_landings = [move for move in legal_moves if squares == (move.origin, move.target)]
    by_captures = [
        move
        for move in legal_moves
        if move.captured and any(squares == (move.origin, *move.capture_order(path)) for path in move.paths)
    ]
    found = list(dict.fromkeys((*by_landings, *by_captures)))
    if not found:
        raise IllegalMove(f"{text!r} is not legal in {fen}: {expected_moves(legal_moves)}", legal_moves)
    if len(found) > 1:
        raise AmbiguousMove(f"{text!r} is ambiguous in {fen}: it can mean {_listed(found)}", found)
    if text.rstrip().endswith("=K") and not found[0].promotes:
        raise IllegalMove(f"{text!r} is not legal in {fen}: {found[0]} crowns no man", legal_moves)
    return found[0]


def expected_moves(legal_moves: Sequence[Move]) -> str:
    """Say in words what must be played."""
    if not legal_moves:
        return "there is no legal move"
    if legal_moves[0].captured:
        pieces = dict.fromkeys(square_name(move.origin) for move in legal_moves)
        return f"{' or '.join(pieces)} must capture: {_listed(legal_moves)}"
    return f"legal are {_listed(legal_moves)}"


def _listed(moves: Iterable[Move]) -> str:
    return ", ".join(map(_with_captures, moves))


def _with_captures(move: Move) -> str:
    if not move.captured:
        return str(move)
    return f"{move} (takes {' '.join(map(square_name, sorted(move.captured)))})"
