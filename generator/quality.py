"""What makes a position a sound puzzle: pure predicates, each with a name to count by, a reason and a value.

The numbers are those of the definition of a sound puzzle: legal (1), exact (2), one key and one way (3), last
move (4), no one against one (5), not trivial (6), a fight (7), exclusive (8), economy (9), size (10). There
are predicates on positions, on wins, and on wins with their whole proof.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from dama import Color, Position
from dama.kernel import VICTORY
from dama.proof import SolverNode, moves_by_text
from dama.soundness import is_one_blow
from dama.squares import square_name, squares_in
from generator.themes import has_locked_ending, has_only_kings, is_king_hunt, is_zugzwang
from generator.win import LEAD, Win

PIECES: Final = (5, 14)
"""Fewest and most pieces on the board."""
MOST_KINGS: Final = 3
"""Kings a side."""
MOVES_TO_WIN: Final = (2, 3)
"""The lengths of a puzzle."""
FEWEST_FIRST_MOVES: Final = {2: 12, 3: 10}
"""Legal first moves by the number of moves to win: a short puzzle must not fall to a random clicker."""
FEWEST_DEFENDERS: Final = 3
MOST_SURPLUS: Final = 1
"""Pieces the solver may have more than the defender."""
MOST_KING_HUNTERS: Final = 4
MOST_BLOCKADERS: Final = 7
"""Pieces the solver may have in a king hunt and in a blockade, whatever the defender has."""
PLIES_OF_BALANCE: Final = 4
"""How far one looks on, captures not counted, to tell what a first move wins."""
MOST_IDLE: Final = 2
MOST_IDLE_OF_SOLVER: Final = 1
"""Pieces that do nothing: without one of them the number of moves and the one key stay."""

Value = bool | int | float | str | None
"""What a predicate has measured; None when there was nothing to measure."""

_Subject = TypeVar("_Subject")


@dataclass(frozen=True, slots=True)
class Check:
    """What a predicate says about one position: the value it measured, and whether a puzzle may have it."""

    name: str
    value: Value
    passes: bool
    reason: str
    """Why a puzzle may not; said of the predicate, whether it passes or not."""


@dataclass(frozen=True, slots=True)
class Filter(Generic[_Subject]):
    """A predicate that puzzles must pass: the name it is counted by, and why others are refused."""

    name: str
    reason: str
    passes: Callable[[_Subject], bool]
    measure: Callable[[_Subject], Value] | None = None
    """What there is to know about it, which may take longer; None: nothing but whether it is so."""

    def check(self, subject: _Subject) -> Check:
        """Return what the predicate says."""
        passes = self.passes(subject)
        return Check(self.name, self.measure(subject) if self.measure else not passes, passes, self.reason)


def refusal(filters: Sequence[Filter[_Subject]], subject: _Subject) -> Filter[_Subject] | None:
    """Return the first filter that is not passed, or None when all are."""
    return next((each for each in filters if not each.passes(subject)), None)


def piece_counts(position: Position) -> tuple[int, int]:
    """Return the number of pieces of the side to move and of its opponent."""
    own, opponent = position.pieces(position.turn).all, position.pieces(position.turn.other).all
    return own.bit_count(), opponent.bit_count()


def has_right_size(position: Position) -> bool:
    """Tell whether there are 5 to 14 pieces (10)."""
    return PIECES[0] <= sum(piece_counts(position)) <= PIECES[1]


def most_kings(position: Position) -> int:
    """Return the number of kings of the side that has more of them."""
    return max(position.white_kings.bit_count(), position.black_kings.bit_count())


def has_few_kings(position: Position) -> bool:
    """Tell whether neither side has more than three kings (10)."""
    return most_kings(position) <= MOST_KINGS


def is_of_a_game(position: Position) -> bool:
    """Tell whether a game can have brought the pieces here and is not over (1).

    Men never go back, so none of them ever stands on its own first rank.
    """
    first, last = map(position.rules.grid.crowning, (Color.BLACK, Color.WHITE))
    strays = position.white_men & first | position.black_men & last
    return not strays and not position.status() and position.outcome() is None


def captures(position: Position) -> int:
    """Return the number of legal captures."""
    return sum(bool(move.captured) for move in position.legal_moves)


def is_quiet(position: Position) -> bool:
    """Tell whether the solver has nothing to capture, so that the key is a quiet move (6)."""
    return not captures(position)


POSITION_FILTERS: Final[tuple[Filter[Position], ...]] = (
    Filter(
        "size",
        f"not {PIECES[0]} to {PIECES[1]} pieces",
        has_right_size,
        lambda position: sum(piece_counts(position)),
    ),
    Filter("kings", f"more than {MOST_KINGS} kings a side", has_few_kings, most_kings),
    Filter("no game", "no game has this position, or it is over", is_of_a_game),
    Filter("capture", "a capture to begin with", is_quiet, captures),
)


def has_enough_first_moves(win: Win) -> bool:
    """Tell whether there are at least 12 legal first moves for a win in two, 10 for one in three (6)."""
    return win.moves in MOVES_TO_WIN and len(win.position.legal_moves) >= FEWEST_FIRST_MOVES[win.moves]


def is_a_fight(win: Win) -> bool:
    """Tell whether the defender has three pieces or more and the solver at most one more than that (7).

    A king hunt needs no more than a solver of four pieces at most, a blockade one of seven at most.
    """
    solver, defender = piece_counts(win.position)
    if defender >= FEWEST_DEFENDERS and solver <= defender + MOST_SURPLUS:
        return True
    if solver <= MOST_KING_HUNTERS and has_only_kings(win.position):
        return True
    return solver <= MOST_BLOCKADERS and has_locked_ending(win)


def slower_wins(win: Win) -> int:
    """Return the number of other first moves that win in time or one move later."""
    return len(win.first_moves) - 1


def is_exclusive(win: Win) -> bool:
    """Tell whether no other first move wins even one move later (8).

    Waived for king hunts, blockades and zugzwang.
    """
    return not slower_wins(win) or _may_have_other_ways(win)


def best_other_balance(win: Win) -> float:
    """Return by how many men the solver is up after the best other first move, four plies and captures on."""
    return max(_other_balances(win), default=-VICTORY)


def keeps_others_small(win: Win) -> bool:
    """Tell whether no other first move puts the solver two men up (8).

    Waived for king hunts, blockades and zugzwang.
    """
    return not any(balance >= LEAD for balance in _other_balances(win)) or _may_have_other_ways(win)


def _other_balances(win: Win) -> Iterator[float]:
    for move in win.position.legal_moves:
        if move != win.key:
            yield -win.solver.balance(win.position.after(move), PLIES_OF_BALANCE)


def _may_have_other_ways(win: Win) -> bool:
    return is_king_hunt(win) or is_zugzwang(win) or has_locked_ending(win)


def has_few_idle_pieces(win: Win) -> bool:
    """Tell whether at most one of the solver's pieces is idle, and two in all (9)."""
    solver, defender = (pieces.bit_count() for pieces in win.idle)
    return solver <= MOST_IDLE_OF_SOLVER and solver + defender <= MOST_IDLE


def _names_of_idle_pieces(win: Win) -> str:
    return ", ".join(map(square_name, squares_in(win.idle[0] | win.idle[1])))


WIN_FILTERS: Final[tuple[Filter[Win], ...]] = (
    Filter(
        "first moves",
        "too few legal first moves",
        has_enough_first_moves,
        lambda win: len(win.position.legal_moves),
    ),
    Filter(
        "fight",
        "the defender is outnumbered",
        is_a_fight,
        lambda win: " against ".join(map(str, piece_counts(win.position))),
    ),
    Filter(
        "material",
        f"another first move puts the solver {LEAD:.0f} men up",
        keeps_others_small,
        best_other_balance,
    ),
    Filter("exclusive", "another first move wins one move later", is_exclusive, slower_wins),
    Filter("economy", "too many pieces do nothing", has_few_idle_pieces, _names_of_idle_pieces),
)
"""Predicates that a few questions to the solver answer."""


def has_one_key(win: Win) -> bool:
    """Tell whether exactly one first move wins in time (3)."""
    return len(win.tree.keys) == 1


def most_ways(win: Win) -> int:
    """Return the greatest number of moves that win in time at a node before the Nth move."""
    return max((len(node["wins"]) for _, left, node in win.nodes if left > 1), default=0)


def has_one_way(win: Win) -> bool:
    """Tell whether before the Nth move there is exactly one move that wins in time, in every line (3).

    Stricter than ``dama.soundness``: in a line that can end early, too, there is one way to end it.
    """
    return all(len(node["wins"]) == 1 for _, left, node in win.nodes if left > 1)


def has_one_last_move(win: Win) -> bool:
    """Tell whether all last moves of a node use the same piece and take the same pieces (4)."""
    return all(is_one_blow(position, node) for position, left, node in win.nodes if left == 1)


TREE_FILTERS: Final[tuple[Filter[Win], ...]] = (
    Filter("one key", "a second first move wins", has_one_key, lambda win: len(win.tree.keys)),
    Filter("one way", "a second move wins later on", has_one_way, most_ways),
    Filter("last move", "the last move can take other pieces or use another piece", has_one_last_move),
)
"""Predicates on the moves that win and what they meet: what a proof says of other moves is not needed."""


def has_no_one_against_one(win: Win) -> bool:
    """Tell whether every position of the tree, shown refutations included, has three pieces or more (5).

    The lines shown may differ in the mirror, and so may this. Raises ValueError for a win without a proof.
    """
    return all(_keeps_three(position, node) for position, _, node in win.whole_proof.solver_nodes())


def _keeps_three(position: Position, node: SolverNode) -> bool:
    moves = moves_by_text(position)
    for text, answers in node["wins"].items():
        after = position.after(moves[text])
        if _is_one_against_one(after):
            return False
        if any(_is_one_against_one(after.after(defence)) for defence in after.legal_moves if answers):
            return False
    return not any(_meets_one_against_one(position, line) for line in _other_lines(node))


def _other_lines(node: SolverNode) -> Iterator[list[str]]:
    yield from ([text] for text in node["slow"])
    yield from ([text, *line] for text, line in node["refuted"].items())


def _meets_one_against_one(position: Position, line: list[str]) -> bool:
    # Every "x" is a captured piece: most lines are let off without being played.
    if sum(piece_counts(position)) - sum(text.count("x") for text in line) > 2:
        return False
    for text in line:
        position = position.after(moves_by_text(position)[text])
        if _is_one_against_one(position):
            return True
    return False


def _is_one_against_one(position: Position) -> bool:
    return piece_counts(position) == (1, 1)


PROOF_FILTERS: Final[tuple[Filter[Win], ...]] = (
    Filter("one against one", "one piece against one somewhere in the tree", has_no_one_against_one),
)
"""Predicates on the whole proof."""
