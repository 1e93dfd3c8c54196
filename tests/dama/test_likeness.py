"""How alike two boards are, beside what one would count with one's finger."""

import pytest
from hypothesis import given

from dama import Position
from dama.likeness import likeness, mirrored, placement
from dama.pieces import Color
from dama.squares import squares_in
from tests.dama.strategies import orthogonal_positions, positions


def counted(one: Position, other: Position) -> float:
    """Return the likeness as it is defined: by sets of squares, kinds and sides."""
    first, second = pieces(one), pieces(other)
    return 2 * len(first & second) / (len(first) + len(second))


def pieces(position: Position) -> set[tuple[tuple[int, int], str, str]]:
    seen = position if position.turn is Color.WHITE else position.swapped()
    return {
        (seen.rules.grid.place(square), kind, color)
        for color in Color
        for kind, board in (("man", seen.pieces(color).men), ("king", seen.pieces(color).kings))
        for square in squares_in(board)
    }


@given(positions(), positions())
def test_the_figure_is_the_share_of_pieces_in_common(one: Position, other: Position) -> None:
    figure = likeness(placement(one), placement(other))
    assert figure == likeness(placement(other), placement(one)) == counted(one, other)
    assert (figure == 1) is (pieces(one) == pieces(other))


@given(orthogonal_positions(), orthogonal_positions())
def test_neither_colours_nor_a_mirror_change_it(one: Position, other: Position) -> None:
    figure = likeness(placement(one), placement(other))
    assert likeness(placement(one.swapped()), placement(other)) == figure
    assert mirrored(placement(one)) == placement(one.mirrored())
    assert likeness(mirrored(placement(one)), placement(other.mirrored())) == figure


@given(positions())
def test_on_the_diagonal_board_nothing_is_alike_in_a_mirror(other: Position) -> None:
    board = Position.start("italian")
    assert likeness(placement(board.swapped()), placement(board)) == 1
    assert likeness(mirrored(placement(board)), placement(board)) == 0
    if not other.rules.grid.is_full:
        assert likeness(mirrored(placement(board)), placement(other)) == 0


@pytest.mark.parametrize(
    ("other", "figure"),
    [
        ("W:Wa2,b3:Ba7,b6", 1.0),
        ("W:Wa2,b3:Ba7,Kb6", 0.75),
        ("W:Wa2,b3:Ba7", 6 / 7),
        ("W:Wa7,b6:Ba2,b3", 0.0),
        ("W:Wc2:Bc7", 0.0),
    ],
)
def test_pieces_of_another_kind_side_or_square_are_not_alike(other: str, figure: float) -> None:
    board = placement(Position.from_fen("W:Wa2,b3:Ba7,b6"))
    assert likeness(board, placement(Position.from_fen(other))) == figure


def test_two_empty_boards_are_the_same() -> None:
    assert likeness(0, 0) == 1.0
