"""The kernel's counts of lines of play."""

import pytest

from dama import Position, kernel

COUNTS = [8, 64, 708, 7538, 85090, 931312, 10782308]


@pytest.mark.parametrize("rules", ["turkish", "turkish-classic", "turkish-yoz"])
def test_counts_from_the_start(rules: str) -> None:
    start = Position.start(rules)
    assert [kernel.perft(start, depth) for depth in range(1, 8)] == COUNTS


@pytest.mark.parametrize(("rules", "lines"), [("turkish", 123285642), ("turkish-yoz", 123285804)])
def test_removal_first_matters_at_depth_eight(rules: str, lines: int) -> None:
    assert kernel.perft(Position.start(rules), 8) == lines


def test_counts_from_the_start_of_italian_dama() -> None:
    start = Position.start("italian")
    assert [kernel.perft(start, depth) for depth in range(1, 7)] == [7, 49, 302, 1469, 7361, 36473]
    assert kernel.perft(start, 0) == 1


def test_division_adds_up_and_names_moves_in_board_order() -> None:
    start = Position.start()
    counts = kernel.divide(start, 5)
    assert list(counts) == [str(move) for move in start.legal_moves]
    assert sum(counts.values()) == COUNTS[4]
    assert kernel.divide(start, 1) == dict.fromkeys(counts, 1)


def test_black_sees_the_same_board() -> None:
    position = Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7")
    assert kernel.perft(position, 6) == kernel.perft(position.swapped(), 6)
    assert kernel.perft(position, 6) == kernel.perft(position.mirrored(), 6)


def test_ends_of_play() -> None:
    assert kernel.perft(Position.start(), 0) == 1
    assert kernel.perft(Position.from_fen("W:WKa1:BKb1,Kc1,a2,a3"), 1) == 0
    assert kernel.perft(Position.from_fen("W:W:Bh6"), 3) == 0
    for depth in (-1, 61):
        with pytest.raises(ValueError, match=f"depth {depth}"):
            kernel.perft(Position.start(), depth)
        with pytest.raises(ValueError, match=f"depth {depth}"):
            kernel.divide(Position.start(), depth)
    with pytest.raises(ValueError, match="depth 0"):
        kernel.divide(Position.start(), 0)
