"""A cache: what was made once and is the same every time, the latest so many of a kind in memory."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Cache(Generic[T]):
    """Values by key, those that were asked for longest ago dropped; safe for many threads.

    A key must hold everything that the value depends on, because nothing here ever grows old.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, made now if it is not there; two threads may both make it.

        >>> squares = Cache[int](most=2)
        >>> squares.get(3, lambda: 9), squares.get(3, lambda: 0)
        (9, 9)
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        made = make()
        with self._lock:
            self._values[key] = made
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return made
