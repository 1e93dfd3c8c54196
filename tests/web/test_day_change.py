"""What happens around midnight, as it went wrong elsewhere."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from puzzle_service.models import Attempt
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, Clock, Publish, Rows, Visitor, say, wrong_moves

pytestmark = ON_BOTH

MIDNIGHT = datetime(2026, 11, 30, 21, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
GRACE = timedelta(hours=3)


@pytest.fixture
def clock() -> Clock:
    """A clock two minutes before midnight in Istanbul."""
    return Clock(MIDNIGHT - 2 * MINUTE)


def _finish(visitor: Visitor, puzzle: dict[str, Any], published: PublishedPuzzle) -> None:
    """Play the main line from a page that is never loaded again."""
    line = published.proof.main_line()
    for ply in range(0, len(line), 2):
        answer = visitor.play(puzzle, line[ply], ply=ply).json
        assert answer is not None
        assert answer["verdict"] in ("continue", "solved"), answer
    assert answer is not None
    assert answer["verdict"] == "solved"


def test_solved_at_23_58_and_the_next_at_00_01_count_both(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock, publish: Publish
) -> None:
    _finish(visitor, visitor.puzzle(), today)
    clock.now = MIDNIGHT + MINUTE
    puzzle = visitor.puzzle()
    assert (puzzle["number"], puzzle["state"]) == (2, "open")
    _finish(visitor, puzzle, publish())
    assert 'id="streak">2<' in visitor.open("/")


def test_begun_at_23_59_and_finished_at_00_02_is_credited_to_the_old_day(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock
) -> None:
    """The new day is fresh with three attempts (sanuli#7, wordle-it#53)."""
    puzzle = visitor.puzzle()
    visitor.play(puzzle, wrong_moves(today.proof.root)[0])
    clock.now = MIDNIGHT + 2 * MINUTE
    assert "Monday, 30 November: can still be finished" in visitor.open("/me")
    _finish(visitor, puzzle | {"attempt": 2}, today)
    fresh = visitor.puzzle("/")
    assert (fresh["number"], fresh["attempt"], fresh["attempts_left"], fresh["state"]) == (2, 1, 3, "open")
    page = visitor.open("/me")
    assert "Monday, 30 November: solved, 2 attempts" in page
    assert "Tuesday, 1 December: still open" in page


def test_who_was_served_before_midnight_finds_the_puzzle_again_until_the_grace_period_ends(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock, rows: Rows
) -> None:
    """A page loaded again, or none of JavaScript, loses nothing."""
    visitor.open("/")
    clock.now = MIDNIGHT + MINUTE
    assert visitor.puzzle("/")["number"] == 2
    old = visitor.puzzle("/p/1")
    assert (old["mode"], old["state"], old["attempts_left"]) == ("daily", "open", 3)
    for text in today.proof.main_line()[::2]:
        sent = visitor.type(text, "/p/1")
        assert sent.status_code == 303
    page = visitor.open(sent.location)
    assert "wins." in say(page)
    assert 'id="streak">1<' in page
    assert rows(Attempt) == 1
    assert visitor.puzzle("/p/1")["mode"] == "practice"


def test_after_the_grace_period_the_old_puzzle_is_practice(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock
) -> None:
    puzzle = visitor.puzzle()
    clock.now = MIDNIGHT + GRACE + MINUTE
    refused = visitor.play(puzzle, today.proof.key)
    assert refused.status_code == 409
    assert refused.json is not None
    assert refused.json["error"]["code"] == "closed"
    assert visitor.puzzle("/p/1")["mode"] == "practice"


def test_a_token_from_after_midnight_or_of_another_puzzle_opens_no_old_day(
    app_visitors: tuple[Visitor, Visitor], today: PublishedPuzzle, clock: Clock
) -> None:
    early, late = app_visitors
    honest = early.puzzle()["served"]
    puzzle = early.puzzle()
    clock.now = MIDNIGHT + MINUTE
    new_day = late.puzzle("/")["served"]
    for served in (new_day, honest[:-1], "x", ""):
        refused = late.play(puzzle, today.proof.key, served=served)
        assert refused.status_code == 409, served
    assert late.play(puzzle, today.proof.key, served=honest).status_code == 200


def test_yesterdays_puzzle_is_practised_by_nobody_who_can_still_finish_it(
    app_visitors: tuple[Visitor, Visitor], today: PublishedPuzzle, clock: Clock
) -> None:
    """Practice would give the key away, to a player or to his second cookie; neither JSON nor form do."""
    player, stranger = app_visitors
    puzzle = player.puzzle()
    for now in (MIDNIGHT - MINUTE, MIDNIGHT + MINUTE, MIDNIGHT + GRACE):
        clock.now = now
        stranger.puzzle("/")
        for somebody in (player, stranger):
            for move in (today.proof.key, wrong_moves(today.proof.root)[0]):
                refused = somebody.play(puzzle, move, mode="practice", line=[])
                assert (refused.status_code, refused.json["error"]["code"]) == (409, "not_yet")  # type: ignore[index]
                form = {"csrf_token": somebody.csrf, "attempt": "1", "ply": "0", "mode": "practice"}
                form |= {"move": move, "request_id": "by-the-form", "line": ""}
                sent = somebody.client.post("/p/1/moves", data=form)
                assert sent.location == "/p/1"
                page = somebody.client.get("/p/1", follow_redirects=True).text
                assert "This puzzle can still be solved for its day." in page
    newcomer = Visitor(player.client.application)
    assert "Puzzle 1 is still being finished" in newcomer.open("/p/1")
    assert "Everybody can practise it from 03:00 Istanbul." in newcomer.open("/p/1?line=a1-a2")
    assert 'id="puzzle"' not in newcomer.open("/p/1")
    clock.now = MIDNIGHT + GRACE + MINUTE
    for somebody in (*app_visitors, newcomer):
        assert somebody.puzzle("/p/1")["mode"] == "practice"
        assert somebody.play(puzzle, today.proof.key, mode="practice", line=[]).status_code == 200


@pytest.fixture
def app_visitors(visitor: Visitor) -> tuple[Visitor, Visitor]:
    """Two people at one site."""
    return visitor, Visitor(visitor.client.application)


def test_the_page_tells_the_servers_time_and_the_next_change_of_day(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock
) -> None:
    """The browser's own clock changes nothing (antfu/handle#62)."""
    page = visitor.open("/")
    found = re.search(r'data-now="([^"]+)" data-next="([^"]+)"', page)
    assert found
    assert found.groups() == ("2026-11-30T20:58:00Z", "2026-11-30T21:00:00Z")
    assert "new puzzle at 00:00 Istanbul" in page


def test_days_solved_before_and_today_still_open_keep_the_streak(
    visitor: Visitor, clock: Clock, publish: Publish
) -> None:
    """Five days solved, today still open: the streak reads 5, not 0 (pawn-appetit#376)."""
    for _ in range(5):
        _finish(visitor, visitor.puzzle(), publish())
        clock.now += timedelta(days=1)
    page = visitor.open("/")
    assert 'id="streak">5<' in page
    assert "Streak 5, today still open" in page
