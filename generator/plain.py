"""The plain rules' solver: slow, and the judge of what the kernel is asked about a puzzle."""

from dataclasses import replace
from functools import cache

from dama import Position, Ruleset
from dama.kernel import VICTORY, Soundness
from dama.pieces import worth
from dama.search import Search
from generator.win import LEAD

_LEAST = LEAD - 0.5
"""The greatest lead that is none: men and kings count in halves."""


class PlainSolver(Search):
    """Forced wins and material by the plain rules alone, remembering what it has met."""

    def __init__(self) -> None:
        super().__init__()
        self._values: dict[tuple[Position, int, float], float] = {}

    def soundness(self, position: Position, n: int) -> Soundness:
        """Return what ``kernel.soundness`` returns: the first thing wrong with a puzzle of so many moves."""
        played_on = replace(position, rules=_played_on(position.rules))
        if _one_king_each(played_on):
            return Soundness.ONE_KING_EACH
        wins = self.distances(played_on, n) if played_on.outcome() is None else {}
        if not wins:
            return Soundness.NO_WIN
        if min(wins.values()) < n:
            return Soundness.SOONER
        return self._first_dual(played_on, n) if len(wins) == 1 else Soundness.SECOND_KEY

    def _first_dual(self, position: Position, n: int) -> Soundness:
        wins = self.distances(position, n)
        if set(wins.values()) == {1}:
            return Soundness.SOUND
        if len(wins) > 1:
            return Soundness.DUAL
        after = position.after(next(iter(wins)))
        if _one_king_each(after):
            return Soundness.ONE_KING_EACH
        for reached in map(after.after, after.legal_moves):
            if _one_king_each(reached):
                return Soundness.ONE_KING_EACH
            if reached.outcome() is None:
                fault = self._first_dual(reached, n - 1)
                if fault is not Soundness.SOUND:
                    return fault
        return Soundness.SOUND

    def balance(self, position: Position, depth: int) -> float:
        """Return on the same side of a lead of the opponent's what ``kernel.balance`` returns, not the same.

        It is -LEAD or less when the kernel's is, and else more: that is enough to know whether the opponent
        is up by LEAD, and takes a small part of the time.
        """
        return self._value(position, depth, -LEAD, -_LEAST)

    def _value(self, position: Position, depth: int, least: float, enough: float) -> float:
        """Return ``least`` or less, or ``enough`` or more, as the value for the side to move is."""
        key = position, depth, least
        if key not in self._values:
            self._values[key] = self._searched(position, depth, least, enough)
        return self._values[key]

    def _searched(self, position: Position, depth: int, least: float, enough: float) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return 0.0 if outcome.winner is None else VICTORY if outcome.winner is position.turn else -VICTORY
        moves = position.legal_moves
        if depth == 0 and not moves[0].captured:
            return _material(position)
        best = -VICTORY
        for after in sorted(map(position.after, moves), key=_material):
            best = max(best, -self._value(after, max(depth - 1, 0), -enough, -least))
            if best >= enough:
                break
        return best


def _material(position: Position) -> float:
    own, other = position.pieces(position.turn), position.pieces(position.turn.other)
    return worth(own.men, own.kings) - worth(other.men, other.kings)


@cache
def _played_on(rules: Ruleset) -> Ruleset:
    return replace(rules, one_king_each_draws=False)


def _one_king_each(position: Position) -> bool:
    kings = position.white_kings.bit_count(), position.black_kings.bit_count()
    return kings == (1, 1) and not position.white_men | position.black_men
