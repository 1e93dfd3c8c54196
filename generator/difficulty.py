"""How hard a puzzle is before anybody has tried it: the reading it takes, and what people overlook."""

from collections.abc import Collection, Iterator
from math import log2
from types import MappingProxyType
from typing import Final

from dama import Move, Position, kernel
from dama.kernel import Triple
from dama.proof import SolverNode
from dama.squares import bit, rank_of
from dama.symmetry import canonical
from generator.themes import full_lines, pieces_given
from generator.win import Win

WEIGHTS: Final = MappingProxyType(
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
"""What one of each feature adds to the difficulty: in doublings of the reading."""
MOST_GIVEN: Final = 4
MOST_TURNS: Final = 6
MOST_TRIES: Final = 4
MOST_OTHER_LINES: Final = 4
"""Beyond these it gets no harder."""
DECIMALS: Final = 2
FEATURE_DECIMALS: Final = 4


def difficulty(features: dict[str, float]) -> float:
    """Return the difficulty: the features, weighted and added up."""
    return round(sum(weight * features[name] for name, weight in WEIGHTS.items()), DECIMALS)


def features_of(win: Win, themes: Collection[str], tries: int) -> dict[str, float]:
    """Return the terms of the difficulty of a proved win with these themes and so many tries, not weighted.

    Their names are those of the weights. nodes, first_moves and losing_alternatives are logarithms to the
    base of 2; losing_alternatives are the refuted moves where the solver moves for the second time in the
    main line; last_choice tells whether its last move could go wrong. Raises ValueError for a win without a
    proof.
    """
    nodes = _main_nodes(win)
    return {
        "nodes": _log(reading(win.position, win.moves)),
        "in_three": int(win.moves == 3),
        "given": min(pieces_given(win), MOST_GIVEN),
        "turns": min(turns(win.main_line[-1][1]), MOST_TURNS),
        "tries": min(tries, MOST_TRIES),
        "quiet_key": int("quiet key" in themes),
        "turning_back_trap": int("180° trap" in themes),
        "majority": int("majority" in themes),
        "instant_removal": int("instant removal" in themes),
        "first_moves": _log(len(win.position.legal_moves)),
        "lines": min(full_lines(win) - 1, MOST_OTHER_LINES),
        "losing_alternatives": _log(1 + len(nodes[1]["refuted"])) if len(nodes) > 1 else 0,
        "last_choice": int(bool(nodes[-1]["slow"] or nodes[-1]["refuted"])),
    }


def turns(move: Move) -> int:
    """Return how many corners the move has, on the straightest of its equivalent paths."""
    return min(
        sum(
            (rank_of(before) == rank_of(corner)) != (rank_of(corner) == rank_of(after))
            for before, corner, after in zip(path, path[1:], path[2:], strict=False)
        )
        for path in move.paths
    )


def _log(number: int) -> float:
    return round(log2(number), FEATURE_DECIMALS)


def _main_nodes(win: Win) -> list[SolverNode]:
    """Return the solver's nodes along the main line."""
    texts = [str(move) for _, move in win.main_line]
    nodes = [win.whole_proof.root]
    for move, defence in zip(texts[::2], texts[1::2], strict=False):
        nodes.append(nodes[-1]["wins"][move][defence])
    return nodes


def reading(position: Position, moves: int) -> int:
    """Return how many positions are looked at until the key is proved, moves tried in a human order.

    The order is captures (more first), promotions, offers that must be taken, then fewest replies. Whether
    the game can be ended with the move at hand is seen at a glance. Mirror images and colours count alike.
    """
    reader = _Reader()
    reader.sees_win(canonical(position), moves)
    return reader.looked_at


class _Reader:
    def __init__(self) -> None:
        self.looked_at = 0

    def sees_win(self, position: Position, moves: int) -> bool:
        """Look for a win of the side to move within ``moves``."""
        self.looked_at += 1
        if moves == 1:
            return kernel.wins_in(position, 1) == 1
        return any(self._holds(after, replies, moves - 1) for after, replies in _in_human_order(position))

    def _holds(self, position: Position, replies: list[Triple], moves: int) -> bool:
        """Look whether the solver wins within ``moves`` more after each of the replies."""
        self.looked_at += 1
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner is position.turn.other
        for reply in sorted(replies, key=lambda reply: -reply[2].bit_count()):
            after = position.moved(*reply)
            if after.outcome() is not None or not self.sees_win(after, moves):
                return False
        return True


def _in_human_order(position: Position) -> Iterator[tuple[Position, list[Triple]]]:
    """Yield (position after, replies) of the legal moves of a game that goes on."""
    tried = []
    for move in kernel.moves(position):
        after = position.moved(*move)
        replies = kernel.moves(after)
        is_offer = bool(replies and replies[0][2])
        order = (-move[2].bit_count(), not _crowns(position, move), not is_offer, len(replies), move)
        tried.append((order, after, replies))
    for _, after, replies in sorted(tried, key=lambda each: each[0]):
        yield after, replies


def _crowns(position: Position, move: Triple) -> bool:
    men, last_rank = position.pieces(position.turn).men, position.rules.grid.crowning(position.turn)
    return bool(men & bit(move[0]) and last_rank & bit(move[1]))
