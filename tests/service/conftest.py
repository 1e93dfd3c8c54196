"""A player at one published puzzle, and the program that operators run."""

from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner, Result
from sqlalchemy import select

from puzzle_service.cli import main
from puzzle_service.db import Database
from puzzle_service.domain.attempts import node_after
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import Attempt
from puzzle_service.services import attempts, intake, passwords, players, publication
from puzzle_service.services.attempts import PlayerView
from puzzle_service.services.judging import MoveResult
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from tests.service.programs import Run


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep passwords by the same hash at the least cost; in earnest each takes a tenth of a second."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
    passwords._nobodys.cache_clear()


class Table:
    """One player at one published puzzle."""

    def __init__(
        self, database: Database, settings: Settings, published: PublishedPuzzle, now: datetime
    ) -> None:
        self.database, self.settings, self.published = database, settings, published
        self.now = now
        self.served_at: datetime | None = now
        with database.write.begin() as session:
            self.player, self.token = players.create_guest(session, now)

    def view(self) -> PlayerView:
        with self.database.read() as session:
            return attempts.view(session, self.published, self.player, self.now, self.settings)

    def send(self, move: str, **changes: Any) -> MoveResult:
        """Send a move at the place where the player stands, or as changed."""
        stands = self.view()
        sent: dict[str, Any] = {
            "attempt": stands.attempt,
            "ply": stands.ply,
            "request_id": uuid4().hex,
            "served_at": self.served_at,
        } | changes
        with self.database.write.begin() as session:
            return attempts.submit(
                session, self.published, self.player, self.now, self.settings, move=move, **sent
            )

    def practise(self, line: list[str], move: str) -> MoveResult:
        return attempts.practice(self.published, self.view(), line, move)

    @property
    def wrong(self) -> str:
        return next(iter(self.published.proof.root["refuted"]))

    def solve(self) -> MoveResult:
        """Play the right moves from wherever the player stands to the end."""
        result = self.send(self.right())
        return result if result.verdict != "continue" else self.solve()

    def right(self) -> str:
        line = [str(move) for move in self.view().line]
        return next(iter(node_after(self.published.proof.root, line)["wins"]))

    def rows(self) -> list[tuple[int, str | None, int]]:
        with self.database.read() as session:
            wanted = select(Attempt.ordinal, Attempt.result, Attempt.slow).order_by(Attempt.ordinal)
            return [(*row,) for row in session.execute(wanted.where(Attempt.player_id == self.player))]


def puzzle_with_a_slow_move(records: list[Record]) -> Record:
    return next(one for one in records if one.proof.root["slow"])


@pytest.fixture
def published(
    database: Database, settings: Settings, records: list[Record], noon: datetime
) -> PublishedPuzzle:
    """A win in three with a slow first move, out today."""
    with database.write.begin() as session:
        intake.add(session, puzzle_with_a_slow_move(records), noon, Status.APPROVED)
    found = publication.ensure_published(database.write, noon, settings)
    assert found is not None
    return found


@pytest.fixture
def table(database: Database, settings: Settings, published: PublishedPuzzle, noon: datetime) -> Table:
    return Table(database, settings, published, noon)


@pytest.fixture
def run(settings: Settings) -> Run:
    """A function that runs the program on a migrated database."""

    def invoke(*arguments: str, input: str | bytes | None = None, **environ: str) -> Result:  # noqa: A002
        env = {"DAMA_DATABASE_URL": settings.database_url} | environ
        return CliRunner().invoke(main, arguments, input=input, env=env)

    return invoke
