"""Self-play by greedy, hasty players who now and then play any move: both sides stay armed and blunder."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from dama import Color, Move, Position, Ruleset, kernel
from dama.kernel import Triple
from dama.pieces import KING_WORTH, MAN_WORTH, worth
from dama.squares import bit
from generator.quality import PIECES
from generator.sources import Before, Candidate
from generator.sources.choice import has_quiet_choice

NOISE: Final = 0.05
"""Share of moves that are played without looking."""
MOVES_LOOKED_AT: Final = 8
"""Moves a player weighs at most: hasty games are cheaper, and no poorer in puzzles."""
LONGEST_LULL: Final = 60
"""Plies without a capture after which a game is given up: it stands still, or kings wander about."""
_NO_REPLY: Final = 16 * (MAN_WORTH + KING_WORTH)
"""What it is worth to leave the opponent without a move: more than any capture."""


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Every position of noisy greedy games that has a puzzle's number of pieces and nothing to capture."""

    name: str = "self-play"

    def candidates(self, rng: Random, rules: Ruleset) -> Iterator[Candidate]:
        """Yield the positions of one game after the other, each with the move that led to it."""
        for number, game in enumerate(games(rng, rules)):
            for before, triple, position in game:
                if PIECES[0] <= _pieces(position) <= PIECES[1] and has_quiet_choice(position):
                    move = _move(before, triple)
                    yield Candidate(position, self.name, Before(before, move), number).seen_by_white()


def games(rng: Random, rules: Ruleset) -> Iterator[Iterator[tuple[Position, Triple, Position]]]:
    """Yield games without end, each as its (position, move, position after it)."""
    while True:
        yield _game(rng, rules)


def _game(rng: Random, rules: Ruleset) -> Iterator[tuple[Position, Triple, Position]]:
    """Yield (position, move, position after it) until few pieces are left or the game is over."""
    position = Position.start(rules)
    lull = 0
    while lull < LONGEST_LULL:
        triple = _chosen(position, kernel.moves(position), rng)
        after = position.moved(*triple)
        if after.outcome() is not None or _pieces(after) < PIECES[0]:
            return
        yield position, triple, after
        position = after
        lull = 0 if triple[2] else lull + 1


def _chosen(position: Position, triples: list[Triple], rng: Random) -> Triple:
    if len(triples) == 1:
        return triples[0]
    if rng.random() < NOISE:
        return rng.choice(triples)
    if len(triples) > MOVES_LOOKED_AT:
        triples = rng.sample(triples, MOVES_LOOKED_AT)
    gains = [
        4 * _gain(position.moved(*triple)) + rng.randrange(2) * _steps_forward(position, triple)
        for triple in triples
    ]
    best = max(gains)
    return rng.choice([triple for triple, gain in zip(triples, gains, strict=True) if gain == best])


def _gain(position: Position) -> float:
    """Return the material balance of the side that has just moved, after the dearest capture in reply."""
    white = worth(position.white_men, position.white_kings)
    black = worth(position.black_men, position.black_kings)
    balance = black - white if position.turn is Color.WHITE else white - black
    kings = position.white_kings | position.black_kings
    lost = max(
        (worth(captured & ~kings, captured & kings) for _, _, captured in kernel.moves(position)),
        default=-_NO_REPLY,
    )
    return balance - lost


def _steps_forward(position: Position, triple: Triple) -> int:
    """Return how far a man goes forward: of moves that gain the same, it brings the armies together."""
    men = position.white_men | position.black_men
    return abs((triple[1] >> 3) - (triple[0] >> 3)) if men & bit(triple[0]) else 0


def _pieces(position: Position) -> int:
    pieces = position.white_men | position.white_kings | position.black_men | position.black_kings
    return pieces.bit_count()


def _move(position: Position, triple: Triple) -> Move:
    return next(
        move
        for move in position.legal_moves
        if (move.origin, move.target, sum(map(bit, move.captured))) == triple
    )
