"""The pipeline: hands chunks to an executor and brings in what they find, until it is enough or time."""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import count
from typing import Final

from generator.chunk import ChunkResult, search_chunk
from generator.harvest import Harvest

_CHUNKS_A_WORKER: Final = 2
"""Chunks handed out at a time, so that no worker waits."""
_LONGEST_WAIT: Final = 0.1
"""Seconds after which ``is_over`` is asked again."""
_LAST_WAIT: Final = 15.0
"""Seconds that chunks under way get at the end: many times what one takes."""


def run(
    harvest: Harvest,
    executor: Executor,
    *,
    seed: int,
    workers: int,
    is_over: Callable[[], bool],
    on_progress: Callable[[Harvest], None],
) -> None:
    """Bring in chunk after chunk until the harvest is full or ``is_over`` says so.

    Chunks under way by then still count. Raises gate.DisagreementError when a chunk does, and whatever the
    executor raises when it loses a worker.
    """
    numbers = count()
    pending: set[Future[ChunkResult]] = set()
    while not (harvest.is_full or is_over()):
        while len(pending) < _CHUNKS_A_WORKER * workers:
            pending.add(executor.submit(search_chunk, seed, next(numbers)))
        done, pending = wait(pending, timeout=_LONGEST_WAIT, return_when=FIRST_COMPLETED)
        for future in done:
            harvest.add(future.result())
        on_progress(harvest)
    under_way = {future for future in pending if not future.cancel()}
    if not harvest.is_full:
        for future in wait(under_way, timeout=_LAST_WAIT).done:
            harvest.add(future.result())
        harvest.add_rest()
        on_progress(harvest)
