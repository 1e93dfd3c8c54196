"""The pages that players see."""

import re
from datetime import timedelta

from flask import Flask

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.models import Attempt, MoveRequest, Player, Publication, Puzzle
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, Clock, MakeSite, Rows, Visitor, say, wrong_moves

DAY = timedelta(days=1)


@ON_BOTH
def test_the_first_visitor_publishes_when_nobody_has(visitor: Visitor, rows: Rows) -> None:
    assert rows(Publication) == 0
    page = visitor.open("/")
    assert rows(Publication) == 1
    assert "Puzzle 1 · Monday, 30 November" in page
    assert re.search(r"(White|Black) to move: win in [23]", page)
    visitor.open("/")
    assert rows(Publication) == 1


def test_without_a_puzzle_the_page_is_friendly_and_the_api_says_so(
    make_site: MakeSite,
) -> None:
    visitor = Visitor(make_site())
    assert "No puzzle today" in visitor.open("/")
    assert "streak is safe" in visitor.open("/")
    answer = visitor.client.get("/api/v1/puzzles/today")
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "no_puzzle")  # type: ignore[index]


def test_with_the_clock_set_back_pages_go_on_and_nothing_is_published(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock, rows: Rows
) -> None:
    clock.now -= 2 * DAY
    assert "No puzzle today" in visitor.open("/")
    assert visitor.client.get("/p/1").status_code == 404
    assert visitor.client.get("/me").status_code == 200
    assert rows(Publication) == 1
    clock.now += 2 * DAY
    assert visitor.puzzle("/")["number"] == 1


def test_progress_inside_an_attempt_survives_a_reload(visitor: Visitor, today: PublishedPuzzle) -> None:
    puzzle = visitor.puzzle()
    answer = visitor.play(puzzle, today.proof.key).json
    assert answer is not None
    again = visitor.puzzle()
    assert again["ply"] == 2
    assert again["position"] == answer["position"] != puzzle["start"]
    assert [ply["move"] for ply in again["line"]] == today.proof.main_line()[:2]
    assert again["legal"] == answer["legal"]
    assert "Right so far." in visitor.open("/")


@ON_BOTH
def test_a_future_number_answers_byte_for_byte_like_one_that_does_not_exist(
    app: Flask, today: PublishedPuzzle, database: Database, stock: list[Record], clock: Clock
) -> None:
    """A future day's address answers exactly like one that does not exist (duotrigordle#157)."""
    with database.write.begin() as session:
        used = session.query(Publication.puzzle_id)
        free = session.query(Puzzle).where(Puzzle.id.not_in(used)).first()
        assert free is not None
        tomorrow = today.day + DAY
        session.add(
            Publication(
                day=tomorrow, number=2, puzzle_id=free.id, swapped=False, published_at=clock.now, alarm=False
            )
        )
    for path in ("/p/{}", "/p/{}?line=a1-a2", "/p/{}?result=1"):
        assert _answer(app, "GET", path.format(2)) == _answer(app, "GET", path.format(777))
        assert _answer(app, "GET", path.format(2))[0] == 404
    for path in ("/p/{}/moves", "/api/v1/puzzles/{}/moves"):
        visitor = Visitor(app)
        visitor.open("/")
        sent = [visitor.send({**_any_move(), "request_id": f"future-{n}"}, n) for n in (2, 777, 10**30)]
        assert {one.status_code for one in sent} == {404}
        assert len({one.data for one in sent}) == 1
        assert _answer(app, "GET", path.format(2)) == _answer(app, "GET", path.format(777))
    clock.now += DAY
    assert _answer(app, "GET", "/p/2")[0] == 302


def _any_move() -> dict[str, object]:
    return {"attempt": 1, "ply": 0, "move": "a1-a2"}


def _answer(app: Flask, method: str, path: str) -> tuple[int, bytes, list[tuple[str, str]]]:
    response = app.test_client().open(path, method=method)
    del response.headers["X-Request-ID"]  # every answer has its own
    return response.status_code, response.data, sorted(response.headers)


@ON_BOTH
def test_a_number_too_large_for_a_database_is_not_found(visitor: Visitor) -> None:
    assert visitor.client.get(f"/p/{10**25}").status_code == 404


def test_todays_number_leads_to_the_front_page_until_its_end_and_to_practice_after(
    visitor: Visitor, today: PublishedPuzzle
) -> None:
    redirected = visitor.client.get("/p/1")
    assert (redirected.status_code, redirected.location) == (302, "/")
    for text in wrong_moves(today.proof.root)[:3]:
        visitor.play(visitor.puzzle(), text)
    assert visitor.puzzle("/")["state"] == "failed"
    practice = visitor.puzzle("/p/1")
    assert (practice["mode"], practice["state"], practice["solution"]) == ("practice", "open", None)


@ON_BOTH
def test_practice_writes_nothing(visitor: Visitor, today: PublishedPuzzle, clock: Clock, rows: Rows) -> None:
    clock.now += DAY
    puzzle = visitor.puzzle("/p/1")
    assert (puzzle["mode"], puzzle["number"]) == ("practice", 1)
    wrong = visitor.play(puzzle, wrong_moves(today.proof.root)[0]).json
    assert wrong is not None
    assert (wrong["verdict"], wrong["state"], wrong["streak"]) == ("wrong", "open", None)
    line: list[str] = []
    for ply, text in enumerate(today.proof.main_line()):
        if ply % 2 == 0:
            answer = visitor.play(puzzle, text, line=line, ply=ply).json
            assert answer is not None
            assert answer["verdict"] in ("continue", "solved")
        line.append(text)
    assert answer is not None
    assert answer["state"] == "solved"
    assert [move["move"] for move in answer["solution"]] == today.proof.main_line()
    assert [rows(table) for table in (Player, Attempt, MoveRequest)] == [0, 0, 0]
    assert visitor.cookie("dama_player") is None


def test_practice_of_todays_puzzle_is_refused_before_the_end(
    visitor: Visitor, today: PublishedPuzzle
) -> None:
    refused = visitor.play(visitor.puzzle(), today.proof.key, mode="practice", line=[])
    assert refused.status_code == 409
    assert refused.json is not None
    assert refused.json["error"]["code"] == "not_yet"
    assert "reply" not in refused.json


def test_the_record_shows_streak_weeks_and_attempts(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock
) -> None:
    assert "Nothing here yet" in visitor.open("/me")
    visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0])
    _solve(visitor, today)
    page = visitor.open("/me")
    assert re.search(r"<b>1</b><span>streak</span>", page)
    assert re.search(r"<b>1</b><span>best streak</span>", page)
    assert "Monday, 30 November: solved, 2 attempts" in page
    assert page.count('<td class="day') == 35
    bars = re.findall(r'<progress max="1" value="(\d)" aria-label="([^"]+)"', page)
    assert bars == [
        ("0", "Solved on the first attempt"),
        ("1", "Solved on the second attempt"),
        ("0", "Solved on the third attempt"),
        ("0", "Not solved"),
    ]
    clock.now += DAY
    assert 'href="/p/1"' in visitor.open("/me")
    assert re.search(r'id="streak">1<', visitor.open("/"))


def test_the_result_to_share_reads_well_and_gives_nothing_away(
    visitor: Visitor, today: PublishedPuzzle
) -> None:
    """A shared result reads well aloud, and gives nothing away (wa11y.co#16)."""
    visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0])
    assert visitor.puzzle()["share"] is None
    _solve(visitor, today)
    text = visitor.puzzle()["share"]
    assert text == "Dama puzzle 1: solved on attempt 2 of 3 ✗✓\nhttp://localhost/p/1"
    squares = {ply[:2] for ply in today.proof.main_line()}
    assert not [square for square in squares if square in text]


def test_what_is_shown_after_three_failures_is_the_proofs_solution(
    visitor: Visitor, today: PublishedPuzzle
) -> None:
    """After three wrong moves the solution shown is the proof's, not the player's own moves."""
    wrong = wrong_moves(today.proof.root)[:3]
    answers = [visitor.play(visitor.puzzle(), text).json for text in wrong]
    assert [answer["attempts_left"] for answer in answers if answer] == [2, 1, 0]
    assert [answer["solution"] is None for answer in answers if answer] == [True, True, False]
    page = visitor.open("/")
    shown = re.search(r'id="solution-line">(.*?)</ol>', page)
    assert shown
    line = [move.replace("-", "–").replace("x", "×") for move in today.proof.main_line()]
    assert re.findall(r"<li>(.*?)</li>", shown[1]) == line
    assert "Not solved this time." in say(page)


def _solve(visitor: Visitor, published: PublishedPuzzle) -> None:
    for text in published.proof.main_line()[::2]:
        visitor.play(visitor.puzzle(), text)
    assert visitor.puzzle()["state"] == "solved"
