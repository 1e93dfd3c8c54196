"""What the computer does in visitors' games: moves, hints, answers; and what is said when it cannot."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import pytest
from flask import Flask

from dama import Game
from dama.levels import LEVELS
from dama.reasons import REASONS
from puzzle_service.models import Player, RateLimit
from puzzle_service.searching import Answer, Kind, Refusal, Searches, SearchRefused
from puzzle_service.settings import Limits, limit
from puzzle_service.web import game_requests, openapi, reasons
from tests.searches import process
from tests.web.conftest import MakeSite, Rows, Visitor
from tests.web.test_games import post, refused
from tests.web.test_openapi import conforms

ENDED = "W:WKa1:BKh8"
NUMBERS = {"moves": 3, "taken": 4, "given": 2, "steps": 5, "squares": 9, "before": 6, "depth": 8}


@dataclass(frozen=True)
class Stub(Searches):
    """Searches that find what they are told to, or are refused; they keep what was asked."""

    answer: Answer = field(default_factory=dict)
    why: Refusal | None = None
    asked: list[Answer] = field(default_factory=list)

    def ask(self, kind: Kind, **what: Any) -> Answer:
        self.asked.append({"kind": kind, **what})
        if self.why is not None:
            raise SearchRefused(self.why)
        return self.answer


def move(text: str) -> Answer:
    game = Game.from_fen("W:Wa2,c3:Bh7,h6")
    return {"move": dict(game.position.parse_move(text).json()), "line": [text], "took": 5}


def test_the_search_gets_the_game_the_level_and_the_seed(make_site: MakeSite, tmp_path: Path) -> None:
    searches = Stub(tmp_path, move("c3-c4") | {"score": 12, "mate": None})
    start = "W:Wa2,c3:Bh7,h6"
    answer = post(Visitor(make_site(searches=searches)), "engine", start=start, level="hard", seed=7)
    assert answer.json == searches.answer
    assert searches.asked == [
        {"kind": "engine", "rules": "turkish", "start": start, "moves": (), "level": "hard", "seed": 7}
    ]


def test_the_levels_are_the_engines_but_for_that_of_hints() -> None:
    assert (*get_args(game_requests.Level), "master") == tuple(LEVELS)


@pytest.mark.parametrize(
    ("what", "body", "status", "code"),
    [
        ("engine", {"level": "master"}, 400, "bad_request"),
        ("engine", {}, 400, "bad_request"),
        ("engine", {"level": "hard", "seed": -1}, 400, "bad_request"),
        ("engine", {"level": "hard", "moves": ["a1-a2"]}, 400, "illegal_move"),
        ("engine", {"level": "hard", "start": ENDED}, 409, "over"),
        ("hint", {"start": ENDED}, 409, "over"),
        ("hint", {"moves": ["c3-c4"] * 601}, 422, "too_long"),
        ("draw", {"ended": {"agreed": True}}, 409, "over"),
        ("draw", {"side": "white"}, 400, "bad_request"),
    ],
)
def test_what_cannot_be_searched_never_is(
    make_site: MakeSite, what: str, body: Answer, status: int, code: str, tmp_path: Path
) -> None:
    searches = Stub(tmp_path)
    assert refused(Visitor(make_site(searches=searches)), what, **body)[:2] == (status, code)
    assert searches.asked == []


@pytest.mark.parametrize("why", get_args(Refusal))
def test_who_cannot_be_served_now_is_told_when_to_come_back(
    make_site: MakeSite, why: Refusal, tmp_path: Path
) -> None:
    visitor = Visitor(make_site(searches=Stub(tmp_path, why=why)))
    answer = post(visitor, "engine", level="easy")
    assert answer.status_code == 503
    told = conforms(openapi.document(), answer, "/api/v1/games/engine", "post")
    assert told["error"]["code"] == f"engine_{why}"
    assert 0 < int(answer.headers["Retry-After"]) <= 10
    assert "Set-Cookie" not in answer.headers


def test_who_opens_the_page_to_play_on_has_the_engine_started(make_site: MakeSite, tmp_path: Path) -> None:
    searches = Stub(tmp_path)
    visitor = Visitor(make_site(searches=searches))
    visitor.open("/")
    assert not searches.is_wanted
    visitor.open("/play")
    assert searches.is_wanted


def test_a_site_without_the_engine_says_so(make_site: MakeSite) -> None:
    assert refused(Visitor(make_site()), "hint")[:2] == (503, "no_engine")


def test_a_hint_comes_with_its_reason_in_the_readers_language(make_site: MakeSite, tmp_path: Path) -> None:
    reason = {"code": "takes_for", "values": {"taken": 3, "given": 1}}
    visitor = Visitor(make_site(searches=Stub(tmp_path, move("c3-c4") | {"reason": reason})))
    answer = post(visitor, "hint").json
    assert answer is not None
    assert answer["reason"] == {"code": "takes_for", "text": "It takes 3 for 1."}
    assert answer["move"]["move"] == "c3-c4"


def test_every_reason_has_its_sentence(words: Flask) -> None:
    values = NUMBERS | {"square": "d4", "file": "d"}
    with words.test_request_context():
        for code, template in REASONS.items():
            assert reasons.reason(code, values) == template.format(**values)


@pytest.mark.parametrize(
    ("accepted", "text"),
    [(True, "The computer agrees to a draw."), (False, "The computer wants to play on.")],
)
def test_an_offer_is_answered_in_words(
    make_site: MakeSite, accepted: bool, text: str, tmp_path: Path
) -> None:
    searches = Stub(tmp_path, {"accepted": accepted, "took": 3})
    assert post(Visitor(make_site(searches=searches)), "draw", moves=["c3-c4"], side="W").json == {
        "accepted": accepted,
        "text": text,
    }
    assert searches.asked[0]["side"] == "W"


def test_searches_are_counted_for_all_kinds_together_and_nothing_else_is_kept(
    make_site: MakeSite, rows: Rows, tmp_path: Path
) -> None:
    searches = Stub(tmp_path, {"accepted": True})
    visitor = Visitor(make_site(searches=searches, limits=Limits(engine=limit("2 per minute"))))
    asked = [post(visitor, "draw").status_code, post(visitor, "draw").status_code]
    answer = post(visitor, "hint")
    assert [*asked, answer.status_code] == [200, 200, 429]
    assert int(answer.headers["Retry-After"]) <= 60
    assert len(searches.asked) == 2
    assert (rows(Player), rows(RateLimit)) == (0, 1)


def test_what_becomes_of_searches_is_counted(make_site: MakeSite, tmp_path: Path) -> None:
    token = "for those who collect: 32 characters"  # noqa: S105
    visitor = Visitor(make_site(searches=Stub(tmp_path, why="busy"), metrics_token=token))
    post(visitor, "engine", level="easy")
    told = visitor.client.get("/metrics", headers={"Authorization": f"Bearer {token}"}).text
    assert 'dama_searches_total{kind="engine",outcome="busy"} 1.0\n' in told
    assert "dama_searches_running 0.0\n" in told


def test_the_engine_itself_moves_hints_and_answers(make_site: MakeSite) -> None:
    with process(most=1) as engine:
        visitor = Visitor(make_site(searches=engine.searches))
        start = "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"

        def ask(what: str, **body: object) -> Answer:
            path = f"/api/v1/games/{what}"
            return conforms(openapi.document(), post(visitor, what, start=start, **body), path, "post")

        found = ask("engine", level="medium")
        assert (found["move"]["move"], found["mate"]) == ("b7-b8", 2)
        assert found["line"][0] == "b7-b8"
        assert ask("engine", level="medium") | {"took": 0} == found | {"took": 0}
        assert ask("hint")["reason"]["code"] == "wins_by_force"
        assert [ask("draw", side=side)["accepted"] for side in "BW"] == [True, False]
        assert visitor.client.get("/").status_code == 200
