"""Builds proofs: the kernel finds the wins, and this module writes down the whole tree."""

from collections.abc import Callable
from functools import partial

from dama import kernel
from dama.move import Move
from dama.pieces import KING_WORTH, MAN_WORTH
from dama.position import Position
from dama.proof import LONGEST_LINE, DefenderNode, Proof, SolverNode
from dama.squares import bit

Distances = Callable[[Position, int], dict[Move, int]]
"""(position, limit) → the moves that win within the limit, each with the least number of moves it needs."""


def prove(position: Position, limit: int = 3, distances: Distances = kernel.distances) -> Proof | None:
    """Return the proof of the quickest win within ``limit`` moves of the side to move, or None.

    >>> proof = prove(Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"))
    >>> proof.moves, proof.main_line()
    (2, ['b7-b8', 'd7xd2xb2xb4', 'b8xb3xf3xf6xa6'])

    Raises ValueError for a limit beyond ``kernel.MAX_MOVES - 1``: slow moves are looked for one move deeper.
    """
    if position.outcome() is not None:
        return None
    found = distances(position, limit)
    if not found:
        return None
    moves = min(found.values())
    return Proof(position, moves, _Builder(distances).solver_node(position, moves))


class _Builder:
    def __init__(self, distances: Distances) -> None:
        self._distances = distances

    def solver_node(self, position: Position, left: int) -> SolverNode:
        """Judge every legal move of a position in which the solver has ``left`` moves left."""
        if position.outcome() is not None:  # The defence itself ended the game.
            return {"wins": {}, "slow": [], "refuted": {}}
        found = self._distances(position, left + 1)
        node: SolverNode = {"wins": {}, "slow": [], "refuted": {}}
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
        replies = {}
        for move in position.legal_moves:
            after = position.after(move)
            outcome = after.outcome()
            if outcome is None:
                needed = min(self._distances(after, left).values(), default=None)
            else:
                needed = 0 if outcome.winner is after.turn else None
            if needed is None or needed >= left:
                replies[move] = (_gain(position, move), needed is None)
        line = [max(replies, key=replies.__getitem__)]
        position = position.after(line[0])
        while len(line) < LONGEST_LINE and position.outcome() is None and position.legal_moves[0].captured:
            line.append(max(position.legal_moves, key=partial(_gain, position)))
            position = position.after(line[-1])
        return [str(move) for move in line]


def _gain(position: Position, move: Move) -> float:
    """Return the material a move gains, in men: what it captures, and the crown."""
    kings = position.white_kings | position.black_kings
    captured = sum(KING_WORTH if kings & bit(square) else MAN_WORTH for square in move.captured)
    return captured + (KING_WORTH - MAN_WORTH if move.promotes else 0)
