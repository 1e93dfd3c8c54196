"""A forced win under examination: what the predicates on puzzles are asked about."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Protocol

from dama import Color, Move, Position, kernel
from dama.proof import DefenderNode, Proof, SolverNode, moves_by_text, moves_to_win, resistance
from dama.prove import Oracle
from dama.squares import bit, squares_in
from dama.symmetry import canonical

LEAD: Final = 2.0
"""Men by which one is up after a first move that is as good as a win."""


class Solver(Oracle, Protocol):
    """Who answers what takes a search: the kernel, or ``generator.plain.PlainSolver``."""

    def balance(self, position: Position, depth: int) -> float:
        """Return by how many men the side to move is up after best play.

        Where that is more than -LEAD, any value more than -LEAD will do.
        """


@dataclass(frozen=True)
class Win:
    """A position whose side to move, the solver, wins in exactly so many moves, and who is asked about it.

    The first of the winning moves, in board order, is taken for the key.
    """

    position: Position
    moves: int
    solver: Solver = kernel
    proof: Proof | None = None
    """The whole proof, once there is one."""

    @classmethod
    def of(cls, proof: Proof, solver: Solver = kernel) -> "Win":
        """Return the win that a proof proves."""
        return cls(proof.position, proof.moves, solver, proof)

    def with_proof(self, proof: Proof) -> "Win":
        """Return the same with its whole proof, and with the answers that it has from its solver already."""
        win = replace(self, proof=proof)
        vars(win).update(
            {name: vars(self)[name] for name in ("first_moves", "key", "idle") if name in vars(self)}
        )
        return win

    @property
    def whole_proof(self) -> Proof:
        """The whole proof; raises ValueError while there is none."""
        if self.proof is None:
            raise ValueError(f"{self.position.fen()}: the win in {self.moves} is not proved yet")
        return self.proof

    @cached_property
    def first_moves(self) -> dict[Move, int]:
        """Every first move that wins within one move more than needed, with the number it needs."""
        return self.solver.distances(self.position, self.moves + 1)

    @cached_property
    def key(self) -> Move:
        """The first move that wins in time."""
        return next(iter(self.solver.distances(self.position, self.moves)))

    @cached_property
    def after_key(self) -> Position:
        """The position that the key leads to."""
        return self.position.after(self.key)

    @cached_property
    def tree(self) -> Proof:
        """The proof, or as much of it as names winning moves and defences: that part is cheap."""
        if self.proof is not None:
            return self.proof
        return Proof(self.position, self.moves, self._outline(self.position, self.moves))

    @cached_property
    def nodes(self) -> tuple[tuple[Position, int, SolverNode], ...]:
        """(position, moves left, node) for every solver's node of the tree, parents first."""
        return tuple(self.tree.solver_nodes())

    @cached_property
    def idle(self) -> tuple[int, int]:
        """The solver's and the defender's idle pieces as bitboards: without one, N and the one key stay."""
        turn = self.position.turn
        own, other = self.position.pieces(turn).all, self.position.pieces(turn.other).all
        solver, defender = (
            sum(bit(square) for square in squares_in(pieces) if self._is_idle(bit(square)))
            for pieces in (own, other)
        )
        return solver, defender

    @cached_property
    def main_line(self) -> tuple[tuple[Position, Move], ...]:
        """(position, move) along the main line, the solver's moves and the defender's in turn.

        Of equally good moves it takes the first in board order of the canonical form: mirrored and
        colour-swapped wins have the mirrored and colour-swapped line.
        """
        order = _canonical_order(self.position)
        line: list[tuple[Position, Move]] = []
        position, node = self.position, self.tree.root
        while node["wins"]:
            wins, moves = node["wins"], moves_by_text(position)
            text = min(wins, key=lambda text: (moves_to_win(wins[text]), order(moves[text])))
            line.append((position, moves[text]))
            answers, position = wins[text], position.after(moves[text])
            if not answers:
                break
            text = _best_defence(answers, moves := moves_by_text(position), order)
            line.append((position, moves[text]))
            node, position = answers[text], position.after(moves[text])
        return tuple(line)

    def _is_idle(self, piece: int) -> bool:
        position = replace(
            self.position,
            white_men=self.position.white_men & ~piece,
            white_kings=self.position.white_kings & ~piece,
            black_men=self.position.black_men & ~piece,
            black_kings=self.position.black_kings & ~piece,
        )
        # Without most pieces there is no such win, and that is quickly told.
        if self.solver.wins_in(position, self.moves) != self.moves:
            return False
        return list(self.solver.distances(position, self.moves)) == [self.key]

    def _outline(self, position: Position, left: int) -> SolverNode:
        node: SolverNode = {"wins": {}, "slow": [], "refuted": {}}
        if position.outcome() is None:
            for move in self.solver.distances(position, left):
                after = position.after(move)
                defences = after.legal_moves if after.outcome() is None else ()
                node["wins"][str(move)] = {
                    str(defence): self._outline(after.after(defence), left - 1) for defence in defences
                }
        return node


_Order = tuple[int, int, tuple[int, ...]]


def _best_defence(answers: DefenderNode, moves: dict[str, Move], order: Callable[[Move], _Order]) -> str:
    most = max(map(resistance, answers.values()))
    best = (text for text, node in answers.items() if resistance(node) == most)
    return min(best, key=lambda text: order(moves[text]))


def _canonical_order(position: Position) -> Callable[[Move], _Order]:
    """Return the key that puts moves into the board order of the canonical form of the position."""
    swaps = position.turn is Color.BLACK
    seen = position.swapped() if swaps else position
    mirrors = canonical(seen) != seen

    def order(move: Move) -> _Order:
        if swaps:
            move = move.swapped()
        if mirrors:
            move = move.mirrored()
        return move.origin, move.target, move.path

    return order
