"""Proved wins to judge."""

from dama import Position
from dama.prove import prove
from generator.win import Win

IN_TWO = "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"
IN_THREE = "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5"
KING_HUNT = "W:WKa2,Ka8,Kc8:BKc1,Kd3"
BLOCKADE = "W:Wb2,c2,h2,e3,Kf3,g4:Ba3"
ZUGZWANG = "W:Wa3,b4,Kc4,c5:Ba6"


def win_of(fen: str) -> Win:
    """Return the quickest win, proved by the kernel."""
    return forms_of(fen)[0]


def forms_of(fen: str) -> list[Win]:
    """Return the win, its mirror image, and both with colours swapped."""
    proof = prove(Position.from_fen(fen))
    assert proof is not None
    mirrored = proof.mirrored()
    return [Win.of(form) for form in (proof, mirrored, proof.swapped(), mirrored.swapped())]
