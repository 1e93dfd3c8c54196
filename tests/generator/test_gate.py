"""The gate: a kernel that lies, in whatever way, stops the run."""

from collections.abc import Callable

import pytest

from dama import Color, Position
from dama.kernel import Triple, judged_moves
from dama.kernel import moves as kernel_moves
from dama.proof import Proof
from dama.prove import prove
from generator.gate import DisagreementError, Judge, check, proved

PUZZLE = Position.from_fen("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5")


def proof_of(position: Position) -> Proof:
    proof = prove(position)
    assert proof is not None
    return proof


def blind_for_black(position: Position, limit: int) -> dict[Triple, int]:
    judged = judged_moves(position, limit)
    return judged if position.turn is Color.WHITE else dict.fromkeys(judged, 0)


def hasty_in_the_mirror(position: Position, limit: int) -> dict[Triple, int]:
    judged = judged_moves(position, limit)
    if position == PUZZLE.mirrored():
        judged[next(move for move, needed in judged.items() if not needed)] = limit
    return judged


def forgetful_in_the_mirror(position: Position, limit: int) -> dict[Triple, int]:
    judged = judged_moves(position, limit)
    if position == PUZZLE.mirrored():
        del judged[next(move for move, needed in judged.items() if not needed)]
    return judged


def test_an_honest_kernel_passes() -> None:
    proof = proved(PUZZLE, 3, prove)
    check(proof)
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
        check(proof)
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
        check(proof)


@pytest.mark.parametrize(
    ("judge", "form"),
    [
        (blind_for_black, "colour-swapped"),
        (hasty_in_the_mirror, "mirrored"),
        (forgetful_in_the_mirror, "mirrored"),
    ],
)
def test_other_verdicts_on_another_form_are_a_disagreement(judge: Judge, form: str) -> None:
    with pytest.raises(DisagreementError, match=f"the {form} position"):
        check(proof_of(PUZZLE), judge)


@pytest.mark.parametrize(("form", "turn"), [("mirrored", Color.WHITE), ("colour-swapped", Color.BLACK)])
def test_a_defence_missing_from_another_form_is_a_disagreement(
    form: str, turn: Color, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof = proof_of(PUZZLE)
    own = {position.after(move) for position, _, _ in proof.solver_nodes() for move in position.legal_moves}

    def moves(position: Position) -> list[Triple]:
        return kernel_moves(position)[: -1 if position not in own and position.turn is not turn else None]

    monkeypatch.setattr("dama.kernel.moves", moves)
    with pytest.raises(DisagreementError, match=f"the {form} position"):
        check(proof)


@pytest.mark.parametrize("fen", ["W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7", "W:Wc3,Kb4,Kd4,f6:Be7"])
def test_slow_and_winning_moves_of_other_forms_are_the_same(fen: str) -> None:
    check(proof_of(Position.from_fen(fen)))
