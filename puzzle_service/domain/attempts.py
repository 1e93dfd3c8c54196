"""Attempts: what a move is worth by the proof, which defence answers it, and what a player has left."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from dama.proof import SolverNode, best_defence

MAX_ATTEMPTS: Final = 3
MAX_SLOW: Final = 3
"""How many moves that win too late are taken back, over all attempts at a puzzle."""

State = Literal["open", "solved", "failed"]
Result = Literal["solved", "wrong"]
Verdict = Literal["continue", "solved", "wrong", "slow", "illegal", "over"]


@dataclass(frozen=True)
class Judgement:
    """What the proof says of a move: the defence to a right one, the refutation of a wrong one."""

    verdict: Verdict
    reply: str | None = None
    refutation: tuple[str, ...] = ()


@dataclass(frozen=True)
class Try:
    """One attempt as it is kept: the plies of both sides so far, its end, and how often it was too slow."""

    ordinal: int
    plies: tuple[str, ...]
    result: Result | None
    slow: int = 0


@dataclass(frozen=True)
class Progress:
    """Where a player stands: the attempt in play, the last one after the end, and what is left."""

    state: State
    attempt: int
    plies: tuple[str, ...]
    attempts_left: int
    slow_left: int


def progress(tries: Iterable[Try]) -> Progress:
    """Return where a player stands after these attempts.

    >>> progress([Try(1, ("a3-a4",), "wrong")])
    Progress(state='open', attempt=2, plies=(), attempts_left=2, slow_left=3)
    """
    kept = sorted(tries, key=lambda one: one.ordinal)
    wrong = sum(one.result == "wrong" for one in kept)
    slow_left = max(0, MAX_SLOW - sum(one.slow for one in kept))
    last = kept[-1] if kept else None
    if last is not None and last.result == "solved":
        return Progress("solved", last.ordinal, last.plies, MAX_ATTEMPTS - wrong, slow_left)
    if wrong >= MAX_ATTEMPTS:
        return Progress("failed", MAX_ATTEMPTS, (), 0, slow_left)
    plies = last.plies if last is not None and last.result is None else ()
    return Progress("open", wrong + 1, plies, MAX_ATTEMPTS - wrong, slow_left)


def node_after(root: SolverNode, plies: Sequence[str]) -> SolverNode:
    """Return the solver's node that right moves and their answers, in turn, lead to.

    Raises ValueError naming the first ply that the proof does not have.
    """
    node = root
    for move, reply in zip(plies[::2], plies[1::2], strict=False):
        if move not in node["wins"]:
            raise ValueError(f"{move!r} is no right move here; expected one of {', '.join(node['wins'])}")
        defences = node["wins"][move]
        if reply not in defences:
            raise ValueError(
                f"{reply!r} is no answer to {move}; expected one of {', '.join(defences) or 'none'}"
            )
        node = defences[reply]
    if len(plies) % 2:
        raise ValueError(f"{len(plies)} plies; expected an even number, the solver being to move")
    return node


def judge(node: SolverNode, move: str) -> Judgement:
    """Return what the proof says of a legal move: continue, solved, slow or wrong.

    Every move that wins in time is right, the main line's or not; the answer to it is the longest defence,
    then the one that leaves the fewest right moves, then the first on the board. Raises ValueError for a move
    that the node does not list.
    """
    if move in node["wins"]:
        defences = node["wins"][move]
        if not defences:
            return Judgement("solved")
        reply = best_defence(defences)
        # Under some rules the defender's own move can end the game in the solver's favour.
        return Judgement("continue" if any(defences[reply].values()) else "solved", reply)
    if move in node["slow"]:
        return Judgement("slow")
    if move in node["refuted"]:
        return Judgement("wrong", refutation=tuple(node["refuted"][move]))
    raise ValueError(f"{move!r} is not among the moves of the proof")
