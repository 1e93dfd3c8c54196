"""Chunks: the same for the same seed and number, one puzzle of a game."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from dama import Position, Ruleset
from generator.chunk import search_chunk
from generator.mix import Share
from generator.sources import Candidate
from generator.sources.placement import RandomPlacement

PUZZLE = Position.from_fen("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5")
PLACEMENT = (Share(RandomPlacement("random placement", king_chance=0.5), 1, 300),)


@dataclass(frozen=True)
class Fixed:
    """The same puzzle again and again, from one game or another, and then no more."""

    games: tuple[int | None, ...]
    name: str = "fixed"

    def candidates(self, _rng: Random, _rules: Ruleset) -> Iterator[Candidate]:
        return (Candidate(PUZZLE, self.name, None, game) for game in self.games)


def test_a_chunk_depends_on_seed_and_number_alone() -> None:
    first, again, other = (search_chunk(*key, PLACEMENT) for key in ((7, 0), (7, 0), (8, 0)))
    assert first == again
    assert first != other
    assert first != search_chunk(7, 1, PLACEMENT)
    assert first.candidates == 300 == len(first.found) + first.refused.total()
    assert first.source == "random placement"
    assert first.found
    assert first.seconds > 0


def test_a_game_gives_one_puzzle() -> None:
    games = (1, 1, None, 2, 1, 2, None)
    result = search_chunk(1, 5, (Share(Fixed(games), 1, len(games)),))
    found = [json.loads(record.line)["game"] for record in result.found]
    assert found == ["fixed 1-5-1", None, "fixed 1-5-2", None]
    assert result.refused == {"same game": 3}


def test_a_source_that_ends_early_is_counted_as_far_as_it_went() -> None:
    result = search_chunk(1, 0, (Share(Fixed((None,)), 1, 50),))
    assert (result.candidates, len(result.found), result.refused.total()) == (1, 1, 0)
