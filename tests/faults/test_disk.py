"""A disk that is full and a database that somebody else holds: said clearly, nothing lost, nothing spent."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from puzzle_service.db import Database
from puzzle_service.models import Attempt, MoveRequest, Player
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from tests.faults import books
from tests.faults.browser import Answer, Browser
from tests.faults.conftest import Server, StartServer, right_moves, wrong_move

CANNOT_SAVE = "Nothing can be saved right now"
BUSY = "The site is busy"
FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE disk_full USING MESSAGE = 'could not extend file: No space left on device'; END $$
"""


@contextmanager
def full_disk(database: Database, server: Server) -> Iterator[None]:
    """Leave no room for another row: no file of the server's may grow, or PostgreSQL says so."""
    if database.engine.dialect.name == "sqlite":
        worker = server.workers()[0]
        before = resource.prlimit(worker, resource.RLIMIT_FSIZE)
        written = Path(f"{database.engine.url.database}-wal").stat().st_size
        resource.prlimit(worker, resource.RLIMIT_FSIZE, (written, before[1]))
        yield
        resource.prlimit(worker, resource.RLIMIT_FSIZE, before)
        return
    with database.engine.begin() as connection:
        connection.execute(text(FULL))
        connection.execute(
            text("CREATE TRIGGER full_disk BEFORE INSERT ON attempt EXECUTE FUNCTION full_disk()")
        )
    yield
    with database.engine.begin() as connection:
        connection.execute(text("DROP FUNCTION full_disk CASCADE"))


def counted(database: Database) -> tuple[int, ...]:
    """Return how many players, attempts and kept answers there are."""
    with database.read() as session:
        return tuple(
            session.scalar(select(func.count()).select_from(table)) or 0
            for table in (Player, Attempt, MoveRequest)
        )


def refused(answer: Answer, words: str, seconds: int) -> bool:
    """Tell whether an answer says this clearly, and when to come back."""
    assert answer.status == 503, answer.text
    assert words in answer.text
    assert "Traceback" not in answer.text
    assert "sqlite" not in answer.text.lower()
    assert "psycopg" not in answer.text
    return answer.headers["Retry-After"] == str(seconds)


@pytest.fixture
def server(start: StartServer, today: PublishedPuzzle) -> Server:
    return start("--workers", "1", "--no-scheduler", DAMA_BUSY_SECONDS="1")


def test_on_a_full_disk_nothing_is_spent_and_reading_goes_on_and_so_while_the_database_is_held(
    server: Server, today: PublishedPuzzle, database: Database, settings: Settings
) -> None:
    player, newcomer = Browser(server.port), Browser(server.port)
    for browser in (player, newcomer):
        browser.open()
    assert player.send(player.request(wrong_move(today))).status == 200
    _meet_a_full_disk(server, today, database, player, newcomer)
    _meet_a_held_database(today, database, settings, player)
    books.check(database)
    log = server.log.read_text()
    assert "the database cannot save" in log
    assert "Traceback" not in log


def _meet_a_full_disk(
    server: Server, today: PublishedPuzzle, database: Database, player: Browser, newcomer: Browser
) -> None:
    before = counted(database)
    right = player.request(right_moves(today)[0])
    with full_disk(database, server):
        assert refused(player.send(right), CANNOT_SAVE, 300)
        assert refused(player.type(player.request(wrong_move(today))), CANNOT_SAVE, 300)
        assert refused(newcomer.send(newcomer.request(wrong_move(today))), CANNOT_SAVE, 300)
        assert player.send(right).json["error"]["code"] == "unavailable"
        assert player.open().status == 200
        assert (player.puzzle["attempt"], player.puzzle["attempts_left"]) == (2, 2)
        assert counted(database) == before
    assert player.send(right).json["verdict"] == "continue"
    assert newcomer.send(newcomer.request(wrong_move(today))).json["verdict"] == "wrong"


def _meet_a_held_database(
    today: PublishedPuzzle, database: Database, settings: Settings, player: Browser
) -> None:
    """Have moves refused while somebody else holds the database, and nothing lost."""
    player.open()
    before = counted(database)
    right = player.request(right_moves(today)[1])
    with database.write.begin() as session:
        session.connection()
        if settings.database_file is None:
            session.execute(text("LOCK TABLE attempt, player"))
        assert refused(player.send(right), BUSY, 5)
        assert refused(player.type(player.request(wrong_move(today))), BUSY, 5)
    assert counted(database) == before
    assert player.send(right).json["verdict"] == "continue"
    # One more answer is kept, and the attempt goes on.
    assert counted(database) == (*before[:2], before[2] + 1)
