"""Rate limits for views: count a try of this visitor's, or refuse it."""

import logging
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import Final, Literal

from flask import current_app, request
from limits import RateLimitItem
from limits.errors import StorageError
from limits.storage import Storage
from limits.storage.redis import RedisStorage
from sqlalchemy.orm import Session

from puzzle_service.services import rate_limits
from puzzle_service.web.site import request_time, site

Name = Literal["sign_in", "sign_up", "recovery", "guests", "moves", "games", "engine"]

REDIS_SECONDS: Final = 1.0
"""How long a Redis server may be silent before the database counts in its place."""

log = logging.getLogger(__name__)


class TooMany(Exception):  # noqa: N818
    """A try that is one too many; ``seconds`` is how long to wait until the next."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"tried too often; expected a pause of {seconds} seconds")
        self.seconds = seconds


def hit(name: Name, *who: str | int, session: Session | None = None) -> None:
    """Count a try of something, and raise TooMany when there have been too many.

    ``who`` is the folded name for *sign_in* and the player for *moves*; everything else, and *sign_in* too,
    is counted by the address. The count is kept by a transaction of its own, or with all else that
    ``session`` writes. Count before looking at a password: then tries sent at once do not get past the limit.
    """

    def count(storage: Storage) -> None:
        for limit, key in _bounds(name, who):
            wait = rate_limits.hit(storage, limit, key, request_time())
            if wait is not None:
                log.info("too many tries: %s", name)
                raise TooMany(int(wait.total_seconds()))

    _with_storage(count, session)


def recount(name: Name, *who: str | int) -> None:
    """Count a try again whose count was undone with the session that wrote it; Redis undoes nothing."""
    if site().settings.limits.url is None:
        hit(name, *who)


def succeeded(name: Name, *who: str | int, session: Session | None = None) -> None:
    """Say that a try counted by `hit` was a good one, so that only failures are left in the counts.

    Those for ``who`` are forgiven; what an address shares gets the one try back and no more, or else anybody
    could buy tries at what is not theirs with one at what is.
    """

    def forgive(storage: Storage) -> None:
        bounds = _bounds(name, who)
        if who:
            limit, key = bounds.pop(0)
            rate_limits.clear(storage, limit, key)
        for limit, key in bounds:
            rate_limits.give_back(storage, limit, key)

    _with_storage(forgive, session)


def _bounds(name: Name, who: tuple[str | int, ...]) -> list[tuple[RateLimitItem, str]]:
    """Return the limits of a try with the key that each counts by, that for `who` first."""
    limits, secret = site().settings.limits, str(current_app.secret_key)
    parts: dict[str, tuple[str | int, ...]] = {name: (*who, _address())}
    if name == "sign_in":
        parts["sign_in_address"] = (_address(),)
    elif name == "moves":
        parts[name] = who
    return [
        (getattr(limits, bound), rate_limits.key(secret, bound, *by_whom)) for bound, by_whom in parts.items()
    ]


def _address() -> str:
    """Return the address of this request; of IPv6 the network, for a home has all the addresses in it."""
    text = request.remote_addr or ""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


def _with_storage(act: Callable[[Storage], None], session: Session | None) -> None:
    url = site().settings.limits.url
    if url is not None:
        try:
            return act(_redis(url))
        except StorageError as error:
            log.warning("Redis does not answer, so the database counts: %s", error)
    with site().database.write.begin() if session is None else nullcontext(session) as database:
        return act(rate_limits.DatabaseStorage(database, request_time()))


@cache
def _redis(url: str) -> Storage:
    return RedisStorage(
        url,
        key_prefix="dama",
        wrap_exceptions=True,
        socket_timeout=REDIS_SECONDS,
        socket_connect_timeout=REDIS_SECONDS,
    )
