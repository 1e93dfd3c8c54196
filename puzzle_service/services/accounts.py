"""Accounts: a name and a password for a player."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from puzzle_service import models
from puzzle_service.domain.names import NAME_CHARACTERS, fold, is_name
from puzzle_service.domain.roles import Role
from puzzle_service.services.errors import ServiceError

PASSWORD_CHARACTERS: Final = 8
LONGEST_PASSWORD: Final = 256

_hasher: Final = PasswordHasher()


@dataclass(frozen=True)
class Account:
    """A player with a name."""

    player_id: int
    name: str
    role: Role


def get(session: Session, player_id: int) -> Account | None:
    """Return a player's account, if there is one."""
    row = session.get(models.Account, player_id)
    return None if row is None else _account(row)


def verify(session: Session, name: str, password: str) -> Account | None:
    """Return the account whose name and password these are; takes equally long when there is none."""
    row = session.scalar(select(models.Account).where(models.Account.name_key == fold(name)))
    try:
        _hasher.verify(row.password_hash if row else _nobodys_hash(), password)
    except VerificationError:
        return None
    return _account(row) if row else None


def create(
    session: Session,
    name: str,
    password: str,
    now: datetime,
    *,
    role: Role = Role.PLAYER,
    player_id: int | None,
) -> Account:
    """Make an account for a player, or for a new one when there is none.

    Raises ServiceError: *bad_name*, *weak_password*, *name_taken*.
    """
    name = " ".join(name.split())
    if not is_name(name):
        raise ServiceError(
            "bad_name", f"{name[:40]!r} is no name; expected 1 to {NAME_CHARACTERS} printable characters"
        )
    if not PASSWORD_CHARACTERS <= len(password) <= LONGEST_PASSWORD or not password.isprintable():
        raise ServiceError(
            "weak_password",
            f"the password cannot be used; expected {PASSWORD_CHARACTERS} to {LONGEST_PASSWORD}"
            " printable characters",
        )
    taken = select(models.Account.player_id).where(models.Account.name_key == fold(name))
    if session.scalar(taken) is not None:
        raise ServiceError("name_taken", f"there is an account {name!r} already")
    if player_id is None:
        player = models.Player(created_at=now)
        session.add(player)
        session.flush()
        player_id = player.id
    row = models.Account(
        player_id=player_id,
        name=name,
        name_key=fold(name),
        password_hash=_hasher.hash(password),
        role=role,
        created_at=now,
    )
    session.add(row)
    session.flush()
    return _account(row)


def count_admins(session: Session) -> int:
    """Return how many admins there are."""
    wanted = select(func.count()).select_from(models.Account).where(models.Account.role == Role.ADMIN)
    return session.scalar(wanted) or 0


def new_password() -> str:
    """Return a random password to be shown once."""
    return secrets.token_urlsafe(12)


def _account(row: models.Account) -> Account:
    return Account(row.player_id, row.name, Role(row.role))


@cache
def _nobodys_hash() -> str:
    return _hasher.hash(secrets.token_urlsafe())
