"""The guest behind a request, held by a cookie with a random token."""

from datetime import datetime
from secrets import token_urlsafe

from flask import request, session
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from puzzle_service.services import players
from puzzle_service.web.security import set_cookie

COOKIE = "dama_player"
# Browsers keep no cookie for longer than 400 days; every page view renews it.
COOKIE_SECONDS = 400 * 24 * 3600
LONGEST_TOKEN = 128
SESSION_KEY = "guest"


def token() -> str | None:
    """Return the token this request carries, if it can be one."""
    text = request.cookies.get(COOKIE, "")
    return text if 0 < len(text) <= LONGEST_TOKEN and text.isascii() and text.isprintable() else None


def find(database: Session) -> int | None:
    """Return the player whose token this request carries, or None."""
    text = token()
    return None if text is None else players.find(database, text)


def expect() -> None:
    """Choose the token that this visitor gets with the first move; nothing is stored before.

    It lives in the signed session, so that first moves sent at the same time belong to one guest.
    """
    if SESSION_KEY not in session:
        session[SESSION_KEY] = token_urlsafe(32)


def find_or_create(database: Session, now: datetime) -> tuple[int, str]:
    """Return the player of a move, made now if this is the first one, and the token to keep.

    Raises IntegrityError when the same guest is being made by another request at the same time.
    """
    text = token()
    if text is not None and (found := players.find(database, text)) is not None:
        return found, text
    expect()
    text = session[SESSION_KEY]
    found = players.find(database, text)
    return (found, text) if found is not None else players.create_guest(database, now, text)


def keep(response: Response, text: str) -> None:
    """Give the browser its token to keep."""
    set_cookie(response, COOKIE, text, COOKIE_SECONDS)


def renew(response: Response) -> None:
    """Let the token of a player who visits live on."""
    if (text := token()) is not None:
        keep(response, text)
