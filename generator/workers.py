"""Worker processes: started fresh and deaf to Ctrl-C."""

import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess


class _DeafProcess(SpawnProcess):
    """A process that Ctrl-C does not reach: a terminal sends it to all, the main process alone decides."""

    def start(self) -> None:
        # The tracker, if it were started on the way, would let the signal through again.
        resource_tracker.ensure_running()
        # A blocked signal is inherited; a handler of the process itself would be too late for an early one.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _DeafContext(SpawnContext):
    # Spawned, not forked: a fork copies the locks of threads that do not exist in the child.
    Process = _DeafProcess


@contextmanager
def pool(jobs: int) -> Iterator[Executor]:
    """Yield an executor of so many processes; at the end they finish what is under way, unattended."""
    executor = ProcessPoolExecutor(jobs, _DeafContext())
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
