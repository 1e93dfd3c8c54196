"""Builds proofs: the kernel finds the wins, and this module writes down the whole tree."""

from functools import partial
from itertools import groupby
from typing import Protocol

from dama import kernel
from dama.move import Move
from dama.pieces import KING_WORTH, MAN_WORTH
from dama.position import Position
from dama.proof import LONGEST_LINE, DefenderNode, Proof, SolverNode
from dama.squares import bit


class Oracle(Protocol):
    """Who knows the forced wins: the kernel, or ``dama.search.Search``, which is asked in the same words."""

    def distances(self, position: Position, limit: int) -> dict[Move, int]:
        """Return the moves that win within the limit, each with the least number of moves it needs."""

    def wins_in(self, position: Position, limit: int) -> int | None:
        """Return the least number of moves, at most ``limit``, within which the side to move wins."""


def prove(position: Position, limit: int = 3, oracle: Oracle = kernel) -> Proof | None:
    """Return the proof of the quickest win within ``limit`` moves of the side to move, or None.

    >>> proof = prove(Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"))
    >>> proof.moves, proof.main_line()
    (2, ['b7-b8', 'd7xd2xb2xb4', 'b8xb3xf3xf6xa6'])

    The plain rules' search builds the same proof, lines included, so that the two can be compared on any
    position, a puzzle or not: distance, keys, duals, slow moves and refutations at once.

    >>> from dama.search import Search
    >>> prove(proof.position, 3, Search()) == proof
    True

    Raises ValueError for a limit beyond ``kernel.MAX_MOVES - 1``: slow moves are looked for one move deeper.
    """
    if position.outcome() is not None:
        return None
    moves = oracle.wins_in(position, limit)
    if moves is None:
        return None
    return Proof(position, moves, _Builder(oracle).solver_node(position, moves))


class _Builder:
    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle

    def solver_node(self, position: Position, left: int) -> SolverNode:
        """Judge every legal move of a position in which the solver has ``left`` moves left."""
        node: SolverNode = {"wins": {}, "slow": [], "refuted": {}}
        if position.outcome() is not None:  # The defence itself ended the game.
            return node
        found = self._oracle.distances(position, left + 1)
        for move in position.legal_moves:
            needed = found.get(move)
            if needed is None:
                node["refuted"][str(move)] = self._refutation(position.after(move), left)
            elif needed > left:
                node["slow"].append(str(move))
            else:
                node["wins"][str(move)] = self._defender_node(position.after(move), left - 1)
        return node

    def _defender_node(self, position: Position, left: int) -> DefenderNode:
        if position.outcome() is not None:
            return {}
        return {str(move): self.solver_node(position.after(move), left) for move in position.legal_moves}

    def _refutation(self, position: Position, left: int) -> list[str]:
        """Return the line to show after a move that does not win within ``left`` moves, itself included.

        The reply is the one that gains most material, else the one that resists longest; the line goes on for
        up to three plies as long as there is something to capture.
        """
        if position.outcome() is not None:
            return []
        line = [self._refuting_reply(position, left)]
        position = position.after(line[0])
        while len(line) < LONGEST_LINE and position.outcome() is None and position.legal_moves[0].captured:
            line.append(max(position.legal_moves, key=partial(_gain, position)))
            position = position.after(line[-1])
        return [str(move) for move in line]

    def _refuting_reply(self, position: Position, left: int) -> Move:
        gains = {move: _gain(position, move) for move in position.legal_moves}
        # By gain, so that a reply is searched only when none that gains more will do.
        for _, alike in groupby(sorted(gains, key=gains.__getitem__, reverse=True), gains.__getitem__):
            slowest = None
            for move in alike:
                needed = self._resistance(position.after(move), left)
                if needed is None:
                    return move
                if needed == left and slowest is None:
                    slowest = move
            if slowest is not None:
                return slowest
        raise RuntimeError(f"{position.fen()}: every reply loses within {left}, but the move before does not")

    def _resistance(self, position: Position, left: int) -> int | None:
        """Return within how many moves, at most ``left``, the solver to move wins; 0 when it has won."""
        outcome = position.outcome()
        if outcome is None:
            return self._oracle.wins_in(position, left)
        return 0 if outcome.winner is position.turn else None


def _gain(position: Position, move: Move) -> float:
    """Return the material a move gains, in men: what it captures, and the crown."""
    kings = position.white_kings | position.black_kings
    captured = sum(KING_WORTH if kings & bit(square) else MAN_WORTH for square in move.captured)
    return captured + (KING_WORTH - MAN_WORTH if move.promotes else 0)
