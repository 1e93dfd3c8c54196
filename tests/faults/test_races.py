"""Many at once: one publication a day, and what one request costs."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from sqlalchemy import select

from puzzle_service.db import Database
from puzzle_service.models import Attempt, Player, Publication
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from tests.faults import books
from tests.faults.browser import Answer, Browser
from tests.faults.conftest import StartServer, wrong_move

AddPuzzles = Callable[..., list[str]]

RACERS = 8
ROUNDS = 8
POSTS = 20
PATIENCE = 60
RACE = """
import datetime, multiprocessing, sys
from puzzle_service import db
from puzzle_service.services import publication
from puzzle_service.settings import Settings

def race(start, seen):
    database = db.connect(settings)
    with database.read() as session:
        publication.today(session, midnight, settings)
    for place in range(rounds):
        now = midnight + place * datetime.timedelta(days=1)
        start.wait(patience)
        found = publication.ensure_published(database.write, now, settings)
        seen.put(f"{found.number} {found.day} {found.puzzle_id} {found.swapped}")
    database.close()

settings, midnight = Settings(sys.argv[1]), datetime.datetime.fromisoformat(sys.argv[2])
racers, rounds, patience = map(int, sys.argv[3:])
fork = multiprocessing.get_context("fork")
start, seen = fork.Barrier(racers), fork.Queue()
processes = [fork.Process(target=race, args=(start, seen)) for _ in range(racers)]
for process in processes:
    process.start()
for _ in range(racers * rounds):
    print(seen.get(timeout=patience))
for process in processes:
    process.join()
print([process.exitcode for process in processes])
"""
"""One process that has loaded everything becomes eight, which wait for each other before each day."""


def test_eight_processes_that_publish_the_first_moment_of_a_day_agree_on_one_puzzle(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    """One publication, not eight (flask-apscheduler#13), on one day after the other."""
    add_puzzles(3 * ROUNDS)
    midnight = noon.astimezone(settings.timezone).replace(hour=0)
    given = (settings.database_url, midnight.isoformat(), str(RACERS), str(ROUNDS), str(PATIENCE))
    run = subprocess.run([sys.executable, "-c", RACE, *given], check=True, stdout=subprocess.PIPE, text=True)
    *lines, codes = run.stdout.splitlines()
    assert codes == str([0] * RACERS)
    seen = Counter(lines)
    assert set(seen.values()) == {RACERS}, "all of them see the same on each day"
    expected = [f"{place + 1} {(midnight + timedelta(days=place)).date()}" for place in range(ROUNDS)]
    assert [" ".join(line.split()[:2]) for line in sorted(seen)] == expected
    with database.read() as session:
        assert len(session.scalars(select(Publication)).all()) == ROUNDS
    books.check(database)


@pytest.fixture
def newcomer(start: StartServer, today: PublishedPuzzle) -> Browser:
    """Somebody who has just opened the page of a server with two workers."""
    server = start("--workers", "2", "--no-scheduler")
    browser = Browser(server.port)
    assert browser.open().status == 200
    return browser


def _at_once(send: Callable[[int], Answer]) -> list[Answer]:
    together = Barrier(POSTS)

    def sent(number: int) -> Answer:
        together.wait()
        return send(number)

    with ThreadPoolExecutor(POSTS) as pool:
        return list(pool.map(sent, range(POSTS)))


def test_twenty_first_moves_at_once_make_one_guest_and_a_repeated_one_costs_one(
    newcomer: Browser, today: PublishedPuzzle, database: Database
) -> None:
    """Twenty wrong moves in parallel, over two workers, spend three attempts and no more (WebGoat#567)."""
    once = newcomer.request(wrong_move(today))
    answers = _at_once(lambda _: newcomer.send(dict(once)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert _results(database) == ["wrong"]
    for attempt in (2, 3):
        answers = _at_once(lambda _: newcomer.send(newcomer.request(wrong_move(today), attempt=attempt)))  # noqa: B023  (all are sent before it changes)
        assert Counter(answer.status for answer in answers) == {200: 1, 409: POSTS - 1}
        assert _results(database) == ["wrong"] * attempt
    late = [answer.json["verdict"] for answer in answers if answer.status == 409]
    assert late == ["over"] * (POSTS - 1)
    books.check(database)


def _results(database: Database) -> list[str | None]:
    """Return the results of the one player's attempts."""
    with database.read() as session:
        assert len(session.scalars(select(Player.id)).all()) == 1
        return list(session.scalars(select(Attempt.result).order_by(Attempt.ordinal)))
