"""Faults put into a proof on purpose: whoever checks proofs must find every one of them."""

import copy
from collections.abc import Callable, Iterator
from typing import Final

from dama.proof import Proof, ProofError, SolverNode

Fault = Callable[[Proof], Iterator[Proof]]
"""Yields the proof with the fault in one place after another, each mended before the next."""


def missed_faults(proof: Proof) -> tuple[int, list[str]]:
    """Put every fault into every place of a true proof; return how many there were, and which went unseen.

    A fault is seen when the proof does not walk, or when the plain rules' search finds other winning moves.
    """
    tried, missed = 0, []
    for name, fault in FAULTS.items():
        for faulty in fault(Proof(proof.position, proof.moves, copy.deepcopy(proof.root))):
            tried += 1
            if not _is_seen(faulty):
                missed.append(name)
    return tried, missed


def _is_seen(proof: Proof) -> bool:
    try:
        proof.search_wins()
    except ProofError:
        return True
    return False


def _dropped_defences(proof: Proof) -> Iterator[Proof]:
    for node in _nodes(proof.root):
        for answers in node["wins"].values():
            for defence, child in list(answers.items()):
                del answers[defence]
                yield proof
                answers[defence] = child


def _false_ends(proof: Proof) -> Iterator[Proof]:
    for node in _nodes(proof.root):
        for move, answers in node["wins"].items():
            # An end where the game goes on, and more where it has ended.
            node["wins"][move] = {} if answers else {move: copy.deepcopy(node)}
            yield proof
            node["wins"][move] = answers


def _other_lengths(proof: Proof) -> Iterator[Proof]:
    for moves in (proof.moves - 1, proof.moves + 1):
        yield Proof(proof.position, moves, proof.root)


def _wrong_keys(proof: Proof) -> Iterator[Proof]:
    wins, refuted = proof.root["wins"], proof.root["refuted"]
    order = [str(move) for move in proof.position.legal_moves]
    for wrong, line in refuted.items():
        for key, answers in wins.items():
            others = {text: refuted[text] for text in refuted if text != wrong} | {key: line}
            root: SolverNode = {
                "wins": {text: wins.get(text, answers) for text in order if text in {*wins, wrong} - {key}},
                "slow": proof.root["slow"],
                "refuted": {text: others[text] for text in order if text in others},
            }
            yield Proof(proof.position, proof.moves, root)


def _nodes(node: SolverNode) -> list[SolverNode]:
    nodes = [node]
    for answers in node["wins"].values():
        for child in answers.values():
            nodes += _nodes(child)
    return nodes


FAULTS: Final[dict[str, Fault]] = {
    "a dropped defence": _dropped_defences,
    "a false end": _false_ends,
    "another number of moves": _other_lengths,
    "a wrong key": _wrong_keys,
}
"""The kinds of faults by what they are called."""
