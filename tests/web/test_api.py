"""The JSON interface: verdicts, what they cost, and what is refused."""

import sqlite3
import threading
from collections import Counter
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from flask import Flask
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from puzzle_service import db
from puzzle_service.models import Attempt, MoveRequest, Player
from puzzle_service.services import attempts
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.web.site import EXTENSION
from tests.web.conftest import ON_BOTH, Clock, Rows, Visitor, body, wrong_moves


def _sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("something")
    error.sqlite_errorcode = code
    return error


def test_todays_puzzle_has_everything_a_board_needs(visitor: Visitor, today: PublishedPuzzle) -> None:
    puzzle = visitor.client.get("/api/v1/puzzles/today").json
    assert puzzle is not None
    assert puzzle["start"] == puzzle["position"] == today.position.fen()
    assert puzzle["legal"] == [move.json() for move in today.position.legal_moves]
    assert today.previous_move is not None
    assert puzzle["last_move"] == today.previous_move.json()
    kept = {name: puzzle[name] for name in ("number", "day", "rules", "moves", "turn", "mode", "state")}
    assert kept == {
        "number": 1,
        "day": "2026-11-30",
        "rules": "turkish",
        "moves": today.moves,
        "turn": today.position.turn.value,
        "mode": "daily",
        "state": "open",
    }
    assert (puzzle["attempt"], puzzle["ply"], puzzle["attempts_left"], puzzle["slow_left"]) == (1, 0, 3, 3)
    assert (puzzle["line"], puzzle["solution"], puzzle["share"]) == ([], None, None)


@ON_BOTH
def test_solving_move_by_move(visitor: Visitor, today: PublishedPuzzle) -> None:
    line = today.proof.main_line()
    for ply in range(0, len(line), 2):
        answer = visitor.play(visitor.puzzle(), line[ply]).json
        assert answer is not None
        if ply + 1 < len(line):
            assert answer["verdict"] == "continue"
            assert (answer["reply"]["move"], answer["ply"]) == (line[ply + 1], ply + 2)
            assert (answer["solution"], answer["streak"], answer["share"]) == (None, None, None)
            assert "is right." in answer["message"]
    assert answer is not None
    assert (answer["verdict"], answer["state"], answer["streak"], answer["legal"]) == (
        "solved",
        "solved",
        1,
        [],
    )
    assert answer["played"]["move"] == line[-1]
    assert "wins." in answer["message"]
    assert "Solved on the first attempt. Streak 1." in answer["message"]


def test_a_move_may_be_typed_in_other_ways(app: Flask, today: PublishedPuzzle) -> None:
    """As it is printed, without a hyphen, and in the capitals that phones like to begin with."""
    key = today.proof.key
    for number, typed in enumerate((key.replace("-", "–"), key.replace("-", ""), key.upper())):
        somebody = Visitor(app)
        answer = somebody.play(somebody.puzzle(), typed, request_id=f"spelling-{number}").json
        assert answer is not None
        assert (answer["verdict"], answer["played"]["move"]) == ("continue", key)


def test_a_wrong_move_spends_an_attempt_and_shows_one_ply_only(
    visitor: Visitor, today: PublishedPuzzle
) -> None:
    """After a wrong move, the right one still works."""
    text, line = next(iter(today.proof.root["refuted"].items()))
    answer = visitor.play(visitor.puzzle(), text).json
    assert answer is not None
    assert (answer["verdict"], answer["attempt"], answer["ply"], answer["attempts_left"]) == (
        "wrong",
        2,
        0,
        2,
    )
    assert answer["position"] == today.position.fen()
    assert [ply["move"] for ply in answer["refutation"]] == line[:1]
    shown = text.replace("-", "–")
    assert answer["message"].startswith(f"{shown} does not win. ")
    assert f"no win in {today.moves} any more. Try again from the start." in answer["message"]
    again = visitor.play(visitor.puzzle(), today.proof.key).json
    assert again is not None
    assert (again["verdict"], again["attempt"]) == ("continue", 2)


def test_an_illegal_move_spends_nothing_and_says_why(visitor: Visitor, today: PublishedPuzzle) -> None:
    for text, words in (("hello", "“hello” is not a move."), ("e4-e4", "e4–e4 is not possible here.")):
        answer = visitor.play(visitor.puzzle(), text).json
        assert answer is not None
        assert (answer["verdict"], answer["attempts_left"], answer["attempt"]) == ("illegal", 3, 1)
        assert words in answer["message"]
        assert "No attempt is used up." in answer["message"]


@ON_BOTH
def test_the_same_request_twice_spends_one(visitor: Visitor, today: PublishedPuzzle, rows: Rows) -> None:
    """One request sent twice spends one."""
    puzzle = visitor.puzzle()
    wrong = wrong_moves(today.proof.root)[0]
    twice = [visitor.play(puzzle, wrong, request_id="the-same-request") for _ in range(2)]
    assert twice[0].json == twice[1].json
    assert rows(Attempt) == rows(MoveRequest) == 1


@ON_BOTH
def test_an_old_page_after_the_end_changes_nothing(
    visitor: Visitor, today: PublishedPuzzle, rows: Rows
) -> None:
    """The browser brings back an old page after a failure and posts a solution: 409 (lila#14490)."""
    old = visitor.puzzle()
    for text in wrong_moves(today.proof.root)[:3]:
        visitor.play(visitor.puzzle(), text)
    late = visitor.play(old, today.proof.key)
    assert late.status_code == 409
    assert late.json is not None
    assert (late.json["verdict"], late.json["state"], late.json["streak"]) == ("over", "failed", 0)
    assert "All attempts at this puzzle are spent." in late.json["message"]
    assert rows(Attempt) == 3


def test_a_stale_page_is_told_so(visitor: Visitor, today: PublishedPuzzle) -> None:
    old = visitor.puzzle()
    visitor.play(old, wrong_moves(today.proof.root)[0])
    stale = visitor.play(old, wrong_moves(today.proof.root)[1])
    assert stale.status_code == 409
    assert stale.json is not None
    assert stale.json["error"]["code"] == "stale"


@ON_BOTH
def test_twenty_wrong_moves_at_once_spend_three_attempts(
    app: Flask, visitor: Visitor, today: PublishedPuzzle, rows: Rows
) -> None:
    """Twenty wrong moves posted in parallel spend three attempts and no more (WebGoat#567).

    They are the very first moves of a visitor who has no cookie yet, and they still belong to one guest.
    """
    puzzle = visitor.puzzle()
    wrong = (wrong_moves(today.proof.root) * 20)[:20]
    session = visitor.cookie("dama_session")
    assert session is not None
    statuses: list[int] = []

    def post(number: int) -> None:
        twin = Visitor(app)
        twin.csrf = visitor.csrf
        twin.client.set_cookie("dama_session", session)
        statuses.append(twin.play(puzzle, wrong[number], attempt=1 + number % 3).status_code)

    threads = [threading.Thread(target=post, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counted = Counter(statuses)
    assert counted.keys() <= {200, 409}
    assert 1 <= counted[200] <= 3
    assert (rows(Player), rows(Attempt)) == (1, counted[200])


MALFORMED: list[tuple[str, dict[str, Any]]] = [
    ("attempt", {"attempt": "1"}),
    ("attempt", {"attempt": True}),
    ("attempt", {"attempt": None}),
    ("attempt", {"attempt": -1}),
    ("ply", {"ply": 1.5}),
    ("ply", {"ply": float("inf")}),
    ("ply", {"ply": 1e300}),
    ("ply", {"ply": 10**30}),
    ("move", {"move": 7}),
    ("move", {"move": ""}),
    ("move", {"move": "a" * 81}),
    ("move", {"move": "a1\x00-a2"}),
    ("move", {"move": "\ud800"}),
    ("move", {"move": ["a1-a2"]}),
    ("request_id", {"request_id": None}),
    ("request_id", {"request_id": "short"}),
    ("request_id", {"request_id": "x" * 65}),
    ("request_id", {"request_id": "' OR 1=1 --"}),
    ("mode", {"mode": "cheat"}),
    ("mode", {"mode": {}}),
    ("served", {"served": 12}),
    ("served", {"served": "x" * 201}),
    ("line", {"line": "a1-a2"}),
    ("line", {"line": ["a1-a2"] * 9}),
    ("line", {"line": [None]}),
    ("line", {"line": {}}),
    ("line", {"line": 0}),
]


def test_malformed_moves_are_refused_and_the_field_is_named(
    visitor: Visitor, today: PublishedPuzzle, rows: Rows
) -> None:
    puzzle = visitor.puzzle()
    for field, changes in MALFORMED:
        refused = visitor.play(puzzle, today.proof.key, **changes)
        assert refused.status_code == 400, (field, changes)
        assert refused.json is not None
        assert refused.json["error"]["code"] == "bad_request"
        assert refused.json["error"]["message"].startswith(f"{field}: expected"), (changes, refused.json)
    for text in ("[]", "null", "3", '"move"', "{", "", "[" * 15_000, '{"attempt": ' + "9" * 5000 + "}"):
        refused = _raw(visitor, text)
        assert refused.status_code == 400, text[:20]
        assert refused.json["error"]["code"] == "bad_request"
    assert rows(Player) == 0


def test_bodies_of_another_kind_or_size_are_refused(visitor: Visitor, today: PublishedPuzzle) -> None:
    visitor.puzzle()
    plain = _raw(visitor, "attempt=1", content_type="text/plain")
    assert (plain.status_code, plain.json["error"]["code"]) == (415, "unsupported_media_type")
    large = _raw(visitor, '{"move": "' + "x" * 20_000 + '"}')
    assert (large.status_code, large.json["error"]["code"]) == (413, "too_large")


def _raw(visitor: Visitor, text: str, content_type: str = "application/json") -> Any:
    return visitor.client.post(
        "/api/v1/puzzles/1/moves",
        data=text,
        content_type=content_type,
        headers={"X-CSRFToken": visitor.csrf},
    )


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/puzzles/1/moves", 405, "method_not_allowed"),
        ("GET", "/api/v1/puzzles/tomorrow", 404, "not_found"),
        ("GET", "/api/v2/", 404, "not_found"),
        ("POST", "/api/v1/puzzles/1/moves", 400, "csrf_failed"),
    ],
)
def test_errors_are_json_with_a_code_and_a_message(
    app: Flask, method: str, path: str, status: int, code: str
) -> None:
    answer = app.test_client().open(path, method=method)
    assert answer.status_code == status
    assert answer.json is not None
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["message"]
    assert ("Allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize("path", ["/", "/api/v1/puzzles/today"])
def test_a_locked_database_answers_503_and_a_fault_500_without_a_traceback(
    app: Flask, visitor: Visitor, today: PublishedPuzzle, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    app.testing = False
    failures = {
        503: OperationalError("SELECT secret", {}, Exception("database is locked")),
        500: KeyError("secret"),
    }
    for status, failure in failures.items():

        def fail(*args: object, failure: Exception = failure) -> None:
            raise failure

        monkeypatch.setattr(attempts, "view", fail)
        answer = visitor.client.get(path)
        assert answer.status_code == status
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert ("Retry-After" in answer.headers) == (status == 503)
        assert ("The site is busy" in answer.text) == (status == 503)
        assert answer.headers["Content-Type"].startswith("application/json" if "api" in path else "text/html")


@ON_BOTH
def test_a_server_that_is_slow_to_get_its_turn_spends_nothing(
    app: Flask, visitor: Visitor, today: PublishedPuzzle, monkeypatch: pytest.MonkeyPatch, rows: Rows
) -> None:
    puzzle = visitor.puzzle()
    request = body(puzzle, wrong_moves(today.proof.root)[0])

    def locked(*args: object, **changes: object) -> None:
        raise OperationalError("INSERT", {}, Exception("database is locked"))

    with monkeypatch.context() as patched:
        patched.setattr(attempts, "submit", locked)
        refused = visitor.send(request)
        assert (refused.status_code, refused.json["error"]["code"]) == (503, "unavailable")  # type: ignore[index]
        assert rows(Player) == rows(Attempt) == 0
    assert visitor.send(request).status_code == 200
    assert rows(Attempt) == 1


def test_a_full_disk_spends_nothing_and_is_not_called_busy(
    request: pytest.FixtureRequest, app: Flask, visitor: Visitor, today: PublishedPuzzle, rows: Rows
) -> None:
    puzzle = visitor.puzzle()
    first = body(puzzle, wrong_moves(today.proof.root)[0])
    limit = 0

    def set_limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {limit}")

    engine = app.extensions[EXTENSION].database.engine
    event.listen(engine, "connect", set_limit)
    request.addfinalizer(lambda: event.remove(engine, "connect", set_limit))
    # The file may not grow: that is what a full disk is to SQLite.
    limit = 1
    engine.dispose()
    statuses: list[int] = []
    while not statuses or (statuses[-1] == 200 and len(statuses) < 200):
        somebody = Visitor(app)
        page = somebody.puzzle()
        answer = somebody.play(page, wrong_moves(today.proof.root)[0])
        statuses.append(answer.status_code)
    assert statuses[-1] == 503
    assert answer.json is not None
    assert answer.json["error"] == {
        "code": "unavailable",
        "message": "Nothing can be saved right now. "
        "Nothing is lost and nothing is spent. Please try again later.",
    }
    assert answer.headers["Retry-After"] == "300"
    before = rows(Attempt)
    typed = somebody.type(wrong_moves(today.proof.root)[0])
    assert typed.status_code == 503
    assert "Nothing can be saved right now" in typed.text
    assert "busy" not in typed.text
    assert somebody.client.get("/").status_code == 200, "reading goes on"
    assert rows(Attempt) == before
    limit = 1_000_000
    engine.dispose()
    assert visitor.send(first).status_code == 200
    assert rows(Attempt) == before + 1


@pytest.mark.parametrize(
    ("cause", "cannot_save"),
    [
        (psycopg.errors.DiskFull(), True),
        (psycopg.errors.IoError(), True),
        (psycopg.errors.LockNotAvailable(), False),
        (psycopg.OperationalError("the connection is lost"), False),
        (_sqlite_error(sqlite3.SQLITE_FULL), True),
        (_sqlite_error(sqlite3.SQLITE_IOERR_WRITE), True),
        (_sqlite_error(sqlite3.SQLITE_READONLY), True),
        (_sqlite_error(sqlite3.SQLITE_BUSY), False),
        (_sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), False),
    ],
)
def test_a_database_that_cannot_save_is_told_from_one_that_is_busy(
    cause: Exception, *, cannot_save: bool
) -> None:
    assert db.cannot_save(OperationalError("INSERT", {}, cause)) is cannot_save


def test_after_the_change_of_day_an_older_puzzle_is_closed_to_who_was_not_served_it(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock
) -> None:
    puzzle = Visitor(visitor.client.application).puzzle()
    clock.now += timedelta(days=1)
    visitor.puzzle()
    refused = visitor.play(puzzle, today.proof.key, served=None)
    assert refused.status_code == 409
    assert refused.json is not None
    assert refused.json["error"]["code"] == "closed"
