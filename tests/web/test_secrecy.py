"""Before the end the key is nowhere but in the list of legal moves (lila#8501)."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from puzzle_service.cache import Cache
from puzzle_service.db import Database
from puzzle_service.models import Puzzle
from puzzle_service.services import boards
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.web import sheets
from tests.web.conftest import Publish, Visitor, wrong_moves


def _readable(text: str) -> str:
    """Return a text with every way to print a move made one: dashes, crosses, escapes."""
    unescaped = text.replace("\\u2013", "–").replace("&#8211;", "–").replace("\\u00d7", "×")
    return unescaped.replace("–", "-").replace("×", "x").lower()


def _spellings(key: str) -> list[str]:
    """Return the key as text: a quiet move of two squares."""
    origin, target = key.split("-")
    return [f"{origin}-{target}", f"{origin}{target}", f"{origin} {target}", f"{origin}, {target}"]


def _without_legal(text: str) -> tuple[str, list[Any]]:
    """Return an answer without its lists of legal moves, and those lists."""
    found = []

    def remove(match: re.Match[str]) -> str:
        found.append(json.loads(match[1]))
        return ""

    return re.sub(r'"legal": ?(\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\]]*\])*\])*\])', remove, text), found


def _assert_hidden(response: TestResponse, published: PublishedPuzzle) -> int:
    """Check one answer, headers included, and return how many lists of legal moves it holds."""
    rest, lists = _without_legal(response.text)
    everything = _readable(f"{response.headers}\n{rest}")
    for spelling in _spellings(published.proof.key):
        assert spelling not in everything, (response.request.path, spelling)
    for move in lists:
        assert move == [one.json() for one in published.position.legal_moves]
    return len(lists)


def _public_paths(app: Flask) -> Iterator[str]:
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.rule.startswith("/static"):
            yield rule.rule.replace("<int:number>", "1").replace("<puzzle_id>", "0")


def _static_paths(visitor: Visitor) -> set[str]:
    return set(re.findall(r'"(/static/[^"#]+)', visitor.open("/")))


def test_a_crawl_before_the_end_finds_the_key_only_among_the_legal_moves(
    app: Flask, visitor: Visitor, today: PublishedPuzzle
) -> None:
    lists = 0
    paths = {
        *_public_paths(app),
        *_static_paths(visitor),
        "/?lang=tr",
        "/p/1?line=",
        f"/admin/puzzles/{today.puzzle_id}",
    }
    assert {"/", "/me", "/p/1", "/api/v1/puzzles/today", "/admin", "/sign-in"} <= paths
    for path in sorted(paths):
        lists += _assert_hidden(visitor.client.get(path, follow_redirects=True, buffered=True), today)
    assert lists >= 2


def test_no_answer_to_a_wrong_or_illegal_move_holds_the_key(visitor: Visitor, today: PublishedPuzzle) -> None:
    for text in ("hello", "a1-a1", *wrong_moves(today.proof.root)[:2]):
        assert _assert_hidden(visitor.play(visitor.puzzle(), text), today) == 1
        assert _assert_hidden(visitor.client.get("/"), today) == 1
        assert _assert_hidden(visitor.type("nonsense"), today) == 0
        assert _assert_hidden(visitor.client.get("/me"), today) == 0


def test_after_the_end_the_solution_is_shown(visitor: Visitor, today: PublishedPuzzle) -> None:
    for text in wrong_moves(today.proof.root)[:3]:
        visitor.play(visitor.puzzle(), text)
    assert today.proof.key.replace("-", "–") in visitor.open("/")


def test_nothing_but_the_key_itself_would_change_with_another_key(
    visitor: Visitor,
    today: PublishedPuzzle,
    database: Database,
    publish: Publish,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same position with another proof, difficulty and themes is served with the same bytes."""
    before = [_stable(visitor.client.get(path)) for path in ("/", "/me", "/api/v1/puzzles/today")]
    with database.write.begin() as session:
        row = session.get_one(Puzzle, today.puzzle_id)
        other = session.query(Puzzle).where(Puzzle.id != row.id, Puzzle.moves == row.moves).first()
        assert other is not None
        assert (other.key, other.themes) != (row.key, row.themes)
        for name in ("key", "proof", "first_moves", "difficulty", "themes", "source", "generator", "seed"):
            setattr(row, name, getattr(other, name))
    monkeypatch.setattr(boards, "_boards", Cache(1))
    monkeypatch.setitem(visitor.client.application.extensions, sheets.EXTENSION, Cache(1))
    assert publish().proof.key != today.proof.key
    after = [_stable(visitor.client.get(path)) for path in ("/", "/me", "/api/v1/puzzles/today")]
    assert before == after


def _stable(response: TestResponse) -> tuple[str, list[str]]:
    """Return an answer without what is random for every request: the tokens."""
    text = re.sub(r'(csrf-token" content|csrf_token" value|request_id" value)="[^"]*"', r"\1", response.text)
    changing = ("Set-Cookie", "Content-Length", "X-Request-ID")
    headers = [f"{name}: {value}" for name, value in response.headers if name not in changing]
    return text, headers
