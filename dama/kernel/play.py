"""The way from a position to the search for a move to play, and from its findings to moves.

Importing this module loads the compiled search from its cache, or compiles it.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Final

import numpy as np

from dama.kernel import evaluation, play_space
from dama.kernel.calls import boards_of, flags_of, is_turned
from dama.kernel.play_search import choose_move, value_now
from dama.kernel.quiescence import SURE_WIN, WIN
from dama.kernel.workspace import MOVES, NODES, RULES, Work
from dama.position import Position
from dama.rulesets import Ruleset
from dama.squares import DIAGONAL

Triple = tuple[int, int, int]

MOST_SLOTS: Final = 1 << 17
"""The largest transposition table, in slots of 64 bytes."""
FEWEST_SLOTS: Final = 1 << 6
SLOT_WORDS: Final = 2 * play_space.ENTRY_WORDS
NODES_A_SLOT: Final = 16
POLL: Final = 0.02
"""Seconds between two looks at whether a search shall end."""

DEEPEST: Final = play_space.PLIES
PAST_PLIES: Final = play_space.PAST_PLIES

_PROGRESS: Final = {
    "man steps forward": int(play_space.STEP_FORWARD),
    "promotion": int(play_space.PROMOTION),
    "man moves": int(play_space.MAN_MOVE),
}


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search has found for the side to move.

    ``score`` is in hundredths of a man; ``mate`` is the number of moves, the winner's own, until the end that
    is forced, positive when the side to move wins. ``line`` holds (from, to, captured) by turns, ``depth``
    the plies looked at in full, ``nodes`` the positions.
    """

    score: int
    mate: int | None
    line: tuple[Triple, ...]
    depth: int
    nodes: int


class _Local(threading.local):
    def __init__(self) -> None:
        self.work: Work = np.zeros(0, dtype=np.uint64)


_local = _Local()


def think(
    position: Position,
    moves: Sequence[Triple],
    *,
    nodes: int,
    depth: int = DEEPEST,
    past: Sequence[Position] = (),
    quiet_plies: int = 0,
    contempt: int = 0,
    stop: Callable[[], bool] | None = None,
) -> Thought:
    """Return the best of some legal moves of a position in which the game goes on.

    Of equally good ones it is the first. ``past`` holds the positions before this one that can come up again.
    A draw is worth as much less than nothing as ``contempt`` says. The search ends with its ``nodes`` or its
    ``depth`` in plies, or soon after ``stop`` says so.
    """
    work = prepared(position, nodes)
    work[play_space.NODE_LIMIT], work[play_space.DEPTH_LIMIT] = nodes, min(depth, DEEPEST)
    work[play_space.QUIET], work[play_space.CONTEMPT] = quiet_plies, contempt
    _write_past(work, past[-PAST_PLIES:])
    seen = _Seen(position)
    end = int(MOVES)
    for origin, target, captured in moves:
        work[end] = seen.word(origin, target)
        work[end + 1] = seen.board(captured)
        end += 2
    work[play_space.ROOT_END] = end
    with _watched(work, stop):
        choose_move(work)
    return _thought(work, seen)


def value(position: Position) -> int:
    """Return what a position is worth to its side to move, in hundredths of a man, without any search."""
    return int(value_now(prepared(position, nodes=0)))


class _Seen:
    """A board as the side to move sees it, and back again: the same both ways."""

    def __init__(self, position: Position) -> None:
        self._is_turned = is_turned(position)
        self._grid = position.rules.grid
        self._kings = position.pieces(position.turn).kings

    def turned(self) -> "_Seen":
        """Return the view of the other side."""
        other = object.__new__(_Seen)
        other._is_turned, other._grid, other._kings = not self._is_turned, self._grid, 0
        return other

    def square(self, square: int) -> int:
        return self._grid.swapped_square(square) if self._is_turned else square

    def board(self, bitboard: int) -> int:
        return self._grid.swapped_bitboard(bitboard) if self._is_turned else bitboard

    def word(self, origin: int, target: int) -> int:
        is_king = self._kings >> origin & 1
        slants = self._grid is DIAGONAL
        return self.square(origin) | self.square(target) << 6 | is_king << 12 | slants << 13

    def triple(self, word: int, captured: int) -> Triple:
        return self.square(word & 63), self.square(word >> 6 & 63), self.board(captured)


def prepared(position: Position, nodes: int) -> Work:
    """Return the running thread's workspace, empty but for the position, its rules and the weights."""
    slots = FEWEST_SLOTS
    while slots < MOST_SLOTS and slots * NODES_A_SLOT < nodes:
        slots *= 2
    size = int(play_space.TABLE) + SLOT_WORDS * slots
    if len(_local.work) < size:
        _local.work = _aligned(size)
    work = _local.work
    work[:32] = 0
    work[int(play_space.STOP) : size] = 0
    work[0], work[1], work[2], work[3] = boards_of(position)
    write_rules(work, position.rules)
    work[play_space.TABLE_MASK] = slots - 1
    return work


def _aligned(size: int) -> Work:
    """Return an empty workspace whose slots of the table begin where lines of the processor's cache do."""
    words = np.zeros(size + SLOT_WORDS, dtype=np.uint64)
    first = -(words.ctypes.data // words.itemsize + int(play_space.TABLE)) % SLOT_WORDS
    return words[first : first + size]


def write_rules(work: Work, rules: Ruleset) -> None:
    """Write into a workspace what the search must know of the rules, and the weights of their evaluation."""
    work[RULES] = flags_of(rules)
    work[play_space.CLOCK] = rules.clock_plies or 0
    work[play_space.REPETITION] = rules.repetition or 0
    work[play_space.PROGRESS] = _PROGRESS[rules.clock_progress]
    for cell, (_, early, late) in enumerate(evaluation.weights_of(rules), int(play_space.WEIGHTS_AT)):
        work[cell] = ((late << 32) + early) & 0xFFFFFFFFFFFFFFFF


def _write_past(work: Work, past: Sequence[Position]) -> None:
    work[play_space.PAST] = len(past)
    for number, position in enumerate(past):
        men, kings, enemy_men, enemy_kings = boards_of(position)
        cell = int(play_space.PATH) + 3 * number
        work[cell] = men | kings | enemy_men | enemy_kings
        work[cell + 1] = men | kings
        work[cell + 2] = kings | enemy_kings


def _watched(work: Work, stop: Callable[[], bool] | None) -> AbstractContextManager[object]:
    return nullcontext() if stop is None else _Watch(work, stop)


class _Watch(AbstractContextManager["_Watch"]):
    """While it is entered, another thread asks now and then whether the search shall end, and tells it."""

    def __init__(self, work: Work, stop: Callable[[], bool]) -> None:
        self._work = work
        self._stop = stop
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "_Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop():
            if self._done.wait(POLL):
                return
        self._work[play_space.STOP] = 1


def _thought(work: Work, seen: _Seen) -> Thought:
    score = int(work[play_space.SCORE].astype(np.int64))
    line = []
    cell = int(play_space.LINES) + 1
    for _ in range(int(work[play_space.LINE_LENGTH])):
        line.append(seen.triple(int(work[cell]), int(work[cell + 1])))
        seen = seen.turned()
        cell += 2
    mate = None
    if abs(score) >= SURE_WIN:
        plies = int(WIN) - abs(score)
        mate = (plies + 1) // 2 if score > 0 else -((plies + 1) // 2)
    return Thought(score, mate, tuple(line), int(work[play_space.DEPTH]), int(work[NODES]))
