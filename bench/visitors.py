"""Who visits the site in `load.py`: newcomers and players who come back; and what each of them must see."""

import json
import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from crowd import Answer, Visit, request, run

from puzzle_service.services.publication import PublishedPuzzle

NUMBER: Final = b'"number": '
LINE: Final = re.compile(rb'id="streak-line">[^<]+<')
TOKEN: Final = re.compile(r'name="csrf-token" content="([^"]+)"')
PUZZLE: Final = re.compile(r'id="puzzle">(.*?)</script>', re.S)


@dataclass(frozen=True)
class Visitor:
    """A request for the page as this visitor's browser sends it, and what stands only in his page."""

    cookies: dict[str, str]
    request: bytes
    marks: tuple[bytes, ...]
    page: bytes

    def check(self, answer: Answer) -> None:
        """Stop the run unless it is this visitor's page."""
        if answer.status != 200 or any(mark not in answer.body for mark in self.marks):
            raise SystemExit(f"not the page that was expected ({answer.status}): {answer.body[:200]!r}")


def strangers(port: int, count: int) -> list[Visitor]:
    """Return visitors who come for the first time whenever they come: they keep nothing."""
    return [Visitor({}, request("GET", "/", {}), one.marks, one.page) for one in newcomers(port, count)]


def newcomers(port: int, count: int) -> list[Visitor]:
    """Return visitors who have just opened the page for the first time."""
    return known(port, [{} for _ in range(count)])


def known(port: int, cookies: list[dict[str, str]]) -> list[Visitor]:
    """Return visitors who came with these cookies, have just opened the page, and keep what it gave them."""
    waiting, found = deque(cookies), list[Visitor]()

    def visit() -> Visit:
        while waiting:
            held = waiting.popleft()
            answer = yield request("GET", "/", held)
            line = LINE.search(answer.body)
            if answer.status != 200 or line is None or NUMBER not in answer.body:
                raise SystemExit(f"no puzzle page ({answer.status}): {answer.body[:200]!r}")
            kept = held | answer.cookies()
            found.append(Visitor(kept, request("GET", "/", kept), (NUMBER, line[0]), answer.body))

    run(port, visit)
    return found


def views(visitors: list[Visitor], seconds: float) -> Callable[[], Visit]:
    """Return visits in which these visitors take turns to load the page for so long."""
    turn = _in_turn(visitors)
    end = time.perf_counter() + seconds

    def visit() -> Visit:
        while time.perf_counter() < end:
            visitor = next(turn)
            visitor.check((yield visitor.request))

    return visit


def solves(visitors: list[Visitor], published: PublishedPuzzle) -> Callable[[], Visit]:
    """Return visits in which each visitor spends an attempt and then solves the puzzle."""
    wrong = next(iter(published.proof.root["refuted"]))
    right = published.proof.main_line()[::2]
    waiting = deque(visitors)

    def visit() -> Visit:
        while waiting:
            visitor = waiting.popleft()
            page = visitor.page.decode()
            puzzle, token = json.loads(_found(PUZZLE, page)), _found(TOKEN, page)
            cookies = dict(visitor.cookies)
            for ordinal, move in enumerate([wrong, *right]):
                attempt, ply = (1, 0) if ordinal == 0 else (2, 2 * (ordinal - 1))
                expected = ("wrong" if ordinal == 0 else "continue") if move != right[-1] else "solved"
                answer = yield _move(puzzle, token, cookies, attempt=attempt, ply=ply, move=move)
                cookies |= answer.cookies()
                if answer.status != 200 or json.loads(answer.body)["verdict"] != expected:
                    raise SystemExit(f"{move} was to be {expected} ({answer.status}): {answer.body[:200]!r}")

    return visit


def _move(puzzle: dict[str, Any], token: str, cookies: dict[str, str], **sent: Any) -> bytes:
    body = {**sent, "request_id": f"bench-{time.perf_counter_ns()}", "served": puzzle["served"]}
    headers = {"Content-Type": "application/json", "X-CSRFToken": token}
    path = f"/api/v1/puzzles/{puzzle['number']}/moves"
    return request("POST", path, cookies, json.dumps(body).encode(), headers)


def _in_turn(visitors: list[Visitor]) -> Iterator[Visitor]:
    while True:
        yield from visitors


def _found(pattern: re.Pattern[str], page: str) -> str:
    match = pattern.search(page)
    if match is None:
        raise SystemExit(f"the page has no {pattern.pattern}")
    return match[1]
