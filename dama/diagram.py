"""Boards as SVG text, drawn with classes only, so that a style sheet colours them."""

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from dama.move import Move
from dama.pieces import Color
from dama.position import Position
from dama.squares import FILES, file_of, rank_of, squares_in

_SIDE: Final = 100
_BOARD: Final = 8 * _SIDE
_CROWN: Final = "M-17 10 L-20 -9 L-9 0 L0 -14 L9 0 L20 -9 L17 10 Z"
_DARK: Final = "".join(f"M{column} {row}h1v1h-1z" for row in range(8) for column in range(row % 2, 8, 2))


def board_svg(position: Position, *, title: str, last: Move | None = None, flipped: bool = False) -> str:
    """Return the board as one ``<svg>`` element, 800 units wide, with ``title`` as its accessible name.

    ``last`` marks the move just played: hollow corners where it began, full corners where it ended.
    ``flipped`` puts Black's side at the bottom.
    """
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram" viewBox="0 0 {_BOARD} {_BOARD}" role="img"'
        f" aria-label={quoteattr(title)}><title>{escape(title)}</title>"
    )
    parts = [
        opening,
        *_squares(),
        *_coordinates(flipped=flipped),
    ]
    if last is not None:
        parts += [
            _corners(*_corner(last.origin, flipped=flipped), "from"),
            _corners(*_corner(last.target, flipped=flipped), "to"),
        ]
    parts += _pieces(position, flipped=flipped)
    return "".join((*parts, "</svg>"))


def thumbnail_svg(position: Position, *, flipped: bool = False) -> str:
    """Return a board for lists as one small ``<svg>`` element without words, eight units wide.

    Beside it must stand in words what it shows; ``flipped`` puts Black's side at the bottom.
    """
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="thumbnail" viewBox="0 0 8 8" aria-hidden="true">'
        f'<path class="square a" d="M0 0h8v8H0z"/><path class="square b" d="{_DARK}"/>'
        f"{''.join(_small_pieces(position, flipped=flipped))}</svg>"
    )


def _small_pieces(position: Position, *, flipped: bool) -> Iterator[str]:
    for color in Color:
        pieces = position.pieces(color)
        for square in squares_in(pieces.men | pieces.kings):
            left, top = (edge // _SIDE for edge in _corner(square, flipped=flipped))
            side = color.name.lower()
            yield f'<circle class="{side}" cx="{left}.5" cy="{top}.5" r=".38"/>'
            if pieces.kings >> square & 1:
                yield f'<circle class="{side} king" cx="{left}.5" cy="{top}.5" r=".2"/>'


def _corner(square: int, *, flipped: bool) -> tuple[int, int]:
    """Return the top left corner of a square, in drawing units."""
    file, row = file_of(square), 7 - rank_of(square)
    return (7 - file) * _SIDE if flipped else file * _SIDE, (7 - row) * _SIDE if flipped else row * _SIDE


def _squares() -> Iterator[str]:
    for row in range(8):
        for column in range(8):
            shade = "b" if (row + column) % 2 == 0 else "a"
            yield (
                f'<rect class="square {shade}" x="{column * _SIDE}" y="{row * _SIDE}"'
                f' width="{_SIDE}" height="{_SIDE}"/>'
            )
    for line in range(1, 8):
        yield f'<path class="grid" d="M{line * _SIDE} 0V{_BOARD}M0 {line * _SIDE}H{_BOARD}"/>'


def _coordinates(*, flipped: bool) -> Iterator[str]:
    for place in range(8):
        file, rank = (7 - place, place + 1) if flipped else (place, 8 - place)
        x, y = place * _SIDE + 92, place * _SIDE + 22
        yield (
            f'<text class="coordinate" x="{x}" y="793" text-anchor="end">{FILES[file]}</text>'
            f'<text class="coordinate" x="7" y="{y}">{rank}</text>'
        )


def _corners(x: int, y: int, end: str) -> str:
    """Draw an angle in each corner of a square, save those in which a coordinate stands."""
    near, far, arm, width = 5, _SIDE - 5, 26, 7
    places = [(x + far, y + near, -1, 1), (x + near, y + far, 1, -1)]
    if x > 0:
        places.append((x + near, y + near, 1, 1))
    if y < _BOARD - _SIDE:
        places.append((x + far, y + far, -1, -1))
    path = "".join(
        f"M{left} {top}h{arm * across}v{width * down}h{(width - arm) * across}"
        f"v{(arm - width) * down}h{-width * across}z"
        for left, top, across, down in places
    )
    return f'<path class="last {end}" d="{path}"/>'


def _pieces(position: Position, *, flipped: bool) -> Iterator[str]:
    for color in Color:
        pieces = position.pieces(color)
        for is_king, squares in ((False, pieces.men), (True, pieces.kings)):
            for square in squares_in(squares):
                left, top = _corner(square, flipped=flipped)
                middle = f"translate({left + _SIDE // 2} {top + _SIDE // 2})"
                drawn = _king() if is_king else _man()
                yield f'<g class="piece {color.name.lower()}" transform="{middle}">{drawn}</g>'


def _man() -> str:
    return (
        '<circle class="shade" cy="7" r="37"/><circle class="disc" r="37"/>'
        '<circle class="rim" r="28"/><circle class="rim" r="17"/>'
    )


def _king() -> str:
    return (
        '<circle class="shade" cy="11" r="37"/><circle class="disc under" cy="6" r="37"/>'
        '<circle class="disc" cy="-4" r="37"/><circle class="rim" cy="-4" r="28"/>'
        f'<path class="crown" transform="translate(0 -4)" d="{_CROWN}"/>'
    )
