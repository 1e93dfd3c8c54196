"""The pipeline: hands chunks to an executor and brings in what they find, until it is enough or time."""

from collections import Counter
from collections.abc import Callable, Container, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from itertools import count
from typing import Final

from generator.chunk import ChunkResult, search_chunk
from generator.mix import Mix

_CHUNKS_A_WORKER: Final = 2
"""Chunks handed out at a time, so that no worker waits."""
_LONGEST_WAIT: Final = 0.1
"""Seconds after which ``is_over`` is asked again."""
_LAST_WAIT: Final = 15.0
"""Seconds that chunks under way get at the end: many times what one takes."""
_MOST_LOSSES: Final = 4
"""How often a chunk may be lost with the executor that had it: one that is lost again may be what kills."""


def run(
    bring_in: Callable[[ChunkResult], None],
    hire: Callable[[], Executor],
    *,
    seed: int,
    mix: Mix,
    workers: int,
    done: Container[int],
    is_over: Callable[[], bool],
) -> None:
    """Bring in chunk after chunk, those already ``done`` left out, until ``is_over`` says so.

    ``hire`` makes an executor, any of the standard interface; when one breaks because a worker died, another
    takes its place and gets the chunks that were lost. Chunks under way at the end still count. Raises
    gate.DisagreementError when a chunk does, and BrokenExecutor when chunks are lost again and again.
    """
    crew = _Crew(hire, seed, mix)
    numbers = (number for number in count() if number not in done)
    try:
        while not is_over():
            crew.hand_out(numbers, _CHUNKS_A_WORKER * workers)
            for result in crew.finished():
                bring_in(result)
        for result in crew.last():
            bring_in(result)
    finally:
        crew.dismiss()


class _Crew:
    """An executor and the chunks it has under way; a broken one is replaced when there is work for it."""

    def __init__(self, hire: Callable[[], Executor], seed: int, mix: Mix) -> None:
        self._hire = hire
        self._seed = seed
        self._mix = mix
        self._executor: Executor | None = None
        self._pending: dict[Future[ChunkResult], int] = {}
        self._lost: list[int] = []
        self._losses: Counter[int] = Counter()

    def hand_out(self, numbers: Iterator[int], at_once: int) -> None:
        """Hand out chunks, lost ones first, until so many are under way."""
        while len(self._pending) < at_once:
            number = self._lost.pop(0) if self._lost else next(numbers)
            if self._executor is None:
                self._executor = self._hire()
            try:
                self._pending[self._executor.submit(search_chunk, self._seed, number, self._mix)] = number
            except BrokenExecutor as error:
                self._lose([number, *self._pending.values()], error)

    def finished(self) -> list[ChunkResult]:
        """Wait a little for results and return those that are there."""
        results, lost = [], []
        broken: BrokenExecutor | None = None
        for future in wait(self._pending, timeout=_LONGEST_WAIT, return_when=FIRST_COMPLETED).done:
            number = self._pending.pop(future)
            try:
                results.append(future.result())
            except BrokenExecutor as error:
                broken = error
                lost.append(number)
        if broken is not None:
            self._lose([*lost, *self._pending.values()], broken)
        return results

    def last(self) -> Iterator[ChunkResult]:
        """Yield what is still under way and comes in time."""
        under_way = {future for future in self._pending if not future.cancel()}
        for future in wait(under_way, timeout=_LAST_WAIT).done:
            if not isinstance(future.exception(), BrokenExecutor):
                yield future.result()

    def dismiss(self) -> None:
        """Let the executor go; what is under way is finished unattended."""
        for future in self._pending:
            future.cancel()
        self._pending.clear()
        if self._executor is not None:
            # Cancelled above: not every executor's shutdown knows how to.
            self._executor.shutdown(wait=False)
        self._executor = None

    def _lose(self, numbers: list[int], error: BrokenExecutor) -> None:
        self.dismiss()
        self._losses.update(numbers)
        self._lost = sorted({*self._lost, *numbers})
        if max(self._losses.values()) > _MOST_LOSSES:
            raise error
