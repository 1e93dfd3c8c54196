"""The clock: what asks for the time is given a function, so that tests can set it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the present instant, aware."""


def utc_now() -> datetime:
    """Return the present instant, in UTC."""
    return datetime.now(UTC)
