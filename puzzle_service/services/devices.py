"""Devices: the browsers that hold a player, each by a random token in a cookie."""

import hashlib
import secrets
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from puzzle_service.models import Account, Device, Player
from puzzle_service.services.errors import ServiceError

_device, _account = Device.__table__, Account.__table__
# Made once and of plain columns: this is asked for on every page of a player's.
_GUEST: Final = (
    select(_device.c.player_id)
    .outerjoin_from(_device, _account, _account.c.player_id == _device.c.player_id)
    .where(_device.c.token_hash == bindparam("token_hash"), _account.c.player_id.is_(None))
)


def guest(session: Session, token: str) -> int | None:
    """Return the guest whom the device with this token holds; None too for one who has an account by now."""
    found: int | None = session.execute(_GUEST, {"token_hash": token_hash(token)}).scalar()
    return found


def add(session: Session, player_id: int, now: datetime, token: str | None = None) -> str:
    """Let a device hold a player and return its token, which is kept nowhere else.

    Raises ServiceError *not_found* when the player is gone, IntegrityError when another transaction adds the
    same token.
    """
    still_there = select(Player.id).where(Player.id == player_id).with_for_update(read=True, key_share=True)
    if session.scalar(still_there) is None:
        raise ServiceError("not_found", "there is no such player any more")
    token = token or secrets.token_urlsafe(32)
    session.add(Device(token_hash=token_hash(token), player_id=player_id, created_at=now))
    session.flush()
    return token


def drop(session: Session, token: str) -> None:
    """Make a token worthless."""
    session.execute(delete(Device).where(Device.token_hash == token_hash(token)))


def drop_all(session: Session, player_id: int) -> None:
    """Make every token of a player worthless: nobody holds him any more."""
    session.execute(delete(Device).where(Device.player_id == player_id))


def token_hash(token: str) -> str:
    """Return what is kept of a token: it is random and long, so a plain hash makes a stolen table useless."""
    return hashlib.sha256(token.encode()).hexdigest()
