"""Rate limits: how often something was tried, counted where all processes see it."""

import hashlib
import hmac
import math
from datetime import datetime, timedelta
from typing import Final

from limits import RateLimitItem
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter
from sqlalchemy import case, delete, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from puzzle_service import db
from puzzle_service.models import RateLimit

KEY_DIGITS: Final = 32


class DatabaseStorage(Storage):
    """The library's storage over our own table, for one session at one instant; it never commits.

    A window begins with the first try in it. Counting is one statement, which the database does for one
    transaction after the other: however many processes count at once, none of them reads an old figure.
    """

    STORAGE_SCHEME = None
    base_exceptions = SQLAlchemyError

    def __init__(self, session: Session, now: datetime) -> None:
        super().__init__()
        self._session, self._now = session, now

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to what a key has in its window, which lasts `expiry` seconds when it begins now."""
        window = timedelta(seconds=expiry)
        # One that ends further ahead than any honest one could was begun by a clock that ran ahead.
        over = or_(RateLimit.expires_at <= self._now, RateLimit.expires_at > self._now + 2 * window)
        begun = {"hits": amount, "expires_at": self._now + window}
        statement = db.insert(self._session, RateLimit).values(key=key, **begun)
        counted = statement.on_conflict_do_update(
            index_elements=["key"],
            set_={
                "hits": case((over, amount), else_=RateLimit.hits + amount),
                "expires_at": case((over, begun["expires_at"]), else_=RateLimit.expires_at),
            },
        ).returning(RateLimit.hits)
        return int(self._session.scalars(counted).one())

    def get(self, key: str) -> int:
        """Return what a key has in its window."""
        wanted = select(RateLimit.hits).where(RateLimit.key == key, RateLimit.expires_at > self._now)
        return self._session.scalar(wanted) or 0

    def get_expiry(self, key: str) -> float:
        """Return when a key's window ends, in seconds since the epoch; now when it has none."""
        ends = self._session.scalar(select(RateLimit.expires_at).where(RateLimit.key == key))
        return max(ends or self._now, self._now).timestamp()

    def check(self) -> bool:
        """Say that the storage can be used: a session is open."""
        return self._session.is_active

    def reset(self) -> int:
        """Forget everything and return how many keys there were."""
        return len(self._session.scalars(delete(RateLimit).returning(RateLimit.key)).all())

    def clear(self, key: str) -> None:
        """Forget a key."""
        self._session.execute(delete(RateLimit).where(RateLimit.key == key))


def key(secret: str, *parts: str | int) -> str:
    """Return what is kept of who tried: a keyed hash, from which nobody gets back to an address or a name."""
    text = "\0".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()[:KEY_DIGITS]


def hit(storage: Storage, limit: RateLimitItem, key: str, now: datetime) -> timedelta | None:
    """Count one try, and return how long to wait when there have been too many, else None."""
    limiter = FixedWindowRateLimiter(storage)
    if limiter.hit(limit, key):
        return None
    ends = limiter.get_window_stats(limit, key).reset_time
    seconds = min(max(math.ceil(ends - now.timestamp()), 1), limit.get_expiry())
    return timedelta(seconds=seconds)


def give_back(storage: Storage, limit: RateLimitItem, key: str) -> None:
    """Take one try back."""
    FixedWindowRateLimiter(storage).hit(limit, key, cost=-1)


def clear(storage: Storage, limit: RateLimitItem, key: str) -> None:
    """Forget every try."""
    FixedWindowRateLimiter(storage).clear(limit, key)


def forget_expired(session: Session, now: datetime) -> None:
    """Drop the counts whose window is over, but for those of somebody who tries again this moment."""
    # Such a try may hold one row and want the next; whoever waited for it here would hold that one.
    over = select(RateLimit.key).where(RateLimit.expires_at <= now).with_for_update(skip_locked=True)
    forgotten = delete(RateLimit).where(RateLimit.key.in_(over))
    session.execute(forgotten, execution_options={"synchronize_session": False})
