"""Calibration: how hard puzzles have proved to be, by their first attempts and the strength of who made them.

A first attempt is a game of Glicko-2 between a player and a puzzle, which the player wins by solving it. A
puzzle begins at the rating that its difficulty stands for. Who has met hard puzzles alone would look weak and
whose puzzle was met by strong players alone easy, so players and puzzles are rated in turns, each time from
where they began and by all their results, until it makes no difference any more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_service.domain import ratings
from puzzle_service.domain.ratings import Floats, Places, Ratings

EASY: Final = 5.0
RATING_OF_EASY: Final = 900.0
POINTS: Final = 75.0
"""Points of rating for one of difficulty: a difficulty of 5 stands for 900, one of 13 for 1500."""
PLAYER: Final = 1500.0
PLAYER_DEVIATION: Final = 350.0
PLAYER_VOLATILITY: Final = 0.06
"""A new player's, as the paper recommends them."""
PUZZLE_DEVIATION: Final = 250.0
"""By how much a rating reckoned from features may be wrong: more than three of difficulty."""
PUZZLE_VOLATILITY: Final = 0.001
"""A puzzle does not learn: its old results say as much as its new ones."""
PERIOD: Final = 10
"""How many games of one player or puzzle are a period; the paper recommends ten to fifteen."""
ROUNDS: Final = 20
SETTLED: Final = 2.0
"""Points by which a puzzle's rating may still change when the rounds end."""


class Results(NamedTuple):
    """First attempts, the oldest first: numbers of players and of puzzles, and whether they were solved."""

    player: Places
    puzzle: Places
    solved: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Measured:
    """What results say of puzzles, by their numbers.

    ``attempts`` counts first attempts and ``rate`` is the share of them that solved; ``predicted`` is what it
    should be by the puzzles' difficulties beforehand, and ``fitted`` by their ratings now. Without an attempt
    a share is not a number.
    """

    puzzles: Ratings
    players: Ratings
    attempts: Places
    rate: Floats
    predicted: Floats
    fitted: Floats


def measure(results: Results, difficulties: Floats) -> Measured:
    """Return how hard puzzles of these difficulties have proved to be.

    It takes time and memory in proportion to the results, of which a player's weigh the less the fewer they
    are.
    """
    scores = results.solved.astype(np.float64)
    count = int(results.player.max(initial=-1)) + 1
    new = ratings.start(np.full(count, PLAYER), PLAYER_DEVIATION, PLAYER_VOLATILITY)
    begun = ratings.start(rating_of(difficulties), PUZZLE_DEVIATION, PUZZLE_VOLATILITY)
    of_players, of_puzzles = list(_periods(results.player)), list(_periods(results.puzzle))
    played = np.unique(results.puzzle)
    puzzles, change = begun, np.inf
    for _ in range(ROUNDS):
        players = _rated(new, of_players, results.player, puzzles, results.puzzle, scores)
        if change < SETTLED:
            break
        found = _rated(begun, of_puzzles, results.puzzle, players, results.player, 1 - scores)
        # Results tell differences only: without this, all would drift away together.
        drift = found.rating[played] - begun.rating[played]
        found.rating[played] -= drift.sum() / max(played.size, 1)
        change, puzzles = np.abs(found.rating - puzzles.rating).max(initial=0.0), found
    who = players.at(results.player)
    return Measured(
        puzzles=puzzles,
        players=players,
        attempts=np.bincount(results.puzzle, minlength=difficulties.size),
        rate=_means(results.puzzle, scores, difficulties.size),
        predicted=_means(results.puzzle, ratings.expected(who, begun.at(results.puzzle)), difficulties.size),
        fitted=_means(results.puzzle, ratings.expected(who, puzzles.at(results.puzzle)), difficulties.size),
    )


def _rated(
    begun: Ratings,
    periods: Sequence[Places],
    who: Places,
    others: Ratings,
    opponents: Places,
    scores: Floats,
) -> Ratings:
    """Return the ratings of those who began like this and play their games, period after period."""
    for games in periods:
        begun = ratings.update(begun, who[games], others.at(opponents[games]), scores[games])
    return begun


def rating_of(difficulty: Floats) -> Floats:
    """Return the ratings that difficulties stand for."""
    return RATING_OF_EASY + POINTS * (difficulty - EASY)


def difficulty_of(rating: Floats) -> Floats:
    """Return the difficulties that ratings stand for."""
    return EASY + (rating - RATING_OF_EASY) / POINTS


def rank_correlation(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation, equal values sharing the mean of their ranks.

    It is 0 when nothing varies.

    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([10.0, 100.0, 1000.0]))
    1.0
    """
    ranks = [_ranks(values) - (values.size - 1) / 2 for values in (one, other)]
    spread = np.sqrt(np.prod([(values**2).sum() for values in ranks]))
    return float((ranks[0] * ranks[1]).sum() / spread) if spread else 0.0


def _ranks(values: Floats) -> Floats:
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    means: Floats = ends - (counts + 1) / 2
    return means[which]


def _periods(who: Places) -> Iterator[Places]:
    """Yield the places of the games of everybody's first period, of everybody's second, and so on."""
    order = np.argsort(who, kind="stable")
    sorted_who = who[order]
    number = np.arange(who.size) - np.searchsorted(sorted_who, sorted_who)
    period = number // PERIOD
    by_period = np.argsort(period, kind="stable")
    ends = np.cumsum(np.bincount(period))
    yield from np.split(order[by_period], ends[:-1])


def _means(which: Places, values: Floats, count: int) -> Floats:
    counts = np.bincount(which, minlength=count)
    sums = np.bincount(which, values, minlength=count)
    means: Floats = np.divide(sums, counts, out=np.full(count, np.nan), where=counts > 0)
    return means
