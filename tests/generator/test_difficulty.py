"""Difficulty: how much is read before the key is proved."""

import pytest

from dama import Position
from generator.difficulty import difficulty, reading


@pytest.mark.parametrize(
    ("fen", "moves", "looked_at"),
    [
        # The start, b7-b8 (crowned: tried first), and what is left after each of the four replies.
        ("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7", 2, 6),
        # The win at hand is seen at a glance.
        ("W:Wb3:Bb4,c5", 1, 1),
    ],
)
def test_reading(fen: str, moves: int, looked_at: int) -> None:
    assert reading(Position.from_fen(fen), moves) == looked_at


def test_a_mirror_and_the_colours_change_nothing() -> None:
    position = Position.from_fen("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5")
    forms = (position, position.mirrored(), position.swapped(), position.mirrored().swapped())
    assert len({difficulty(form, 3) for form in forms}) == 1


def test_three_moves_are_harder_than_two() -> None:
    in_two = difficulty(Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"), 2)
    in_three = difficulty(Position.from_fen("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5"), 3)
    assert in_two == 2.58
    assert in_three > in_two + 1.5
