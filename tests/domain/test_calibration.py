"""Calibration: what is measured of simulated players and puzzles, against what is true of them."""

import numpy as np
import pytest

from puzzle_service.domain import calibration
from puzzle_service.domain.calibration import Results
from tests.domain import simulated

NOTHING_KNOWN = np.full(100, 11.0)
"""Difficulties beforehand that tell no puzzle from another."""


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_hundred_attempts_recover_the_order_of_the_puzzles(seed: int, *, drawn: bool) -> None:
    played = simulated.play(seed, drawn=drawn)
    found = calibration.measure(played.results, NOTHING_KNOWN)
    assert set(found.attempts) == {200}
    assert calibration.rank_correlation(found.puzzles.rating, played.puzzles) >= 0.97
    assert calibration.rank_correlation(found.players.rating, played.players) >= 0.9


def test_the_players_strength_is_accounted_for() -> None:
    """Where strong players meet hard puzzles, the share that solves them says little about the order."""
    played = simulated.play(4, drawn=True)
    found = calibration.measure(played.results, NOTHING_KNOWN)
    assert -calibration.rank_correlation(found.rate, played.puzzles) < 0.7
    assert calibration.rank_correlation(found.puzzles.rating, played.puzzles) >= 0.97


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_shuffled_results_give_no_order(seed: int) -> None:
    played = simulated.play(seed)
    shuffled = np.random.default_rng(seed).permutation(played.results.solved)
    found = calibration.measure(played.results._replace(solved=shuffled), NOTHING_KNOWN)
    assert abs(calibration.rank_correlation(found.puzzles.rating, played.puzzles)) < 0.3


def test_measured_ratings_are_near_to_the_true_ones_but_for_a_common_shift() -> None:
    """Results tell differences; the level is that of the difficulties beforehand."""
    played = simulated.play(5)
    found = calibration.measure(played.results, NOTHING_KNOWN)
    assert found.puzzles.rating.mean() == pytest.approx(1350.0)
    off = found.puzzles.rating - played.puzzles
    assert np.std(off) < 45
    assert np.mean(np.abs(off - off.mean()) < 2 * found.puzzles.deviation) > 0.85


def test_rates_are_predicted_by_what_is_known() -> None:
    played = simulated.play(6)
    true = calibration.difficulty_of(played.puzzles)
    for difficulties, worst in ((true, 0.05), (NOTHING_KNOWN, 0.3)):
        found = calibration.measure(played.results, difficulties)
        assert np.mean(np.abs(found.predicted - found.rate)) < worst
        assert np.mean(np.abs(found.fitted - found.rate)) < 0.02
    assert np.mean(np.abs(found.predicted - found.rate)) > 0.1


def test_players_with_few_results_weigh_little() -> None:
    """Ten newcomers fail at a puzzle that ten known players of the same strength would."""
    usual = simulated.play(7, puzzles=40, players=100, attempts=100)
    deviations = {}
    for name, players in (("known", np.arange(10)), ("new", np.arange(100, 110))):
        results = Results(
            np.concatenate([usual.results.player, players]),
            np.concatenate([usual.results.puzzle, np.full(10, 40)]),
            np.concatenate([usual.results.solved, np.zeros(10, np.bool_)]),
        )
        deviations[name] = calibration.measure(results, np.full(41, 11.0)).puzzles.deviation[40]
    assert deviations["known"] < deviations["new"] - 10


def test_a_puzzle_that_nobody_tried_stays_where_it_began() -> None:
    results = Results(np.array([0, 1]), np.array([1, 1]), np.array([True, False]))
    found = calibration.measure(results, np.array([7.0, 9.0, 13.0]))
    assert found.puzzles.rating[[0, 2]].tolist() == [1050.0, 1500.0]
    assert found.puzzles.deviation[0] == calibration.PUZZLE_DEVIATION
    assert found.attempts.tolist() == [0, 2, 0]
    assert np.isnan(found.rate[0])
    assert found.rate[1] == 0.5


def test_no_results_at_all_measure_nothing() -> None:
    none = Results(np.array([], np.int64), np.array([], np.int64), np.array([], np.bool_))
    found = calibration.measure(none, np.array([7.0]))
    assert (found.players.rating.size, found.puzzles.rating.tolist()) == (0, [1050.0])
    assert calibration.measure(none, np.array([])).puzzles.rating.size == 0


def test_difficulties_and_ratings_stand_for_each_other() -> None:
    difficulties = np.array([5.0, 6.0, 13.0])
    assert calibration.rating_of(difficulties).tolist() == [900.0, 975.0, 1500.0]
    assert calibration.difficulty_of(calibration.rating_of(difficulties)).tolist() == [5.0, 6.0, 13.0]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 400], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 2, 3], [1, 2, 3, 4], 0.9486833),
        ([1, 1, 1], [1, 2, 3], 0.0),
        ([], [], 0.0),
    ],
)
def test_rank_correlation_is_spearmans(one: list[float], other: list[float], expected: float) -> None:
    assert calibration.rank_correlation(np.array(one), np.array(other)) == pytest.approx(expected)
