"""What was served when, signed: it decides which puzzle a page shows, and which day an attempt belongs to."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from flask import current_app, session
from itsdangerous import BadSignature, URLSafeSerializer

from puzzle_service.services.publication import PublishedPuzzle

SALT = "served"
LONGEST = 200
SESSION_KEY = "first_served"
# Who is served a puzzle in the same second gets the same token.
TOKENS_KEPT = 4096
# Yesterday's and today's: no older puzzle can still be open.
KEPT = 2


@dataclass(frozen=True)
class Served:
    """Which puzzle was served under a number, and when; an admin may replace the puzzle of a number."""

    puzzle_id: str
    at: datetime


def token(puzzle: PublishedPuzzle, instant: datetime) -> str:
    """Return a token that says which puzzle was served and when, signed with the site's secret."""
    return _signed(str(current_app.secret_key), puzzle.number, puzzle.puzzle_id, int(instant.timestamp()))


def first_served(puzzle: PublishedPuzzle, now: datetime) -> datetime:
    """Return when this browser was first served a puzzle, which is now if it never was.

    The session remembers it, so that loading the page again after midnight loses nothing.
    """
    known = _remembered(puzzle.number)
    if known is not None and known.puzzle_id == puzzle.puzzle_id:
        return known.at
    kept = {**session.get(SESSION_KEY, {}), str(puzzle.number): [puzzle.puzzle_id, int(now.timestamp())]}
    session[SESSION_KEY] = {number: kept[number] for number in sorted(kept, key=int)[-KEPT:]}
    return now


def served(number: int, text: str | None) -> Served | None:
    """Return what was served under a number, by the token or else by the session; None when neither knows."""
    if text and len(text) <= LONGEST:
        try:
            signed_number, puzzle_id, seconds = _serializer(str(current_app.secret_key)).loads(text)
        except (BadSignature, ValueError, TypeError):
            pass
        else:
            if signed_number == number:
                return Served(puzzle_id, datetime.fromtimestamp(seconds, UTC))
    return _remembered(number)


def _remembered(number: int) -> Served | None:
    if (kept := session.get(SESSION_KEY, {}).get(str(number))) is None:
        return None
    puzzle_id, seconds = kept
    return Served(puzzle_id, datetime.fromtimestamp(seconds, UTC))


@lru_cache(TOKENS_KEPT)
def _signed(secret: str, number: int, puzzle_id: str, seconds: int) -> str:
    return str(_serializer(secret).dumps([number, puzzle_id, seconds]))


def _serializer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt=SALT)
