"""Servers that go and come back, the site's own and the database's, in the middle of it all."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from puzzle_service import db
from puzzle_service.db import Database
from puzzle_service.models import Attempt, Publication
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from tests.faults import books
from tests.faults.browser import PATIENCE, Browser, at_last
from tests.faults.conftest import StartServer, right_moves, wrong_move
from tests.postgresql import Server


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_an_attempt_goes_on_at_its_ply_after_each_of_three_restarts(
    start: StartServer, today: PublishedPuzzle, database: Database
) -> None:
    """They leave one scheduler, not three (flask-apscheduler#7), though nobody could say good-bye."""
    server = start("--workers", "1")
    player, other_tab = Browser(server.port), Browser(server.port)
    player.open()
    assert player.send(player.request(wrong_move(today))).status == 200
    other_tab.cookies |= player.cookies
    other_tab.open()
    for move, verdict in zip(right_moves(today), ["continue", "continue", "solved"], strict=True):
        workers, schedulers = server.family(1)
        server.process.kill()
        server.process.wait()
        _wait_until_gone([*workers, *schedulers])
        server = start("--workers", "1", port=server.port)
        # The page was served by a server that is no more.
        assert player.send(player.request(move)).json["verdict"] == verdict
        if verdict == "continue":
            reloaded = Browser(server.port)
            reloaded.cookies |= player.cookies
            reloaded.open()
            assert reloaded.puzzle["position"] != reloaded.puzzle["start"]
            assert (reloaded.puzzle["attempt"], reloaded.puzzle["ply"]) == (2, player.puzzle["ply"])
            stale = other_tab.send(other_tab.request(wrong_move(today)))
            assert (stale.status, stale.json["error"]["code"]) == (409, "stale")
    over = other_tab.send(other_tab.request(wrong_move(today)))
    assert (over.status, over.json["verdict"]) == (409, "over")
    server.family(1)
    with database.read() as session:
        assert session.scalars(select(Attempt.result).order_by(Attempt.ordinal)).all() == ["wrong", "solved"]
        assert session.scalar(select(func.count(Publication.day))) == 1
    books.check(database)


def _wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(_is_running(pid) for pid in pids):
        assert time.monotonic() < deadline, "what a dead server has left still runs"
        time.sleep(0.05)


def _is_running(pid: int) -> bool:
    try:
        # Who has no parent any more is perhaps buried by nobody.
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("settings", ["postgresql"], indirect=True)
def test_a_database_that_is_restarted_under_the_site_is_503_meanwhile_and_then_forgotten(
    start: StartServer, today: PublishedPuzzle, database: Database, postgresql: Server
) -> None:
    server = start("--workers", "2")
    workers, _ = server.family(2)
    player = Browser(server.port)
    player.open()
    assert player.send(player.request(wrong_move(today))).status == 200
    statuses, leaves = list[int](), threading.Event()

    def look() -> None:
        while not leaves.is_set():
            statuses.append(Browser(server.port).ask("GET", "/").status)
            time.sleep(0.05)

    with ThreadPoolExecutor(4) as pool:
        looking = [pool.submit(look) for _ in range(4)]
        try:
            postgresql.stop()
            right = player.request(right_moves(today)[0])
            _check_refusals(player, right)
            postgresql.start()
            assert at_last(lambda: player.send(right)).json["verdict"] == "continue"
            assert at_last(player.open).status == 200
        finally:
            leaves.set()
        for one in looking:
            one.result(PATIENCE)
    assert 503 in set(statuses) <= {200, 503}
    assert (player.puzzle["attempt"], player.puzzle["ply"]) == (2, 2)
    # A scheduler that was still starting finds no database; it is then started again.
    assert server.family(2)[0] == workers, "no worker had to be restarted"
    assert "Traceback" not in server.log.read_text()
    books.check(database)


def _check_refusals(player: Browser, body: dict[str, object]) -> None:
    sent, page = player.send(body), player.ask("GET", "/")
    for answer in (sent, page):
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        assert "The site is busy" in answer.text
        assert "Nothing is lost." in answer.text
    assert sent.json["error"]["code"] == "unavailable"
    assert [player.ask("GET", path).status for path in ("/readyz", "/healthz", "/me")] == [503] * 3


def test_a_database_that_takes_a_call_and_says_nothing_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"postgresql://somebody@127.0.0.1:{mute.getsockname()[1]}/dama?sslmode=disable"
        with closing(db.connect(Settings(address, busy_seconds=1))) as database:
            begun = time.monotonic()
            with pytest.raises(OperationalError, match="timeout"), database.read() as session:
                session.scalar(select(1))
    assert time.monotonic() - begun < PATIENCE
