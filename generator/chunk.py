"""Chunks: numbered pieces of work, each seeded from the run's seed and its own number alone."""

import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Final

from dama.rulesets import find_ruleset
from generator.examination import examine
from generator.mix import DEFAULT, Mix, source_of
from generator.novelty import SAME_GAME
from generator.record import Record, write_record

RULES: Final = "turkish"


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """What a chunk brought: its puzzles in order, how many candidates, and why the others were refused."""

    number: int
    source: str
    candidates: int
    found: tuple[Record, ...]
    refused: Counter[str]
    seconds: float = field(compare=False)
    """Processor time that it took."""


def search_chunk(seed: int, number: int, mix: Mix = DEFAULT) -> ChunkResult:
    """Search one chunk; the result depends on nothing but the arguments and the program's version.

    Raises gate.DisagreementError when the implementations differ about a position.
    """
    started = time.thread_time()
    share = source_of(number, mix)
    # A text seeds the generator through a hash, the same in every process.
    rng = Random(f"{seed} {number}")
    candidates = 0
    found: list[Record] = []
    refused: Counter[str] = Counter()
    used_games: set[int] = set()
    for candidate in islice(share.source.candidates(rng, find_ruleset(RULES)), share.candidates):
        candidates += 1
        if candidate.game in used_games:
            refused[SAME_GAME] += 1
            continue
        outcome = examine(candidate)
        if isinstance(outcome, str):
            refused[outcome] += 1
            continue
        found.append(write_record(outcome, seed, number))
        if candidate.game is not None:
            used_games.add(candidate.game)
    seconds = time.thread_time() - started
    return ChunkResult(number, share.source.name, candidates, tuple(found), refused, seconds)
