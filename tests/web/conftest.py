"""A site with a clock that tests set, and visitors who use it as browsers do."""

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from werkzeug.test import TestResponse

from dama.proof import SolverNode
from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.roles import Role
from puzzle_service.searching import Searches
from puzzle_service.services import accounts, passwords, publication
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from puzzle_service.web import create_app, i18n, sheets, site
from puzzle_service.web.site import EXTENSION, Site
from tests.conftest import SECRET

ADMIN = ("ayşe", "correct horse battery")
PASSWORD = "seven herons over the bay"  # noqa: S105

# Views have no SQL of their own, and the services that have it are tested with both databases. Here both
# are asked where it matters to an answer who writes when, what is undone, or what a database cannot keep.
ON_BOTH = pytest.mark.parametrize("settings", ["sqlite", "postgresql"], indirect=True)

_request_ids = count(1)


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


class Visitor:
    """Somebody with a browser: keeps cookies, reads pages, sends moves with what the page gave along."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()
        self.csrf = ""

    def open(self, path: str = "/", **headers: str) -> str:
        """Return the text of a page that must be there, redirects followed."""
        response = self.client.get(path, headers=headers, follow_redirects=True)
        assert response.status_code == 200, (path, response.status)
        found = re.search(
            r'name="csrf-token" content="([^"]+)"|name="csrf_token" value="([^"]+)"', response.text
        )
        self.csrf = found[1] or found[2] if found else self.csrf
        return response.text

    def puzzle(self, path: str = "/") -> dict[str, Any]:
        """Return the puzzle JSON of a page."""
        found = re.search(
            r'<script type="application/json" id="puzzle">(.*?)</script>', self.open(path), re.S
        )
        assert found
        puzzle: dict[str, Any] = json.loads(found[1])
        return puzzle

    def send(self, body: object, number: int = 1, **headers: str) -> TestResponse:
        """Post a body as JSON to a puzzle's moves, with the token of the page that was opened last."""
        address = f"/api/v1/puzzles/{number}/moves"
        return self.client.post(address, json=body, headers={"X-CSRFToken": self.csrf, **headers})

    def play(self, puzzle: dict[str, Any], text: str, **changes: object) -> TestResponse:
        """Send a move at a puzzle as its page would."""
        return self.send(body(puzzle, text) | changes, puzzle["number"])

    def type(self, move: str, path: str = "/") -> TestResponse:
        """Send a move by the form of a page, as without JavaScript, redirects not followed."""
        page = self.open(path)
        action = re.search(r'<form class="typed"[^>]* action="([^"]+)"', page)
        assert action
        form = page[action.start() : page.index("</form>", action.start())]
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
        return self.client.post(html.unescape(action[1]), data=fields | {"move": move})

    def fill_in(self, path: str, **fields: str) -> TestResponse:
        """Open a page and send a form of it, with its hidden fields and these, redirects not followed."""
        page = self.open(path)
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
        given = {name: html.unescape(value) for name, value in hidden.items()}
        return self.client.post(path, data=given | fields)

    def sign_up(self, name: str, password: str = PASSWORD) -> None:
        """Make an account, and be signed in to it."""
        assert self.fill_in("/sign-up", name=name, password=password).status_code == 303

    def sign_in(self, name: str, password: str = PASSWORD) -> TestResponse:
        """Sign in, redirects not followed."""
        sent = self.fill_in("/sign-in", name=name, password=password)
        assert sent.status_code == 303
        return sent

    def leave(self) -> TestResponse:
        """Sign out of this browser, redirects not followed."""
        self.open("/account")
        return self.client.post("/sign-out", data={"csrf_token": self.csrf})

    def cookie(self, name: str) -> str | None:
        """Return the value of a cookie this browser keeps."""
        found = self.client.get_cookie(name)
        return found.value if found else None


def body(puzzle: dict[str, Any], move: str) -> dict[str, Any]:
    """Return the body of a request for a move at a puzzle."""
    return {
        "attempt": puzzle["attempt"],
        "ply": puzzle["ply"],
        "move": move,
        "request_id": f"request-{next(_request_ids)}",
        "mode": puzzle["mode"],
        "served": puzzle["served"],
        "line": [ply["move"] for ply in puzzle["line"]],
    }


def say(page: str) -> str:
    """Return the words of a page's verdict."""
    found = re.search(r'id="say".*?<p>(.*?)</p>', page, re.S)
    assert found
    return html.unescape(re.sub(r"<[^>]+>", "", found[1]))


def wrong_moves(node: SolverNode) -> list[str]:
    """Return the moves that do not win."""
    return list(node["refuted"])


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes of passwords that cost next to nothing: what they are worth is tested with the services."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))


@pytest.fixture(params=["sqlite"])
def settings(settings: Settings) -> Settings:
    """Settings with a database that nobody else uses: one of SQLite, and of each kind with `ON_BOTH`."""
    return settings


@pytest.fixture
def words() -> Flask:
    """The site's languages without the site."""
    app = Flask("puzzle_service")
    app.secret_key = "for tests"  # noqa: S105
    i18n.init_app(app)
    return app


@pytest.fixture
def clock(noon: datetime) -> Clock:
    return Clock(noon)


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """The templates as code: each test's site would else compile those that it shows."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


MakeSite = Callable[..., Flask]


@pytest.fixture
def make_site(
    settings: Settings, clock: Clock, compiled_templates: FileSystemBytecodeCache
) -> Iterator[MakeSite]:
    """A function that returns a site over the test's database, its settings changed as told."""
    with ExitStack() as opened:

        def made(*, searches: Searches | None = None, **changes: Any) -> Flask:
            app = create_app(replace(settings, **changes), clock, searches=searches)
            app.testing = True
            app.jinja_env.bytecode_cache = compiled_templates
            opened.callback(app.extensions[EXTENSION].database.close)
            return app

        yield made


@pytest.fixture(scope="session")
def program(migrated_sqlite: Path) -> Flask:
    """A site as a program, which takes longer to make than most tests last; each test gives it a database."""
    app = create_app(Settings(f"sqlite:///{migrated_sqlite}", secret_key=SECRET))
    app.extensions[EXTENSION].database.close()
    return app


@pytest.fixture
def app(program: Flask, settings: Settings, database: Database, stock: list[Record], clock: Clock) -> Flask:
    """The site with ten approved puzzles, none of them out."""
    site.init_app(program, Site(settings, clock, database))
    sheets.init_app(program)
    program.testing = True
    return program


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    return Visitor(app)


Publish = Callable[[], PublishedPuzzle]


@pytest.fixture
def publish(database: Database, settings: Settings, stock: list[Record], clock: Clock) -> Publish:
    """A function that returns the puzzle of the clock's day, with the proof that visitors never see."""

    def published() -> PublishedPuzzle:
        found = publication.ensure_published(database.write, clock.now, settings)
        assert found is not None
        return found

    return published


@pytest.fixture
def today(publish: Publish) -> PublishedPuzzle:
    """The puzzle of the day on which a test begins."""
    return publish()


@pytest.fixture
def admin(app: Flask, database: Database, noon: datetime) -> Visitor:
    """An admin who has signed in."""
    with database.write.begin() as session:
        accounts.create(session, ADMIN[0], passwords.hashed(ADMIN[1]), noon, role=Role.ADMIN, player_id=None)
    somebody = Visitor(app)
    somebody.open("/sign-in")
    form = {"csrf_token": somebody.csrf, "name": ADMIN[0], "password": ADMIN[1]}
    assert somebody.client.post("/sign-in", data=form).status_code == 303
    somebody.open("/admin")
    return somebody


Rows = Callable[[type[Any]], int]


@pytest.fixture
def rows(database: Database) -> Rows:
    """A function that counts a table's rows."""

    def counted(table: type[Any]) -> int:
        with database.read() as session:
            return session.query(table).count()

    return counted
