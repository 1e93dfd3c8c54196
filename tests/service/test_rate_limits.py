"""Rate limits: counted once for all who count, in windows that end, and without a trace of who tried."""

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from limits.storage import Storage
from limits.storage.redis import RedisStorage
from sqlalchemy import select

from puzzle_service import scheduler
from puzzle_service.db import Database
from puzzle_service.models import RateLimit
from puzzle_service.services import rate_limits
from puzzle_service.services.rate_limits import DatabaseStorage
from puzzle_service.settings import Settings, limit

FIVE = limit("5 per 15 minutes")
WHO = rate_limits.key("a secret", "sign_in", "ayşe", "192.0.2.7")


def _hit(database: Database, now: datetime, key: str = WHO) -> timedelta | None:
    with database.write.begin() as session:
        return rate_limits.hit(DatabaseStorage(session, now), FIVE, key, now)


def test_the_sixth_try_of_five_has_to_wait_for_the_end_of_the_window(
    database: Database, noon: datetime
) -> None:
    assert [_hit(database, noon) for _ in range(5)] == [None] * 5
    assert _hit(database, noon) == timedelta(minutes=15)
    assert _hit(database, noon + timedelta(minutes=14, seconds=59.5)) == timedelta(seconds=1)
    assert _hit(database, noon + timedelta(minutes=15)) is None, "a new window begins"


def test_a_window_begins_with_the_first_try_and_further_ones_do_not_lengthen_it(
    database: Database, noon: datetime
) -> None:
    for minute in range(0, 15, 3):
        assert _hit(database, noon + timedelta(minutes=minute)) is None
    for minute in (13, 14):
        left = _hit(database, noon + timedelta(minutes=minute))
        assert left == timedelta(minutes=15 - minute)
    assert _hit(database, noon + timedelta(minutes=16)) is None


def test_one_who_tried_too_often_is_nobody_elses_hindrance(database: Database, noon: datetime) -> None:
    other = rate_limits.key("a secret", "sign_in", "ayşe", "192.0.2.8")
    for _ in range(6):
        _hit(database, noon)
    assert _hit(database, noon) is not None
    assert _hit(database, noon, other) is None


def test_tries_can_be_given_back_and_forgotten(database: Database, noon: datetime) -> None:
    for _ in range(5):
        _hit(database, noon)
    with database.write.begin() as session:
        rate_limits.give_back(DatabaseStorage(session, noon), FIVE, WHO)
    assert [_hit(database, noon) is None for _ in range(2)] == [True, False]
    with database.write.begin() as session:
        rate_limits.clear(DatabaseStorage(session, noon), FIVE, WHO)
    assert [_hit(database, noon) is None for _ in range(6)] == [True] * 5 + [False]


def test_of_twenty_tries_at_once_five_are_let_through(database: Database, noon: datetime) -> None:
    let_through: list[bool] = []
    start = threading.Barrier(20)

    def attempt() -> None:
        start.wait()
        let_through.append(_hit(database, noon) is None)

    threads = [threading.Thread(target=attempt) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(let_through) == [False] * 15 + [True] * 5


def test_a_count_that_is_rolled_back_was_never_made(database: Database, noon: datetime) -> None:
    with database.write() as session:
        for _ in range(5):
            rate_limits.hit(DatabaseStorage(session, noon), FIVE, WHO, noon)
        session.rollback()
    assert _hit(database, noon) is None


def test_the_scheduler_sweeps_windows_that_are_over(
    database: Database, settings: Settings, noon: datetime
) -> None:
    _hit(database, noon)
    _hit(database, noon + timedelta(minutes=10), "later")
    scheduler.reconcile(database, noon + timedelta(minutes=14), settings)
    assert len(_rows(database)) == 2
    scheduler.reconcile(database, noon + timedelta(minutes=15), settings)
    (row,) = _rows(database)
    assert "later" in row.key


def test_a_sweep_and_tries_at_the_same_time_do_not_wait_for_each_other(
    database: Database, noon: datetime
) -> None:
    """A try counts by two keys in one transaction; the sweep would hold the one and wait for the other."""
    keys = ("name", "address")
    for key in reversed(keys):
        _hit(database, noon, key)
    later = noon + timedelta(minutes=15)

    def sweep() -> None:
        with database.write.begin() as session:
            rate_limits.forget_expired(session, later)

    sweeping = threading.Thread(target=sweep)
    with database.write.begin() as session:
        for key in keys:
            assert rate_limits.hit(DatabaseStorage(session, later), FIVE, key, later) is None
            if not sweeping.ident:
                sweeping.start()
                sweeping.join(0.5)
    sweeping.join()
    assert _hit(database, later, "name") is None


def test_nothing_of_who_tried_is_kept(database: Database, noon: datetime) -> None:
    _hit(database, noon)
    (row,) = _rows(database)
    assert row.key.split("/")[1] == WHO
    assert not {"sign_in", "ayşe", "192.0.2.7"} & set(row.key.split("/"))
    assert rate_limits.key("another secret", "sign_in", "ayşe", "192.0.2.7") != WHO
    assert rate_limits.key("a secret", "sign_in", "ayşe1", "92.0.2.7") != WHO
    assert len(row.key) <= 64


def test_the_longest_key_fits_its_column(database: Database, noon: datetime) -> None:
    longest = limit("1000000 per 44640 minutes")
    with database.write.begin() as session:
        storage = DatabaseStorage(session, noon)
        assert rate_limits.hit(storage, longest, WHO, noon) is None
    (row,) = _rows(database)
    assert len(row.key) <= 64
    assert row.expires_at == noon + timedelta(days=31)


def test_the_storage_does_all_that_the_library_asks_of_one(database: Database, noon: datetime) -> None:
    with database.write.begin() as session:
        storage = DatabaseStorage(session, noon)
        assert storage.check()
        assert (storage.get("nobody"), storage.get_expiry("nobody")) == (0, noon.timestamp())
        assert [storage.incr("a", 60), storage.incr("a", 90, 3), storage.incr("b", 60)] == [1, 4, 1]
        assert (storage.get("a"), storage.get_expiry("a")) == (4, noon.timestamp() + 60)
        assert storage.reset() == 2
        assert storage.get("a") == 0


def _rows(database: Database) -> list[RateLimit]:
    with database.read() as session:
        return list(session.scalars(select(RateLimit).order_by(RateLimit.expires_at)))


@pytest.fixture
def redis(redis_url: str) -> Iterator[Storage]:
    storage = RedisStorage(redis_url)
    yield storage
    storage.reset()


def test_redis_counts_alike(redis: Storage, noon: datetime) -> None:
    def hit() -> timedelta | None:
        return rate_limits.hit(redis, FIVE, WHO, noon)

    assert [hit() for _ in range(5)] == [None] * 5
    wait = hit()
    assert wait is not None
    assert timedelta(0) < wait <= timedelta(minutes=15)
    rate_limits.give_back(redis, FIVE, WHO)
    rate_limits.give_back(redis, FIVE, WHO)
    assert [hit() is None for _ in range(2)] == [True, False]
    rate_limits.clear(redis, FIVE, WHO)
    assert hit() is None
