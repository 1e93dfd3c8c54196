"""Ratings by Glicko-2: how strong players and puzzles are, how sure that is, and how much it changes.

After Mark Glickman's paper "Example of the Glicko-2 system", for a great many at once: values are arrays.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

CENTRE: Final = 1500.0
SCALE: Final = 173.7178
"""Points of rating that are one unit of the paper's inner scale."""
TAU: Final = 0.5
"""How much volatilities may change; the paper recommends 0.3 to 1.2."""
CLOSE: Final = 1e-6
"""How close the search for a volatility comes."""


class Ratings(NamedTuple):
    """The ratings of some players or puzzles, their deviations, both in points, and their volatilities."""

    rating: Floats
    deviation: Floats
    volatility: Floats

    def at(self, places: Places) -> "Ratings":
        """Return those at some places, in that order."""
        return Ratings(self.rating[places], self.deviation[places], self.volatility[places])


def start(rating: Floats, deviation: float, volatility: float) -> Ratings:
    """Return ratings of which nothing but the expected values is known."""
    return Ratings(rating, np.full(rating.shape, deviation), np.full(rating.shape, volatility))


def expected(ratings: Ratings, opponents: Ratings) -> Floats:
    """Return the chance that each wins against its opponent, as sure as both ratings are."""
    unsure = np.hypot(ratings.deviation, opponents.deviation) / SCALE
    return _chance((ratings.rating - opponents.rating) / SCALE, _weight(unsure))


def update(ratings: Ratings, who: Places, opponents: Ratings, scores: Floats, tau: float = TAU) -> Ratings:
    """Return the ratings after a period of games, of which ``who`` played each: an index into the ratings.

    Each game has its opponent and its score, 1 for a win and 0 for a loss. Who has not played stays as it is:
    a period is one of those who play in it.
    """
    played, who = np.unique(who, return_inverse=True)
    mu = (ratings.rating[played] - CENTRE) / SCALE
    phi, sigma = ratings.deviation[played] / SCALE, ratings.volatility[played]
    weight = _weight(opponents.deviation / SCALE)
    chance = _chance(mu[who] - (opponents.rating - CENTRE) / SCALE, weight)
    variance = 1 / np.bincount(who, weight**2 * chance * (1 - chance))
    gain = np.bincount(who, weight * (scores - chance))
    sigma = _volatility(phi, sigma, variance, variance * gain, tau)
    phi = 1 / np.sqrt(1 / (phi**2 + sigma**2) + 1 / variance)
    found = Ratings(*(np.array(values, np.float64) for values in ratings))
    found.rating[played] = CENTRE + SCALE * (mu + phi**2 * gain)
    found.deviation[played] = SCALE * phi
    found.volatility[played] = sigma
    return found


def _weight(phi: Floats) -> Floats:
    """Return how much a game counts against an opponent of this deviation: g in the paper."""
    return 1 / np.sqrt(1 + 3 * (phi / np.pi) ** 2)


def _chance(difference: Floats, weight: Floats) -> Floats:
    """Return the expected score: E in the paper."""
    return 1 / (1 + np.exp(-weight * difference))


def _volatility(phi: Floats, sigma: Floats, variance: Floats, delta: Floats, tau: float) -> Floats:
    """Return the volatilities after a period: step 5 of the paper, by its Illinois algorithm."""
    start_at = np.log(sigma**2)

    def slope(x: Floats) -> Floats:
        spread = phi**2 + variance + np.exp(x)
        return np.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - start_at) / tau**2

    surprise = delta**2 - phi**2 - variance
    low = start_at.copy()
    high = np.where(surprise > 0, np.log(np.maximum(surprise, np.finfo(float).tiny)), start_at - tau)
    while (below := (surprise <= 0) & (slope(high) < 0)).any():
        high = np.where(below, high - tau, high)
    at_low, at_high = slope(low), slope(high)
    while (far := np.abs(high - low) > CLOSE).any():
        # Those that are close enough stay as they are.
        step = (low - high) * at_low / np.where(far, at_high - at_low, 1.0)
        between = np.where(far, low + step, high)
        at_between = slope(between)
        crossed = far & (at_between * at_high <= 0)
        low, at_low = (
            np.where(crossed, high, low),
            np.where(crossed, at_high, np.where(far, at_low / 2, at_low)),
        )
        high, at_high = np.where(far, between, high), np.where(far, at_between, at_high)
    return np.exp(low / 2)
