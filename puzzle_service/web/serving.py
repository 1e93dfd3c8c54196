"""The signed time at which a puzzle was served: it decides which day an attempt after midnight belongs to."""

from datetime import UTC, datetime

from flask import current_app, session
from itsdangerous import BadSignature, URLSafeSerializer

SALT = "served"
LONGEST = 200
SESSION_KEY = "served"
# Yesterday's and today's: no older puzzle can still be open.
KEPT = 2


def token(number: int, instant: datetime) -> str:
    """Return a token that says when a puzzle was served, signed with the site's secret."""
    return str(_serializer().dumps([number, int(instant.timestamp())]))


def first_served(number: int, now: datetime) -> datetime:
    """Return when this browser was first served a puzzle, which is now if it never was.

    The session remembers it, so that loading the page again after midnight loses nothing.
    """
    served = dict(session.get(SESSION_KEY, {}))
    if str(number) not in served:
        served[str(number)] = int(now.timestamp())
        latest = sorted(served, key=int)[-KEPT:]
        session[SESSION_KEY] = {key: served[key] for key in latest}
    return datetime.fromtimestamp(served[str(number)], UTC)


def served_at(number: int, text: str | None) -> datetime | None:
    """Return when a puzzle was served, by the token or else by the session; None when neither knows."""
    if text and len(text) <= LONGEST:
        try:
            signed_number, seconds = _serializer().loads(text)
        except (BadSignature, ValueError, TypeError):
            pass
        else:
            if signed_number == number:
                return datetime.fromtimestamp(seconds, UTC)
    seconds = session.get(SESSION_KEY, {}).get(str(number))
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _serializer() -> URLSafeSerializer:
    return URLSafeSerializer(str(current_app.secret_key), salt=SALT)
