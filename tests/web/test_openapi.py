"""The OpenAPI document: valid, complete both ways, and true of every answer."""

import re
from typing import Any

import hypothesis
import pytest
import schemathesis
from flask import Flask
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate
from schemathesis.checks import CHECKS
from schemathesis.generation import GenerationMode
from sqlalchemy.exc import OperationalError
from werkzeug.test import TestResponse

from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.web import openapi, play, schemas
from tests.web.conftest import Visitor, body, wrong_moves

TODAY, MOVES = "/api/v1/puzzles/today", "/api/v1/puzzles/{number}/moves"
STATE, PDN = "/api/v1/games/state", "/api/v1/games/pdn"
DOCUMENT = "/api/v1/openapi.json"
CASES = {TODAY: 10, DOCUMENT: 10, MOVES: 60, STATE: 20, PDN: 20}
"""How many requests are made up for each address: the more there is to say in one, the more."""

Json = dict[str, Any]


@pytest.fixture
def document(visitor: Visitor) -> Json:
    found = visitor.client.get("/api/v1/openapi.json")
    assert found.status_code == 200
    assert found.json is not None
    return dict(found.json)


def conforms(document: Json, answer: TestResponse, path: str, method: str = "get") -> Json:
    """Check an answer against what the document says of its address and status, and return its JSON."""
    described = document["paths"][path][method]["responses"][str(answer.status_code)]
    content = described["content"][answer.mimetype]
    assert answer.json is not None
    OAS31Validator({**content["schema"], "components": document["components"]}).validate(answer.json)
    for name in described.get("headers", {}):
        assert name in answer.headers
    return dict(answer.json)


def test_the_document_is_valid_and_the_same_as_in_the_code(document: Json) -> None:
    validate(document)
    assert document == openapi.document()


def test_routes_and_document_agree_both_ways(app: Flask, document: Json) -> None:
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/")
    }
    described = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert routes == described
    for path, methods in document["paths"].items():
        for operation in methods.values():
            named = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))


def test_every_shape_that_is_described_is_used(document: Json) -> None:
    text = str(document)
    for kind in ("schemas", "headers"):
        for name in document["components"][kind]:
            assert f"'#/components/{kind}/{name}'" in text


def test_a_puzzle_from_its_first_position_to_its_end_is_as_described(
    visitor: Visitor, today: PublishedPuzzle, document: Json
) -> None:
    line = today.proof.main_line()
    states = []
    for ply in range(0, len(line), 2):
        conforms(document, visitor.client.get(TODAY), TODAY)
        answer = conforms(document, visitor.play(visitor.puzzle(), line[ply]), MOVES, "post")
        states.append((answer["verdict"], answer["state"]))
    assert states[-1] == ("solved", "solved")
    assert set(states[:-1]) == {("continue", "open")}
    puzzle = conforms(document, visitor.client.get(TODAY), TODAY)
    assert puzzle["solution"] is not None
    assert puzzle["share"] is not None


def test_every_verdict_is_as_described(
    app: Flask, visitor: Visitor, today: PublishedPuzzle, document: Json
) -> None:
    seen: set[str] = set()

    def play_on(somebody: Visitor, text: str, **changes: object) -> None:
        sent = somebody.send(body(somebody.puzzle(), text) | changes)
        seen.add(conforms(document, sent, MOVES, "post").get("verdict", "error"))

    old = body(visitor.puzzle(), "a1-a2")
    play_on(visitor, "nonsense")
    for text in [*today.proof.root["slow"], *wrong_moves(today.proof.root)]:
        play_on(visitor, text)
    over = visitor.send(old)
    assert over.status_code == 409
    seen.add(conforms(document, over, MOVES, "post")["verdict"])
    solver = Visitor(app)
    for ply in today.proof.main_line()[::2]:
        play_on(solver, ply)
    for text in (today.proof.key, wrong_moves(today.proof.root)[0], "nonsense"):
        play_on(solver, text, mode="practice", line=[])
    expected = set(schemas.all_of_them()["Answer"]["properties"]["verdict"]["enum"])
    assert seen == expected - (set() if today.proof.root["slow"] else {"slow"})


def test_every_refusal_is_as_described(
    app: Flask, visitor: Visitor, today: PublishedPuzzle, document: Json
) -> None:
    puzzle = visitor.puzzle()
    good = body(puzzle, wrong_moves(today.proof.root)[0])
    address = MOVES.format(number=1)
    token = {"X-CSRFToken": visitor.csrf}
    refused = {
        "stale": visitor.send(good | {"attempt": 2}),
        "not_yet": visitor.send(good | {"mode": "practice"}),
        "bad_request": visitor.send(good | {"ply": -1}),
        "csrf_failed": app.test_client().post(address, json=good),
        "not_found": visitor.send(good, 7),
        "too_large": visitor.send(good | {"more": "x" * 20_000}),
        "unsupported_media_type": visitor.client.post(address, data="attempt=1", headers=token),
    }
    for code, answer in refused.items():
        assert conforms(document, answer, MOVES, "post")["error"]["code"] == code


@pytest.mark.parametrize("failure", [500, 503])
def test_failures_are_as_described(
    app: Flask, visitor: Visitor, document: Json, monkeypatch: pytest.MonkeyPatch, failure: int
) -> None:
    app.testing = False

    def fail(*_: object) -> None:
        raise KeyError if failure == 500 else OperationalError("SELECT", {}, Exception("database is locked"))

    monkeypatch.setattr(play, "todays_puzzle", fail)
    answer = visitor.client.get(TODAY)
    assert answer.status_code == failure
    conforms(document, answer, TODAY)


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(
    ("path", "method"),
    [(TODAY, "GET"), (MOVES, "POST"), (STATE, "POST"), (PDN, "POST"), (DOCUMENT, "GET")],
)
def test_generated_requests_are_answered_as_described(
    app: Flask, visitor: Visitor, today: PublishedPuzzle, path: str, method: str, mode: GenerationMode
) -> None:
    """Statuses, types, shapes and headers are those of the document, and what it forbids is refused."""
    visitor.open("/")
    schema = schemathesis.openapi.from_wsgi(DOCUMENT, app)
    cookies = {"dama_session": visitor.cookie("dama_session")}
    statuses: set[int] = set()
    # A schema cannot say that characters must be printable.
    unfounded = ["positive_data_acceptance"]
    if path in (STATE, PDN):
        # An empty game is one: that a token is missing is told by 400 there, and ours is sent in any case.
        unfounded += ["ignored_auth", "negative_data_rejection"]

    @hypothesis.settings(
        max_examples=CASES[path],
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=schema[path][method].as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        answer = case.call_and_validate(
            headers={"X-CSRFToken": visitor.csrf},
            cookies=cookies,
            excluded_checks=CHECKS.get_by_names(unfounded),
        )
        statuses.add(answer.status_code)

    ask()
    assert statuses & ({200, 404} if mode is GenerationMode.POSITIVE else {200, 400, 404})
