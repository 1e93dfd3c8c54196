"""The pipeline: hands chunks to an executor and brings in what they find, until it is enough or time."""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import count
from typing import Final

from generator.chunk import ChunkResult, search_chunk
from generator.harvest import Harvest

_CHUNKS_A_WORKER: Final = 2
"""Chunks handed out ahead, so that no worker waits."""
_LONGEST_WAIT: Final = 0.1
"""Seconds after which ``is_over`` is asked again."""


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

    Chunks under way are then left behind. Raises gate.DisagreementError when a chunk does, and whatever the
    executor raises when it loses a worker.
    """
    numbers = count()
    pending: set[Future[ChunkResult]] = set()
    try:
        while not (harvest.is_full or is_over()):
            while len(pending) < _CHUNKS_A_WORKER * workers:
                pending.add(executor.submit(search_chunk, seed, next(numbers)))
            done, pending = wait(pending, timeout=_LONGEST_WAIT, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda each: each.result().number):
                harvest.add(future.result())
            on_progress(harvest)
    finally:
        for future in pending:
            future.cancel()
        harvest.add_rest()
