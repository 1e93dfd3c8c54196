"""Worker processes: started fresh, deaf to Ctrl-C, and stopped where they are when nobody waits for them."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager


@contextmanager
def pool(jobs: int) -> Iterator[Executor]:
    """Yield an executor of so many processes; work under way at the end is dropped."""
    others = set(multiprocessing.active_children())
    # Spawned, not forked: a fork copies the locks of threads that do not exist in the child.
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))
    try:
        # A terminal sends Ctrl-C to every process; the main one alone decides what to do about it. Workers
        # inherit the blocked signal, whereas a handler of their own would come too late for an early one.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            executor.submit(os.getpid)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        executor.shutdown()
