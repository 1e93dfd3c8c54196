"""How hard a puzzle is before anybody has tried it: how much one must read who reads as people do."""

from collections.abc import Iterator
from math import log2
from typing import Final

from dama import Position, kernel
from dama.kernel import Triple
from dama.squares import bit
from dama.symmetry import canonical

THREE_MOVES: Final = 1.5
"""What a win in three adds: in doublings of the reading."""
DECIMALS: Final = 2


def difficulty(position: Position, moves: int) -> float:
    """Return the difficulty of a forced win in ``moves``: log2 of the reading, and 1.5 for three moves."""
    return round(log2(reading(position, moves)) + (THREE_MOVES if moves == 3 else 0), DECIMALS)


def reading(position: Position, moves: int) -> int:
    """Return how many positions are looked at until the key is proved, moves tried in a human order.

    The order is captures (more first), promotions, offers that must be taken, then fewest replies. Whether
    the game can be ended with the move at hand is seen at a glance. Mirror images and colours count alike.
    """
    reader = _Reader()
    reader.sees_win(canonical(position), moves)
    return reader.looked_at


class _Reader:
    def __init__(self) -> None:
        self.looked_at = 0

    def sees_win(self, position: Position, moves: int) -> bool:
        """Look for a win of the side to move within ``moves``."""
        self.looked_at += 1
        if moves == 1:
            return kernel.wins_in(position, 1) == 1
        return any(self._holds(after, replies, moves - 1) for after, replies in _in_human_order(position))

    def _holds(self, position: Position, replies: list[Triple], moves: int) -> bool:
        """Look whether the solver wins within ``moves`` more after each of the replies."""
        self.looked_at += 1
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner is position.turn.other
        for reply in sorted(replies, key=lambda reply: -reply[2].bit_count()):
            after = position.moved(*reply)
            if after.outcome() is not None or not self.sees_win(after, moves):
                return False
        return True


def _in_human_order(position: Position) -> Iterator[tuple[Position, list[Triple]]]:
    """Yield (position after, replies) of the legal moves of a game that goes on."""
    tried = []
    for move in kernel.moves(position):
        after = position.moved(*move)
        replies = kernel.moves(after)
        is_offer = bool(replies and replies[0][2])
        order = (-move[2].bit_count(), not _crowns(position, move), not is_offer, len(replies), move)
        tried.append((order, after, replies))
    for _, after, replies in sorted(tried, key=lambda each: each[0]):
        yield after, replies


def _crowns(position: Position, move: Triple) -> bool:
    return bool(
        position.pieces(position.turn).men & bit(move[0]) and position.turn.crowning_rank & bit(move[1])
    )
