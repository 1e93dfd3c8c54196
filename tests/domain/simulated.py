"""Players of known strength at puzzles of known difficulty: who tried what at first, and who solved it."""

from dataclasses import dataclass

import numpy as np

from puzzle_service.domain.calibration import Results
from puzzle_service.domain.ratings import Floats


@dataclass(frozen=True)
class Played:
    """What is true, as ratings, and what came of it."""

    results: Results
    puzzles: Floats
    players: Floats


def play(
    seed: int, *, puzzles: int = 100, players: int = 400, attempts: int = 200, drawn: bool = False
) -> Played:
    """Let so many different players try each puzzle once; ``drawn``: strong ones prefer hard puzzles."""
    chance = np.random.default_rng(seed)
    strength, hardness = chance.normal(1500, 300, players), chance.normal(1400, 250, puzzles)
    who = []
    for rating in hardness:
        likes = np.exp((strength - 1500) / 200 * np.sign(rating - 1400)) if drawn else np.ones(players)
        who.append(chance.choice(players, attempts, replace=False, p=likes / likes.sum()))
    player, puzzle = np.concatenate(who), np.repeat(np.arange(puzzles), attempts)
    wins = 1 / (1 + 10 ** ((hardness[puzzle] - strength[player]) / 400))
    return Played(Results(player, puzzle, chance.random(wins.size) < wins), hardness, strength)
