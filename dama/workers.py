"""Worker processes: started fresh, deaf to Ctrl-C, and gone with the process that started them."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, parent_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType


class _DeafProcess(SpawnProcess):
    """A process that Ctrl-C does not reach: a terminal sends it to all, the main process alone decides."""

    def start(self) -> None:
        # The tracker, if it were started on the way, would let the signal through again.
        resource_tracker.ensure_running()
        with _put_off():
            # What is blocked is inherited; a handler of the new process would be too late for an early one.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                super().start()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _put_off() -> Iterator[None]:
    """Let Ctrl-C wait for the end of the block; to block it here would leave it to any other thread.

    A process whose start is cut short would find that it was told nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def keep(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    before = signal.signal(signal.SIGINT, keep)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


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


@contextmanager
def crew(jobs: int) -> Iterator[Executor]:
    """Hire for a block; one that fails or is interrupted waits for nobody: what is under way is given up."""
    with hire(jobs) as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                worker.kill()
            raise
