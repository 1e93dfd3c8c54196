"""Skeletons: the same for a puzzle and its mirror image, another for another solution."""

import json
from pathlib import Path

import pytest

from dama import Position
from dama.proof import Proof
from dama.prove import prove
from generator.skeleton import skeleton

LINES = (Path(__file__).parents[1] / "data" / "puzzles.jsonl").read_text(encoding="utf-8").splitlines()
TWO = "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"
THREE = "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5"


def proof_of(fen: str) -> Proof:
    proof = prove(Position.from_fen(fen))
    assert proof is not None
    return proof


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (TWO, "m-N KxSEN KxSWNE"),
        (THREE, "m-E KxSE m-N KxW KxSWNNE"),
        ("W:WKa2,Ka8,Kc8:BKc1,Kd3", "K-S KxN KxES"),
    ],
)
def test_a_skeleton_is_the_main_line_without_its_squares(fen: str, expected: str) -> None:
    assert skeleton(proof_of(fen)) == expected


def test_mirrored_and_swapped_puzzles_have_the_same_skeleton() -> None:
    for line in LINES:
        record = json.loads(line)
        proof = Proof.from_json(Position.from_fen(record["fen"]), record["moves"], record["proof"])
        forms = (proof.mirrored(), proof.swapped(), proof.mirrored().swapped())
        assert {skeleton(form) for form in forms} == {skeleton(proof)}


def test_the_same_solution_a_file_further_is_the_same_skeleton() -> None:
    one, other = proof_of("W:Wb3:Bb4,c5"), proof_of("W:Wc3:Bc4,d5")
    assert one.position != other.position
    assert skeleton(one) == skeleton(other)


def test_another_kind_of_piece_is_another_skeleton() -> None:
    assert skeleton(proof_of("W:Wa2:Ba3")) == "mxN"
    assert skeleton(proof_of("W:WKa2:Ba3")) == "KxN"


def test_all_lines_of_the_best_defence_count_and_no_other() -> None:
    proof = proof_of(THREE)
    assert skeleton(proof).count(" ") + 1 == len(proof.main_line()) == 5
