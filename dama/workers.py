"""Worker processes: started fresh, deaf to Ctrl-C, and gone with the process that started them."""

import os
import signal
import threading
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import parent_process, resource_tracker
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


def _end_with_parent() -> None:
    """Make this worker end when its parent does: one that is killed cannot tell its workers to stop."""
    parent = parent_process()
    assert parent is not None  # noqa: S101  (for the type checker: a worker has a parent)

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def hire(jobs: int) -> Executor:
    """Return an executor of so many processes; when shut down, they finish what is under way unattended."""
    return ProcessPoolExecutor(jobs, _DeafContext(), initializer=_end_with_parent)
