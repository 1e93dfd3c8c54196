"""What monitors, balancers and Prometheus are told, and what they are not."""

import re
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.services import lease, stock
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, Clock, MakeSite, Publish, Visitor, wrong_moves

TOKEN = "for those who collect: 32 characters"  # noqa: S105
AWAY = OperationalError("SELECT", {}, RuntimeError("the server closed the connection"))


def tend(database: Database, clock: Clock) -> None:
    with database.write.begin() as session:
        assert lease.take(session, lease.SCHEDULER, "one", clock.now, lease.SCHEDULER_SECONDS)


@ON_BOTH
def test_a_site_that_is_well_says_so(
    app: Flask, database: Database, clock: Clock, today: PublishedPuzzle
) -> None:
    tend(database, clock)
    answer = app.test_client().get("/healthz")
    assert answer.status_code == 200
    assert answer.json == {"status": "ok", "alarms": [], "database": "ok", "scheduler": "running"}
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


def test_an_alarm_is_503_and_named(
    app: Flask, database: Database, clock: Clock, today: PublishedPuzzle
) -> None:
    tend(database, clock)
    clock.now += timedelta(hours=1)
    answer = app.test_client().get("/healthz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert (answer.json["status"], answer.json["scheduler"]) == ("alarm", "stopped")
    assert answer.json["alarms"] == ["no_scheduler"]
    clock.now += timedelta(days=1)
    late = app.test_client().get("/healthz").json
    assert late is not None
    assert late["alarms"] == ["late", "no_scheduler"]


def test_a_site_without_a_puzzle_says_so(make_site: MakeSite) -> None:
    answer = make_site().test_client().get("/healthz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["scheduler"] == "never"
    assert "nothing_left" in answer.json["alarms"]


def test_a_database_that_is_away_is_an_alarm_and_no_fault(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise AWAY

    monkeypatch.setattr(stock, "status", fail)
    monkeypatch.setattr("puzzle_service.db.revision", fail)
    health, ready = (app.test_client().get(path) for path in ("/healthz", "/readyz"))
    assert (health.status_code, ready.status_code) == (503, 503)
    assert health.json == {
        "status": "alarm",
        "alarms": ["database"],
        "database": "away",
        "scheduler": "unknown",
    }
    assert ready.json == {"ready": False, "why": "the database is away"}
    assert all(record.exc_info is None for record in caplog.records)


@ON_BOTH
def test_a_server_is_ready_at_its_own_revision_only(app: Flask, database: Database) -> None:
    ready = app.test_client().get("/readyz")
    assert (ready.status_code, ready.json) == (200, {"ready": True})
    assert ready.headers["Cache-Control"] == "no-store"
    with database.write.begin() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    left = app.test_client().get("/readyz")
    assert left.status_code == 503
    assert left.json == {"ready": False, "why": "the database belongs to another version"}


@pytest.fixture
def counting(make_site: MakeSite, stock: list[Record]) -> Flask:
    """A site whose metrics may be collected."""
    return make_site(metrics_token=TOKEN)


def collect(app: Flask) -> dict[str, float]:
    """Return what Prometheus collects, by name and labels."""
    answer = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer.content_type.startswith("text/plain; version=0.0.4")
    lines = [line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def test_metrics_are_not_there_without_the_token(app: Flask, counting: Flask) -> None:
    nothing_here = app.test_client().get("/nothing-here")
    for site, headers in (
        (app, {}),
        (app, {"Authorization": "Bearer None"}),
        (app, {"Authorization": "Bearer "}),
        (counting, {}),
        (counting, {"Authorization": TOKEN}),
        (counting, {"Authorization": f"Bearer {TOKEN}x"}),
        (counting, {"Authorization": f"Bearer {TOKEN[:-1]}"}),
        (counting, {"Authorization": f"Basic {TOKEN}"}),
        (counting, {"Authorization": "Bearer \xff\xfe"}),
    ):
        answer = site.test_client().get("/metrics", headers=headers)
        assert answer.status_code == 404, headers
        assert answer.text == nothing_here.text.replace("nothing-here", "metrics"), headers


def test_verdicts_and_latencies_are_counted_by_kind_alone(counting: Flask, publish: Publish) -> None:
    today = publish()
    visitor = Visitor(counting)
    for move in (wrong_moves(today.proof.root)[0], "a1-a1", today.proof.key):
        visitor.play(visitor.puzzle(), move)
    visitor.client.get("/no/such/page")
    found = collect(counting)
    assert found['dama_verdicts_total{mode="daily",verdict="wrong"}'] == 1
    assert found['dama_verdicts_total{mode="daily",verdict="illegal"}'] == 1
    assert sum(value for name, value in found.items() if name.startswith("dama_verdicts_total")) == 3
    assert found['dama_request_seconds_count{route="/",status="2xx"}'] == 3
    moves = 'dama_request_seconds_count{route="/api/v1/puzzles/<int:number>/moves",status="2xx"}'
    assert found[moves] == 3
    assert found['dama_request_seconds_count{route="none",status="4xx"}'] == 1
    assert not [name for name in found if re.search(r"no/such|puzzle_id|player", name)]


@ON_BOTH
def test_stock_publications_and_alarms_are_read_when_they_are_collected(
    counting: Flask, database: Database, clock: Clock, publish: Publish
) -> None:
    before = collect(counting)
    assert (before["dama_database_up"], before["dama_publications_total"]) == (1, 0)
    assert not {"dama_last_publication_age_seconds", "dama_scheduler_lease_seconds"} & before.keys()
    publish()
    tend(database, clock)
    clock.now += timedelta(seconds=30)
    found = collect(counting)
    assert found["dama_publications_total"] == 1
    assert found['dama_puzzles{status="approved"}'] == before['dama_puzzles{status="approved"}'] - 1
    assert found['dama_puzzles{status="published"}'] == 1
    assert found["dama_days_covered"] == found['dama_puzzles{status="approved"}']
    assert found["dama_last_publication_age_seconds"] == 30
    assert found["dama_scheduler_lease_seconds"] == lease.SCHEDULER_SECONDS - 30
    clock.now += timedelta(hours=1)
    assert collect(counting)['dama_alarm{alarm="no_scheduler"}'] == 1


def test_what_was_counted_is_there_while_the_database_is_away(
    counting: Flask, publish: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish()
    Visitor(counting).open()

    def fail(*_: object) -> None:
        raise AWAY

    monkeypatch.setattr(stock, "status", fail)
    found = collect(counting)
    assert found["dama_database_up"] == 0
    assert found['dama_request_seconds_count{route="/",status="2xx"}'] == 1
    assert "dama_publications_total" not in found
