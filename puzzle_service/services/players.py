"""Players: guests come into being with their first move."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.models import Player
from puzzle_service.services import devices


def create(session: Session, now: datetime) -> int:
    """Make a player whom nobody holds yet, and return its id."""
    player = Player(created_at=now)
    session.add(player)
    session.flush()
    return player.id


def create_guest(session: Session, now: datetime, token: str | None = None) -> tuple[int, str]:
    """Make a guest and return its id and the token for its cookie, which is kept nowhere else.

    A random token given beforehand makes first moves sent at the same time one guest's: raises IntegrityError
    when another transaction makes the same guest.
    """
    player_id = create(session, now)
    return player_id, devices.add(session, player_id, now, token)


def lock(session: Session, *player_ids: int) -> bool:
    """Have everything that changes these players wait for this transaction; tell whether all are there.

    Whatever changes a player's rows takes this lock first; several in one order, so that none waits for ever.
    """
    wanted = select(Player.id).where(Player.id.in_(player_ids)).order_by(Player.id).with_for_update()
    return len(session.scalars(wanted).all()) == len(set(player_ids))
