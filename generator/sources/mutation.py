"""Mutation: climbing from sound wins, one changed piece at a time, to those that promise more."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from dama import Position, Ruleset
from dama.movegen.orthogonal import RAYS
from dama.squares import MEN_SQUARES, bit, squares_in
from generator.examination import sound_win
from generator.predecessors import occupied
from generator.quality import has_right_size, piece_counts
from generator.score import score
from generator.sources import Candidate, Source
from generator.sources.baits import bait_squares
from generator.themes import RARE, themes_of
from generator.win import Win

_STARTS: Final = 2
"""Sound wins of which the one that promises most is climbed from."""
_PATIENCE: Final = 400
"""Variations in a row that bring nothing until a climb is over."""
_RARE_BONUS: Final = 3.0
"""What a climb gains with each rare theme, beside its part of the score."""
_BAIT_CHANCE: Final = 0.1
"""Share of variations that put out a bait, if there is a king for it."""
_KING_CHANCE: Final = 0.25
"""Share of kings among pieces that are added."""

_Boards = list[int]
"""White's men and kings, Black's men and kings."""
_MEN: Final = (0, 2)
_KINGS: Final = (1, 3)


@dataclass(frozen=True, slots=True)
class Mutation:
    """The ends of climbs that begin with sound wins of other sources."""

    parents: tuple[Source, ...]
    name: str = "mutation"

    def candidates(self, rng: Random, rules: Ruleset) -> Iterator[Candidate]:
        """Yield where each climb ends, White to move."""
        streams = [_sound_wins(parent.candidates(rng, rules)) for parent in self.parents]
        while True:
            start = max((next(rng.choice(streams)) for _ in range(_STARTS)), key=promise)
            end = climbed(rng, start)
            # Where nothing was better, the position is its first source's.
            if end is not start:
                yield Candidate(end.position, self.name)


def climbed(rng: Random, win: Win) -> Win:
    """Return the best win that single changes lead to, each of them to one that promises more."""
    best, failures = promise(win), 0
    while failures < _PATIENCE:
        failures += 1
        position = varied(rng, win)
        variation = sound_win(position) if position is not None else None
        if isinstance(variation, Win) and (promised := promise(variation)) > best:
            win, best, failures = variation, promised, 0
    return win


def promise(win: Win) -> float:
    """Return what a climb looks for: the score as far as it takes no proof, and rare themes above all."""
    themes = themes_of(win)
    return score(win, themes, "mutation", tries=0) + _RARE_BONUS * len(RARE.intersection(themes))


def varied(rng: Random, win: Win) -> Position | None:
    """Return the position with one piece moved, added, removed or changed in kind; None for no such piece.

    The number of pieces stays that of a puzzle, each side keeps one, and men stay where men can stand.
    """
    position = win.position
    boards = [position.white_men, position.white_kings, position.black_men, position.black_kings]
    baits = _baits(win)
    if baits and rng.random() < _BAIT_CHANCE:
        is_legal = _put(boards, 0, rng.choice(baits))
    else:
        is_legal = rng.choice(_CHANGES)(rng, boards)
    if not is_legal:
        return None
    white_men, white_kings, black_men, black_kings = boards
    changed = Position(white_men, white_kings, black_men, black_kings, position.turn, position.rules)
    return changed if has_right_size(changed) and all(piece_counts(changed)) else None


def _baits(win: Win) -> list[int]:
    """Return where a bait for one of Black's kings can stand in the main line."""
    squares: list[int] = []
    for position, move in win.main_line:
        if move.captured and position.black_kings & bit(move.origin):
            start, end = move.path[-2:]
            squares += bait_squares(start, end, occupied(position.after(move)))
    return squares


def _sound_wins(candidates: Iterator[Candidate]) -> Iterator[Win]:
    for candidate in candidates:
        win = sound_win(candidate.position)
        if isinstance(win, Win):
            yield win


def _take(rng: Random, boards: _Boards) -> tuple[int, int]:
    """Take a piece off; return its board and its square."""
    pieces = [(board, square) for board, squares in enumerate(boards) for square in squares_in(squares)]
    board, square = rng.choice(pieces)
    boards[board] &= ~bit(square)
    return board, square


def _put(boards: _Boards, board: int, square: int) -> bool:
    """Put a piece on a square; return whether it may stand there."""
    may_stand = not sum(boards) & bit(square) and (board in _KINGS or square in MEN_SQUARES)
    boards[board] |= bit(square)
    return may_stand


def _add(rng: Random, boards: _Boards) -> bool:
    is_king = rng.random() < _KING_CHANCE
    return _put(boards, rng.choice(_KINGS if is_king else _MEN), rng.randrange(64))


def _remove(rng: Random, boards: _Boards) -> bool:
    _take(rng, boards)
    return True


def _move(rng: Random, boards: _Boards) -> bool:
    board, _ = _take(rng, boards)
    return _put(boards, board, rng.randrange(64))


def _shift(rng: Random, boards: _Boards) -> bool:
    """Move a piece to a neighbouring square."""
    board, square = _take(rng, boards)
    ways = [ray[0] for ray in RAYS[square] if ray]
    return _put(boards, board, rng.choice(ways))


def _swap(rng: Random, boards: _Boards) -> bool:
    """Make a king of a man, or a man of a king."""
    board, square = _take(rng, boards)
    return _put(boards, board ^ 1, square)


_CHANGES: Final[tuple[Callable[[Random, _Boards], bool], ...]] = (
    _move,
    _move,
    _shift,
    _shift,
    _add,
    _remove,
    _swap,
)
