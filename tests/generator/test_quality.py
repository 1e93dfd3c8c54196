"""What makes a puzzle: every predicate with a position that passes and with more that do not."""

from collections.abc import Callable

import pytest

from dama import Position
from dama.proof import Proof
from generator import quality
from generator.examination import check_all
from generator.quality import Filter, Value, refusal
from generator.win import Win
from tests.generator.wins import BLOCKADE, IN_THREE, IN_TWO, KING_HUNT, ZUGZWANG, forms_of, win_of


@pytest.mark.parametrize(
    ("predicate", "fen", "expected"),
    [
        (quality.has_right_size, IN_TWO, True),
        (quality.has_right_size, "W:WKa1,c3:Bd6,e6", False),
        (quality.has_right_size, "W:WKa1,c3:Bd6,e6,f6", True),
        (quality.has_right_size, "W:Wa2,b2,c2,d2,e2,f2,g2:Ba7,b7,c7,d7,e7,f7,g7,h7", False),
        (quality.has_right_size, "W:Wa2,b2,c2,d2,e2,f2,g2:Ba7,b7,c7,d7,e7,f7,g7", True),
        (quality.has_few_kings, "W:WKa1,Ke2,Kh1,a4:BKd7,Kd8,Ke8", True),
        (quality.has_few_kings, "W:WKa1,Ke2,Kh1,Ka4:BKd7", False),
        (quality.has_few_kings, "W:WKa1:BKd7,Kd8,Ke8,Kg6", False),
        (quality.is_of_a_game, IN_THREE, True),
        (quality.is_of_a_game, "W:Wb1,c2:Bd6,e6,f6", False),  # a white man that went back
        (quality.is_of_a_game, "W:Wb2,c2:Bd8,e6,f6", False),  # a black one
        (quality.is_of_a_game, "W:Wb2,c8:Bd6,e6,f6", False),  # a man that should have been crowned
        (quality.is_of_a_game, "W:Wb2,c2:B", False),  # a side without pieces
        (quality.is_of_a_game, "W:WKb2:BKh8", False),  # drawn
        (quality.is_quiet, IN_TWO, True),
        (quality.is_quiet, "W:WKa1,Kc5:BKa4,e6,f6", False),
        (quality.is_quiet, "W:Wd4,e2:Bd5,f6,h7", False),
    ],
)
def test_positions(predicate: Callable[[Position], bool], fen: str, expected: bool) -> None:
    position = Position.from_fen(fen)
    assert predicate(position) is expected
    assert predicate(position.mirrored()) is expected
    assert predicate(position.swapped()) is expected


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("W:WKa1,a2:Ba4,Kf5,Ke6", 2, False),
        ("W:WKa1,a2:Ba4,Kf5,Ke6", 3, False),
        (IN_THREE, 3, True),  # 10 moves
        (IN_THREE, 2, False),
        (IN_THREE, 1, False),  # no length of a puzzle
        ("W:Wd3,g3,a7:Bc2,a3,h6,e7,Kf5", 3, False),
    ],
)
def test_first_moves(fen: str, moves: int, expected: bool) -> None:
    assert quality.has_enough_first_moves(Win(Position.from_fen(fen), moves)) is expected


@pytest.mark.parametrize(
    ("predicate", "fen", "expected"),
    [
        (quality.is_a_fight, IN_TWO, True),
        (quality.is_a_fight, KING_HUNT, True),
        (quality.is_a_fight, BLOCKADE, True),
        (quality.is_a_fight, "W:WKg2,f4,h6,Ka8:Bc3", False),
        (quality.is_a_fight, "W:Wa5,Kf6,Kg8:BKg1,e4", False),
        (quality.is_a_fight, "W:WKb1,a3,a4,Kd4,Kh6:BKg5", False),  # a king hunt by five
        (quality.keeps_others_small, IN_TWO, True),
        (quality.keeps_others_small, "W:Wa2,f2,b3,b4:Bd2,g3,d4", True),  # one man up after another move
        (quality.keeps_others_small, "W:WKb4,c5,c6,e7:BKf1,a7,Kd8", False),  # just two
        (quality.keeps_others_small, "W:Wf5,Kf7:Bg4,d5,h5", False),
        (quality.keeps_others_small, "W:WKc3,b7:Bb2,a3,a7", False),
        (quality.keeps_others_small, KING_HUNT, True),  # waived: 4.5 men up
        (quality.keeps_others_small, BLOCKADE, True),
        (quality.keeps_others_small, ZUGZWANG, True),
        (quality.is_exclusive, IN_THREE, True),
        (quality.is_exclusive, "W:WKb6,Ka8:Be2,Kd5,f5", False),
        (quality.is_exclusive, "W:WKd2,Kf2,f5:Ba4,h5,e6", False),
        (quality.is_exclusive, "W:WKb1,Ke1,f3,f5:Bd3,f4,f7", False),
        (quality.is_exclusive, "W:WKg2,f4,h6,Ka8:Bc3", False),  # a quiet key alone waives nothing
        (quality.is_exclusive, BLOCKADE, True),  # waived: three others win a move later
        (quality.is_exclusive, "W:WKb1,a3,a4,Kd4,Kh6:BKg5", True),  # waived for a king hunt
        (quality.has_few_idle_pieces, IN_TWO, True),
        (quality.has_few_idle_pieces, "W:WKd2,Kf2,f5:Ba4,h5,e6", True),  # one of each side
        (quality.has_few_idle_pieces, "W:WKd3,d5,b7:Bb5,e6,g7", False),  # three in all
        (quality.has_few_idle_pieces, "W:WKg2,f4,h6,Ka8:Bc3", False),  # two of the solver's
        (quality.has_few_idle_pieces, BLOCKADE, False),
        (quality.has_one_key, IN_TWO, True),
        (quality.has_one_key, "W:WKa2,Ka6,Kc8:BKc1,Kd1", False),
        (quality.has_one_key, "W:WKb1,Kg3:Be2,h3,e4", False),
        (quality.has_one_key, "W:WKc2,f4,h5,Ka8:Bd4", False),
        (quality.has_one_way, IN_THREE, True),
        (quality.has_one_way, "W:WKa1,Kb4,a7,Ka8:BKc6", False),
        (quality.has_one_way, "W:Wf4,Kg7,h7,Kf8:BKd1", False),
        (quality.has_one_way, "W:WKa3,Kg7:Be2,h4,c6", False),  # only in a line that ends early
        (quality.has_one_last_move, IN_THREE, True),
        (quality.has_one_last_move, "W:Wd2,f4,b6,c7:Bb3,e3,a6", False),
        (quality.has_one_last_move, "W:Wc4,Kd5,Kh6,Kc8:BKf3", False),
        (quality.has_no_one_against_one, IN_TWO, True),
        (quality.has_no_one_against_one, "W:WKb1,Ka8:Bf2,Kh6,g7", False),
        (quality.has_no_one_against_one, "W:WKa2,Ka4,Kc8:BKc1,Kf5", False),
        (quality.has_no_one_against_one, "W:WKb2,g5,h5,Kg6:BKg4", False),
        (quality.has_no_one_against_one, "W:Wf5,Kf7:Bg4,d5,h5", False),
    ],
)
def test_wins(predicate: Callable[[Win], bool], fen: str, expected: bool) -> None:
    for win in forms_of(fen):
        assert predicate(win) is expected


@pytest.mark.parametrize(
    ("fen", "name", "value"),
    [
        (IN_TWO, "size", 8),
        (IN_TWO, "kings", 2),
        (IN_TWO, "no game", False),
        (IN_TWO, "capture", 0),
        (IN_TWO, "first moves", 12),
        (IN_THREE, "fight", "4 against 5"),
        (KING_HUNT, "material", 4.5),
        (BLOCKADE, "exclusive", 3),
        ("W:WKd3,d5,b7:Bb5,e6,g7", "economy", "e6, b7, g7"),
        (IN_THREE, "economy", ""),
        ("W:WKa2,Ka6,Kc8:BKc1,Kd1", "one key", 2),
        ("W:We5,Kf5:Be2,a6,d7", "one way", 4),
        ("W:Wc4,Kd5,Kh6,Kc8:BKf3", "last move", True),
        (IN_THREE, "last move", False),
        ("W:Wf5,Kf7:Bg4,d5,h5", "one against one", True),
    ],
)
def test_what_a_predicate_measures(fen: str, name: str, value: Value) -> None:
    checks = {check.name: check for check in check_all(win_of(fen), None)}
    assert checks[name].value == value


def test_a_second_way_matters_in_every_line_and_not_in_the_longest_alone() -> None:
    win = win_of("W:WKa3,Kg7:Be2,h4,c6")
    position, node = win.position, win.tree.root
    for solver, defender in zip(*[iter(win.tree.main_line()[:-1])] * 2, strict=True):
        assert list(node["wins"]) == [solver]
        node = node["wins"][solver][defender]
        position = position.play(solver).play(defender)
    assert not quality.has_one_way(win)


def test_an_idle_piece_can_go_and_a_piece_that_prevents_another_key_is_not_idle() -> None:
    win = win_of("W:WKb4,e4:Bd2,h3,e6")
    assert win.idle == (0, Position.from_fen("W:W:Bd2").black_men)
    assert Win(Position.from_fen("W:WKb4,e4:Bh3,e6"), 2).key == win.key
    without_h3 = Win(Position.from_fen("W:WKb4,e4:Bd2,e6"), 2)
    assert list(without_h3.solver.distances(without_h3.position, 2)) != [win.key]


def test_the_first_filter_that_fails_gives_the_reason() -> None:
    def is_even(number: int) -> bool:
        return number % 2 == 0

    def is_small(number: int) -> bool:
        return number < 10

    filters = (Filter("odd", "an odd number", is_even), Filter("large", "ten or more", is_small))
    assert refusal(filters, 4) is None
    assert refusal(filters, 13) is filters[0]
    assert refusal(filters, 14) is filters[1]
    assert filters[0].check(13).value is True
    assert Filter("odd", "an odd number", is_even, lambda number: number).check(13).value == 13


def test_names_are_unique_so_that_they_can_be_counted() -> None:
    names = [check.name for check in check_all(win_of(IN_TWO), None)]
    assert len(set(names)) == len(names) == 16


def test_what_takes_a_whole_proof_is_not_said_without_one() -> None:
    position = Position.from_fen(IN_TWO)
    bare = Win(position, 2)
    assert isinstance(bare.tree, Proof)
    with pytest.raises(ValueError, match="not proved yet"):
        quality.has_no_one_against_one(bare)
