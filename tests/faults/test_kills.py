"""Processes that are killed under load: whatever was answered stays, and nothing is counted twice."""

import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import pytest
from sqlalchemy import func, select

from puzzle_service.db import Database
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.domain.record import Record
from puzzle_service.models import Attempt, Device, Player, Publication
from puzzle_service.services import devices, players, publication, records
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from tests.faults import books
from tests.faults.browser import PATIENCE, Browser, at_last
from tests.faults.conftest import Server, StartServer, right_moves, wrong_move
from tests.service import histories

DAY = timedelta(days=1)
PAST_DAYS: Final = 3
CLIENTS: Final = 6
SEED: Final = 20
KILLS: Final = 6
REGULARS: Final = 100
VISITS_BETWEEN: Final = 4
"""How many visits end between one kill and the next."""


@dataclass
class Visit:
    """One player's visit: what the server answered, and whom the browser held at the end."""

    solved_before: int
    verdicts: list[str] = field(default_factory=list)
    streak: int | None = None
    token: str | None = None

    @property
    def wrongs(self) -> int:
        return self.verdicts.count("wrong")

    @property
    def rows(self) -> list[tuple[str | None, int]]:
        """The attempts that must be in the tables: how each ended, after how many plies of both sides."""
        rows: list[tuple[str | None, int]] = [("wrong", 1)] * self.wrongs
        right = len(self.verdicts) - self.wrongs
        if self.verdicts[-1] == "solved":
            rows.append(("solved", 2 * right - 1))
        elif right:
            rows.append((None, 2 * right))
        return rows

    @property
    def streak_now(self) -> int:
        """The streak that follows from what was answered."""
        if self.verdicts[-1] == "solved":
            return self.solved_before + 1
        return self.solved_before if self.wrongs < MAX_ATTEMPTS else 0


@dataclass
class Crowd:
    """Players who come one after the other, some for the first time; each asks until there is an answer."""

    server: Server
    today: PublishedPuzzle
    regulars: list[str]
    seed: int
    leaves: threading.Event = field(default_factory=threading.Event)
    visits: list[Visit] = field(default_factory=list)

    def come(self, client: int) -> None:
        dice = random.Random(f"{self.seed}-{client}")
        while not self.leaves.is_set():
            regular = self.regulars.pop() if self.regulars and dice.random() < 0.5 else None
            self.visits.append(self._visit(dice, regular))

    def _visit(self, dice: random.Random, regular: str | None) -> Visit:
        browser, visit = Browser(self.server.port, regular), Visit(PAST_DAYS if regular else 0)
        assert at_last(browser.open).status == 200
        wrongs = dice.randrange(MAX_ATTEMPTS + 1)
        right = right_moves(self.today) if wrongs < MAX_ATTEMPTS else []
        plan = [wrong_move(self.today)] * wrongs + right
        for move in plan[: dice.choice((len(plan), len(plan), 2))]:
            answer = at_last(partial(browser.send, browser.request(move)))
            assert answer.status == 200, answer.text
            visit.verdicts.append(answer.json["verdict"])
            visit.streak = answer.json["streak"]
        visit.token = browser.cookies.get("dama_player")
        return visit


@pytest.fixture
def regulars(database: Database, here: Settings, stock: list[Record]) -> list[str]:
    """Tokens of players who solved the puzzles of the last days."""
    now = datetime.now(UTC)
    past = [publication.ensure_published(database.write, now - back * DAY, here) for back in (3, 2, 1)]
    solved = {one.puzzle_id: "s" for one in past if one}
    assert len(solved) == PAST_DAYS
    tokens = []
    with database.write.begin() as session:
        for _ in range(REGULARS):
            player, token = players.create_guest(session, now - PAST_DAYS * DAY)
            histories.play(session, player, solved, now - DAY)
            tokens.append(token)
    return tokens


def test_workers_and_schedulers_killed_under_load_lose_and_double_nothing(
    start: StartServer, regulars: list[str], database: Database, here: Settings
) -> None:
    today = publication.ensure_published(database.write, datetime.now(UTC), here)
    assert today is not None
    server = start("--workers", "2", DAMA_LIMIT_GUESTS="100000 per hour")
    crowd = Crowd(server, today, regulars, SEED)
    with ThreadPoolExecutor(CLIENTS) as pool:
        coming = [pool.submit(crowd.come, client) for client in range(CLIENTS)]
        try:
            _kill_at_random(server, crowd)
        finally:
            crowd.leaves.set()
        for one in coming:
            one.result(PATIENCE)
    books.check(database)
    moved = [visit for visit in crowd.visits if visit.verdicts]
    newcomers = [visit for visit in moved if not visit.solved_before]
    with database.read() as session:
        assert session.scalar(select(func.count(Player.id))) == REGULARS + len(newcomers)
        assert session.scalar(select(func.count(Publication.day))) == PAST_DAYS + 1
    assert newcomers
    assert any(visit.streak == PAST_DAYS + 1 for visit in moved)
    for visit in moved:
        _check(visit, database, here, today)
    assert b"Traceback" not in server.log.read_bytes()


def _kill_at_random(server: Server, crowd: Crowd) -> None:
    dice, killed = random.Random(crowd.seed), list[int]()
    deadline = time.monotonic() + 2 * PATIENCE
    while len(killed) < KILLS:
        seen = len(crowd.visits)
        family = server.schedulers() if len(killed) % 3 == 2 else server.workers()
        if family:
            killed.append(dice.choice(family))
            with suppress(ProcessLookupError):
                os.kill(killed[-1], signal.SIGKILL)
        while len(crowd.visits) < seen + VISITS_BETWEEN:
            assert time.monotonic() < deadline, "the visits do not go on"
            time.sleep(dice.random() / 50)


def _check(visit: Visit, database: Database, here: Settings, today: PublishedPuzzle) -> None:
    """Check that the tables hold what a player was told: each attempt once, and the same streak."""
    assert visit.token is not None
    with database.read() as session:
        held = select(Device.player_id).where(Device.token_hash == devices.token_hash(visit.token))
        player = session.scalars(held).one()
        wanted = select(Attempt.result, Attempt.plies).where(Attempt.player_id == player)
        rows = session.execute(wanted.where(Attempt.puzzle_id == today.puzzle_id).order_by(Attempt.ordinal))
        assert [(result, len(plies)) for result, plies in rows] == visit.rows
        assert records.me(session, player, datetime.now(UTC), here).current == visit.streak_now
    assert visit.streak in (None, visit.streak_now)
