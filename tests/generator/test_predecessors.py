"""The move before: found backwards, decided forwards."""

import pytest

from dama import Position
from generator.predecessors import predecessor, predecessors


@pytest.mark.parametrize(
    ("fen", "before", "move"),
    [
        ("W:Wd3,g3,g4,a7:Bc2,a3,Kf5,h6,e7", "B:Wd3,g3,g4,a7:Ba4,c2,Kf5,h6,e7", "a4-a3"),
        ("W:Wg6:Bd7,Kb1", "B:Wg6:BKb1,c7", "c7-d7"),  # a man aside rather than a king
        ("B:Wc2,Kh1:Bd7,e7,Ka8,Kc8", "W:Wb2,Kh1:Bd7,e7,Ka8,Kc8", "b2-c2"),  # Black to move: White moved
    ],
)
def test_the_most_plausible_move(fen: str, before: str, move: str) -> None:
    found = predecessor(Position.from_fen(fen))
    assert found is not None
    assert (found.position, str(found.move)) == (Position.from_fen(before), move)


@pytest.mark.parametrize(
    "fen",
    [
        "W:WKd3,h6,b7:Bg4,Kh4,Ke5",
        "W:WKd5,d6,f6:BKf3,Ka6,c7",
        "W:Wf2,Kc3,Ke5:BKh2,Kf4,b7",
        "W:Wd2,h2,Kb3:BKh1,Kh4,h6",
    ],
)
def test_positions_that_no_single_move_leads_to(fen: str) -> None:
    position = Position.from_fen(fen)
    assert predecessor(position) is None
    assert predecessor(position.mirrored()) is None
    assert predecessor(position.swapped()) is None


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("W:Wg2:Bd3,f5", "d4-d3"),  # a step forward
        ("W:Wg2:Bd3,f5", "c3-d3"),  # a step aside
        ("W:Wg2:Bd3,f5", "d5xd3"),  # a man's capture
        ("W:Wg2:Bd3,f5", "f3xd3"),
        ("W:Wg6:Bb5,Kd1", "d5-d1"),  # a king's move
        ("W:Wg6:Bb5,Kd1", "d2-d1"),  # a king's move or a crowning
        ("W:Wg6:Bb5,Kd1", "d3xd1"),  # a crowning capture, or a king's
        ("W:Wg6:Bb5,Kd1", "h1xd1"),  # a king's capture
    ],
)
def test_every_kind_of_move_is_taken_back(fen: str, move: str) -> None:
    assert move in {str(before.move) for before in predecessors(Position.from_fen(fen))}


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("W:Wg2:Bd7,f5", "d8-d7"),  # from Black's first rank, where no man of Black's ever stands
        ("W:Wg2:Bd6,f5", "d8xd6"),
        ("W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3:Bd5,f6", "f5xd5"),  # of a seventeenth man
    ],
)
def test_what_no_game_allows_is_not_taken_back(fen: str, move: str) -> None:
    assert move not in {str(before.move) for before in predecessors(Position.from_fen(fen))}


def test_a_quiet_move_is_no_move_when_there_was_a_capture() -> None:
    # Whatever Black moved, its king on a8 could take d8 before as well as now.
    moves = [before.move for before in predecessors(Position.from_fen("W:WKd8,Kh1:BKa8,f6"))]
    assert moves
    assert all(move.captured or move.target == 56 for move in moves)


def test_all_of_them_lead_here() -> None:
    position = Position.from_fen("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5,Kb1")
    found = list(predecessors(position))
    assert len(found) > 20
    for before in found:
        assert before.position.play(before.move) == position
        assert before.position.status() == []
        assert before.position.outcome() is None
