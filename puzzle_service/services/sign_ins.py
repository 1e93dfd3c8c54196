"""Sign-ins: who stands behind the token of a device, in one question."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.domain.roles import Role
from puzzle_service.models import Account, Device
from puzzle_service.services import devices


@dataclass(frozen=True)
class SignIn:
    """A player signed in on a device since an instant; without an account there is no ``name``."""

    player_id: int
    since: datetime
    name: str | None
    role: Role


def find(session: Session, token: str) -> SignIn | None:
    """Return who is signed in with a token, or None when it is worth nothing."""
    wanted = (
        select(Device.player_id, Device.created_at, Account.name, Account.role)
        .outerjoin(Account, Account.player_id == Device.player_id)
        .where(Device.token_hash == devices.token_hash(token))
    )
    row = session.execute(wanted).one_or_none()
    if row is None:
        return None
    player_id, since, name, role = row
    return SignIn(player_id, since, name, Role(role) if role else Role.PLAYER)


@dataclass(frozen=True)
class Place:
    """A device on which a player is signed in, since an instant; ``here``: it is the one that asks."""

    since: datetime
    here: bool


def places(session: Session, player_id: int, token: str | None) -> list[Place]:
    """Return the devices that hold a player: the one with this token, then the others, the latest first."""
    own = None if token is None else devices.token_hash(token)
    rows = session.execute(
        select(Device.created_at, Device.token_hash)
        .where(Device.player_id == player_id)
        .order_by(Device.created_at.desc(), Device.token_hash)
    )
    found = [Place(since, kept == own) for since, kept in rows]
    return sorted(found, key=lambda place: not place.here)
