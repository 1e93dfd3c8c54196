"""What makes a puzzle: every predicate with a position that passes and with more that do not."""

from collections.abc import Callable

import pytest

from dama import Position
from dama.proof import Proof
from dama.prove import prove
from generator import quality
from generator.quality import Filter, refusal

PUZZLE_IN_TWO = "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"
PUZZLE_IN_THREE = "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5"
KING_HUNT = "W:WKa2,Ka8,Kc8:BKc1,Kd3"
BLOCKADE = "W:Wb2,c2,h2,e3,Kf3,g4:Ba3"


def proof_of(fen: str) -> Proof:
    proof = prove(Position.from_fen(fen))
    assert proof is not None
    return proof


@pytest.mark.parametrize(
    ("predicate", "fen", "expected"),
    [
        (quality.has_right_size, PUZZLE_IN_TWO, True),
        (quality.has_right_size, "W:WKa1,c3:Bd6,e6", False),
        (quality.has_right_size, "W:WKa1,c3:Bd6,e6,f6", True),
        (quality.has_right_size, "W:Wa2,b2,c2,d2,e2,f2,g2:Ba7,b7,c7,d7,e7,f7,g7,h7", False),
        (quality.has_right_size, "W:Wa2,b2,c2,d2,e2,f2,g2:Ba7,b7,c7,d7,e7,f7,g7", True),
        (quality.has_few_kings, "W:WKa1,Ke2,Kh1,a4:BKd7,Kd8,Ke8", True),
        (quality.has_few_kings, "W:WKa1,Ke2,Kh1,Ka4:BKd7", False),
        (quality.has_few_kings, "W:WKa1:BKd7,Kd8,Ke8,Kg6", False),
        (quality.is_of_a_game, PUZZLE_IN_THREE, True),
        (quality.is_of_a_game, "W:Wb1,c2:Bd6,e6,f6", False),  # a white man that went back
        (quality.is_of_a_game, "W:Wb2,c2:Bd8,e6,f6", False),  # a black one
        (quality.is_of_a_game, "W:Wb2,c8:Bd6,e6,f6", False),  # a man that should have been crowned
        (quality.is_of_a_game, "W:Wb2,c2:B", False),  # a side without pieces
        (quality.is_of_a_game, "W:WKb2:BKh8", False),  # drawn
        (quality.is_quiet, PUZZLE_IN_TWO, True),
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
        ("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5", 3, True),  # 10 moves
        ("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5", 2, False),
        ("W:Wd3,g3,a7:Bc2,a3,h6,e7,Kf5", 3, False),
    ],
)
def test_first_moves(fen: str, moves: int, expected: bool) -> None:
    assert quality.has_enough_first_moves(Position.from_fen(fen), moves) is expected


@pytest.mark.parametrize(
    ("predicate", "fen", "expected"),
    [
        (quality.has_one_key, PUZZLE_IN_TWO, True),
        (quality.has_one_key, "W:WKa2,Ka6,Kc8:BKc1,Kd1", False),
        (quality.has_one_key, "W:WKb1,Kg3:Be2,h3,e4", False),
        (quality.has_one_key, "W:WKc2,f4,h5,Ka8:Bd4", False),
        (quality.has_one_way, PUZZLE_IN_THREE, True),
        (quality.has_one_way, "W:WKa1,Kb4,a7,Ka8:BKc6", False),
        (quality.has_one_way, "W:Wf4,Kg7,h7,Kf8:BKd1", False),
        (quality.has_one_way, "W:WKa3,Kg7:Be2,h4,c6", False),  # only in a line that ends early
        (quality.has_one_last_move, PUZZLE_IN_THREE, True),
        (quality.has_one_last_move, "W:Wd2,f4,b6,c7:Bb3,e3,a6", False),
        (quality.has_no_one_against_one, PUZZLE_IN_TWO, True),
        (quality.has_no_one_against_one, "W:WKb1,Ka8:Bf2,Kh6,g7", False),
        (quality.has_no_one_against_one, "W:WKa2,Ka4,Kc8:BKc1,Kf5", False),
        (quality.has_no_one_against_one, "W:WKb2,g5,h5,Kg6:BKg4", False),
        (quality.is_a_fight, PUZZLE_IN_TWO, True),
        (quality.is_a_fight, KING_HUNT, True),
        (quality.is_a_fight, BLOCKADE, True),
        (quality.is_a_fight, "W:WKg2,f4,h6,Ka8:Bc3", False),
        (quality.is_a_fight, "W:Wa5,Kf6,Kg8:BKg1,e4", False),
        (quality.is_a_fight, "W:WKb1,a3,a4,Kd4,Kh6:BKg5", False),  # a king hunt by five
        (quality.is_exclusive, PUZZLE_IN_THREE, True),
        (quality.is_exclusive, "W:WKb6,Ka8:Be2,Kd5,f5", False),
        (quality.is_exclusive, "W:WKd2,Kf2,f5:Ba4,h5,e6", False),
        (quality.is_exclusive, "W:WKb1,Ke1,f3,f5:Bd3,f4,f7", False),
    ],
)
def test_proofs(predicate: Callable[[Proof], bool], fen: str, expected: bool) -> None:
    proof = proof_of(fen)
    assert predicate(proof) is expected
    assert predicate(proof.mirrored()) is expected
    assert predicate(proof.swapped()) is expected


def test_a_second_way_matters_in_every_line_and_not_in_the_longest_alone() -> None:
    proof = proof_of("W:WKa3,Kg7:Be2,h4,c6")
    position, node = proof.position, proof.root
    for solver, defender in zip(*[iter(proof.main_line()[:-1])] * 2, strict=True):
        assert list(node["wins"]) == [solver]
        node = node["wins"][solver][defender]
        position = position.play(solver).play(defender)
    assert not quality.has_one_way(proof)


def test_waivers_hold_for_king_hunts_and_blockades() -> None:
    for fen in (KING_HUNT, BLOCKADE):
        proof = proof_of(fen)
        slower = {**proof.root, "slow": ["a1-a2"]}
        assert quality.is_exclusive(Proof(proof.position, proof.moves, slower))  # type: ignore[arg-type]
    proof = proof_of(PUZZLE_IN_TWO)
    slower = {**proof.root, "slow": ["a1-a2"]}
    assert not quality.is_exclusive(Proof(proof.position, proof.moves, slower))  # type: ignore[arg-type]


def test_the_first_filter_that_fails_gives_the_reason() -> None:
    def is_even(number: int) -> bool:
        return number % 2 == 0

    def is_small(number: int) -> bool:
        return number < 10

    filters = (Filter("odd", "an odd number", is_even), Filter("large", "ten or more", is_small))
    assert refusal(filters, 4) is None
    assert refusal(filters, 13) is filters[0]
    assert refusal(filters, 14) is filters[1]


def test_names_are_unique_so_that_they_can_be_counted() -> None:
    names = [
        *(each.name for each in quality.POSITION_FILTERS),
        *(each.name for each in quality.LENGTH_FILTERS),
        *(each.name for each in quality.PROOF_FILTERS),
    ]
    assert len(set(names)) == len(names)
