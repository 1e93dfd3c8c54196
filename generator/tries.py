"""Tries: wrong first moves that fail to one reply alone, and so the ones to fall for."""

from collections.abc import Iterable

from dama import Move, Position
from dama.proof import moves_by_text
from generator.win import Solver, Win


def tries(win: Win) -> dict[str, list[str]]:
    """Return the first moves that exactly one reply refutes, in board order, each with the line to show.

    The line is the proof's: that reply, and up to two plies more. Raises ValueError for a win without a
    proof.
    """
    refuted = win.whole_proof.root["refuted"]
    return {
        text: refuted[text]
        for move in win.position.legal_moves
        if (text := str(move)) in refuted and _has_one_refutation(win, move)
    }


def close_tries(win: Win, found: Iterable[str]) -> int:
    """Return how many of the tries leave the defender a choice, so that all other replies lose in time."""
    moves = moves_by_text(win.position)
    return sum(len(win.position.after(moves[text]).legal_moves) > 1 for text in found)


def _has_one_refutation(win: Win, move: Move) -> bool:
    after = win.position.after(move)
    if after.outcome() is not None:
        return False
    refutations = 0
    for reply in after.legal_moves:
        refutations += not _still_wins(after.after(reply), win.moves - 1, win.solver)
        if refutations > 1:
            return False
    return True


def _still_wins(position: Position, moves: int, solver: Solver) -> bool:
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner is position.turn
    return moves > 0 and solver.wins_in(position, moves) is not None
