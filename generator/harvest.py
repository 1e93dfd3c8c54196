"""The harvest: results of chunks put together in the order of their numbers, whoever finished first."""

import json
from collections import Counter
from collections.abc import Callable

from generator.chunk import ChunkResult
from generator.novelty import Known, Traits
from generator.record import Record

ENOUGH = "enough of its length"


class Harvest:
    """Puzzles kept so far, in order, each of them new among those and those ``known`` before.

    With a ``count`` it keeps that many and no more, and of each length half of them (rounded up) at most, so
    that half of a harvest are wins in three. ``keep`` is called with each record kept.
    """

    def __init__(self, keep: Callable[[Record], None], known: Known, count: int | None = None) -> None:
        self._keep = keep
        self._known = known
        self._count = count
        self._waiting: dict[int, ChunkResult] = {}
        self._next = 0
        self.candidates: Counter[str] = Counter()
        """Candidates examined, by source."""
        self.seconds: Counter[str] = Counter()
        """Processor time spent, by source."""
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
        self.seconds[result.source] += result.seconds  # type: ignore[assignment]  # a Counter may hold floats
        self.refused.update(result.refused)
        for record in result.found:
            traits = Traits.of(json.loads(record.line))
            reason = self._known.refusal(traits) or self._surplus(record)
            if reason is not None:
                self.refused[reason] += 1
                continue
            self._known.add(traits)
            self.accepted[result.source, record.moves] += 1
            self._keep(record)

    def _surplus(self, record: Record) -> str | None:
        if self._count is not None:
            same_length = sum(n for (_, moves), n in self.accepted.items() if moves == record.moves)
            if self.is_full or same_length >= (self._count + 1) // 2:
                return ENOUGH
        return None
