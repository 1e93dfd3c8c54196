"""Sends requests that no browser sends to a whole site, in one process, and counts the answers.

    python bench/fuzz.py [--requests 100000] [--seed 1] [--save FILE]

One request in twenty is made by schemathesis from the site's own OpenAPI document; the rest is for every
route of the site, by guests and by people who have signed in: odd methods, paths, encodings, headers, cookies
and bodies, and the forms of real pages with the token that lets them through. Sixty days go by meanwhile.
Exit code 1, with the request in FILE, as soon as an answer is a 5xx, shows a traceback or lacks the security
headers, or an error is logged.
"""

import argparse
import io
import logging
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import hypothesis
import schemathesis
from flask import Flask, request
from hostile import Hostile, Surroundings, hostile
from schemathesis.generation import GenerationMode
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.test import Client

from puzzle_service import generating, serve
from puzzle_service.domain.roles import Role
from puzzle_service.models import Puzzle
from puzzle_service.searching import Answer, Kind, Searches
from puzzle_service.services import accounts, devices, games, intake, passwords
from puzzle_service.services.games import Sent
from puzzle_service.settings import Limits, Settings, limit
from puzzle_service.web import create_app, security
from puzzle_service.web.player import SIGNED_IN_COOKIE
from puzzle_service.web.site import site

BEGIN: Final = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
DAYS: Final = 60
GENERATED: Final = 20
"""One request in so many is made by schemathesis."""
ROUND: Final = 100
"""For so many requests the clock stands still, so that limits are met; then it jumps, and others come."""
LIMITS: Final = Limits(
    sign_in_address=limit("2 per hour"),
    guests=limit("1 per hour"),
    moves=limit("2 per minute"),
    games=limit("4 per minute"),
    engine=limit("4 per minute"),
)
ADDRESSES: Final = 3
PUZZLES: Final = 80
"""More than are played in the time; the whole stock would take most of a short run to bring in."""
DOCUMENT: Final = "/api/v1/openapi.json"


class Found(Exception):  # noqa: N818
    """An answer that must not be, with the request in words."""

    def __init__(self, what: str, request: str) -> None:
        super().__init__(what)
        self.request = request


class Errors(logging.Handler):
    """Keeps what is logged as an error or with a traceback."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR or record.exc_info:
            self.found.append(logging.Formatter().format(record))


class FirstMoves(Searches):
    """Stands for the engine, whose searches would take all the time: the first legal move is good enough."""

    def ask(self, kind: Kind, **what: Any) -> Answer:
        game = games.replay(Sent(what["rules"], what["start"], what["moves"]))
        move = game.position.legal_moves[0]
        more: dict[Kind, Answer] = {
            "engine": {"score": 0, "mate": None},
            "hint": {"reason": {"code": "takes", "values": {"taken": 1}}},
            "draw": {"accepted": True},
        }
        return {"move": move.json(), "line": [str(move)], "took": 0} | more[kind]


@dataclass
class Visitor:
    """Somebody with a browser."""

    client: Client
    around: Surroundings

    def open(self, path: str) -> None:
        """Look at a page, for its forms and its token."""
        self.around.learn(self.client.get(path).text)


class Fuzz:
    """A site, those who visit it, and what they were answered."""

    def __init__(self, folder: Path, requests: int, seed: int) -> None:
        settings = Settings(f"sqlite:///{folder}/dama.sqlite3", secret_key="f" * 32, limits=LIMITS)
        few = folder / "stock.jsonl"
        with intake.packaged_stock().open("rb") as stock:
            few.write_bytes(b"".join(islice(stock, PUZZLES)))
        with patch.object(intake, "packaged_stock", lambda: few):
            serve.prepare(settings, BEGIN)
        self.now, self.step = BEGIN, timedelta(days=DAYS) / max(requests, 1)
        self.app: Flask = create_app(settings, lambda: self.now, searches=FirstMoves(folder))
        self.random, self.requests = Random(seed), requests
        self.answers: Counter[int] = Counter()
        self.routes: Counter[str] = Counter()
        self.players: dict[Role, int] = {}
        self.errors = Errors()
        logging.getLogger().addHandler(self.errors)
        self.app.before_request(self._note_route)

    def _note_route(self) -> None:
        self.routes[request.endpoint or "nowhere"] += 1

    def run(self) -> None:
        """Send all requests; raises Found for the first answer that must not be."""
        rules = list(self.app.url_map.iter_rules())
        cases = self._generated()
        visitors: list[Visitor] = []
        for number in range(self.requests):
            if number % ROUND == 0:
                self.now += self.step * ROUND
                visitors = self._visitors(number)
            visitor = self.random.choice(visitors)
            if number % GENERATED == 0:
                self._send_case(next(cases), visitor)
            else:
                self._send(hostile(self.random, visitor.around, rules), visitor)

    def _send(self, sent: Hostile, visitor: Visitor) -> None:
        address = f"192.0.2.{self.random.randrange(ADDRESSES)}"
        environ = {**sent.environ(), "REMOTE_ADDR": address, "wsgi.input": io.BytesIO(sent.body)}
        try:
            answer = visitor.client.open("/", environ_overrides=environ, buffered=True)
        except Exception as error:
            raise Found(f"raised {error!r}\n{traceback.format_exc()}", sent.text()) from error
        page = answer.get_data().decode("utf-8", "replace")
        # There is no scheduler here, and the page for monitors says so.
        alarm = answer.status_code == 503 and sent.path == b"/healthz"
        self._look_at(200 if alarm else answer.status_code, dict(answer.headers), page, sent.text())
        visitor.around.learn(page)
        if "Reload the page and try again" in page:
            visitor.open("/sign-in")

    def _send_case(self, case: Any, visitor: Visitor) -> None:
        if self.random.random() < 0.5 and "number" in case.path_parameters:
            case.path_parameters["number"] = 1
        cookie = visitor.client.get_cookie(security.SESSION_COOKIE)
        cookies = {security.SESSION_COOKIE: cookie.value} if cookie else {}
        answer = case.call(headers={"X-CSRFToken": visitor.around.token}, cookies=cookies)
        headers = {name.title(): values[0] for name, values in answer.headers.items()}
        self._look_at(answer.status_code, headers, answer.text, case.as_curl_command())

    def _look_at(self, status: int, headers: dict[str, str], text: str, request: str) -> None:
        self.answers[status] += 1
        if self.errors.found:
            raise Found(f"logged: {self.errors.found[0]}", request)
        if status >= 500:
            raise Found(f"status {status}", request)
        if "Traceback (most" in text:
            raise Found("a traceback", request)
        missing = {name.lower() for name in security.HEADERS} - {name.lower() for name in headers}
        if missing:
            raise Found(f"no header {sorted(missing)[0]}", request)

    def _generated(self) -> Iterator[Any]:
        """Yield cases that schemathesis makes, good ones and bad ones, for each address in turn."""
        schema = schemathesis.openapi.from_wsgi(DOCUMENT, self.app)
        operations = [schema[path][method] for path, methods in schema.items() for method in methods]
        for batch in range(sys.maxsize):
            for operation in operations:
                for mode in GenerationMode:
                    yield from _cases(operation.as_strategy(generation_mode=mode), batch)

    def _visitors(self, number: int) -> list[Visitor]:
        """Return a fresh visitor, a guest, a player, a reviewer and an admin, each with a few pages open."""
        with self.app.app_context():
            database = site().database
        with database.read() as session:
            puzzles = list(session.scalars(select(Puzzle.id).order_by(Puzzle.id)))
        today = self.now.date()
        days = [str(today + timedelta(days=offset)) for offset in range(-3, 5)]
        places = {
            "number": ["1", "2", "3", str((self.now - BEGIN).days + 1)],
            "puzzle_id": self.random.sample(puzzles, 20),
            "day": days,
            "date": days,
            "month": [day[:7] for day in days],
            "player_id": ["1", "2", "3"],
            "entry_id": ["1", "2", "3"],
            "filename": ["css/site.css", "js/puzzle.js", "icons.svg"],
            "version": [self.app.config["ASSETS_VERSION"], "old"],
        }
        visitors = [Visitor(self.app.test_client(), Surroundings(places)) for _ in range(5)]
        for visitor, role in zip(visitors[2:], Role, strict=True):
            with database.write.begin() as session:
                token = devices.add(session, self._player(session, role, number), self.now)
            visitor.client.set_cookie(SIGNED_IN_COOKIE, token)
        for visitor in visitors[1:]:
            for path in ("/", "/account", "/admin", "/admin/calendar", f"/admin/puzzles/{puzzles[0]}"):
                visitor.open(path)
        return visitors

    def _player(self, session: Session, role: Role, number: int) -> int:
        """Return a player of a role: the same as before, unless the account is gone or has another role."""
        known = accounts.get(session, self.players.get(role, 0))
        if known is None or known.role is not role:
            password_hash = passwords.hashed("a password for fuzz")
            known = accounts.create(
                session, f"{role} {number}", password_hash, self.now, role=role, player_id=None
            )
        self.players[role] = known.player_id
        return known.player_id

    def close(self) -> None:
        """Give everything back."""
        logging.getLogger().removeHandler(self.errors)
        with self.app.app_context():
            site().database.close()


def _cases(strategy: Any, batch: int) -> list[Any]:
    """Return a handful of cases, in each batch others."""
    found: list[Any] = []

    @hypothesis.seed(batch)
    @hypothesis.settings(
        max_examples=25,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=strategy)
    def collect(case: Any) -> None:
        found.append(case)

    collect()
    return found


def main() -> int:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--save",
        type=Path,
        default=Path("fuzz-request.txt"),
        help="where a request goes that broke something",
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dama-fuzz-") as folder:
        fuzz = Fuzz(Path(folder), options.requests, options.seed)
        begin = time.perf_counter()
        try:
            # An admin may start the generator, which would go on for an hour behind each such request.
            with patch.object(generating, "spawn"):
                fuzz.run()
        except Found as found:
            options.save.write_text(f"{found}\n\n{found.request}\n", encoding="utf-8")
            what = str(found).splitlines()[0]
            print(f"after {fuzz.answers.total():,} requests: {what}; the request is in {options.save}")
            return 1
        finally:
            fuzz.close()
        seconds = time.perf_counter() - begin
    print(f"{fuzz.answers.total():,} requests in {seconds:.0f} s to {len(fuzz.routes)} routes, nothing broke")
    for status, count in sorted(fuzz.answers.items()):
        print(f"  {status}  {count:>8,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
