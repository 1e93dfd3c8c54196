"""Admins: who may review, and how they prove it."""

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
from puzzle_service.services.errors import ServiceError

PASSWORD_CHARACTERS: Final = 8
NAME_CHARACTERS: Final = 64

_hasher: Final = PasswordHasher()


@dataclass(frozen=True)
class Admin:
    """Somebody who reviews puzzles."""

    id: int
    name: str


def verify(session: Session, name: str, password: str) -> Admin | None:
    """Return the admin whose name and password these are; takes equally long when there is none."""
    row = session.scalar(select(models.Admin).where(models.Admin.name == name))
    try:
        _hasher.verify(row.password_hash if row else _nobodys_hash(), password)
    except VerificationError:
        return None
    return Admin(row.id, row.name) if row else None


def get(session: Session, admin_id: int) -> Admin | None:
    """Return an admin by id."""
    row = session.get(models.Admin, admin_id)
    return Admin(row.id, row.name) if row else None


def create(session: Session, name: str, password: str, now: datetime) -> Admin:
    """Make an admin; raises ServiceError for a name that is taken or unusable, or a password too short."""
    name = name.strip()
    if not 0 < len(name) <= NAME_CHARACTERS or not name.isprintable():
        raise ServiceError("bad_request", f"{name!r} is no name; expected 1 to {NAME_CHARACTERS} characters")
    if len(password) < PASSWORD_CHARACTERS:
        raise ServiceError(
            "weak_password", f"the password is too short; expected at least {PASSWORD_CHARACTERS} characters"
        )
    if session.scalar(select(models.Admin.id).where(models.Admin.name == name)) is not None:
        raise ServiceError("name_taken", f"there is an admin {name!r} already")
    row = models.Admin(name=name, password_hash=_hasher.hash(password), created_at=now)
    session.add(row)
    session.flush()
    return Admin(row.id, row.name)


def count(session: Session) -> int:
    """Return how many admins there are."""
    return session.scalar(select(func.count()).select_from(models.Admin)) or 0


def new_password() -> str:
    """Return a random password to be shown once."""
    return secrets.token_urlsafe(12)


@cache
def _nobodys_hash() -> str:
    return _hasher.hash(secrets.token_urlsafe())
