"""The weights of a difficulty's features: those that generators use, and a refit to what has been measured.

A refit is a ridge regression that is drawn to the present weights instead of to nothing: what the puzzles say
little about stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from puzzle_service.domain.findings import FEATURES
from puzzle_service.domain.ratings import Floats

MEASURED: Final = 1.0
"""The deviation, in difficulty, from which on a puzzle counts as measured: after some thirty results."""
ENOUGH: Final = 10 * (len(FEATURES) + 1)
"""How many measured puzzles a refit takes: ten for each weight and the offset. Fewer let it follow chance."""
PULLS: Final = np.logspace(-2, 5, 29)
"""How strongly a refit may be drawn to the present weights; the best of these is used."""
DECIMALS: Final = 2
"""Those of a difficulty, as generators round it."""


@dataclass(frozen=True)
class Weights:
    """What each feature of a puzzle adds to its difficulty, and what all puzzles have beside that."""

    weights: Mapping[str, float]
    offset: float = 0.0

    def difficulty(self, features: Mapping[str, float]) -> float:
        """Return the difficulty of a puzzle with these features."""
        found = self.offset + sum(weight * features[name] for name, weight in self.weights.items())
        return round(float(found), DECIMALS)


PRESENT: Final = Weights(
    {
        "nodes": 1.0,
        "in_three": 1.5,
        "given": 0.5,
        "turns": 0.3,
        "tries": 0.4,
        "quiet_key": 1.5,
        "turning_back_trap": 1.5,
        "majority": 1.0,
        "instant_removal": 0.7,
        "first_moves": 0.4,
        "lines": 0.5,
        "losing_alternatives": 0.3,
        "last_choice": 0.5,
    }
)
"""Those by which generators reckon a difficulty beforehand."""


@dataclass(frozen=True)
class Refit:
    """New weights, and by how much difficulties are off: by the present weights and by the new ones.

    Both are root mean squares over the measured puzzles, each judged by weights that do not know it.
    """

    weights: Weights
    puzzles: int
    error_before: float
    error_after: float


def refit(features: Sequence[Mapping[str, float]], difficulties: Floats, deviations: Floats) -> Refit | None:
    """Return weights refitted to puzzles' features and measured difficulties, with their deviations.

    None when fewer than ``ENOUGH`` of the puzzles are measured.
    """
    sure = deviations <= MEASURED
    if sure.sum() < ENOUGH:
        return None
    table = np.array([[one[name] for name in FEATURES] for one in features], np.float64)[sure]
    present = np.array([PRESENT.weights[name] for name in FEATURES])
    trust = 1 / (1 + deviations[sure] ** 2)
    trust /= trust.sum()
    amiss = difficulties[sure] - table @ present
    centre, level = trust @ table, trust @ amiss
    around, left = table - centre, amiss - level
    # A change of a weight counts by what it changes about the puzzles at hand.
    spread = np.sqrt(trust @ around**2)
    varies = spread > 0
    around, spread = around[:, varies], spread[varies]
    before = _error(trust, left / (1 - trust))
    best, after = np.zeros(int(varies.sum())), before
    for pull in PULLS:
        inverse = np.linalg.inv(around.T @ (around * trust[:, None]) + np.diag(pull * spread**2))
        change = inverse @ around.T @ (trust * left)
        # What each puzzle's error would be had it been left out.
        leverage = trust + trust * np.einsum("ij,jk,ik->i", around, inverse, around)
        error = _error(trust, (left - around @ change) / (1 - leverage))
        if error < after:
            best, after = change, error
    weights = present.copy()
    weights[varies] += best
    offset = float(level - centre[varies] @ best)
    named = dict(zip(FEATURES, (float(weight) for weight in weights), strict=True))
    return Refit(Weights(named, offset), int(sure.sum()), before, after)


def _error(trust: Floats, errors: Floats) -> float:
    return float(np.sqrt(trust @ errors**2))
