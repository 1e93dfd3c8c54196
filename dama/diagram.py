"""Boards as SVG text, drawn with classes only, so that a style sheet colours them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from dama.marks import Marks, with_halo
from dama.move import Move
from dama.pieces import Color
from dama.position import Position
from dama.squares import FILES, Grid, squares_in

_SIDE: Final = 100
_BOARD: Final = 8 * _SIDE
_CROWN: Final = "M-17 10 L-20 -9 L-9 0 L0 -14 L9 0 L20 -9 L17 10 Z"
_DARK: Final = "".join(f"M{column} {row}h1v1h-1z" for row in range(8) for column in range(row % 2, 8, 2))
_NO_MARKS: Final = Marks()


@dataclass(frozen=True)
class _View:
    """A board as it lies: with Black's side at the bottom when it is flipped."""

    grid: Grid
    flipped: bool

    def corner(self, square: int) -> tuple[int, int]:
        """Return the top left corner of a square, in squares from the left and from the top."""
        file, rank = self.grid.place(square)
        return (7 - file, rank) if self.flipped else (file, 7 - rank)


def board_svg(
    position: Position,
    *,
    title: str,
    last: Move | None = None,
    marks: Marks = _NO_MARKS,
    flipped: bool = False,
) -> str:
    """Return the board as one ``<svg>`` element, 800 units wide, with ``title`` as its accessible name.

    ``last`` marks the move just played: hollow corners where it began, full corners where it ended; ``marks``
    may point out more. ``flipped`` puts Black's side at the bottom.
    """
    view = _View(position.rules.grid, flipped)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram" viewBox="0 0 {_BOARD} {_BOARD}" role="img"'
        f" aria-label={quoteattr(title)}><title>{escape(title)}</title>"
    )
    parts = [opening, *(_full_board(view) if view.grid.is_full else _dark_squares(view))]
    if last is not None:
        parts += [_corners(view, last.origin, "from"), _corners(view, last.target, "to")]
    return "".join((*parts, *_pieces(position, view), *_marks(marks, view), "</svg>"))


def thumbnail_svg(position: Position, *, flipped: bool = False) -> str:
    """Return a board for lists as one small ``<svg>`` element without words, eight units wide.

    Beside it must stand in words what it shows; ``flipped`` puts Black's side at the bottom.
    """
    view = _View(position.rules.grid, flipped)
    ground, dark = ("a", "b") if view.grid.is_full else ("light", "dark")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="thumbnail" viewBox="0 0 8 8" aria-hidden="true">'
        f'<path class="square {ground}" d="M0 0h8v8H0z"/><path class="square {dark}" d="{_DARK}"/>'
        f"{''.join(_small_pieces(position, view))}</svg>"
    )


def piece_svg(color: Color, *, is_king: bool) -> str:
    """Return one piece alone as a small ``<svg>`` element without words, for a legend beside it."""
    piece = _king() if is_king else _man()
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="legend" viewBox="-50 -50 100 100" aria-hidden="true">'
        f'<g class="piece {color.name.lower()}">{piece}</g></svg>'
    )


def _small_pieces(position: Position, view: _View) -> Iterator[str]:
    for color in Color:
        pieces = position.pieces(color)
        for square in squares_in(pieces.men | pieces.kings):
            left, top = view.corner(square)
            side = color.name.lower()
            yield f'<circle class="{side}" cx="{left}.5" cy="{top}.5" r=".38"/>'
            if pieces.kings >> square & 1:
                yield f'<circle class="{side} king" cx="{left}.5" cy="{top}.5" r=".2"/>'


def _full_board(view: _View) -> Iterator[str]:
    """Draw 64 squares in two close shades with lines between them, files and ranks at the edge."""
    for row in range(8):
        for column in range(8):
            yield _square(column, row, "b" if (row + column) % 2 == 0 else "a")
    for line in range(1, 8):
        yield f'<path class="grid" d="M{line * _SIDE} 0V{_BOARD}M0 {line * _SIDE}H{_BOARD}"/>'
    for place in range(8):
        file, rank = (7 - place, place + 1) if view.flipped else (place, 8 - place)
        x, y = place * _SIDE + 92, place * _SIDE + 22
        yield (
            f'<text class="coordinate" x="{x}" y="793" text-anchor="end">{FILES[file]}</text>'
            f'<text class="coordinate" x="7" y="{y}">{rank}</text>'
        )


def _dark_squares(view: _View) -> Iterator[str]:
    """Draw the squares that are used, each with its number, on a light ground."""
    yield f'<rect class="square light" width="{_BOARD}" height="{_BOARD}"/>'
    for square in range(view.grid.count):
        column, row = view.corner(square)
        yield _square(column, row, "dark")
        x, y = column * _SIDE + 5, row * _SIDE + 20
        yield f'<text class="coordinate number" x="{x}" y="{y}">{view.grid.name(square)}</text>'


def _square(column: int, row: int, shade: str) -> str:
    return (
        f'<rect class="square {shade}" x="{column * _SIDE}" y="{row * _SIDE}"'
        f' width="{_SIDE}" height="{_SIDE}"/>'
    )


def _corners(view: _View, square: int, end: str) -> str:
    """Draw an angle in each corner of a square, save those in which a coordinate stands."""
    column, row = view.corner(square)
    x, y = column * _SIDE, row * _SIDE
    near, far, arm, width = 5, _SIDE - 5, 26, 7
    places = [(x + far, y + near, -1, 1), (x + near, y + far, 1, -1)]
    if view.grid.is_full and column > 0:
        places.append((x + near, y + near, 1, 1))
    if not view.grid.is_full or row < 7:
        places.append((x + far, y + far, -1, -1))
    path = "".join(
        f"M{left} {top}h{arm * across}v{width * down}h{(width - arm) * across}"
        f"v{(arm - width) * down}h{-width * across}z"
        for left, top, across, down in places
    )
    return f'<path class="last {end}" d="{path}"/>'


def _marks(marks: Marks, view: _View) -> Iterator[str]:
    for shape, squares in marks.by_shape():
        for square in sorted(squares):
            column, row = view.corner(square)
            place = f"translate({column * _SIDE} {row * _SIDE})"
            yield f'<g class="mark {shape}" transform="{place}">{with_halo(shape)}</g>'


def _pieces(position: Position, view: _View) -> Iterator[str]:
    for color in Color:
        pieces = position.pieces(color)
        for is_king, squares in ((False, pieces.men), (True, pieces.kings)):
            for square in squares_in(squares):
                column, row = view.corner(square)
                middle = f"translate({column * _SIDE + _SIDE // 2} {row * _SIDE + _SIDE // 2})"
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
