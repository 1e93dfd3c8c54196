"""What a player sends: one move with its place in the puzzle, read from JSON or from a form."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from puzzle_service.services.attempts import LONGEST_LINE, LONGEST_REQUEST_ID

Mode = Literal["daily", "practice"]

LARGEST_NUMBER: Final = 99
LONGEST_MOVE: Final = 80
LONGEST_TOKEN: Final = 200
# Moves come back as the site prints them, and as phones spell what they take for the start of a sentence.
TYPED: Final = str.maketrans("ABCDEFGHX×–−", "abcdefghxx--")
SHORTEST_REQUEST_ID: Final = 8
REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_-]+")


class BadSubmission(ValueError):  # noqa: N818
    """A request that is no move; the message names the field and what was expected."""


@dataclass(frozen=True)
class Submission:
    """A move as it was sent: which attempt, after how many plies of both sides, in which mode.

    `line` holds the plies so far and matters in practice only, where the server keeps nothing.
    """

    attempt: int
    ply: int
    move: str
    request_id: str
    mode: Mode
    served: str | None
    line: tuple[str, ...]


def from_json(body: object) -> Submission:
    """Read a decoded JSON body; raises BadSubmission naming the first field that is not as expected."""
    if not isinstance(body, dict):
        raise BadSubmission("expected a JSON object")
    line = body.get("line")
    if line is None:
        line = []
    if not isinstance(line, list) or len(line) > LONGEST_LINE:
        raise BadSubmission(f"line: expected a list of at most {LONGEST_LINE} moves")
    served = body.get("served")
    return Submission(
        attempt=whole("attempt", body.get("attempt"), LARGEST_NUMBER),
        ply=whole("ply", body.get("ply"), LARGEST_NUMBER),
        move=move_text("move", body.get("move")),
        request_id=_request_id(body.get("request_id")),
        mode=_mode(body.get("mode", "daily")),
        served=None if served is None else text("served", served, LONGEST_TOKEN),
        line=tuple(move_text("line", ply) for ply in line),
    )


def from_form(form: Mapping[str, str]) -> Submission:
    """Read the fields of the form for typed moves; raises BadSubmission like `from_json`."""
    values: dict[str, object] = dict(form)
    for name in ("attempt", "ply"):
        text = form.get(name, "")
        values[name] = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else text
    values["line"] = form.get("line", "").split(",") if form.get("line") else []
    return from_json(values)


def whole(name: str, value: object, largest: int) -> int:
    """Return a whole number from 0 on; raises BadSubmission that names the field."""
    # To JSON 1.0 is a whole number; True is an int to Python, not to whoever sent it.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not 0 <= value <= largest:
        raise BadSubmission(f"{name}: expected a whole number from 0 to {largest}")
    return value


def text(name: str, value: object, longest: int) -> str:
    """Return a text of so many printable characters at most; raises BadSubmission that names the field."""
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise BadSubmission(f"{name}: expected at most {longest} printable characters")
    return value


def move_text(name: str, value: object) -> str:
    """Return a move as it was typed, in plain characters; raises BadSubmission that names the field."""
    typed = text(name, value, LONGEST_MOVE).strip().translate(TYPED)
    if not typed:
        raise BadSubmission(f"{name}: expected a move such as b3xb5xd5")
    return typed


def _request_id(value: object) -> str:
    if (
        not isinstance(value, str)
        or not REQUEST_ID.fullmatch(value)
        or not SHORTEST_REQUEST_ID <= len(value) <= LONGEST_REQUEST_ID
    ):
        raise BadSubmission(
            f"request_id: expected {SHORTEST_REQUEST_ID} to {LONGEST_REQUEST_ID} letters, digits, hyphens or"
            " underscores"
        )
    return value


def _mode(value: object) -> Mode:
    if value == "daily":
        return "daily"
    if value == "practice":
        return "practice"
    raise BadSubmission('mode: expected "daily" or "practice"')
