"""Games are judged one at a time in each worker: positions that were made up to be slow hold up no page.

A position that no game brings about, such as two kings among sixteen scattered men, has so many ways to
capture that finding the longest takes seconds. Pages share a worker with at most one such request.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

PATIENCE_SECONDS: Final = 1.0
"""How long a request waits for its turn; an honest game is judged in a tenth of it."""

_turn: Final = Lock()


class NoTurn(Exception):  # noqa: N818
    """A game that could not be judged in time, because others are."""


@contextmanager
def turn() -> Iterator[None]:
    """Hold the turn to judge a game; raises NoTurn when others have it for too long."""
    if not _turn.acquire(timeout=PATIENCE_SECONDS):
        raise NoTurn
    try:
        yield
    finally:
        _turn.release()
