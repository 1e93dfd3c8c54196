"""Skeletons: what a solution looks like when one forgets on which squares it happens."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dama import Color, Move, Position
from dama.proof import (
    DefenderNode,
    Proof,
    SolverNode,
    moves_by_text,
    moves_to_win,
    moves_to_win_at,
    resistance,
)
from dama.squares import bit, file_of, rank_of

_MIRRORED: Final = str.maketrans("EW", "WE")


def skeleton(proof: Proof) -> str:
    """Return the main line as the kind of piece, step or capture, and directions of every ply.

    >>> from dama.prove import prove
    >>> skeleton(prove(Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7")))
    'm-N KxSEN KxSWNE'

    Directions are the solver's, north being forwards; a capture has one for each piece it takes. Of a line
    and its mirror image, and of lines equally good for both sides, the first in the alphabet counts: mirrored
    and colour-swapped puzzles have the same skeleton.
    """
    lines = {" ".join(plies) for plies in _from_solver(proof.position, proof.root, proof.position.turn)}
    return min(lines | {line.translate(_MIRRORED) for line in lines})


def _from_solver(position: Position, node: SolverNode, solver: Color) -> Iterator[tuple[str, ...]]:
    """Yield the plies of every main line from here on; nothing comes after a defence that ends the game."""
    if not node["wins"]:
        yield ()
        return
    moves = moves_by_text(position)
    soonest = moves_to_win_at(node)
    for text, answers in node["wins"].items():
        if moves_to_win(answers) == soonest:
            rest = set(_from_defender(position.after(moves[text]), answers, solver))
            yield from ((ply, *plies) for ply in _plies(position, moves[text], solver) for plies in rest)


def _from_defender(position: Position, answers: DefenderNode, solver: Color) -> Iterator[tuple[str, ...]]:
    if not answers:
        yield ()
        return
    moves = moves_by_text(position)
    best = max(map(resistance, answers.values()))
    for text, node in answers.items():
        if resistance(node) == best:
            rest = set(_from_solver(position.after(moves[text]), node, solver))
            yield from ((ply, *plies) for ply in _plies(position, moves[text], solver) for plies in rest)


def _plies(position: Position, move: Move, solver: Color) -> set[str]:
    """Return the ways to write a move: its equivalent paths may turn differently."""
    pieces = position.pieces(position.turn)
    kind = "K" if pieces.kings & bit(move.origin) else "m"
    how = "x" if move.captured else "-"
    return {kind + how + "".join(_direction(*leg, solver) for leg in pairwise(path)) for path in move.paths}


def _direction(start: int, end: int, solver: Color) -> str:
    if rank_of(start) == rank_of(end):
        return "E" if file_of(end) > file_of(start) else "W"
    return "N" if (rank_of(end) > rank_of(start)) is (solver is Color.WHITE) else "S"
