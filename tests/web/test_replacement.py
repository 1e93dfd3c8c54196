"""A page that still shows a puzzle which an admin has replaced."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest

from puzzle_service.db import Database
from puzzle_service.models import Attempt, MoveRequest
from puzzle_service.services import amendments
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from tests.web.conftest import ON_BOTH, Clock, Publish, Rows, Visitor, body, say, wrong_moves

pytestmark = ON_BOTH

Replace = Callable[[], PublishedPuzzle]


@pytest.fixture
def replace(database: Database, settings: Settings, publish: Publish, clock: Clock) -> Replace:
    """A function that replaces the first puzzle and returns the new one."""

    def replaced() -> PublishedPuzzle:
        with database.write.begin() as session:
            amendments.replace(session, 1, "ayşe", clock.now, "two keys", settings)
        return publish()

    return replaced


def test_a_page_that_shows_a_replaced_puzzle_is_stale_and_spends_nothing(
    visitor: Visitor, today: PublishedPuzzle, replace: Replace, rows: Rows
) -> None:
    old = visitor.puzzle()
    new = replace()
    assert new.puzzle_id != today.puzzle_id
    for move in (today.proof.key, new.proof.key, wrong_moves(new.proof.root)[0], "nonsense"):
        refused = visitor.play(old, move)
        assert refused.status_code == 409, move
        assert refused.json["error"] == {  # type: ignore[index]
            "code": "stale",
            "message": "This page is out of date. Load it again to go on.",
        }
    assert rows(Attempt) == rows(MoveRequest) == 0
    fresh = visitor.puzzle()
    assert (fresh["position"], fresh["attempts_left"]) == (new.position.fen(), 3)
    assert visitor.play(fresh, new.proof.key).json["verdict"] == "continue"  # type: ignore[index]
    assert visitor.play(old, today.proof.key).status_code == 409, "another tab still shows the old one"


def test_a_form_of_a_replaced_puzzle_is_told_so_and_shows_the_new_one(
    visitor: Visitor, today: PublishedPuzzle, replace: Replace, rows: Rows
) -> None:
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', visitor.open("/")))
    replace()
    sent = visitor.client.post("/p/1/moves", data=fields | {"move": today.proof.key})
    page = visitor.open(sent.location)
    assert say(page) == "This page was out of date. Here is how the puzzle stands now."
    assert "3 attempts left" in page
    assert rows(Attempt) == 0


def test_a_move_answered_before_the_replacement_and_sent_again_is_stale(
    visitor: Visitor, today: PublishedPuzzle, replace: Replace, rows: Rows
) -> None:
    request = body(visitor.puzzle(), wrong_moves(today.proof.root)[0])
    assert visitor.send(request).status_code == 200
    replace()
    again = visitor.send(request)
    assert (again.status_code, again.json["error"]["code"]) == (409, "stale")  # type: ignore[index]
    assert rows(Attempt) == 1
    assert visitor.puzzle()["attempts_left"] == 3


def test_without_its_token_a_page_is_judged_by_what_the_browser_was_served_last(
    visitor: Visitor, today: PublishedPuzzle, replace: Replace
) -> None:
    old = visitor.puzzle()
    new = replace()
    assert visitor.play(old, new.proof.key, served=None).status_code == 409
    visitor.open("/")
    assert visitor.play(old, new.proof.key, served=None).status_code == 200


def test_practice_of_a_replaced_puzzle_is_stale(
    visitor: Visitor, today: PublishedPuzzle, replace: Replace, clock: Clock
) -> None:
    clock.now += timedelta(days=1)
    old = visitor.puzzle("/p/1")
    replace()
    refused = visitor.play(old, today.proof.key)
    assert (refused.status_code, refused.json["error"]["code"]) == (409, "stale")  # type: ignore[index]
    fresh = visitor.puzzle("/p/1")
    assert fresh["mode"] == "practice"
    assert visitor.play(fresh, wrong_moves(today.proof.root)[0]).status_code == 200


def test_a_page_that_shows_the_puzzle_of_its_number_is_not_stale(
    visitor: Visitor, today: PublishedPuzzle
) -> None:
    puzzle = visitor.puzzle()
    assert visitor.play(puzzle, today.proof.key).status_code == 200
