"""Themes of a puzzle: exact predicates on its proof, by the names that the record keeps."""

from collections.abc import Callable, Iterator
from typing import Final

from dama import Move, Position
from dama.proof import Proof

MULTI_CAPTURE: Final = 4
"""Pieces that the last move takes at least."""


def themes_of(proof: Proof) -> tuple[str, ...]:
    """Return the names of the themes the puzzle has, the most telling first."""
    return tuple(name for name, holds in THEMES.items() if holds(proof))


def main_moves(proof: Proof) -> Iterator[tuple[Position, Move]]:
    """Yield (position, move) along the main line, the solver's moves and the defender's in turn."""
    position = proof.position
    for text in proof.main_line():
        move = position.parse_move(text)
        yield position, move
        position = position.after(move)


def has_locked_ending(proof: Proof) -> bool:
    """Tell whether a line of full length ends with the defender's pieces locked in."""
    return any(
        not answers and position.play(text).pieces(proof.position.turn.other).all
        for position, left, node in proof.solver_nodes()
        if left == 1
        for text, answers in node["wins"].items()
    )


def has_only_kings(position: Position) -> bool:
    """Tell whether the side not to move, the defender, has kings only."""
    return not position.pieces(position.turn.other).men


def gives_pieces(proof: Proof) -> bool:
    """Tell whether a reply of the main line captures, as it must: the solver loses a piece at least."""
    defender = proof.position.turn.other
    return any(move.captured for position, move in main_moves(proof) if position.turn is defender)


def ends_with_multi_capture(proof: Proof) -> bool:
    """Tell whether the last move of the main line takes four pieces or more."""
    *_, (_, last) = main_moves(proof)
    return len(last.captured) >= MULTI_CAPTURE


def crowns_a_man(proof: Proof) -> bool:
    """Tell whether the solver crowns a man in the main line."""
    return any(move.promotes for position, move in main_moves(proof) if position.turn is proof.position.turn)


THEMES: Final[dict[str, Callable[[Proof], bool]]] = {
    "blockade": has_locked_ending,
    "king hunt": lambda proof: has_only_kings(proof.position),
    "promotion": crowns_a_man,
    "multi-capture": ends_with_multi_capture,
    "sacrifice": gives_pieces,
}
