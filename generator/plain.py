"""The plain rules' solver: slow, and the judge of what the kernel is asked about a puzzle."""

from dama import Position
from dama.kernel import VICTORY
from dama.pieces import worth
from dama.search import Search
from generator.win import LEAD

_LEAST = LEAD - 0.5
"""The greatest lead that is none: men and kings count in halves."""


class PlainSolver(Search):
    """Forced wins and material by the plain rules alone, remembering what it has met."""

    def __init__(self) -> None:
        super().__init__()
        self._values: dict[tuple[int, int, int, int, str, int, float], float] = {}

    def balance(self, position: Position, depth: int) -> float:
        """Return on the same side of a lead of the opponent's what ``kernel.balance`` returns, not the same.

        It is -LEAD or less when the kernel's is, and else more: that is enough to know whether the opponent
        is up by LEAD, and takes a small part of the time.
        """
        return self._value(position, depth, -LEAD, -_LEAST)

    def _value(self, position: Position, depth: int, least: float, enough: float) -> float:
        """Return ``least`` or less, or ``enough`` or more, as the value for the side to move is."""
        key = (
            position.white_men,
            position.white_kings,
            position.black_men,
            position.black_kings,
            position.turn.value,
            depth,
            least,
        )
        if key not in self._values:
            self._values[key] = self._searched(position, depth, least, enough)
        return self._values[key]

    def _searched(self, position: Position, depth: int, least: float, enough: float) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return 0.0 if outcome.winner is None else VICTORY if outcome.winner is position.turn else -VICTORY
        moves = position.legal_moves
        if depth == 0 and not moves[0].captured:
            return _material(position)
        best = -VICTORY
        for after in sorted(map(position.after, moves), key=_material):
            best = max(best, -self._value(after, max(depth - 1, 0), -enough, -least))
            if best >= enough:
                break
        return best


def _material(position: Position) -> float:
    own, other = position.pieces(position.turn), position.pieces(position.turn.other)
    return worth(own.men, own.kings) - worth(other.men, other.kings)
