"""The player behind a request: who signed in on this device, else its guest, each held by a cookie."""

from datetime import datetime
from secrets import token_urlsafe

from flask import g, request, session
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from puzzle_service.services import devices, players, sign_ins
from puzzle_service.services.sign_ins import SignIn
from puzzle_service.web import limits, serving
from puzzle_service.web.security import drop_cookie, set_cookie
from puzzle_service.web.site import site

GUEST_COOKIE = "dama_player"
SIGNED_IN_COOKIE = "dama_signed_in"
# Browsers keep no cookie for longer than 400 days; every page view renews it.
COOKIE_SECONDS = 400 * 24 * 3600
LONGEST_TOKEN = 128
SESSION_KEY = "guest"


def token(cookie: str) -> str | None:
    """Return the token that a cookie of this request carries, if it can be one."""
    cookies = request.cookies
    # Not by `get`, which tells what is missing by an exception: this is asked four times a page.
    if cookie not in cookies:
        return None
    text = cookies[cookie]
    return text if 0 < len(text) <= LONGEST_TOKEN and text.isascii() and text.isprintable() else None


def guest(database: Session) -> int | None:
    """Return this device's guest, or None; somebody else may have signed in on it meanwhile."""
    text = token(GUEST_COOKIE)
    return None if text is None else devices.guest(database, text)


def signed_in(database: Session) -> SignIn | None:
    """Return who signed in on this device, or None; the page's header is told without asking again."""
    text = token(SIGNED_IN_COOKIE)
    g.signed_in = None if text is None else sign_ins.find(database, text)
    found: SignIn | None = g.signed_in
    return found


def shown() -> SignIn | None:
    """Return who signed in on this device, for a page's header; without a token nothing is asked."""
    if "signed_in" not in g:
        if token(SIGNED_IN_COOKIE) is None:
            return None
        with site().database.read() as database:
            signed_in(database)
    found: SignIn | None = g.signed_in
    return found


def show_nobody() -> None:
    """Leave the header of this answer without whoever signed in: they are gone, or cannot be asked for."""
    g.signed_in = None


def find(database: Session) -> int | None:
    """Return the player of this request: who signed in on this device, else its guest, or None."""
    found = signed_in(database)
    return guest(database) if found is None else found.player_id


def expect() -> None:
    """Choose the token that this visitor gets with the first move; nothing is stored before.

    It lives in the signed session, so that first moves sent at the same time belong to one guest.
    """
    if SESSION_KEY not in session:
        session[SESSION_KEY] = token_urlsafe(32)


def find_or_create(database: Session, now: datetime) -> tuple[int, str | None]:
    """Return the player of a move, made now if this is the first one, and the token of a guest to keep.

    Raises IntegrityError when the same guest is being made by another request at the same time, and TooMany
    when this address has brought too many guests.
    """
    if (found := find(database)) is not None:
        return found, None
    expect()
    text = session[SESSION_KEY]
    if (found := devices.guest(database, text)) is not None:
        return found, text
    limits.hit("guests", session=database)
    return players.create_guest(database, now, text)


def keep_guest(response: Response, text: str) -> None:
    """Give the browser its guest's token to keep."""
    set_cookie(response, GUEST_COOKIE, text, COOKIE_SECONDS)


def keep_signed_in(response: Response, text: str) -> None:
    """Give the browser the token of whoever signed in."""
    set_cookie(response, SIGNED_IN_COOKIE, text, COOKIE_SECONDS)


def start_afresh() -> None:
    """Empty the session when somebody else takes over: what was meant for one is not for the next.

    When this browser was served which puzzle stays: who signs in after midnight may still finish the old day.
    """
    served = session.get(serving.SESSION_KEY)
    session.clear()
    if served is not None:
        session[serving.SESSION_KEY] = served


def forget(response: Response, cookie: str) -> None:
    """Have the browser drop a token."""
    drop_cookie(response, cookie)


def renew(response: Response) -> None:
    """Let the tokens of a player who visits live on."""
    for cookie in (GUEST_COOKIE, SIGNED_IN_COOKIE):
        if (text := token(cookie)) is not None:
            set_cookie(response, cookie, text, COOKIE_SECONDS)
