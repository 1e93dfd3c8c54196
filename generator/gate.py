"""The gate: a puzzle passes when two implementations of the rules and its mirror images agree about it."""

from collections.abc import Callable
from dataclasses import dataclass

from dama import Move, Position, kernel
from dama.proof import Proof, ProofError, moves_by_text

Prover = Callable[[Position, int], Proof | None]
"""(position, limit) → the proof of the quickest win within the limit, or None."""

Judge = Callable[[Position, int], dict[kernel.Triple, int]]
"""(position, limit) → every legal move with the number of moves it wins within, or 0."""


@dataclass(frozen=True, slots=True)
class _Image:
    """A way to see the same game: its name, and how positions and moves are turned into it."""

    name: str
    position: Callable[[Position], Position]
    move: Callable[[Move], Move]

    def triple(self, move: Move) -> kernel.Triple:
        return kernel.triple(self.move(move))


_IMAGES = (
    _Image("mirrored", Position.mirrored, Move.mirrored),
    _Image("colour-swapped", Position.swapped, Move.swapped),
)


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


def check(proof: Proof, judge: Judge = kernel.judged_moves) -> None:
    """Walk the proof and search for it by the plain rules, and judge the mirrored and swapped positions.

    Raises DisagreementError at the first difference. The search is for what makes a puzzle: the distance, the
    key, the moves that win later on. What a proof says of all other moves takes ten times as long to search
    (``Proof.search_again``); the site does so with every record it takes in.
    """
    try:
        proof.search_wins()
    except ProofError as error:
        raise DisagreementError(proof.position.fen(), str(error)) from error
    for image in _IMAGES:
        _check_image(proof, image, judge)


def _check_image(proof: Proof, image: _Image, judge: Judge) -> None:
    """Compare every node with what the kernel says of its image: the verdict on each move, all defences."""
    for position, left, node in proof.solver_nodes():
        moves = moves_by_text(position)
        said = dict.fromkeys(map(moves.__getitem__, node["wins"]), "wins")
        said |= dict.fromkeys(map(moves.__getitem__, node["slow"]), "slow")
        said |= dict.fromkeys(map(moves.__getitem__, node["refuted"]), "refuted")
        found = judge(image.position(position), left + 1)
        _compare(
            proof,
            image,
            {image.triple(move): verdict for move, verdict in said.items()},
            {move: _verdict(needed, left) for move, needed in found.items()},
        )
        for text, answers in node["wins"].items():
            if answers:
                after = position.after(moves[text])
                defences = sorted(map(image.triple, after.legal_moves))
                _compare(proof, image, defences, kernel.moves(image.position(after)))


def _verdict(needed: int, left: int) -> str:
    if not needed:
        return "refuted"
    return "wins" if needed <= left else "slow"


def _compare(proof: Proof, image: _Image, said: object, found: object) -> None:
    if said != found:
        position = image.position(proof.position)
        what = f"the {image.name} position {position.fen()} has another proof"
        raise DisagreementError(proof.position.fen(), what)
