"""Leases: one holder at a time, and a dead one's runs out."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

from puzzle_service.db import Database
from puzzle_service.services import lease

JOB = "a job"
SECONDS = 90
LATER = timedelta(seconds=SECONDS)


def take(database: Database, holder: str, now: datetime) -> bool:
    with database.write.begin() as session:
        return lease.take(session, JOB, holder, now, SECONDS)


def release(database: Database, holder: str, now: datetime) -> None:
    with database.write.begin() as session:
        lease.release(session, JOB, holder, now)


def get(database: Database) -> lease.Lease | None:
    with database.read() as session:
        return lease.get(session, JOB)


def test_a_lease_that_nobody_took_is_free(database: Database, noon: datetime) -> None:
    assert get(database) is None
    assert take(database, "one", noon)
    assert get(database) == lease.Lease(JOB, "one", noon + LATER)


def test_only_its_holder_renews_a_lease(database: Database, noon: datetime) -> None:
    assert take(database, "one", noon)
    soon = noon + timedelta(seconds=30)
    assert not take(database, "two", soon)
    assert get(database) == lease.Lease(JOB, "one", noon + LATER)
    assert take(database, "one", soon)
    assert get(database) == lease.Lease(JOB, "one", soon + LATER)


def test_a_dead_holders_lease_runs_out(database: Database, noon: datetime) -> None:
    assert take(database, "one", noon)
    assert not take(database, "two", noon + LATER - timedelta(microseconds=1))
    assert take(database, "two", noon + LATER)
    assert not take(database, "one", noon + LATER)


def test_a_released_lease_is_free_at_once_and_says_when_it_was_held(
    database: Database, noon: datetime
) -> None:
    assert take(database, "one", noon)
    release(database, "one", noon)
    assert get(database) == lease.Lease(JOB, "one", noon)
    assert take(database, "two", noon)


def test_nobody_releases_the_lease_of_another(database: Database, noon: datetime) -> None:
    assert take(database, "one", noon)
    release(database, "two", noon)
    assert not take(database, "two", noon)


def test_a_lease_written_by_a_clock_that_ran_ahead_is_free(database: Database, noon: datetime) -> None:
    assert take(database, "ahead", noon + timedelta(days=2))
    assert take(database, "one", noon)
    assert not take(database, "two", noon)


def test_leases_of_different_jobs_are_independent(database: Database, noon: datetime) -> None:
    assert take(database, "one", noon)
    with database.write.begin() as session:
        assert lease.take(session, "another job", "two", noon, SECONDS)


def test_of_eight_that_reach_for_a_lease_at_once_one_gets_it(database: Database, noon: datetime) -> None:
    holders = [lease.new_holder() for _ in range(8)]
    assert len(set(holders)) == len(holders)
    for now in (noon, noon + LATER):
        with ThreadPoolExecutor(len(holders)) as pool:
            taken = list(pool.map(lambda holder, now=now: take(database, holder, now), holders))
        assert taken.count(True) == 1
        held = get(database)
        assert held is not None
        assert held.holder == holders[taken.index(True)]
