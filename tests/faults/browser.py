"""Somebody's browser over the wire: it keeps cookies, and asks again when a server is gone."""

import json
import re
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from puzzle_service.web.player import GUEST_COOKIE

PATIENCE = 60.0
PUZZLE = re.compile(r'<script type="application/json" id="puzzle">(.*?)</script>', re.S)
CSRF = re.compile(r'name="csrf-token" content="([^"]+)"')


@dataclass(frozen=True)
class Answer:
    """What a server answered."""

    status: int
    headers: Message
    text: str

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found


class Browser:
    """One browser at a server of this machine; a guest's token is what it kept from earlier days."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self.cookies = {} if token is None else {GUEST_COOKIE: token}
        self.puzzle: dict[str, Any] = {}
        self._port, self._csrf = port, ""

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Answer:
        """Send one request on a connection of its own."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)) as connection:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read().decode())
        for line in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return answer

    def open(self) -> Answer:
        """Load today's page, and read what it gives along if it is there."""
        answer = self.ask("GET", "/")
        if answer.status == 200:
            puzzle, csrf = PUZZLE.search(answer.text), CSRF.search(answer.text)
            assert puzzle
            assert csrf
            self.puzzle, self._csrf = json.loads(puzzle[1]), csrf[1]
        return answer

    def request(self, move: str, **changes: object) -> dict[str, Any]:
        """Return the body of a move at the place that the page shows."""
        place = {name: self.puzzle[name] for name in ("attempt", "ply", "served")}
        return {**place, "move": move, "request_id": uuid4().hex, **changes}

    def send(self, body: dict[str, Any]) -> Answer:
        """Post a move, and stand where its answer says."""
        answer = self.post(f"/api/v1/puzzles/{self.puzzle['number']}/moves", body)
        if answer.status == 200:
            self.puzzle |= {name: answer.json[name] for name in ("attempt", "ply", "state")}
        return answer

    def post(self, path: str, body: dict[str, Any]) -> Answer:
        """Post JSON with the token of the page."""
        kind = {"Content_Type": "application/json", "X_CSRFToken": self._csrf}
        return self.ask("POST", path, json.dumps(body), **kind)

    def type(self, body: dict[str, Any]) -> Answer:
        """Send a move by the page's form, as without JavaScript."""
        form = urlencode(body | {"mode": "daily", "line": "", "csrf_token": self._csrf})
        path = f"/p/{self.puzzle['number']}/moves"
        return self.ask("POST", path, form, Content_Type="application/x-www-form-urlencoded")


def at_last(ask: Callable[[], Answer]) -> Answer:
    """Ask until a server is there and does what it is asked for: the same again, as a browser would."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            answer = ask()
        except (OSError, HTTPException):
            answer = None
        if answer is not None and answer.status < 500:
            return answer
        assert time.monotonic() < deadline, "no answer"
        time.sleep(0.05)
