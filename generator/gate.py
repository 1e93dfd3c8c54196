"""The gate: a puzzle passes when two implementations of the rules and its mirror images agree about it."""

from collections.abc import Callable

from dama import Position
from dama.proof import Proof, ProofError

Prover = Callable[[Position, int], Proof | None]
"""(position, limit) → the proof of the quickest win within the limit, or None."""


class DisagreementError(Exception):
    """Two implementations differ about a position: one of them is wrong, and neither is to be trusted."""

    def __init__(self, fen: str, what: str) -> None:
        super().__init__(fen, what)
        self.fen = fen
        self.what = what

    def __str__(self) -> str:
        return f"the implementations disagree about {self.fen}: {self.what}"


def proved(position: Position, moves: int, prover: Prover) -> Proof:
    """Return the kernel's proof of a win in exactly ``moves``, which its search has found already.

    Raises DisagreementError when there is none.
    """
    proof = prover(position, moves)
    if proof is None or proof.moves != moves:
        found = "no win" if proof is None else f"a win in {proof.moves}"
        what = f"the kernel's search finds a win in {moves}, its proof {found}"
        raise DisagreementError(position.fen(), what)
    return proof


def check(proof: Proof, prover: Prover) -> None:
    """Walk the proof and search for it by the plain rules, and prove the mirrored and swapped positions.

    Raises DisagreementError at the first difference. The search is for what makes a puzzle: the distance, the
    key, the moves that win later on. What a proof says of all other moves takes ten times as long to search
    (``Proof.search_again``); the site does so with every record it takes in.
    """
    fen = proof.position.fen()
    try:
        proof.search_wins()
    except ProofError as error:
        raise DisagreementError(fen, str(error)) from error
    for name, expected in (("mirrored", proof.mirrored()), ("colour-swapped", proof.swapped())):
        found = prover(expected.position, proof.moves)
        if found is None or not found.same_tree(expected):
            raise DisagreementError(fen, f"the {name} position {expected.position.fen()} has another proof")
