"""The plain rules' counts of lines of play, each legal move counted once."""

import pytest

from dama import Position

TURKISH = [8, 64, 708, 7_538, 85_090]
COUNTS = {
    "turkish": TURKISH,
    "turkish-classic": TURKISH,
    "turkish-yoz": TURKISH,
    "italian": [7, 49, 302, 1_469, 7_361],
}


def perft(position: Position, depth: int) -> int:
    if position.outcome() is not None:
        return 0
    if depth == 1:
        return len(position.legal_moves)
    return sum(perft(position.after(move), depth - 1) for move in position.legal_moves)


@pytest.mark.parametrize("rules", COUNTS)
def test_counts_from_the_start(rules: str) -> None:
    start = Position.start(rules)
    assert [perft(start, depth) for depth in range(1, 6)] == COUNTS[rules]
