"""The log: one line for each thing, in UTC, and nobody in it."""

import io
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import pytest
from flask import Flask
from sqlalchemy.exc import IntegrityError

from puzzle_service import logs
from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.services import publication
from puzzle_service.settings import LogFormat, Settings
from puzzle_service.web import create_app
from puzzle_service.web.site import EXTENSION
from tests.web.conftest import Visitor

HEADER = "X-Request-ID"
sqlite_only = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)


class Written:
    """What a process with this format writes."""

    def __init__(self, log_format: LogFormat) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        logs.prepare(self.handler, log_format)

    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()


@pytest.fixture(params=["text", "json"])
def written(request: pytest.FixtureRequest) -> Iterator[Written]:
    """The log in both formats, at the level at which the program writes it."""
    found, root = Written(request.param), logging.getLogger()
    level = root.level
    root.addHandler(found.handler)
    root.setLevel(logging.INFO)
    yield found
    root.removeHandler(found.handler)
    root.setLevel(level)


SAID = "duplicate key\nDETAIL:  Key (name)=(ayse) already exists."
PARAMETERS = {"name": "ayse"}


def _fail(*_: object) -> None:
    raise IntegrityError("INSERT", PARAMETERS, ValueError(SAID), hide_parameters=True)


def test_a_line_of_text_has_its_instant_in_utc_and_is_one() -> None:
    written = Written("text")
    record = logging.makeLogRecord({"msg": "two\nlines", "levelname": "INFO", "created": 1795996800.25})
    written.handler.handle(record)
    assert written.lines() == ["2026-11-30T00:00:00.250Z INFO two lines"]


def test_a_line_of_json_has_fields() -> None:
    written = Written("json")
    values = {
        "msg": "two\nlines",
        "levelname": "INFO",
        "created": 1795996800.25,
        "name": "here",
        "route": "/",
    }
    written.handler.handle(logging.makeLogRecord(values))
    (line,) = written.lines()
    assert json.loads(line) == {
        "time": "2026-11-30T00:00:00.250000+00:00",
        "level": "INFO",
        "logger": "here",
        "message": "two\nlines",
        "route": "/",
    }


def test_what_the_database_says_of_a_row_is_left_out(written: Written) -> None:
    log = logging.getLogger("puzzle_service.test")
    try:
        _fail()
    except IntegrityError as error:
        log.exception("a fault")
        log.info("again: %s", error)
    said = "\n".join(written.lines())
    assert said.count("duplicate key") == 2
    assert "Traceback" in said
    assert "ayse" not in said


@pytest.fixture
def app(settings: Settings, stock: list[Record], noon: datetime) -> Iterator[Flask]:
    app = create_app(settings, lambda: noon)
    yield app
    app.extensions[EXTENSION].database.close()


@sqlite_only
def test_a_request_is_one_line_with_the_id_that_its_answer_has(app: Flask, written: Written) -> None:
    answer = app.test_client().get("/p/777?name=ayse", headers={"User-Agent": "a browser", "Cookie": "a=b"})
    given = answer.headers[HEADER]
    assert re.fullmatch("[0-9a-f]{16}", given)
    (line,) = written.lines()
    assert "GET /p/<int:number> 404 " in line
    assert given in line
    if line.startswith("{"):
        fields = json.loads(line)
        assert (fields["method"], fields["route"], fields["status"]) == ("GET", "/p/<int:number>", 404)
        assert (fields["request_id"], fields["milliseconds"] > 0) == (given, True)
    assert not [said for said in ("777", "ayse", "127.0.0.1", "browser", "a=b") if said in line]


@sqlite_only
def test_every_line_of_a_request_has_its_id_and_no_other_line_has_one(
    app: Flask, settings: Settings, database: Database, written: Written
) -> None:
    first = app.test_client().get("/").headers[HEADER]
    logging.getLogger("puzzle_service").info("between")
    second = app.test_client().get("/").headers[HEADER]
    found = [next((name for name in (first, second) if name in line), None) for line in written.lines()]
    assert found == [first, first, None, second], "the first request publishes"


@sqlite_only
def test_an_id_is_taken_from_a_proxy_that_is_believed_and_well_formed(
    settings: Settings, stock: list[Record], noon: datetime
) -> None:
    proxied = create_app(replace(settings, proxies=1), lambda: noon)
    direct = create_app(settings, lambda: noon)
    sent = "0123456789-abcdef"
    assert proxied.test_client().get("/about", headers={HEADER: sent}).headers[HEADER] == sent
    assert direct.test_client().get("/about", headers={HEADER: sent}).headers[HEADER] != sent
    for bad in (
        "short",
        "x" * 65,
        "with a space in it",
        'quote"quote',
        "ayşe".encode().decode("latin-1") * 3,
    ):
        assert proxied.test_client().get("/about", headers={HEADER: bad}).headers[HEADER] != bad
    for app in (proxied, direct):
        app.extensions[EXTENSION].database.close()


@sqlite_only
def test_a_fault_is_a_traceback_in_the_log_and_words_on_the_page(
    app: Flask, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publication, "by_number", _fail)
    answer = app.test_client().get("/p/777?name=ayse")
    assert answer.status_code == 500
    assert "Traceback" not in answer.text
    said = "\n".join(written.lines())
    assert "a fault while answering GET /p/<int:number>" in said
    assert "Traceback" in said
    assert answer.headers[HEADER] in said
    assert not [word for word in ("777", "ayse") if word in said]


def test_a_day_of_play_leaves_nobody_in_the_log(
    app: Flask, settings: Settings, database: Database, noon: datetime, written: Written
) -> None:
    published = publication.ensure_published(database.write, noon, settings)
    assert published is not None
    visitor = Visitor(app)
    visitor.play(visitor.puzzle(), published.proof.key)
    visitor.open("/me")
    visitor.client.post(
        "/sign-in", data={"csrf_token": visitor.csrf, "name": "ayse", "password": "correct horse"}
    )
    token = visitor.cookie("dama_player")
    assert token
    said = "\n".join(written.lines())
    assert "POST /api/v1/puzzles/<int:number>/moves 200" in said
    assert not [word for word in (token, "127.0.0.1", "ayse", "correct horse", "/puzzles/1") if word in said]


@sqlite_only
@pytest.mark.parametrize("method", ["GET", "BREW"])
def test_methods_that_somebody_makes_up_are_not_logged(app: Flask, written: Written, method: str) -> None:
    app.test_client().open("/no/such/page", method=method)
    assert written.lines()[-1].count({"GET": "GET none 404", "BREW": "OTHER none 404"}[method]) == 1
