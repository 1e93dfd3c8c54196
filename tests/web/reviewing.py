"""What the tests of the review pages have in common: forms as these pages send them, and what they say."""

import html
import re
from datetime import date

from werkzeug.test import TestResponse

from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.models import Puzzle
from tests.web.conftest import Visitor

MONDAY = date(2026, 11, 30)
TUESDAY = date(2026, 12, 1)
WEDNESDAY = date(2026, 12, 2)


def send(reviewer: Visitor, path: str, **fields: object) -> TestResponse:
    """Post a form with the token of the page that was opened last; redirects are not followed."""
    form = {name: str(value) for name, value in fields.items()}
    return reviewer.client.post(path, data={"csrf_token": reviewer.csrf, **form})


def said(reviewer: Visitor, answer: TestResponse) -> str:
    """Return what the page says that an answer leads to."""
    assert answer.status_code == 303, answer.status
    return notices(reviewer.open(answer.location))


def notices(page: str) -> str:
    """Return the words of a page's notices."""
    found = re.findall(r'<div class="say \w+" role="status">(.*?)</div>', page, re.S)
    return " ".join(words(one) for one in found)


def words(markup: str) -> str:
    """Return what is to be read in a piece of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def undo_form(page: str) -> str:
    """Return where the page's first button to undo something leads."""
    found = re.search(r'action="(/admin/log/\d+/undo)"', page)
    assert found, "the page offers nothing to undo"
    return found[1]


def row(database: Database, puzzle_id: str) -> Puzzle:
    """Return a puzzle's row."""
    with database.read() as session:
        return session.get_one(Puzzle, puzzle_id)


def waiting(database: Database) -> dict[date, str]:
    """Return which puzzle waits for which day."""
    with database.read() as session:
        rows = session.query(Puzzle).where(Puzzle.status == Status.APPROVED, Puzzle.day.is_not(None))
        return {one.day: one.id for one in rows if one.day is not None}


def free(database: Database) -> list[str]:
    """Return the approved puzzles that wait for no day."""
    with database.read() as session:
        rows = session.query(Puzzle).where(Puzzle.status == Status.APPROVED, Puzzle.day.is_(None))
        return sorted(one.id for one in rows)
