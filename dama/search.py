"""Forced wins by the plain rules alone: slow, short, and the judge of what the kernel claims."""

from dama.move import Move
from dama.position import Position


class Search:
    """An exhaustive search for forced wins that remembers the positions it has met.

    A side *wins within n* when it can end the game in its favour with its nth own move at the latest, against
    every defence. In a finished game nobody wins any more.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Position, int], bool] = {}

    def wins_in(self, position: Position, limit: int) -> int | None:
        """Return the least n up to ``limit`` within which the side to move wins, or None.

        >>> Search().wins_in(Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"), 3)
        2
        """
        return next((n for n in range(1, limit + 1) if self.wins_within(position, n)), None)

    def wins_within(self, position: Position, n: int) -> bool:
        """Tell whether the side to move wins within its next ``n`` moves."""
        key = position, n
        if key not in self._known:
            self._known[key] = position.outcome() is None and any(
                self.move_wins_within(position, move, n) for move in position.legal_moves
            )
        return self._known[key]

    def winning_moves(self, position: Position, n: int) -> list[Move]:
        """Return every legal move that wins within ``n`` moves, itself the first of them."""
        if position.outcome() is not None:
            return []
        return [move for move in position.legal_moves if self.move_wins_within(position, move, n)]

    def distances(self, position: Position, limit: int) -> dict[Move, int]:
        """Return the legal moves that win within ``limit``, each with the least n within which it does."""
        found: dict[Move, int] = {}
        for n in range(1, limit + 1):
            found |= {move: n for move in self.winning_moves(position, n) if move not in found}
        return {move: found[move] for move in position.legal_moves if move in found}

    def move_wins_within(self, position: Position, move: Move, n: int) -> bool:
        """Tell whether a legal move of an open game wins within ``n`` moves, itself included."""
        after = position.after(move)
        outcome = after.outcome()
        if outcome is not None:
            return outcome.winner is position.turn
        return n > 1 and all(self._lost_after(after, defence, n - 1) for defence in after.legal_moves)

    def _lost_after(self, position: Position, defence: Move, n: int) -> bool:
        """Tell whether the opponent still wins within ``n`` moves when the side to move defends like this."""
        after = position.after(defence)
        outcome = after.outcome()
        if outcome is not None:
            return outcome.winner is after.turn
        return self.wins_within(after, n)
