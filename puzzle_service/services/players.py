"""Players: guests come into being with their first move."""

from datetime import datetime

from sqlalchemy.orm import Session

from puzzle_service.models import Player
from puzzle_service.services import devices


def create_guest(session: Session, now: datetime, token: str | None = None) -> tuple[int, str]:
    """Make a guest and return its id and the token for its cookie, which is kept nowhere else.

    A random token given beforehand makes first moves sent at the same time one guest's: raises IntegrityError
    when another transaction makes the same guest.
    """
    player = Player(created_at=now)
    session.add(player)
    session.flush()
    return player.id, devices.add(session, player.id, now, token)
