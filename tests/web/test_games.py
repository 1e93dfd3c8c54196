"""The interface to games that the site does not keep: how they stand, and what is no game."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from werkzeug.test import TestResponse

from dama import Game
from dama.squares import rank_of
from puzzle_service.models import Player, RateLimit
from puzzle_service.services import games
from puzzle_service.settings import Limits, Settings, limit
from puzzle_service.web import create_app, turns
from puzzle_service.web.site import EXTENSION
from tests.conftest import NOON, SECRET
from tests.web.conftest import MakeSite, Rows, Visitor

Json = dict[str, Any]
OFTEN = Limits(games=limit("100000 per minute"))
LONGEST_REQUEST_LINE = 4094
"""Bytes that the server reads of one."""
SHUFFLE = ["a1-a2", "h8-h7", "a2-a1", "h7-h8"]


@pytest.fixture(scope="module")
def player(
    migrated_sqlite: Path,
    tmp_path_factory: pytest.TempPathFactory,
    compiled_templates: FileSystemBytecodeCache,
) -> Iterator[Visitor]:
    """Somebody at a site that many tests share, for it keeps nothing of what is asked."""
    file = tmp_path_factory.mktemp("games") / "dama.sqlite3"
    shutil.copyfile(migrated_sqlite, file)
    app = create_app(Settings(f"sqlite:///{file}", secret_key=SECRET, limits=OFTEN), lambda: NOON)
    app.testing = True
    app.jinja_env.bytecode_cache = compiled_templates
    yield Visitor(app)
    app.extensions[EXTENSION].database.close()


def post(visitor: Visitor, what: str, **body: object) -> TestResponse:
    """Ask about a game, with the token of a page."""
    if not visitor.csrf:
        visitor.open("/play")
    return visitor.client.post(f"/api/v1/games/{what}", json=body, headers={"X-CSRFToken": visitor.csrf})


def state(visitor: Visitor, **game: object) -> Json:
    answer = post(visitor, "state", **game)
    assert answer.status_code == 200, answer.text
    return dict(answer.json or {})


def the_longest_game() -> Game:
    """Return a game of 600 plies, in which the kings of each side stay on the row that nobody can jump."""
    game, random = Game.from_fen("W:WKa1,Kb1:BKg8,Kh8", "turkish-classic"), Random(1)
    while len(game.moves) < games.LONGEST_GAME:
        along = [move for move in game.position.legal_moves if rank_of(move.origin) == rank_of(move.target)]
        game.play(random.choice([move for move in along if game.occurrences(game.position.play(move)) < 2]))
    return game


def refused(visitor: Visitor, what: str = "state", **game: object) -> tuple[int, str, str]:
    answer = post(visitor, what, **game)
    assert answer.json is not None
    error = answer.json["error"]
    return answer.status_code, error["code"], error["message"]


@pytest.mark.parametrize(
    ("rules", "moves"),
    [("turkish", 8), ("turkish-classic", 8), ("turkish-yoz", 8), ("italian", 7)],
)
def test_a_new_game_of_every_ruleset_has_its_first_moves(player: Visitor, rules: str, moves: int) -> None:
    found = state(player, rules=rules)
    assert len(found["legal"]) == moves
    assert (found["turn"], found["plies"], found["occurrences"], found["result"]) == ("W", 0, 1, None)
    assert found["fen"] == found["full_fen"] == found["start"]
    assert found["link"] == f"?rules={rules}"


def test_what_was_played_comes_with_the_positions_after_it_and_from_any_ply_on(player: Visitor) -> None:
    moves = ["c3c4", "d6-d5", "c4:e4"]
    found = state(player, start="W:Wc3,h2:Bd6,h7", moves=["c3c4", "d6-d5", "c4-c5"])
    assert [one["move"] for one in found["played"]] == ["c3-c4", "d6-d5", "c4-c5"]
    assert [one["fen"] for one in found["played"]][-1] == found["fen"] == "B:Wh2,c5:Bd5,h7"
    assert found["legal"][0]["captured"] == ["c5"]
    later = state(player, start="W:Wc3,h2:Bd6,h7", moves=["c3c4", "d6-d5", "c4-c5"], since=2)
    assert later["played"] == found["played"][2:]
    assert state(player, moves=[], since=600)["played"] == []
    assert refused(player, moves=moves)[:2] == (400, "illegal_move")


def test_repetition_and_the_clock_are_judged(player: Visitor) -> None:
    start = "W:WKa1,Kb1:BKg8,Kh8:H40"
    found = state(player, start=start, moves=SHUFFLE)
    assert (found["occurrences"], found["quiet_plies"], found["clock_plies"]) == (2, 44, 50)
    assert found["full_fen"] == found["fen"] + ":H44"
    assert found["start"] == start
    third = state(player, start=start, moves=SHUFFLE * 2)
    assert third["result"] == {"winner": None, "reason": "threefold"}
    assert third["legal"] == []
    by_the_clock = state(player, start="W:WKa1,Kb1:BKg8,Kh8:H46", moves=SHUFFLE)
    assert by_the_clock["result"] == {"winner": None, "reason": "no_progress"}
    nothing_repeats = state(player, rules="turkish-yoz", start="W:WKa1,Kb1:BKg8,Kh8", moves=SHUFFLE * 2)
    assert nothing_repeats["result"] is None


@pytest.mark.parametrize(
    ("ended", "result"),
    [
        ({"resigned": "W"}, {"winner": "B", "reason": "resignation"}),
        ({"resigned": "B"}, {"winner": "W", "reason": "resignation"}),
        ({"agreed": True}, {"winner": None, "reason": "agreement"}),
        (None, None),
    ],
)
def test_a_game_can_be_given_up_or_agreed_to_be_drawn(player: Visitor, ended: object, result: object) -> None:
    assert state(player, moves=["c3-c4"], ended=ended)["result"] == result


@pytest.mark.parametrize(
    ("start", "move", "notes"),
    [
        ("W:Wd5,a2:Be6,h4", "d5-d6", [("under_attack", "B", ["e6"])]),
        ("W:Wd6,a2:Bh5,h4", "d6-d7", [("one_step_from_crowning", "W", ["d7"])]),
        ("W:Wd7,a2:Bh5,h4", "d7-d8", [("a_king", "W", ["d8"])]),
        ("W:Wd5,a2:Bh5,h4", "d5-d6", []),
        ("W:Wd6,a2:Bh5,Kh4", "a2-a3", []),
        ("W:Wd7,a2:Bd6", "d7-d8", [("under_attack", "B", ["d6"]), ("a_king", "W", ["d8"])]),
        ("W:Wd6,a2:Bd7", "d6xd8", []),
    ],
)
def test_etiquette_is_announced(
    player: Visitor, start: str, move: str, notes: list[tuple[str, str, list[str]]]
) -> None:
    found = state(player, start=start, moves=[move])["notes"]
    assert [(note["code"], note["side"], note["squares"]) for note in found] == notes


def test_nothing_is_announced_before_the_first_move_but_what_stands_under_attack(player: Visitor) -> None:
    found = state(player, start="W:Wd7,a4:Ba5,h8")["notes"]
    assert [(note["code"], note["squares"]) for note in found] == [("under_attack", ["a4"])]


def test_a_link_holds_a_game_with_its_clock_its_moves_in_full_and_its_end(player: Visitor) -> None:
    sent = {"start": "W:Wc3,h2:Bd6,h7:H3", "moves": ["c3c4", "d6-d5"], "ended": {"resigned": "B"}}
    found = state(player, **sent)
    assert found["link"] == "?rules=turkish&start=W:Wh2,c3:Bd6,h7:H3&moves=c3-c4.d6-d5&ended=B"
    assert state(player)["link"] == "?rules=turkish"


def test_a_link_of_the_longest_game_fits_into_a_request_line(player: Visitor) -> None:
    start = "W:" + ":".join(
        color + ",".join(f"K{file}{rank}" for rank in ranks for file in "abcdefgh")
        for color, ranks in (("W", "12"), ("B", "78"))
    )
    stops = 31
    moves = ["a1-a2"] * games.LONGEST_GAME
    link = games.link(games.Sent("turkish-classic", start, tuple(moves)))
    # Each captured piece makes a move longer by one stop, and no more than all but one can be captured.
    length = (
        len("GET /play?rules=&start=&moves=&ended=B HTTP/1.1\r\n") + sum(map(len, link.values())) + 3 * stops
    )
    assert length < LONGEST_REQUEST_LINE


@pytest.mark.parametrize(
    ("game", "status", "code", "message"),
    [
        ({"rules": "chess"}, 400, "bad_request", "rules: 'chess'; expected one of turkish, "),
        ({"rules": None}, 400, "bad_request", "rules: expected at most 40 printable characters"),
        ({"start": "W:Wz9:Bb2"}, 400, "bad_request", "start: 'W:Wz9:Bb2' is not a position"),
        ({"start": "W:Wa8:Bb2"}, 400, "bad_request", "start: W:Wa8:Bb2 is no position of a game: white man"),
        ({"start": 7}, 400, "bad_request", "start: expected at most 200 printable characters"),
        ({"moves": "c3-c4"}, 400, "bad_request", "moves: expected a list of at most 600 moves"),
        ({"moves": ["c3-c4", 5]}, 400, "bad_request", "moves[1]: expected at most 80 printable characters"),
        ({"moves": ["c3-c4", ""]}, 400, "bad_request", "moves[1]: expected a move such as b3xb5xd5"),
        ({"moves": ["c3-c4", "c4-c5"]}, 400, "illegal_move", "moves[1]: 'c4-c5' is not legal in B:W"),
        ({"moves": ["c3-c4", "what"]}, 400, "illegal_move", "moves[1]: 'what' is not a move in B:W"),
        ({"moves": ["c3-c4"], "since": -1}, 400, "bad_request", "since: expected a whole number from 0 to"),
        ({"ended": {"resigned": "white"}}, 400, "bad_request", 'ended: expected {"resigned": "W"}, '),
        ({"ended": {"agreed": True, "resigned": "W"}}, 400, "bad_request", "ended: expected"),
        ({"ended": []}, 400, "bad_request", "ended: expected"),
        ({"moves": ["c3-c4"] * 601}, 422, "too_long", "moves: 601 plies; expected at most 600 of both sides"),
        (
            {"start": "W:WKa1:BKh8", "moves": ["a1-a2"]},
            409,
            "over",
            "moves[0]: 'a1-a2' cannot be played in W:WKa1:BKh8: the game has ended, a draw: king vs king",
        ),
        ({"start": "W:WKa1:BKh8", "ended": {"agreed": True}}, 409, "over", "ended: no draw can be agreed"),
    ],
)
def test_what_is_no_game_is_refused_with_the_part_that_is_wrong(
    player: Visitor, game: Json, status: int, code: str, message: str
) -> None:
    found = refused(player, **game)
    assert found[:2] == (status, code)
    assert found[2].startswith(message)


@pytest.mark.parametrize("body", ["[]", "null", "7", '"x"', "[" * 3000, "{", ""])
def test_a_body_that_is_no_object_is_refused(player: Visitor, body: str) -> None:
    player.open("/")
    headers = {"X-CSRFToken": player.csrf, "Content-Type": "application/json"}
    assert player.client.post("/api/v1/games/state", data=body, headers=headers).status_code == 400


def test_a_game_of_six_hundred_plies_fits_and_a_larger_body_is_told_how_much_may_come(
    player: Visitor,
) -> None:
    game = the_longest_game()
    moves = [str(move) for move in game.moves]
    found = state(player, rules="turkish-classic", start=game.start.fen(), moves=moves)
    assert (found["plies"], found["fen"]) == (games.LONGEST_GAME, game.position.fen())
    assert len(found["link"]) < LONGEST_REQUEST_LINE - len("GET /play HTTP/1.1\r\n")
    status, code, message = refused(player, moves=["c3-c4"], more="x" * 20_000)
    assert (status, code) == (413, "too_large")
    assert message.endswith("A game may take 16 KiB.")


def test_nothing_is_kept_but_the_count_of_requests(visitor: Visitor, rows: Rows) -> None:
    state(visitor, moves=["c3-c4"])
    before = visitor.client.get_cookie("dama_session")
    answer = post(visitor, "state", moves=["c3-c4"])
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    assert visitor.client.get_cookie("dama_session") == before
    assert (rows(Player), rows(RateLimit)) == (0, 1)


def test_games_are_judged_one_at_a_time_and_who_waits_too_long_is_told_to_come_back(
    player: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.01)
    player.open("/")
    with turns.turn():
        for what in ("state", "pdn", "draw"):
            answer = post(player, what)
            assert answer.status_code == 503
            assert int(answer.headers["Retry-After"]) > 0
        assert player.client.get("/").status_code == 200
    assert post(player, "state").status_code == 200
    assert refused(player, moves=["c3-c5"])[0] == 400
    assert post(player, "state").status_code == 200


def test_too_many_requests_are_told_to_come_back(make_site: MakeSite) -> None:
    somebody = Visitor(make_site(limits=Limits(games=limit("2 per minute"))))
    assert [post(somebody, "state").status_code for _ in range(3)] == [200, 200, 429]
    assert int(post(somebody, "state").headers["Retry-After"]) <= 60


def test_without_the_token_of_a_page_nothing_is_answered(app: Flask) -> None:
    answer = app.test_client().post("/api/v1/games/state", json={})
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["error"]["code"] == "csrf_failed"


def test_a_game_is_written_as_pdn_and_read_again(player: Visitor) -> None:
    sent = {"start": "W:Wc3,h2:Bd6,h7:H3", "moves": ["c3c4", "d6-d5"], "ended": {"resigned": "B"}}
    written = post(player, "pdn", **sent, headers={"White": "Ayşe"}).json
    assert written is not None
    assert '[White "Ayşe"]' in written["pdn"]
    assert written["pdn"].endswith("1. c3-c4 d6-d5 1-0\n")
    again = post(player, "pdn", pdn=written["pdn"]).json
    assert again == written
    assert (again["start"], again["ended"]) == ("W:Wh2,c3:Bd6,h7:H3", {"resigned": "B"})
    assert state(player, start=again["start"], moves=again["moves"], ended=again["ended"])["plies"] == 2


def test_a_pdn_may_leave_the_rules_open_and_keeps_what_is_said_in_it(player: Visitor) -> None:
    text = "1. 22-19 {A comment.} 10-14 1/2-1/2"
    found = post(player, "pdn", pdn=text, rules="italian").json
    assert found is not None
    assert (found["rules"], found["start"], found["moves"]) == ("italian", None, ["22-19", "10-14"])
    assert found["ended"] == {"agreed": True}
    assert "{A comment.}" in found["pdn"]
    assert found["link"] == "?rules=italian&moves=22-19.10-14&ended=draw"
    assert refused(player, "pdn", pdn=text)[:2] == (400, "bad_request")


@pytest.mark.parametrize(
    ("body", "status", "code", "message"),
    [
        ({"pdn": "1. c3-c5"}, 400, "bad_request", "pdn: line 1, column 4: 'c3-c5' is not legal in W:W"),
        ({"pdn": ""}, 400, "bad_request", "pdn: line 1, column 1: there is no game"),
        ({"pdn": 7}, 400, "bad_request", "pdn: expected a text"),
        ({"pdn": "1. c3-c4", "rules": "chess"}, 400, "bad_request", "rules: 'chess'; expected one of"),
        (
            {"pdn": '[FEN "W:WKa1:BKh8"] 1. a1-a2'},
            409,
            "over",
            "pdn: 'a1-a2' cannot be played in W:WKa1:BKh8",
        ),
        ({"moves": ["c3-c5"]}, 400, "illegal_move", "moves[0]: 'c3-c5' is not legal"),
        ({"headers": {"": "x"}}, 400, "bad_request", "headers: expected names of up to 40 letters, digits"),
        ({"headers": {"White": 1}}, 400, "bad_request", "headers.White: expected at most 100 printable"),
        ({"headers": ["White"]}, 400, "bad_request", "headers: expected an object with at most 20 members"),
    ],
)
def test_what_is_no_pdn_is_refused_with_the_place(
    player: Visitor, body: Json, status: int, code: str, message: str
) -> None:
    found = refused(player, "pdn", **body)
    assert found[:2] == (status, code)
    assert found[2].startswith(message)


def test_a_pdn_of_more_plies_than_are_followed_is_refused(player: Visitor) -> None:
    game = the_longest_game()
    text = f'[Rules "turkish-classic"][FEN "{game.start.fen()}"] ' + " ".join(map(str, game.moves))
    assert post(player, "pdn", pdn=text).status_code == 200
    one_more = f"{text} {game.position.legal_moves[0]}"
    assert refused(player, "pdn", pdn=one_more)[:2] == (422, "too_long")
