"""Admins: who may review, how they prove it, and for how long that is worth something."""

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from puzzle_service import models
from puzzle_service.services.errors import ServiceError

PASSWORD_CHARACTERS: Final = 8
LONGEST_PASSWORD: Final = 256
NAME_CHARACTERS: Final = 64

_hasher: Final = PasswordHasher()


@dataclass(frozen=True)
class Admin:
    """Somebody who reviews puzzles, and the key of the sessions that have not been ended."""

    id: int
    name: str
    session_key: str = field(repr=False)


def verify(session: Session, name: str, password: str) -> Admin | None:
    """Return the admin whose name and password these are; takes equally long when there is none."""
    row = session.scalar(select(models.Admin).where(models.Admin.name == name))
    try:
        _hasher.verify(row.password_hash if row else _nobodys_hash(), password)
    except VerificationError:
        return None
    return _admin(row) if row else None


def get(session: Session, admin_id: int, session_key: str) -> Admin | None:
    """Return the admin of a session that has not been ended."""
    row = session.get(models.Admin, admin_id)
    return _admin(row) if row and secrets.compare_digest(row.session_key, session_key) else None


def end_sessions(session: Session, admin: Admin) -> None:
    """End every session of an admin, in whatever browser; an old cookie is worth nothing from then on."""
    known = (models.Admin.id == admin.id) & (models.Admin.session_key == admin.session_key)
    session.execute(update(models.Admin).where(known).values(session_key=_new_session_key()))


def create(session: Session, name: str, password: str, now: datetime) -> Admin:
    """Make an admin; raises ServiceError for a name that is taken or unusable, or such a password."""
    name = name.strip()
    if not 0 < len(name) <= NAME_CHARACTERS or not name.isprintable():
        raise ServiceError(
            "bad_request", f"{name[:40]!r} is no name; expected 1 to {NAME_CHARACTERS} characters"
        )
    if not PASSWORD_CHARACTERS <= len(password) <= LONGEST_PASSWORD or not password.isprintable():
        raise ServiceError(
            "weak_password",
            f"the password cannot be used; expected {PASSWORD_CHARACTERS} to {LONGEST_PASSWORD}"
            " printable characters",
        )
    if session.scalar(select(models.Admin.id).where(models.Admin.name == name)) is not None:
        raise ServiceError("name_taken", f"there is an admin {name!r} already")
    row = models.Admin(
        name=name, password_hash=_hasher.hash(password), session_key=_new_session_key(), created_at=now
    )
    session.add(row)
    session.flush()
    return _admin(row)


def count(session: Session) -> int:
    """Return how many admins there are."""
    return session.scalar(select(func.count()).select_from(models.Admin)) or 0


def new_password() -> str:
    """Return a random password to be shown once."""
    return secrets.token_urlsafe(12)


def _admin(row: models.Admin) -> Admin:
    return Admin(row.id, row.name, row.session_key)


def _new_session_key() -> str:
    return secrets.token_urlsafe(24)


@cache
def _nobodys_hash() -> str:
    return _hasher.hash(secrets.token_urlsafe())
