"""Examining candidates: which are puzzles, and what refuses the others."""

from dataclasses import dataclass
from typing import Final

from dama import Position, kernel
from dama.kernel import Soundness
from dama.proof import Proof
from dama.prove import prove
from generator import gate
from generator.difficulty import difficulty, features_of
from generator.predecessors import predecessor
from generator.quality import (
    MOVES_TO_WIN,
    POSITION_FILTERS,
    PROOF_FILTERS,
    TREE_FILTERS,
    WIN_FILTERS,
    Check,
    Filter,
    refusal,
)
from generator.score import score
from generator.skeleton import skeleton
from generator.sources import Before, Candidate
from generator.themes import themes_of
from generator.tries import close_tries, tries
from generator.win import Solver, Win

_LONGEST: Final = max(MOVES_TO_WIN)

_NO_WIN: Final[Filter[int | None]] = Filter(
    "no win", f"no win within {_LONGEST} moves", lambda moves: moves is not None
)
_WIN_IN_ONE: Final[Filter[int | None]] = Filter(
    "win in one", "the win takes a single move", lambda moves: moves != 1
)
_NO_MOVE_BEFORE: Final[Filter[Before | None]] = Filter(
    "no move before", "no legal move of the defender's leads here", lambda before: before is not None
)

_UNSOUND: Final = {
    # Whether one king each is a draw decides whether and how soon the win is there.
    Soundness.NO_WIN: "one against one",
    Soundness.SOONER: "one against one",
    Soundness.ONE_KING_EACH: "one against one",
    Soundness.SECOND_KEY: "one key",
    Soundness.DUAL: "one way",
}


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A sound puzzle and what has been found out about it."""

    proof: Proof
    before: Before
    """The defender's move that leads to it."""
    source: str
    game: int | None
    """Which of its source's games it comes from."""
    themes: tuple[str, ...]
    """The leading one first."""
    features: dict[str, float]
    """The terms of the difficulty, not weighted."""
    difficulty: float
    score: float
    skeleton: str
    tries: dict[str, list[str]]
    """Wrong first moves that one reply alone refutes, each with the line that begins with it."""
    checks: tuple[Check, ...]
    """What every predicate says."""


def examine(candidate: Candidate) -> Puzzle | str:
    """Return the puzzle that a candidate is, past the gate, or the name of the filter that refuses it.

    Raises gate.DisagreementError when the implementations of the rules differ about it.
    """
    puzzle = judge(candidate)
    if isinstance(puzzle, Puzzle):
        gate.check(puzzle.proof)
    return puzzle


def judge(candidate: Candidate) -> Puzzle | str:
    """Do what ``examine`` does short of the gate, which takes most of the time: for trying out variations.

    The cheap and the frequent come first; the whole proof, which is dear, is built for hardly more than
    puzzles. Raises gate.DisagreementError when the kernel's proof is not what its search has found.
    """
    win = sound_win(candidate.position)
    if isinstance(win, str):
        return win
    before = candidate.before or predecessor(win.position)
    if before is None:
        return _NO_MOVE_BEFORE.name
    failed_by_tree = refusal(TREE_FILTERS, win)
    if failed_by_tree is not None:
        return failed_by_tree.name
    win = win.with_proof(gate.proved(win.position, win.moves, prove))
    failed_by_proof = refusal(PROOF_FILTERS, win)
    if failed_by_proof is not None:
        return failed_by_proof.name
    return described(candidate, before, win)


def sound_win(position: Position) -> Win | str:
    """Do what ``judge`` does short of the proof and the move before: what is left refuses few.

    The answer is the win, or the name of the filter that refuses the position.
    """
    moves = kernel.wins_in(position, _LONGEST)
    if moves not in MOVES_TO_WIN:
        return _NO_WIN.name if moves is None else _WIN_IN_ONE.name
    failed = refusal(POSITION_FILTERS, position)
    if failed is not None:
        return failed.name
    soundness = kernel.soundness(position, moves)
    if soundness is not Soundness.SOUND:
        return _UNSOUND[soundness]
    win = Win(position, moves)
    failed_by_win = refusal(WIN_FILTERS, win)
    return win if failed_by_win is None else failed_by_win.name


def described(candidate: Candidate, before: Before, win: Win) -> Puzzle:
    """Return all that there is to say of a proved win, a puzzle or not, by the answers of its solver.

    Raises ValueError for a win without a proof.
    """
    themes = themes_of(win)
    near_misses = tries(win)
    features = features_of(win, themes, len(near_misses))
    return Puzzle(
        proof=win.whole_proof,
        before=before,
        source=candidate.source,
        game=candidate.game,
        themes=themes,
        features=features,
        difficulty=difficulty(features),
        score=score(win, themes, candidate.source, close_tries(win, near_misses)),
        skeleton=skeleton(win.whole_proof),
        tries=near_misses,
        checks=tuple(check_all(win, before)),
    )


def check_all(win: Win, before: Before | None) -> list[Check]:
    """Return what every predicate says of a proved win, in the order of examining, none left out.

    Raises ValueError for a win without a proof.
    """
    return [
        _NO_WIN.check(win.moves),
        _WIN_IN_ONE.check(win.moves),
        *(each.check(win.position) for each in POSITION_FILTERS),
        *(each.check(win) for each in WIN_FILTERS),
        _NO_MOVE_BEFORE.check(before),
        *(each.check(win) for each in (*TREE_FILTERS, *PROOF_FILTERS)),
    ]


def inspect(position: Position, solver: Solver = kernel) -> list[Check]:
    """Return what every predicate says of a position, none left out.

    Where there is no win, what is asked about it fails without a value.
    """
    before = None if position.status() else predecessor(position)
    proof = None if position.status() else prove(position, _LONGEST, solver)
    if proof is not None:
        return check_all(Win.of(proof, solver), before)
    return [
        _NO_WIN.check(None),
        _WIN_IN_ONE.check(None),
        *(each.check(position) for each in POSITION_FILTERS),
        *(_unmeasured(each) for each in WIN_FILTERS),
        _NO_MOVE_BEFORE.check(before),
        *(_unmeasured(each) for each in (*TREE_FILTERS, *PROOF_FILTERS)),
    ]


def _unmeasured(one: Filter[Win]) -> Check:
    return Check(one.name, None, passes=False, reason=one.reason)
