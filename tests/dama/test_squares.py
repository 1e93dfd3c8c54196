"""The two boards: names, places, and how the other side sees them."""

import pytest

from dama import Color
from dama.squares import DIAGONAL, ORTHOGONAL, Grid, bit, squares_in

GRIDS = (ORTHOGONAL, DIAGONAL)
ROWS = (
    "1 2 3 4",
    "5 6 7 8",
    "9 10 11 12",
    "13 14 15 16",
    "17 18 19 20",
    "21 22 23 24",
    "25 26 27 28",
    "29 30 31 32",
)
"""The diagonal board as it is printed, Black's side on top; its first row begins in White's left corner."""


def names(grid: Grid, bitboard: int) -> list[str]:
    return [grid.name(square) for square in squares_in(bitboard)]


@pytest.mark.parametrize("grid", GRIDS)
def test_names_and_places_are_one_to_one(grid: Grid) -> None:
    for square in range(grid.count):
        assert grid.parse(grid.name(square)) == square
        assert grid.square_at(*grid.place(square)) == square
    assert len({*grid.names}) == len({*grid.places}) == grid.count


@pytest.mark.parametrize(
    ("grid", "text"),
    [(ORTHOGONAL, text) for text in ("", "1", "a9", "i1", "A1", "a1 ")]
    + [(DIAGONAL, text) for text in ("", "0", "33", "01", "a1", "1 ", "-1", "١")],
)
def test_other_texts_name_no_square(grid: Grid, text: str) -> None:
    assert grid.parse(text) is None


def test_the_diagonal_board_is_numbered_row_by_row_from_whites_top_left() -> None:
    for row, numbers in enumerate(ROWS):
        for column, number in enumerate(numbers.split()):
            square = DIAGONAL.parse(number)
            assert square is not None
            assert DIAGONAL.place(square) == (2 * column + row % 2, 7 - row)


@pytest.mark.parametrize(("file", "rank"), [(0, 0), (7, 7), (-1, 0), (8, 7), (3, 8)])
def test_no_piece_stands_on_light_squares_or_beside_the_board(file: int, rank: int) -> None:
    assert DIAGONAL.square_at(file, rank) is None


def test_a_dark_corner_is_at_each_players_right() -> None:
    assert DIAGONAL.square_at(7, 0) == DIAGONAL.parse("32")
    assert DIAGONAL.square_at(0, 7) == DIAGONAL.parse("1")


def test_men_are_crowned_on_the_rank_farthest_from_their_side() -> None:
    assert names(ORTHOGONAL, ORTHOGONAL.crowning(Color.WHITE)) == [f"{file}8" for file in "abcdefgh"]
    assert names(ORTHOGONAL, ORTHOGONAL.crowning(Color.BLACK)) == [f"{file}1" for file in "abcdefgh"]
    assert names(DIAGONAL, DIAGONAL.crowning(Color.WHITE)) == ["1", "2", "3", "4"]
    assert names(DIAGONAL, DIAGONAL.crowning(Color.BLACK)) == ["29", "30", "31", "32"]


@pytest.mark.parametrize("grid", GRIDS)
def test_the_other_side_sees_ranks_reversed_and_bitboards_as_squares(grid: Grid) -> None:
    for square in range(grid.count):
        swapped = grid.swapped_square(square)
        assert grid.swapped_square(swapped) == square
        assert grid.swapped_bitboard(bit(square)) == bit(swapped)
        (file, rank), (other_file, other_rank) = grid.place(square), grid.place(swapped)
        assert other_rank == 7 - rank
        # On the diagonal board the same file would be a light square.
        assert other_file == (file if grid.is_full else 7 - file)
    assert grid.swapped_bitboard(grid.crowning(Color.WHITE)) == grid.crowning(Color.BLACK)


def test_a_mirror_reverses_the_files_of_the_orthogonal_board_alone() -> None:
    for square in range(64):
        file, rank = ORTHOGONAL.place(square)
        assert ORTHOGONAL.place(ORTHOGONAL.mirrored_square(square)) == (7 - file, rank)
        assert ORTHOGONAL.mirrored_bitboard(bit(square)) == bit(ORTHOGONAL.mirrored_square(square))
    for mirrored in (DIAGONAL.mirrored_square, DIAGONAL.mirrored_bitboard):
        with pytest.raises(ValueError, match="no mirror image"):
            mirrored(1)
