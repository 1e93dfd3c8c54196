"""Weights: those of generators, and what a refit makes of puzzles whose difficulty is known."""

import numpy as np
import pytest

from generator.difficulty import WEIGHTS
from puzzle_service.domain import weights
from puzzle_service.domain.findings import FEATURES
from puzzle_service.domain.ratings import Floats
from puzzle_service.domain.weights import ENOUGH, PRESENT, Weights

FLAGS = {"in_three", "quiet_key", "turning_back_trap", "majority", "instant_removal", "last_choice"}
OTHERS = Weights({**PRESENT.weights, "nodes": 0.6, "tries": 1.0, "quiet_key": 0.3}, offset=1.5)


def puzzles(
    count: int, true: Weights, noise: float = 1.0, seed: int = 1
) -> tuple[list[dict[str, float]], Floats]:
    chance = np.random.default_rng(seed)
    features = [
        {name: float(chance.integers(0, 2 if name in FLAGS else 5)) for name in FEATURES}
        for _ in range(count)
    ]
    return features, np.array([true.difficulty(one) for one in features]) + chance.normal(0, noise, count)


def change(found: Weights) -> dict[str, float]:
    return {name: abs(weight - PRESENT.weights[name]) for name, weight in found.weights.items()}


def test_the_present_weights_are_those_of_the_generator() -> None:
    assert dict(PRESENT.weights) == dict(WEIGHTS)
    assert tuple(PRESENT.weights) == FEATURES


def test_a_difficulty_is_the_sum_of_weighted_features_and_the_offset() -> None:
    features = dict.fromkeys(FEATURES, 0.0) | {"nodes": 3.0, "quiet_key": 1.0}
    assert PRESENT.difficulty(features) == 4.5
    assert OTHERS.difficulty(features) == pytest.approx(1.5 + 1.8 + 0.3)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_weights_are_found_out(seed: int) -> None:
    features, difficulties = puzzles(400, OTHERS, seed=seed)
    found = weights.refit(features, difficulties, np.full(400, 0.5))
    assert found is not None
    for name in FEATURES:
        assert found.weights.weights[name] == pytest.approx(OTHERS.weights[name], abs=0.45), name
    assert found.error_after < 0.8 * found.error_before
    fresh, truth = puzzles(200, OTHERS, noise=0.0, seed=seed + 10)
    before, after = (
        np.abs([one.difficulty(features) for features in fresh] - truth).mean()
        for one in (PRESENT, found.weights)
    )
    assert after < before / 3


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_weights_that_are_right_stay_where_they_are(seed: int) -> None:
    features, difficulties = puzzles(200, PRESENT, noise=1.5, seed=seed)
    found = weights.refit(features, difficulties, np.full(200, 0.5))
    assert found is not None
    assert max(change(found.weights).values()) < 0.35
    assert abs(found.weights.offset) < 1.2
    assert found.error_after <= found.error_before


def test_difficulties_without_rhyme_or_reason_change_little() -> None:
    features, _ = puzzles(200, PRESENT)
    chaos = np.random.default_rng(5).permutation([PRESENT.difficulty(one) for one in features])
    found = weights.refit(features, chaos, np.full(200, 0.5))
    assert found is not None
    assert found.error_after <= found.error_before


def test_a_feature_that_no_puzzle_has_keeps_its_weight() -> None:
    features, difficulties = puzzles(200, OTHERS)
    without = [one | {"turning_back_trap": 0.0} for one in features]
    found = weights.refit(without, difficulties, np.full(200, 0.5))
    assert found is not None
    assert found.weights.weights["turning_back_trap"] == PRESENT.weights["turning_back_trap"]


def test_too_few_measured_puzzles_are_no_ground_for_a_refit() -> None:
    features, difficulties = puzzles(ENOUGH, OTHERS)
    unsure = np.full(ENOUGH, 0.5)
    assert weights.refit(features, difficulties, unsure) is not None
    unsure[0] = weights.MEASURED + 0.01
    assert weights.refit(features, difficulties, unsure) is None
    assert weights.refit([], np.array([]), np.array([])) is None
