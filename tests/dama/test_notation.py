"""Texts that are and are not positions and moves, and what the messages say."""

import pytest

from dama import RULESETS, AmbiguousMove, Color, IllegalMove, InvalidNotation, Position

CAPTURE = "W:Wb3,e2:Bb4,c5"
TOO_MANY = ",".join(f"{file}{rank}" for rank in "234" for file in "abcdefgh")
SAME_ENDS = "W:WKa8:Bg1,f3,a4,h6,h8"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "expected"),
        ("W", "expected"),
        ("X:Wa1:Bb2", "expected"),
        ("W:Wa1", "expected"),
        ("W:Wa1:Wb2", "'Wb2' names no new side"),
        ("W:Wa9:Bb2", "'a9' is no square"),
        ("W:Wa1,a1:Bb2", "a1 is used twice"),
        ("W:Wa1:BKa1", "a1 is used twice"),
        ("W:WQa1:Bb2", "'Qa1' is no square"),
        ("W:W1-5:Bb2", "'1-5' is no square"),
        ("w:Wa1:Bb2", "expected"),
        ("W:Wa1,,a3:Bb2", "'' is no square"),
        ("W:Wa1,:Bb2", "'' is no square"),
        ("W:Wa1:Bb2:H", "expected"),
        ("W:Wa1:Bb2:Hx", "expected"),
    ],
)
def test_not_a_position(text: str, wrong: str) -> None:
    with pytest.raises(InvalidNotation, match=wrong) as caught:
        Position.from_fen(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("W:Wa1:B1", "'a1' is no square 1…32, range such as 21-32 or king K1…K32"),
        ("W:W33:B1", "'33' is no square"),
        ("W:W0:B1", "'0' is no square"),
        ("W:W07:B1", "'07' is no square"),
        ("W:W32-21:B1", "'32-21' is no square"),
        ("W:W21-33:B1", "'21-33' is no square"),
        ("W:W21-:B1", "'21-' is no square"),
        ("W:W-21:B1", "'-21' is no square"),
        ("W:W21-22-23:B1", "'21-22-23' is no square"),
        ("W:W21-23,22:B1", "22 is used twice"),
        ("W:W21-23:BK22", "22 is used twice"),
        ("W:W21", r"expected 'W:W21-32,K18:B1,2,K12' \(side to move"),
        ("W:W21:B1:H", "expected"),
    ],
)
def test_not_a_position_of_the_diagonal_board(text: str, wrong: str) -> None:
    with pytest.raises(InvalidNotation, match=wrong) as caught:
        Position.from_fen(text, "italian")
    assert repr(text) in str(caught.value)


def test_ranges_stand_for_all_their_squares_and_are_written_out() -> None:
    position = Position.from_fen("B:W 21 - 23 ,30:B1-2,K 7, K9-10.", "italian")
    assert position.fen() == "B:W21,22,23,30:B1,2,K7,K9,K10"
    assert Position.start("italian") == Position.from_fen("W:W21-32:B1-12:H4", "italian")


def test_sides_may_come_in_any_order_with_spaces_and_a_trailing_dot() -> None:
    assert Position.from_fen(" B : Bh8, Ka6 : W d4 . ").fen() == "B:Wd4:BKa6,h8"


def test_a_clock_is_read_and_dropped() -> None:
    assert Position.from_fen("W:Wd4:Bh8:H17").fen() == "W:Wd4:Bh8"


def test_a_move_from_elsewhere_is_played_as_this_position_has_it() -> None:
    kings_step = Position.from_fen("W:WKa7:Bh2").parse_move("a7-a8")
    assert Position.from_fen("W:Wa7:Bh2").play(kings_step).fen() == "B:WKa8:Bh2"


def test_two_pieces_on_a_square_are_a_defect() -> None:
    assert Position(0b11, 0b10, 1 << 60, 0, Color.WHITE, RULESETS["turkish"]).status() == [
        "two pieces on one square: b1"
    ]


def test_representation_can_be_evaluated() -> None:
    position = Position.from_fen("B:Wd4:BKh8", "turkish-yoz")
    assert repr(position) == "Position.from_fen('B:Wd4:BKh8', 'turkish-yoz')"


def test_unknown_ruleset_names_the_presets() -> None:
    with pytest.raises(ValueError, match="'chess'; expected one of turkish, turkish-classic, turkish-yoz"):
        Position.start("chess")
    assert Position.start(RULESETS["turkish-yoz"]).rules.name == "turkish-yoz"


@pytest.mark.parametrize(
    ("fen", "defect"),
    [
        ("W:Wa8:Bb2", "white man on its last rank: a8"),
        ("W:Wa2:Bb1,c1", "black man on its last rank: b1 c1"),
        ("W:W:Bb2", "white has no piece"),
        (f"W:W{TOO_MANY}:Ba7", "white has 24 pieces, more than 16"),
    ],
)
def test_status_lists_the_defect(fen: str, defect: str) -> None:
    assert Position.from_fen(fen).status() == [defect]


@pytest.mark.parametrize(
    ("fen", "defect"),
    [
        ("W:W4:B12", "white man on its last rank: 4"),
        ("W:W21:B29,K31,32", "black man on its last rank: 29 32"),
        ("W:W20-32:B1", "white has 13 pieces, more than 12"),
        ("W:W21:B", "black has no piece"),
    ],
)
def test_status_knows_the_diagonal_board(fen: str, defect: str) -> None:
    assert Position.from_fen(fen, "italian").status() == [defect]


def test_status_lists_every_defect_and_none_of_a_sound_position() -> None:
    assert len(Position.from_fen("W:Wa8:B").status()) == 2
    for rules in RULESETS:
        assert Position.start(rules).status() == []


@pytest.mark.parametrize("text", ["", "b3", "b3b9", "b3-", "Kb3-b4", "b3-b4=Q", "b3--b4", "1-5"])
def test_not_a_move(text: str) -> None:
    with pytest.raises(InvalidNotation, match="expected squares such as"):
        Position.from_fen(CAPTURE).parse_move(text)


@pytest.mark.parametrize(
    "text", ["", "22", "22-", "2219", "22--19", "22-33", "0-1", "22-019", "d3-d4", "22-19=Q"]
)
def test_not_a_move_of_the_diagonal_board(text: str) -> None:
    with pytest.raises(InvalidNotation, match="expected squares such as 22-19 or 29x22x15"):
        Position.start("italian").parse_move(text)


@pytest.mark.parametrize(
    "text", ["29x22x15x6", "29:22:15:6", "29-22-15-6", "29 22 15 6", "29 × 22 × 15 × 6", "29x6", "29-6"]
)
def test_a_series_of_the_diagonal_board(text: str) -> None:
    move = Position.from_fen("W:W29:B11,19,26", "italian").parse_move(text)
    assert str(move) == "29x22x15x6"
    assert move.json() == {
        "move": "29x22x15x6",
        "from": "29",
        "to": "6",
        "captured": ["11", "19", "26"],
        "promotes": False,
        "paths": [["29", "22", "15", "6"]],
    }
    assert [move.grid.name(square) for square in move.capture_order(move.path)] == ["26", "19", "11"]


@pytest.mark.parametrize("text", ["29x22", "29x22x15", "29x26x19x11", "29x22x15x6=K"])
def test_not_that_series(text: str) -> None:
    # Captured squares instead of landings are a custom of Turkish score sheets.
    with pytest.raises(IllegalMove, match=r"29x22x15x6"):
        Position.from_fen("W:W29:B11,19,26", "italian").parse_move(text)


def test_a_crown_may_be_written_on_the_diagonal_board_too() -> None:
    position = Position.from_fen("W:W11:B5,6", "italian")
    assert position.play("11x2=K").fen() == "B:WK2:B5"


def test_ways_round_that_take_the_same_pieces_are_one_move() -> None:
    position = Position.from_fen("W:WK14:B11,12,19,20", "italian")
    (move,) = position.legal_moves
    assert (move.origin, move.target, len(move.paths)) == (13, 13, 2)
    assert position.parse_move("14x7x16x23x14") == position.parse_move("14x23x16x7x14") == move


def test_an_illegal_move_is_told_what_must_be_played() -> None:
    with pytest.raises(IllegalMove) as caught:
        Position.from_fen(CAPTURE).play("e2-e3")
    assert [str(move) for move in caught.value.expected] == ["b3xb5xd5"]
    assert str(caught.value) == (
        "'e2-e3' is not legal in W:We2,b3:Bb4,c5: b3 must capture: b3xb5xd5 (takes b4 c5)"
    )


def test_half_a_series_is_illegal() -> None:
    with pytest.raises(IllegalMove, match="b3xb5xd5"):
        Position.from_fen(CAPTURE).parse_move("b3xb5")


def test_ends_that_mean_two_moves_are_ambiguous_and_the_paths_are_not() -> None:
    position = Position.from_fen(SAME_ENDS)
    with pytest.raises(AmbiguousMove) as caught:
        position.parse_move("a8xh7")
    assert len(caught.value.meanings) == 2
    assert "'a8xh7' is ambiguous in W:WKa8" in str(caught.value)
    assert "a8xa1xh1xh7 (takes g1 a4 h6), a8xa3xh3xh7 (takes f3 a4 h6)" in str(caught.value)
    assert position.parse_move("a8xa1xh1xh7") != position.parse_move("a8xa3xh3xh7")


def test_captured_squares_instead_of_landings() -> None:
    position = Position.from_fen(SAME_ENDS)
    assert str(position.parse_move("a8xa4xg1xh6")) == "a8xa1xh1xh7"
    with pytest.raises(IllegalMove):
        position.parse_move("a8xa4xh6xg1")


def test_no_move_is_legal_when_blocked() -> None:
    with pytest.raises(IllegalMove, match="there is no legal move"):
        Position.from_fen("B:Wa3,a4,b5,c5:Ba5", "turkish-yoz").play("a5-a4")
