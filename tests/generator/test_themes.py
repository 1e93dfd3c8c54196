"""Themes, each with puzzles that have it and puzzles that do not."""

import pytest

from dama import Position
from dama.prove import prove
from generator.themes import themes_of


@pytest.mark.parametrize(
    ("fen", "themes"),
    [
        ("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7", {"sacrifice", "promotion", "multi-capture"}),
        ("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5", {"sacrifice", "promotion", "multi-capture"}),
        ("W:WKc7,Kb8:Bd3,d5,Kg6", {"sacrifice"}),
        ("W:WKa4,Kb5:Bd2,e6,Kh6,f7", {"sacrifice", "multi-capture"}),
        ("W:WKd5,a7,b7:Bb2,Kh3,Kb4", {"sacrifice", "promotion"}),
        ("W:WKa2,Ka8,Kc8:BKc1,Kd3", {"sacrifice", "king hunt"}),
        ("W:Wb2,c2,h2,e3,Kf3,g4:Ba3", {"blockade"}),
    ],
)
def test_themes(fen: str, themes: set[str]) -> None:
    proof = prove(Position.from_fen(fen))
    assert proof is not None
    assert set(themes_of(proof)) == themes
    assert themes_of(proof.mirrored()) == themes_of(proof.swapped()) == themes_of(proof)
