"""Requests: nothing costs twice, however often and from wherever it is sent."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import MoveRequest
from puzzle_service.services import attempts, intake, publication
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings
from tests.service.conftest import Table
from tests.service.racers import race

DAY = timedelta(days=1)


def test_the_same_request_twice_costs_one(table: Table) -> None:
    first = table.send(table.wrong, request_id="once")
    again = table.send(table.wrong, request_id="once", attempt=1)
    assert again == first
    assert table.rows() == [(1, "wrong", 0)]


def test_the_same_request_is_answered_alike_after_the_end(table: Table) -> None:
    right = table.send(table.published.proof.key, request_id="once")
    table.solve()
    assert table.send(table.published.proof.key, request_id="once") == right


def test_a_request_belongs_to_one_puzzle(
    table: Table, database: Database, settings: Settings, records: list[Record], noon: datetime
) -> None:
    table.send(table.wrong, request_id="once")
    with database.write.begin() as session:
        for one in records:
            intake.add(session, one, noon, Status.APPROVED)
    table.now = table.served_at = noon + DAY
    tomorrow = publication.ensure_published(database.write, table.now, settings)
    assert tomorrow is not None
    table.published = tomorrow
    with pytest.raises(ServiceError, match="used for another puzzle"):
        table.send(table.wrong, request_id="once")
    assert table.send(table.wrong, request_id="twice").verdict == "wrong"


@pytest.mark.parametrize("request_id", ["", "x" * 65])
def test_a_request_needs_an_id(table: Table, request_id: str) -> None:
    with pytest.raises(ServiceError) as refused:
        table.send(table.wrong, request_id=request_id)
    assert refused.value.code == "bad_request"


@pytest.mark.parametrize(("attempt", "ply"), [(2, 0), (1, 2), (0, 0)])
def test_a_move_for_another_place_is_stale(table: Table, attempt: int, ply: int) -> None:
    with pytest.raises(ServiceError) as refused:
        table.send(table.wrong, attempt=attempt, ply=ply)
    assert (refused.value.code, table.rows()) == ("stale", [])


def test_two_tabs_spend_one_attempt(table: Table) -> None:
    table.send(table.wrong, attempt=1, ply=0)
    with pytest.raises(ServiceError, match="expected 2, 0"):
        table.send(table.wrong, attempt=1, ply=0)
    assert table.rows() == [(1, "wrong", 0)]


POSTER = """
import datetime
from puzzle_service import db
from puzzle_service.services import attempts, publication
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings

def race(number, wait, say, url, now, player, move):
    settings, now = Settings(url, secret_key="x"), datetime.datetime.fromisoformat(now)
    database = db.connect(settings)
    with database.read() as session:
        published = publication.today(session, now, settings)
    wait()
    for post in range(5):
        try:
            with database.write.begin() as session:
                result = attempts.submit(
                    session, published, int(player), now, settings,
                    attempt=1 + post % 3, ply=0, move=move, request_id=f"{number}-{post}", served_at=now,
                )
            say(result.verdict)
        except ServiceError as error:
            say(error.code)
    database.close()
"""


def test_twenty_parallel_wrong_posts_spend_three(table: Table) -> None:
    given = (table.settings.database_url, table.now.isoformat(), str(table.player), table.wrong)
    answers = race(POSTER, 4, *given)
    assert len(answers) == 20
    assert set(answers) <= {"wrong", "over", "stale"}
    assert answers.count("wrong") == 3
    assert table.rows() == [(ordinal, "wrong", 0) for ordinal in (1, 2, 3)]


def test_old_requests_are_forgotten_and_new_ones_kept(table: Table, database: Database) -> None:
    table.send(table.wrong)
    for later, left in ((DAY, 1), (3 * DAY, 0)):
        with database.write.begin() as session:
            attempts.forget_requests(session, table.now + later)
            assert session.scalar(select(func.count()).select_from(MoveRequest)) == left
