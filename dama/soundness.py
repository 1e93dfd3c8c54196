"""What makes a proved win a puzzle: one key, one way on, and one last blow."""

from collections.abc import Iterator

from dama.position import Position
from dama.proof import Proof, SolverNode, moves_by_text


def duals(proof: Proof) -> Iterator[str]:
    """Yield in words every node that has more right answers than a puzzle may have; nothing for a sound one.

    Exactly one move may win in time, except where every right answer ends the game, be it early: those may
    differ as ``is_one_blow`` allows.
    """
    for position, left, node in proof.solver_nodes():
        wins = ", ".join(node["wins"])
        if any(node["wins"].values()):
            if len(node["wins"]) > 1:
                yield f"{position.fen()}: {wins} all win within {left}; expected one move"
        elif not is_one_blow(position, node):
            yield f"{position.fen()}: {wins} differ in the piece that moves or in what it takes"


def is_one_blow(position: Position, node: SolverNode) -> bool:
    """Tell whether all winning last moves of a node use the same piece and take the same pieces.

    Landings may differ. Where every one of them locks the defender in, the same piece is enough.
    """
    moves = moves_by_text(position)
    blows = [moves[text] for text in node["wins"]]
    if len({blow.origin for blow in blows}) > 1:
        return False
    locks = all(position.after(blow).pieces(position.turn.other).all for blow in blows)
    return locks or len({blow.captured for blow in blows}) == 1
