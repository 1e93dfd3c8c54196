"""Which proved wins are puzzles."""

import pytest

from dama import Position
from dama.prove import prove
from dama.soundness import duals


def _faults(fen: str) -> list[str]:
    proof = prove(Position.from_fen(fen), 3)
    assert proof is not None
    return list(duals(proof))


@pytest.mark.parametrize(
    "fen",
    ["W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7", "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5"],
)
def test_the_specified_examples_are_sound(fen: str) -> None:
    assert _faults(fen) == []


@pytest.mark.parametrize(
    ("fen", "what"),
    [
        ("W:WKa2,Kc4:Bd7", "all win within"),  # two keys
        ("W:Wc3,Kb4,Kd4,f6:Be7", "all win within"),
        ("W:WKa4,Kd1:Bd4", "differ in the piece"),
    ],
)
def test_a_second_right_answer_is_told(fen: str, what: str) -> None:
    assert any(what in fault for fault in _faults(fen))
