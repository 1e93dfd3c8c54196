"""Glicko-2: the paper's worked example, and what must hold whatever the numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzle_service.domain import ratings
from puzzle_service.domain.ratings import Ratings


def rated(rating: float, deviation: float, volatility: float = 0.06) -> Ratings:
    return Ratings(np.array([rating]), np.array([deviation]), np.array([volatility]))


def against(*opponents: tuple[float, float]) -> Ratings:
    points, deviations = (np.array(values) for values in zip(*opponents, strict=True))
    return Ratings(points, deviations, np.full(len(opponents), 0.06))


def after(player: Ratings, opponents: Ratings, scores: list[float]) -> Ratings:
    return ratings.update(player, np.zeros(len(scores), np.int64), opponents, np.array(scores))


def test_the_papers_worked_example_comes_out() -> None:
    """A player of 1500, deviation 200, beats 1400 and loses to 1550 and 1700; the paper rounds on its way."""
    player = after(rated(1500, 200), against((1400, 30), (1550, 100), (1700, 300)), [1, 0, 0])
    assert player.rating[0] == pytest.approx(1464.06, abs=0.02)
    assert player.deviation[0] == pytest.approx(151.52, abs=0.01)
    assert player.volatility[0] == pytest.approx(0.05999, abs=0.00001)


def test_the_papers_expected_scores_come_out() -> None:
    """They are those of the example before the games, the player's own deviation left out."""
    sure = rated(1500, 0)
    chances = [ratings.expected(sure, against(one))[0] for one in ((1400, 30), (1550, 100), (1700, 300))]
    assert chances == pytest.approx([0.639, 0.432, 0.303], abs=0.001)


def test_many_at_once_come_out_as_each_alone() -> None:
    players = Ratings(np.array([1500.0, 1300.0, 1700.0]), np.array([200.0, 80.0, 300.0]), np.full(3, 0.06))
    opponents = against((1400, 30), (1550, 100), (1700, 300), (1200, 60))
    together = ratings.update(players, np.array([0, 2, 0, 2]), opponents, np.array([1.0, 1.0, 0.0, 0.0]))
    for player, games, scores in ((0, [0, 2], [1.0, 0.0]), (2, [1, 3], [1.0, 0.0])):
        alone = after(players.at(np.array([player])), opponents.at(np.array(games)), scores)
        for found, wanted in zip(together, alone, strict=True):
            assert found[player] == pytest.approx(wanted[0])


def test_who_has_not_played_stays_as_it_is() -> None:
    players = Ratings(np.array([1500.0, 1300.0]), np.array([200.0, 80.0]), np.full(2, 0.06))
    found = ratings.update(players, np.array([0]), against((1500, 50)), np.array([1.0]))
    assert [values[1] for values in found] == [1300.0, 80.0, 0.06]
    assert players.rating[0] == 1500.0


def test_an_unsure_opponent_counts_less() -> None:
    sure, unsure = (after(rated(1500, 200), against((1500, deviation)), [1]) for deviation in (30, 350))
    assert 1500 < unsure.rating[0] < sure.rating[0]
    assert sure.deviation[0] < unsure.deviation[0] < 200.1


def test_a_great_surprise_raises_the_volatility_and_none_does_not() -> None:
    beaten = after(rated(1500, 50), against(*[(900, 30)] * 10), [0] * 10)
    as_thought = after(rated(1500, 50), against(*[(1500, 30)] * 10), [1, 0] * 5)
    assert beaten.volatility[0] > 0.0605
    assert as_thought.volatility[0] < 0.06


@given(
    st.floats(500, 2500),
    st.floats(30, 350),
    st.lists(
        st.tuples(st.floats(500, 2500), st.floats(0, 350), st.sampled_from([0.0, 1.0])),
        min_size=1,
        max_size=12,
    ),
)
def test_games_make_surer_and_wins_raise(
    rating: float, deviation: float, games: list[tuple[float, float, float]]
) -> None:
    opponents = against(*[(points, unsure) for points, unsure, _ in games])
    found = after(rated(rating, deviation), opponents, [score for *_, score in games])
    assert np.isfinite([values[0] for values in found]).all()
    # A period adds the volatility before the games take from it.
    assert found.deviation[0] <= np.hypot(deviation, found.volatility[0] * ratings.SCALE)
    won = after(rated(rating, deviation), opponents, [1.0] * len(games))
    lost = after(rated(rating, deviation), opponents, [0.0] * len(games))
    assert lost.rating[0] < rating < won.rating[0]
    assert 0 < ratings.expected(rated(rating, deviation), opponents)[0] < 1
