"""The page of a puzzle is rendered once for all who stand alike; what is one visitor's stays his."""

import re
from datetime import timedelta

import pytest
from flask import Flask, g, request, session
from jinja2 import DictLoader

from puzzle_service.cache import Cache
from puzzle_service.db import Database
from puzzle_service.services import amendments
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from puzzle_service.web import sheets
from tests.web.conftest import Clock, MakeSite, Publish, Visitor, wrong_moves

SECRETS = re.compile(r'(?:csrf-token" content|csrf_token" value|request_id" value)="([^"]+)"')


def test_no_token_of_one_visitor_is_on_the_page_of_another(app: Flask, today: PublishedPuzzle) -> None:
    pages = [Visitor(app).open("/") for _ in range(3)]
    tokens = [set(SECRETS.findall(page)) for page in pages]
    assert [len(found) for found in tokens] == [2, 2, 2]
    assert len(set.union(*tokens)) == 6


def test_a_kept_page_is_the_page_that_would_be_made_now(
    app: Flask, today: PublishedPuzzle, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody, other = Visitor(app), Visitor(app)
    somebody.play(somebody.puzzle(), wrong_moves(today.proof.root)[0])
    for visitor, path in ((somebody, "/"), (other, "/"), (other, "/?lang=tr"), (somebody, "/"), (other, "/")):
        kept = visitor.open(path)
        with monkeypatch.context() as patched:
            patched.setitem(app.extensions, sheets.EXTENSION, Cache(0))
            made = visitor.open(path)
        assert SECRETS.sub("", kept) == SECRETS.sub("", made)
    assert "2 attempts left" in somebody.open("/")
    assert "3 deneme" in other.open("/")


def test_a_sheet_is_rendered_for_nobody(make_site: MakeSite) -> None:
    page = "{{ csrf_token() }}|{{ session.secret }}|{{ request.cookies }}|{{ g.secret }}|{{ hole('mine') }}"
    app = make_site()
    app.jinja_env.loader = DictLoader({"page.html": page})
    with app.test_request_context("/", headers={"Cookie": "dama_player=abc"}):
        session["secret"] = g.secret = "only mine"  # noqa: S105
        session["csrf_token"] = "0" * 40
        sheet = sheets.sheet("page.html", None, dict)
        token, *rest = sheet.filled({"mine": "<only mine>"}).split("|")
        assert rest == ["", "ImmutableMultiDict([])", "", "&lt;only mine&gt;"]
        assert token
        # Rendering has left this request as it was.
        assert (session["csrf_token"], g.secret) == ("0" * 40, "only mine")
        assert request.cookies["dama_player"] == "abc"


def test_a_sheet_can_be_filled_in_part_and_the_rest_later() -> None:
    sheet = sheets.Sheet(("<p>", "one", "</p><p>", "two", "</p><p>", "one", "</p>"))
    begun = sheet.partly_filled({"one": "<1>", "three": "3"})
    assert begun == sheets.Sheet(("<p>&lt;1&gt;</p><p>", "two", "</p><p>&lt;1&gt;</p>"))
    assert sheet.partly_filled({}) == sheet
    assert begun.filled({"two": "&"}) == sheet.filled({"one": "<1>", "two": "&"})
    assert begun.filled({"two": "&"}) == "<p>&lt;1&gt;</p><p>&amp;</p><p>&lt;1&gt;</p>"


def test_a_newcomer_is_shown_a_day_that_was_declared_void_since_the_page_was_kept(
    app: Flask, publish: Publish, clock: Clock, database: Database, settings: Settings
) -> None:
    publish()
    clock.now += timedelta(days=1)
    publish()
    before, unchanged = Visitor(app).open("/"), Visitor(app).open("/")
    assert SECRETS.sub("", before) == SECRETS.sub("", unchanged)
    with database.write.begin() as session:
        amendments.void(session, 1, "ayşe", clock.now, "two keys", settings)
    assert SECRETS.sub("", Visitor(app).open("/")) != SECRETS.sub("", before)


def test_how_a_puzzle_ended_for_others_is_told_after_the_end_and_not_before(
    app: Flask, today: PublishedPuzzle
) -> None:
    somebody, other = Visitor(app), Visitor(app)
    for text in wrong_moves(today.proof.root)[:2]:
        answer = somebody.play(somebody.puzzle(), text).json
        assert answer is not None
        assert answer["figures"] is None
    answer = somebody.play(somebody.puzzle(), wrong_moves(today.proof.root)[2]).json
    assert answer is not None
    assert answer["figures"] == "You are the first to finish it."
    assert 'id="figures"></p>' in other.open("/")
    for text in today.proof.main_line()[::2]:
        answer = other.play(other.puzzle(), text).json
    assert answer is not None
    assert answer["figures"] == "2 players: 50 % solved it, 50 % at the first attempt"
    assert answer["figures"] in somebody.open("/")
