"""The harvest: results of chunks put together in the order of their numbers, whoever finished first."""

from collections import Counter
from collections.abc import Callable

from generator.chunk import ChunkResult
from generator.record import Record

DUPLICATE = "duplicate"
ENOUGH = "enough of its length"


class Harvest:
    """Puzzles kept so far, in order, without two that are the same up to mirror and colours.

    With a ``count`` it keeps that many and no more, and of each length half of them (rounded up) at most, so
    that half of a harvest are wins in three. ``keep`` is called with each record kept.
    """

    def __init__(self, keep: Callable[[Record], None], count: int | None = None) -> None:
        self._keep = keep
        self._count = count
        self._waiting: dict[int, ChunkResult] = {}
        self._next = 0
        self._ids: set[str] = set()
        self.candidates: Counter[str] = Counter()
        """Candidates examined, by source."""
        self.accepted: Counter[tuple[str, int]] = Counter()
        """Puzzles kept, by source and number of moves."""
        self.refused: Counter[str] = Counter()
        """Candidates refused, by reason."""

    def add(self, result: ChunkResult) -> None:
        """Take a chunk's result; it counts as soon as those of all chunks before it are there."""
        self._waiting[result.number] = result
        while self._next in self._waiting and not self.is_full:
            self._merge(self._waiting.pop(self._next))
            self._next += 1

    def add_rest(self) -> None:
        """Count what waits for chunks that will never come."""
        for number in sorted(self._waiting):
            if not self.is_full:
                self._merge(self._waiting.pop(number))

    @property
    def is_full(self) -> bool:
        """Tell whether as many puzzles are kept as were asked for."""
        return self._count is not None and self.kept >= self._count

    @property
    def kept(self) -> int:
        """The number of puzzles kept."""
        return self.accepted.total()

    def _merge(self, result: ChunkResult) -> None:
        self.candidates[result.source] += result.candidates
        self.refused.update(result.refused)
        for record in result.found:
            reason = self._refusal(record)
            if reason is not None:
                self.refused[reason] += 1
                continue
            self._ids.add(record.id)
            self.accepted[result.source, record.moves] += 1
            self._keep(record)

    def _refusal(self, record: Record) -> str | None:
        if record.id in self._ids:
            return DUPLICATE
        if self._count is not None:
            same_length = sum(n for (_, moves), n in self.accepted.items() if moves == record.moves)
            if self.is_full or same_length >= (self._count + 1) // 2:
                return ENOUGH
        return None
