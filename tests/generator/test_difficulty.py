"""Difficulty: how much is read before the key is proved, and what people overlook."""

import pytest

from dama import Position
from generator.difficulty import WEIGHTS, difficulty, features_of, reading, turns
from generator.themes import themes_of
from generator.tries import tries
from generator.win import Win
from tests.generator.wins import BLOCKADE, IN_THREE, IN_TWO, KING_HUNT, ZUGZWANG, forms_of, win_of


def features(win: Win) -> dict[str, float]:
    return features_of(win, themes_of(win), len(tries(win)))


@pytest.mark.parametrize(
    ("fen", "moves", "looked_at"),
    [
        # The start, b7-b8 (crowned: tried first), and what is left after each of the four replies.
        (IN_TWO, 2, 6),
        # The win at hand is seen at a glance.
        ("W:Wb3:Bb4,c5", 1, 1),
    ],
)
def test_reading(fen: str, moves: int, looked_at: int) -> None:
    assert reading(Position.from_fen(fen), moves) == looked_at


@pytest.mark.parametrize("fen", [IN_TWO, IN_THREE, KING_HUNT, BLOCKADE, ZUGZWANG, "W:Wg5,Ke7:Bf2,g3,e4,e5"])
def test_a_mirror_and_the_colours_change_nothing(fen: str) -> None:
    first, *others = map(features, forms_of(fen))
    assert all(other == first for other in others)


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (
            IN_THREE,
            {
                "in_three": 1,
                "given": 3,
                "turns": 4,
                "tries": 1,
                "quiet_key": 0,
                "turning_back_trap": 1,
                "majority": 1,
                "instant_removal": 1,
                "first_moves": 3.3219,  # 10
                "lines": 3,
                "losing_alternatives": 2.3219,  # 4
                "last_choice": 0,
            },
        ),
        (
            ZUGZWANG,
            {
                "in_three": 0,
                "given": 0,
                "turns": 0,
                "tries": 1,
                "quiet_key": 1,
                "turning_back_trap": 0,
                "lines": 1,
                "losing_alternatives": 2.3219,
                "last_choice": 1,
            },
        ),
        (KING_HUNT, {"nodes": 2.8074, "given": 1, "turns": 1, "tries": 4, "lines": 0, "last_choice": 0}),
        ("W:WKe5,f6:BKf1,c2,b3,a4,h4,g7", {"given": 1, "turns": 5, "tries": 1, "lines": 0}),
        ("W:Wa2,f2,b3,b4:Bd2,g3,d4", {"in_three": 1, "given": 3, "turns": 1, "losing_alternatives": 2.8074}),
        (BLOCKADE, {"tries": 4, "last_choice": 1}),  # sixteen tries: four count
    ],
)
def test_features(fen: str, expected: dict[str, float]) -> None:
    found = features(win_of(fen))
    assert set(found) == set(WEIGHTS)
    assert {name: found[name] for name in expected} == expected


def test_difficulty_is_the_weighted_sum_of_the_features() -> None:
    found = features(win_of(IN_TWO))
    expected = 2.585 + 0.5 * 3 + 0.3 * 3 + 0.4 * 2 + 1.0 + 0.7 + 0.4 * 3.585 + 0.5 * 3
    assert difficulty(found) == pytest.approx(expected, abs=0.005)
    assert difficulty(features(win_of(IN_THREE))) > difficulty(found) + 1.5


@pytest.mark.parametrize("feature", WEIGHTS)
def test_every_feature_makes_it_harder(feature: str) -> None:
    found = features(win_of(IN_TWO))
    harder = found | {feature: found[feature] + 1}
    assert difficulty(harder) == pytest.approx(difficulty(found) + WEIGHTS[feature], abs=0.011)


@pytest.mark.parametrize(
    ("fen", "text", "corners"),
    [
        ("W:Wa2:Bh7", "a2-a3", 0),
        ("W:WKa1:Ba3,a6,h3", "a1xa5xa8", 0),  # straight on is no turn
        ("W:WKa1:Ba3,c4", "a1xa4xd4", 1),
        ("W:Wb3:Bb4,c5", "b3xb5xd5", 1),
        ("W:WKa1:Ba3,c4,e3", "a1xa4xe4xe1", 2),
    ],
)
def test_turns(fen: str, text: str, corners: int) -> None:
    assert turns(Position.from_fen(fen).parse_move(text)) == corners


def test_without_a_proof_there_are_no_features() -> None:
    win = Win(Position.from_fen(IN_TWO), 2)
    with pytest.raises(ValueError, match="not proved yet"):
        features_of(win, (), 0)
