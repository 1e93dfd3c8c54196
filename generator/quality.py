"""What makes a position a sound puzzle: pure predicates, each with a name to count by and a reason to show.

The numbers are those of the definition of a sound puzzle: legal (1), exact (2), one key and one way (3), last
move (4), no one against one (5), not trivial (6), a fight (7), exclusive (8), size (10). What takes a search
is asked of the kernel first; the predicates on a proof ask nobody.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, ParamSpec

from dama import Color, Position
from dama.proof import Proof, SolverNode
from dama.soundness import is_one_blow
from generator.themes import has_locked_ending, has_only_kings

PIECES: Final = (5, 14)
"""Fewest and most pieces on the board."""
MOST_KINGS: Final = 3
"""Kings a side."""
FEWEST_FIRST_MOVES: Final = {2: 12, 3: 10}
"""Legal first moves by the number of moves to win: a short puzzle must not fall to a random clicker."""
FEWEST_DEFENDERS: Final = 3
MOST_SURPLUS: Final = 1
"""Pieces the solver may have more than the defender."""
MOST_KING_HUNTERS: Final = 4
MOST_BLOCKADERS: Final = 7
"""Pieces the solver may have in a king hunt and in a blockade, whatever the defender has."""

_Asked = ParamSpec("_Asked")


@dataclass(frozen=True, slots=True)
class Filter(Generic[_Asked]):
    """A predicate that puzzles must pass: the name it is counted by, and why others are refused."""

    name: str
    reason: str
    passes: Callable[_Asked, bool]


def refusal(
    filters: Sequence[Filter[_Asked]], *args: _Asked.args, **kwargs: _Asked.kwargs
) -> Filter[_Asked] | None:
    """Return the first filter that is not passed, or None when all are."""
    return next((each for each in filters if not each.passes(*args, **kwargs)), None)


def piece_counts(position: Position) -> tuple[int, int]:
    """Return the number of pieces of the side to move and of its opponent."""
    own, opponent = position.pieces(position.turn).all, position.pieces(position.turn.other).all
    return own.bit_count(), opponent.bit_count()


def has_right_size(position: Position) -> bool:
    """Tell whether there are 5 to 14 pieces (10)."""
    return PIECES[0] <= sum(piece_counts(position)) <= PIECES[1]


def has_few_kings(position: Position) -> bool:
    """Tell whether neither side has more than three kings (10)."""
    return max(position.white_kings.bit_count(), position.black_kings.bit_count()) <= MOST_KINGS


def is_of_a_game(position: Position) -> bool:
    """Tell whether a game can have brought the pieces here and is not over (1).

    Men never go back, so none of them ever stands on its own first rank.
    """
    strays = position.white_men & Color.BLACK.crowning_rank | position.black_men & Color.WHITE.crowning_rank
    return not strays and not position.status() and position.outcome() is None


def is_quiet(position: Position) -> bool:
    """Tell whether the solver has nothing to capture, so that the key is a quiet move (6)."""
    return not any(move.captured for move in position.legal_moves)


POSITION_FILTERS: Final[tuple[Filter[[Position]], ...]] = (
    Filter("size", f"not {PIECES[0]} to {PIECES[1]} pieces", has_right_size),
    Filter("kings", f"more than {MOST_KINGS} kings a side", has_few_kings),
    Filter("no game", "no game has this position, or it is over", is_of_a_game),
    Filter("capture", "a capture to begin with", is_quiet),
)


def has_enough_first_moves(position: Position, moves: int) -> bool:
    """Tell whether there are at least 12 legal first moves for a win in two, 10 for one in three (6)."""
    return len(position.legal_moves) >= FEWEST_FIRST_MOVES[moves]


LENGTH_FILTERS: Final[tuple[Filter[[Position, int]], ...]] = (
    Filter("first moves", "too few legal first moves", has_enough_first_moves),
)
"""What depends on how many moves the win takes, too."""


def has_one_key(proof: Proof) -> bool:
    """Tell whether exactly one first move wins in time (3)."""
    return len(proof.keys) == 1


def has_one_way(proof: Proof) -> bool:
    """Tell whether before the Nth move there is exactly one move that wins in time, in every line (3).

    Stricter than ``dama.soundness``: in a line that can end early, too, there is one way to end it.
    """
    return all(len(node["wins"]) == 1 for _, left, node in proof.solver_nodes() if left > 1)


def has_one_last_move(proof: Proof) -> bool:
    """Tell whether all last moves of a node use the same piece and take the same pieces (4)."""
    return all(is_one_blow(position, node) for position, left, node in proof.solver_nodes() if left == 1)


def has_no_one_against_one(proof: Proof) -> bool:
    """Tell whether every position of the tree, shown refutations included, has three pieces or more (5)."""
    return all(_keeps_three(position, node) for position, _, node in proof.solver_nodes())


def _keeps_three(position: Position, node: SolverNode) -> bool:
    for text, answers in node["wins"].items():
        after = position.play(text)
        if _is_one_against_one(after):
            return False
        if any(_is_one_against_one(after.play(defence)) for defence in answers):
            return False
    lines = [[text] for text in node["slow"]] + [[text, *line] for text, line in node["refuted"].items()]
    return not any(_meets_one_against_one(position, line) for line in lines)


def _meets_one_against_one(position: Position, line: list[str]) -> bool:
    # Every "x" is a captured piece: most lines are let off without being played.
    if sum(piece_counts(position)) - sum(text.count("x") for text in line) > 2:
        return False
    for text in line:
        position = position.play(text)
        if _is_one_against_one(position):
            return True
    return False


def _is_one_against_one(position: Position) -> bool:
    return piece_counts(position) == (1, 1)


def is_a_fight(proof: Proof) -> bool:
    """Tell whether the defender has three pieces or more and the solver at most one more than that (7).

    A king hunt needs no more than a solver of four pieces at most, a blockade one of seven at most.
    """
    return is_balanced(proof.position) or (may_be_a_blockade(proof.position) and has_locked_ending(proof))


def is_balanced(position: Position) -> bool:
    """Tell whether it is a fight whatever the win looks like."""
    solver, defender = piece_counts(position)
    if defender >= FEWEST_DEFENDERS and solver <= defender + MOST_SURPLUS:
        return True
    return solver <= MOST_KING_HUNTERS and has_only_kings(position)


def may_be_a_blockade(position: Position) -> bool:
    """Tell whether the solver has few enough pieces for a blockade to be worth showing."""
    return piece_counts(position)[0] <= MOST_BLOCKADERS


def is_exclusive(proof: Proof) -> bool:
    """Tell whether no other first move wins one move later (8); waived for king hunts and blockades."""
    return not proof.root["slow"] or has_only_kings(proof.position) or has_locked_ending(proof)


PROOF_FILTERS: Final[tuple[Filter[[Proof]], ...]] = (
    Filter("one key", "a second first move wins", has_one_key),
    Filter("one way", "a second move wins later on", has_one_way),
    Filter("last move", "the last move can take other pieces or use another piece", has_one_last_move),
    Filter("one against one", "one piece against one somewhere in the tree", has_no_one_against_one),
    Filter("fight", "the defender is outnumbered", is_a_fight),
    Filter("exclusive", "another first move wins one move later", is_exclusive),
)
