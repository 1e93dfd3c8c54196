"""Playing by the form alone: typed moves, a redirect after each, verdicts in words."""

import re
from datetime import timedelta

from puzzle_service.models import Attempt, Player
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, Clock, Rows, Visitor, say, wrong_moves


def test_solved_by_typing(visitor: Visitor, today: PublishedPuzzle) -> None:
    line = today.proof.main_line()
    for ply in range(0, len(line), 2):
        sent = visitor.type(line[ply])
        assert (sent.status_code, sent.location) == (303, "/")
        page = visitor.open("/")
        if ply + 1 < len(line):
            assert "is right." in say(page)
            assert line[ply + 1].replace("-", "–").replace("x", "×") in say(page)
    assert "wins." in say(page)
    assert "Solved on the first attempt. Streak 1." in say(page)
    assert 'id="typed"' not in page
    assert "Solved on the first attempt." in say(visitor.open("/")), "the verdict is said once"


def test_the_board_is_an_image_of_the_position_with_words_for_it(
    visitor: Visitor, today: PublishedPuzzle
) -> None:
    before = visitor.open("/")
    image = re.search(r'<svg[^>]* role="img" aria-label="([^"]+)"', before)
    assert image
    for color in ("White", "Black"):
        assert f"{color}: " in image[1]
    pieces = today.position.white_men | today.position.white_kings
    pieces |= today.position.black_men | today.position.black_kings
    assert len(re.findall(r"\b[a-h][1-8]\b", image[1])) == pieces.bit_count()
    assert before.count('class="piece ') == pieces.bit_count()
    visitor.type(today.proof.key)
    assert image[1] not in visitor.open("/")


def test_a_wrong_move_is_refuted_in_words(visitor: Visitor, today: PublishedPuzzle) -> None:
    text, line = next(iter(today.proof.root["refuted"].items()))
    visitor.type(text)
    page = visitor.open("/")
    words = say(page)
    assert f"{text.replace('-', '–')} does not win." in words
    assert f"answers {line[0].replace('-', '–').replace('x', '×')}" in words
    assert "2 attempts left" in page
    assert page.count("#pip-used") == 1


@ON_BOTH
def test_a_form_sent_twice_costs_what_one_costs(visitor: Visitor, today: PublishedPuzzle, rows: Rows) -> None:
    page = visitor.open("/")
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    fields["move"] = wrong_moves(today.proof.root)[0]
    for _ in range(2):
        assert visitor.client.post("/p/1/moves", data=fields).status_code == 303
    assert (rows(Player), rows(Attempt)) == (1, 1)
    assert "does not win." in say(visitor.open("/"))


def test_an_old_form_is_told_so_and_shown_the_present(visitor: Visitor, today: PublishedPuzzle) -> None:
    page = visitor.open("/")
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    wrong = wrong_moves(today.proof.root)
    visitor.type(wrong[0])
    sent = visitor.client.post("/p/1/moves", data=fields | {"move": wrong[1]})
    assert sent.status_code == 303
    assert "This page was out of date." in say(visitor.open(sent.location))


def test_a_malformed_form_is_a_plain_page(visitor: Visitor, today: PublishedPuzzle) -> None:
    visitor.open("/")
    good = {
        "csrf_token": visitor.csrf,
        "attempt": "1",
        "ply": "0",
        "request_id": "a-request",
        "mode": "daily",
    }
    for field, value in (
        ("attempt", "one"),
        ("ply", "²"),
        ("move", ""),
        ("mode", "cheat"),
        ("request_id", ""),
    ):
        refused = visitor.client.post("/p/1/moves", data={**good, "move": "a1-a2", field: value})
        assert refused.status_code == 400, field
        assert "This request could not be read" in refused.text


def test_practice_by_typing_keeps_the_line_in_the_address(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock, rows: Rows
) -> None:
    clock.now += timedelta(days=1)
    line = today.proof.main_line()
    path = "/p/1"
    for ply in range(0, len(line), 2):
        sent = visitor.type(line[ply], path)
        assert sent.status_code == 303
        path = sent.location
    assert "wins." in say(visitor.open(path))
    assert "Solved." in say(visitor.open(path))
    assert 'href="/p/1">Back to the start' in visitor.open(path)
    assert visitor.type(wrong_moves(today.proof.root)[0], "/p/1").location == "/p/1"
    assert "does not win." in say(visitor.open("/p/1"))
    assert (rows(Player), rows(Attempt)) == (0, 0)


def test_a_line_somebody_makes_up_shows_the_start_and_tells_nothing(
    visitor: Visitor, today: PublishedPuzzle, clock: Clock
) -> None:
    clock.now += timedelta(days=1)
    for line in ("a1-h8", ",,,", "x" * 3000, "%00", today.proof.key + ",a1-h8"):
        assert visitor.puzzle(f"/p/1?line={line}")["position"] == today.position.fen(), line
    text, refutation = next(iter(today.proof.root["refuted"].items()))
    followed = visitor.puzzle(f"/p/1?line={text},{refutation[0]}")
    assert followed["ply"] == 2
    if followed["legal"]:
        refused = visitor.play(followed, followed["legal"][0]["move"])
        assert refused.status_code == 400
        assert refused.json is not None
        assert refused.json["error"]["code"] == "bad_line"
