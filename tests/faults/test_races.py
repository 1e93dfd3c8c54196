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
ROUNDS = 5
POSTS = 20
RACER = """
import sys, datetime
from puzzle_service import db
from puzzle_service.services import publication
from puzzle_service.settings import Settings
settings, now = Settings(sys.argv[1]), datetime.datetime.fromisoformat(sys.argv[2])
database = db.connect(settings)
with database.read() as session:
    publication.today(session, now, settings)
print("ready", flush=True)
for line in sys.stdin:
    today = now + int(line) * datetime.timedelta(days=1)
    found = publication.ensure_published(database.write, today, settings)
    print(found.number, found.day, found.puzzle_id, found.swapped, flush=True)
"""


def test_eight_processes_that_publish_the_first_moment_of_a_day_agree_on_one_puzzle(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    """One publication, not eight (flask-apscheduler#13), on one day after the other."""
    add_puzzles(3 * ROUNDS)
    midnight = noon.astimezone(settings.timezone).replace(hour=0)
    command = [sys.executable, "-c", RACER, settings.database_url, midnight.isoformat()]
    racers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(RACERS)
    ]
    assert [_line(racer) for racer in racers] == ["ready"] * RACERS
    for place in range(ROUNDS):
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.write(f"{place}\n")
            racer.stdin.flush()
        (seen,) = {_line(racer) for racer in racers}
        assert seen.startswith(f"{place + 1} {(midnight + timedelta(days=place)).date()} ")
    for racer in racers:
        racer.communicate()
    assert [racer.returncode for racer in racers] == [0] * RACERS
    with database.read() as session:
        assert len(session.scalars(select(Publication)).all()) == ROUNDS
    books.check(database)


def _line(racer: subprocess.Popen[str]) -> str:
    assert racer.stdout is not None
    return racer.stdout.readline().rstrip()


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
