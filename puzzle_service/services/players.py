"""Players: guests, known by a random token in their cookie."""

import hashlib
import secrets
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.models import Player


def find(session: Session, token: str) -> int | None:
    """Return the player whom a cookie's token belongs to."""
    return session.scalar(select(Player.id).where(Player.token_hash == _hash(token)))


def create_guest(session: Session, now: datetime, token: str | None = None) -> tuple[int, str]:
    """Make a guest and return its id and the token for its cookie, which is kept nowhere else.

    A random token given beforehand makes first moves sent at the same time one guest's: raises IntegrityError
    when another transaction makes the same guest.
    """
    token = token or secrets.token_urlsafe(32)
    player = Player(token_hash=_hash(token), created_at=now)
    session.add(player)
    session.flush()
    return player.id, token


def _hash(token: str) -> str:
    # The token is random and long: a plain hash is enough to make a stolen table useless.
    return hashlib.sha256(token.encode()).hexdigest()
