"""Chunks: numbered pieces of work, each seeded from the run's seed and its own number alone."""

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final

from dama import Position, Ruleset, kernel
from dama.kernel import Soundness
from dama.prove import prove
from dama.rulesets import find_ruleset
from generator import gate
from generator.predecessors import predecessor
from generator.quality import (
    LENGTH_FILTERS,
    POSITION_FILTERS,
    PROOF_FILTERS,
    is_balanced,
    may_be_a_blockade,
    refusal,
)
from generator.record import Record, write_record
from generator.sources import Candidate, Source
from generator.sources.placement import RandomPlacement
from generator.sources.selfplay import SelfPlay

MOVES_TO_WIN: Final = (2, 3)

_SELF_PLAY: Final = SelfPlay()
_BALANCED: Final = RandomPlacement("random placement", king_chance=0.5)
_MOSTLY_MEN: Final = RandomPlacement("random placement, mostly men", king_chance=0.1)

MIX: Final[tuple[tuple[Source, int], ...]] = (
    (_BALANCED, 400),
    (_SELF_PLAY, 250),
    (_MOSTLY_MEN, 700),
)
"""Sources in turn, each with its candidates a chunk: about half a second of work on one core."""

NO_WIN: Final = "no win"
TOO_SOON: Final = "win in one"
NO_MOVE_BEFORE: Final = "no move before"
SAME_GAME: Final = "same game"
_UNSOUND: Final = {
    # Whether one king each is a draw decides whether and how soon the win is there.
    Soundness.NO_WIN: "one against one",
    Soundness.SOONER: "one against one",
    Soundness.ONE_KING_EACH: "one against one",
    Soundness.SECOND_KEY: "one key",
    Soundness.DUAL: "one way",
}


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """What a chunk brought: its puzzles in order, how many candidates, and why the others were refused."""

    number: int
    source: str
    candidates: int
    found: tuple[Record, ...]
    refused: Counter[str]


def search_chunk(seed: int, number: int, rules: str = "turkish") -> ChunkResult:
    """Search one chunk; the result depends on nothing but the arguments and the program's version.

    Raises gate.DisagreementError when the implementations differ about a position.
    """
    source, size = MIX[number % len(MIX)]
    ruleset: Ruleset = find_ruleset(rules)
    # A text seeds the generator through a hash, the same in every process.
    rng = Random(f"{seed} {number}")
    found: list[Record] = []
    refused: Counter[str] = Counter()
    used_games: set[int] = set()
    for candidate in islice(source.candidates(rng, ruleset), size):
        if candidate.game in used_games:
            refused[SAME_GAME] += 1
            continue
        outcome = examine(candidate, seed)
        if isinstance(outcome, str):
            refused[outcome] += 1
            continue
        found.append(outcome)
        if candidate.game is not None:
            used_games.add(candidate.game)
    return ChunkResult(number, source.name, size, tuple(found), refused)


def examine(candidate: Candidate, seed: int) -> Record | str:
    """Return the record of a candidate that is a puzzle, or the name of what it fails.

    The cheap and the frequent come first. Raises gate.DisagreementError.
    """
    position = candidate.position
    moves = kernel.wins_in(position, max(MOVES_TO_WIN))
    if moves is None:
        return NO_WIN
    if moves not in MOVES_TO_WIN:
        return TOO_SOON
    failed = refusal(POSITION_FILTERS, position)
    if failed is not None:
        return failed.name
    failed_by_length = refusal(LENGTH_FILTERS, position, moves)
    if failed_by_length is not None:
        return failed_by_length.name
    soundness = kernel.soundness(position, moves)
    if soundness is not Soundness.SOUND:
        return _UNSOUND[soundness]
    return _examine_puzzle(candidate, position, moves, seed)


def _examine_puzzle(candidate: Candidate, position: Position, moves: int, seed: int) -> Record | str:
    if not is_balanced(position) and not (may_be_a_blockade(position) and _locks_in(position, moves)):
        return "fight"
    before = candidate.before or predecessor(position)
    if before is None:
        return NO_MOVE_BEFORE
    proof = gate.proved(position, moves, prove)
    failed_by_proof = refusal(PROOF_FILTERS, proof)
    if failed_by_proof is not None:
        return failed_by_proof.name
    gate.check(proof, prove)
    return write_record(proof, before, candidate.source, seed)


def _locks_in(position: Position, moves: int) -> bool:
    """Tell whether a line of full length ends with the defender locked in, without the cost of a proof."""
    for move in kernel.winning_moves(position, moves):
        after = position.after(move)
        if after.outcome() is not None:
            if moves == 1 and after.pieces(after.turn).all:
                return True
        elif any(_locks_in(after.after(defence), moves - 1) for defence in after.legal_moves):
            return True
    return False
