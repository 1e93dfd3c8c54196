"""Proofs: the tree that shows a forced win, holds every answer to it, and can be checked by the plain rules.

A solver's node judges every legal move: it *wins* in time (with what the defender can answer), it is *slow*
(it still wins, one move later), or it is *refuted* (with the line to show, up to three plies, the defender's
reply first). A defender's node holds every legal defence; an empty one is the end of the game. Proofs are
built in ``dama.prove``.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Self, TypedDict

from dama.move import Move
from dama.position import Position
from dama.search import Search

LONGEST_LINE: Final = 3
"""Plies of a refutation, the defender's reply first."""

DefenderNode = dict[str, "SolverNode"]


class SolverNode(TypedDict):
    """What there is to say about every legal move of the solver; moves as text, in board order."""

    wins: dict[str, DefenderNode]
    slow: list[str]
    refuted: dict[str, list[str]]


class ProofError(ValueError):
    """A proof that does not prove what it claims; the message says where and what is wrong."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A forced win: the position, within how many of the solver's moves, and the tree.

    Treat the tree as read-only: proofs are shared.

    >>> from dama.prove import prove
    >>> proof = prove(Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"))
    >>> proof.moves, proof.keys, proof.root["refuted"]["b7-a7"]
    (2, ('b7-b8',), ['d7xd2xb2xb4'])
    """

    __hash__ = None  # type: ignore[assignment]  # the tree is made of dicts

    position: Position
    moves: int
    root: SolverNode

    @classmethod
    def from_json(cls, position: Position, moves: int, tree: object) -> Self:
        """Return the proof that plain JSON values hold; raises ProofError when they have another shape."""
        return cls(position, moves, _solver_node(tree, moves))

    @property
    def keys(self) -> tuple[str, ...]:
        """Every first move that wins in time; a sound puzzle has one."""
        return tuple(self.root["wins"])

    @property
    def key(self) -> str:
        """The winning first move; the first one if there are cooks."""
        return self.keys[0]

    def main_line(self) -> list[str]:
        """Return the moves of both sides when the defender resists as ``best_defence`` says."""
        line: list[str] = []
        node = self.root
        while node["wins"]:
            move, answers = min(node["wins"].items(), key=lambda item: moves_to_win(item[1]))
            line.append(move)
            if not answers:
                break
            line.append(best_defence(answers))
            node = answers[line[-1]]
        return line

    def solver_nodes(self) -> Iterator[tuple[Position, int, SolverNode]]:
        """Yield (position, moves left, node) for every solver's node, parents first."""
        yield from _solver_nodes(self.position, self.moves, self.root)

    def lines(self) -> Iterator[tuple[tuple[str, ...], Move]]:
        """Yield every line that the tree holds, refutations included, with the move that ends it."""
        yield from _lines(self.position, self.root, ())

    def mirrored(self) -> Self:
        """Return the proof of the left–right mirrored position."""
        return self._transformed(Position.mirrored, Move.mirrored)

    def swapped(self) -> Self:
        """Return the proof of the position with colours swapped."""
        return self._transformed(Position.swapped, Move.swapped)

    def same_tree(self, other: "Proof") -> bool:
        """Tell whether both say the same of every move; the lines shown to refute one may differ."""
        return (
            self.position == other.position
            and self.moves == other.moves
            and _without_lines(self.root) == _without_lines(other.root)
        )

    def walk(self) -> None:
        """Check the tree by the plain rules without any search.

        Every solver's move is judged exactly once and in board order, every defence is there, every end is a
        win and in time, and every line shown is legal. Raises ProofError.
        """
        if defects := self.position.status():
            raise ProofError(f"{self.position.fen()}: {', '.join(defects)}")
        if self.position.outcome() is not None:
            raise ProofError(f"{self.position.fen()}: the game has ended")
        _walk_solver(self.position, self.moves, self.root)
        longest = moves_to_win_at(self.root)
        if longest != self.moves:
            raise ProofError(f"{self.position.fen()}: wins in {longest}, not in {self.moves}")

    def search_wins(self) -> Search:
        """Walk the tree, and check by an independent plain search what makes a puzzle of it.

        That is the distance, and at every node which moves win in time. Returns the search, which remembers
        the positions it met. Raises ProofError when it disagrees.
        """
        self.walk()
        search = Search()
        if search.wins_in(self.position, self.moves) != self.moves:
            raise ProofError(f"{self.position.fen()}: the search finds no win in exactly {self.moves}")
        for position, left, node in self.solver_nodes():
            _compare(position, left, "win", search.winning_moves(position, left), node["wins"])
        return search

    def search_again(self) -> None:
        """Check all that the tree says of any move by an independent plain search.

        Besides ``search_wins`` that is which moves win slowly, and whether the reply shown refutes the
        others; it takes ten times as long. Raises ProofError when the search disagrees.
        """
        search = self.search_wins()
        for position, left, node in self.solver_nodes():
            in_time = search.winning_moves(position, left)
            slow = [move for move in search.winning_moves(position, left + 1) if move not in in_time]
            _compare(position, left, "win slowly", slow, node["slow"])
            for text, line in node["refuted"].items():
                if line and _wins_all_the_same(search, position.play(text).play(line[0]), left - 1):
                    raise ProofError(f"{position.fen()}: after {text}, {line[0]} refutes nothing")

    def _transformed(
        self, other_position: Callable[[Position], Position], other_move: Callable[[Move], Move]
    ) -> Self:
        def solver(position: Position, node: SolverNode) -> SolverNode:
            moves = moves_by_text(position)
            others = {
                text: other_move(moves[text])
                for kind in (node["wins"], node["slow"], node["refuted"])
                for text in kind
            }
            transformed = {text: str(other) for text, other in others.items()}

            def texts(originals: Iterable[str]) -> list[str]:
                return sorted(originals, key=lambda text: others[text].board_order)

            return {
                "wins": {
                    transformed[text]: defender(position.after(moves[text]), node["wins"][text])
                    for text in texts(node["wins"])
                },
                "slow": [transformed[text] for text in texts(node["slow"])],
                "refuted": {
                    transformed[text]: line(position.after(moves[text]), node["refuted"][text])
                    for text in texts(node["refuted"])
                },
            }

        def defender(position: Position, answers: DefenderNode) -> DefenderNode:
            if not answers:
                return {}
            defences = sorted(
                ((other_move(move), move) for move in position.legal_moves),
                key=lambda pair: pair[0].board_order,
            )
            return {str(other): solver(position.after(move), answers[str(move)]) for other, move in defences}

        def line(position: Position, plies: list[str]) -> list[str]:
            transformed = []
            for ply in plies:
                move = position.parse_move(ply)
                transformed.append(str(other_move(move)))
                position = position.after(move)
            return transformed

        return type(self)(other_position(self.position), self.moves, solver(self.position, self.root))


def _solver_node(tree: object, left: int) -> SolverNode:
    match tree:
        case {"wins": dict(wins), "slow": list(slow), "refuted": dict(refuted), **rest} if not rest:
            lines = refuted.values()
            if all(isinstance(line, list) for line in lines) and all(
                isinstance(text, str) for texts in (wins, slow, refuted, *lines) for text in texts
            ):
                return {
                    "wins": {text: _defender_node(answers, left - 1) for text, answers in wins.items()},
                    "slow": list(slow),
                    "refuted": {text: list(line) for text, line in refuted.items()},
                }
    raise ProofError(f"not a solver's node with wins, slow and refuted: {str(tree)[:80]}")


def _defender_node(tree: object, left: int) -> DefenderNode:
    if not isinstance(tree, dict) or not all(isinstance(text, str) for text in tree):
        raise ProofError(f"not a defender's node: {str(tree)[:80]}")
    if tree and left == 0:
        raise ProofError(f"not a proof: it goes on after the last move, with {', '.join(tree)[:80]}")
    return {text: _solver_node(node, left) for text, node in tree.items()}


def moves_by_text(position: Position) -> dict[str, Move]:
    """Return the legal moves by the text a proof knows them by."""
    return {str(move): move for move in position.legal_moves}


def moves_to_win(answers: DefenderNode) -> int:
    """Return how many moves the solver's win takes, the one just played included, at longest."""
    # A defence that itself ends the game is still answered by a win "within one more move".
    return 1 + max((moves_to_win_at(node) or 1 for node in answers.values()), default=0)


def moves_to_win_at(node: SolverNode) -> int:
    """Return how many moves the solver to move needs; 0 for a node without a winning move."""
    return min(map(moves_to_win, node["wins"].values()), default=0)


def best_defence(answers: DefenderNode) -> str:
    """Return the defence to play: the longest, then that with the fewest right answers, then board order."""
    return max(answers, key=lambda defence: resistance(answers[defence]))


def resistance(node: SolverNode) -> tuple[int, int]:
    """Return how well a defence resists that leads to this node: the greater, the better."""
    return moves_to_win_at(node), -len(node["wins"])


def _solver_nodes(
    position: Position, left: int, node: SolverNode
) -> Iterator[tuple[Position, int, SolverNode]]:
    if not any(node.values()):  # The defence itself ended the game.
        return
    yield position, left, node
    moves = moves_by_text(position)
    for text, answers in node["wins"].items():
        after = position.after(moves[text])
        defences = moves_by_text(after) if answers else {}
        for defence, child in answers.items():
            yield from _solver_nodes(after.after(defences[defence]), left - 1, child)


def _lines(
    position: Position, node: SolverNode, before: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Move]]:
    for text, move in moves_by_text(position).items():
        line, after = (*before, text), position.after(move)
        yield line, move
        answers = node["wins"].get(text, {})
        for defence, answer in moves_by_text(after).items() if answers else ():
            yield (*line, defence), answer
            yield from _lines(after.after(answer), answers[defence], (*line, defence))
        for reply in node["refuted"].get(text, ()):
            line, shown = (*line, reply), moves_by_text(after)[reply]
            yield line, shown
            after = after.after(shown)


def _walk_solver(position: Position, left: int, node: SolverNode) -> None:
    moves = moves_by_text(position)
    judged = [*node["wins"], *node["slow"], *node["refuted"]]
    if sorted(judged) != sorted(moves):
        raise ProofError(
            f"{position.fen()}: the legal moves are {_listed(moves)}, the proof judges {_listed(judged)}"
        )
    for texts in (node["wins"], node["slow"], node["refuted"]):
        if list(texts) != [text for text in moves if text in texts]:
            raise ProofError(f"{position.fen()}: {_listed(texts)} are not in board order")
    if not node["wins"]:
        raise ProofError(f"{position.fen()}: no move wins within {left}")
    for text, answers in node["wins"].items():
        _walk_defender(position.after(moves[text]), left - 1, answers)
    for text, line in node["refuted"].items():
        _walk_line(position.after(moves[text]), line)


def _walk_defender(position: Position, left: int, answers: DefenderNode) -> None:
    outcome = position.outcome()
    if not answers:
        if outcome is None or outcome.winner is not position.turn.other:
            raise ProofError(f"{position.fen()}: the proof ends here, but the game is not won")
        return
    if outcome is not None:
        raise ProofError(f"{position.fen()}: the game has ended, but the proof goes on")
    if left == 0:
        raise ProofError(f"{position.fen()}: not won in time")
    defences = moves_by_text(position)
    if list(answers) != list(defences):
        raise ProofError(
            f"{position.fen()}: the defences are {_listed(defences)}, the proof answers {_listed(answers)}"
        )
    for text, child in answers.items():
        after = position.after(defences[text])
        ended = after.outcome()
        if ended is None:
            _walk_solver(after, left, child)
        elif ended.winner is not after.turn or any(child.values()):
            raise ProofError(f"{after.fen()}: the game has ended with {text}, but the proof goes on")


def _walk_line(position: Position, line: list[str]) -> None:
    if len(line) > LONGEST_LINE:
        raise ProofError(f"{position.fen()}: {_listed(line)} is longer than {LONGEST_LINE} plies")
    if not line and position.outcome() is None:
        raise ProofError(f"{position.fen()}: the reply that refutes the move is missing")
    for text in line:
        move = next((legal for legal in position.legal_moves if str(legal) == text), None)
        if move is None or position.outcome() is not None:
            raise ProofError(f"{position.fen()}: the line {_listed(line)} is not legal")
        position = position.after(move)


def _compare(position: Position, left: int, what: str, found: list[Move], claimed: Iterable[str]) -> None:
    texts = [str(move) for move in found]
    if texts != list(claimed):
        raise ProofError(
            f"{position.fen()}: within {left} {_listed(texts)} {what} by search,"
            f" {_listed(claimed)} by the proof"
        )


def _wins_all_the_same(search: Search, position: Position, left: int) -> bool:
    """Tell whether the solver, to move after a reply that is said to refute, still wins in time."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner is position.turn
    return left > 0 and search.wins_within(position, left)


def _without_lines(node: SolverNode) -> object:
    return (
        {
            text: {defence: _without_lines(child) for defence, child in answers.items()}
            for text, answers in node["wins"].items()
        },
        sorted(node["slow"]),
        sorted(node["refuted"]),
    )


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts) or "none"
