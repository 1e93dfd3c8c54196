"""The gate: a kernel that lies, in whatever way, stops the run."""

from collections.abc import Callable

import pytest

from dama import Color, Position
from dama.proof import Proof
from dama.prove import prove
from generator.gate import DisagreementError, Prover, check, proved

PUZZLE = Position.from_fen("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5")


def proof_of(position: Position) -> Proof:
    proof = prove(position)
    assert proof is not None
    return proof


def no_proof_of_black_to_move(position: Position, limit: int) -> Proof | None:
    return None if position.turn is Color.BLACK else prove(position, limit)


def forgetful_in_the_mirror(position: Position, limit: int) -> Proof | None:
    proof = proof_of(position)
    if position == PUZZLE.mirrored():
        line = proof.root["refuted"].popitem()
        proof.root["slow"].append(line[0])
    return proof


def test_an_honest_kernel_passes() -> None:
    proof = proved(PUZZLE, 3, prove)
    check(proof, prove)
    assert proof.key == "g4-f4"


@pytest.mark.parametrize("moves", [1, 2, 4])
def test_a_wrong_distance_is_a_disagreement(moves: int) -> None:
    with pytest.raises(DisagreementError, match=f"finds a win in {moves}") as caught:
        proved(PUZZLE, moves, prove)
    assert PUZZLE.fen() in str(caught.value)


def _drop_a_defence(proof: Proof) -> None:
    proof.root["wins"]["g4-f4"].clear()


def _call_a_refuted_move_slow(proof: Proof) -> None:
    proof.root["slow"].append("a7-a8")
    del proof.root["refuted"]["a7-a8"]


@pytest.mark.parametrize("fault", [_drop_a_defence, _call_a_refuted_move_slow])
def test_a_false_proof_is_a_disagreement(fault: Callable[[Proof], None]) -> None:
    proof = proof_of(PUZZLE)
    fault(proof)
    with pytest.raises(DisagreementError) as caught:
        check(proof, prove)
    assert caught.value.fen == PUZZLE.fen()


def test_a_hidden_key_is_a_disagreement() -> None:
    """The proof walks without a fault: only a search can tell that a move is called refuted and is not."""
    proof = proof_of(Position.from_fen("W:WKa2,Ka6,Kc8:BKc1,Kd1"))
    hidden, answers = proof.root["wins"].popitem()
    lines = {**proof.root["refuted"], hidden: [next(iter(answers))]}
    proof.root["refuted"] = {
        text: lines[text] for text in map(str, proof.position.legal_moves) if text in lines
    }
    proof.walk()
    with pytest.raises(DisagreementError, match=f"{hidden}.* by search"):
        check(proof, prove)


@pytest.mark.parametrize(
    ("prover", "form"),
    [(no_proof_of_black_to_move, "colour-swapped"), (forgetful_in_the_mirror, "mirrored")],
)
def test_another_proof_of_another_form_is_a_disagreement(prover: Prover, form: str) -> None:
    with pytest.raises(DisagreementError, match=f"the {form} position"):
        check(proof_of(PUZZLE), prover)
