"""A child process that is kept running: its end is noticed, logged, and followed by another one."""

import logging
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Final

PAUSE_SECONDS: Final = 5.0
"""At least so long after a start the next one follows: what cannot run must not keep the machine busy."""

log = logging.getLogger(__name__)


class Child:
    """At most one process at a time, started by ``tend`` whenever it is not running."""

    def __init__(
        self, name: str, command: Sequence[str], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name, self._command, self._clock = name, command, clock
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._is_missed = False

    def tend(self) -> None:
        """Start the process unless it runs; to be called again and again, as often as one likes."""
        if self._process is not None:
            if self._process.poll() is None:
                return
            if not self._is_missed:
                self._is_missed = True
                log.error("the %s has ended by itself and is started again", self._name)
            if self._clock() < self._started + PAUSE_SECONDS:
                return
        self._started, self._is_missed = self._clock(), False
        # In a group of its own: a terminal's Ctrl-C goes to us alone, and we end the child in order.
        self._process = subprocess.Popen(self._command, process_group=0)  # noqa: S603  (our own program)

    def stop(self, patience: float) -> None:
        """End the process, by force after so many seconds."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
