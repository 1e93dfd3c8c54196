"""Accounts: a name and a password for a player."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import case, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from puzzle_service import models
from puzzle_service.domain.names import NAME_CHARACTERS, fold, is_name, is_reserved
from puzzle_service.domain.roles import Role
from puzzle_service.services import audit, devices, keys, passwords, players, recovery
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.keys import Key

LISTED: Final = 200


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


def find(session: Session, name: str) -> Account | None:
    """Return the account of this name, however its letters are written."""
    row = _named(session, name)
    return None if row is None else _account(row)


def verify(session: Session, name: str, password: str) -> Key | None:
    """Return the key that opens the account of this name; takes equally long when there is none."""
    row = _named(session, name)
    right = passwords.matches(row.password_hash if row else None, password)
    return Key(row.player_id, row.password_hash) if row and right else None


def verify_own(session: Session, player_id: int, current: str) -> Key | None:
    """Return the key to a player's own account: its password, or the recovery words for a lost one."""
    row = session.get(models.Account, player_id)
    if row is None:
        return None
    if passwords.matches(row.password_hash, current):
        return Key(player_id, row.password_hash)
    return recovery.key_to(session, player_id, current)


def check(name: str, password: str) -> None:
    """Check that these can be the name and the password of an account, which says nothing about others.

    Raises ServiceError: *bad_name*, *weak_password*, *common_password*.
    """
    name = " ".join(name.split())
    if not is_name(name):
        raise ServiceError(
            "bad_name", f"{name[:40]!r} is no name; expected 1 to {NAME_CHARACTERS} printable characters"
        )
    passwords.check(password, name)


def create(
    session: Session,
    name: str,
    password_hash: str,
    now: datetime,
    *,
    role: Role = Role.PLAYER,
    player_id: int | None,
) -> Account:
    """Make an account for a guest, whose days it has from then on, or for a new player.

    ``check`` has taken name and password. Raises ServiceError: *name_taken*, *not_found*, and *has_account*
    when the guest has become somebody's account meanwhile.
    """
    name = " ".join(name.split())
    if is_reserved(name) or _named(session, name) is not None:
        raise ServiceError("name_taken", f"there is an account {name!r} already")
    if player_id is None:
        player_id = players.create(session, now)
    elif not players.lock(session, player_id):
        raise ServiceError("not_found", "there is no such player")
    elif get(session, player_id) is not None:
        raise ServiceError("has_account", "this player has an account already; sign in to it instead")
    row = models.Account(
        player_id=player_id,
        name=name,
        name_key=fold(name),
        password_hash=password_hash,
        role=role,
        created_at=now,
    )
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise ServiceError("name_taken", f"there is an account {name!r} already") from error
    return _account(row)


def change_password(session: Session, key: Key, password_hash: str, now: datetime) -> str:
    """Change the password of whoever a key opens, to one that ``passwords.check`` has taken.

    Returns the token of a new device; every other one has to sign in again. Raises ServiceError:
    *wrong_password* when the key opens nothing any more, *not_found*.
    """
    if not keys.still_opens(session, key):
        raise ServiceError("wrong_password", "this is neither the password so far nor the recovery words")
    row = session.get(models.Account, key.player_id, populate_existing=True)
    if row is None:
        raise ServiceError("not_found", "this player has no account")
    row.password_hash = password_hash
    devices.drop_all(session, key.player_id)
    return devices.add(session, key.player_id, now)


def everybody(session: Session, text: str = "", limit: int = LISTED) -> list[Account]:
    """Return the accounts whose name holds a text: those that review first, then by name."""
    if not text.isprintable():
        return []
    order = case({role.value: place for place, role in enumerate(reversed(Role))}, value=models.Account.role)
    wanted = select(models.Account).order_by(order, models.Account.name_key).limit(limit)
    if text.strip():
        wanted = wanted.where(models.Account.name_key.contains(fold(text), autoescape=True))
    return [_account(row) for row in session.scalars(wanted)]


def set_role(session: Session, by: str, name: str, role: Role, now: datetime) -> Account:
    """Let an account do what a role may, and write down who changed that.

    Raises ServiceError: *not_found*, and *last_admin* for taking away the only admin there is.
    """
    found = find(session, name)
    if found is None:
        raise ServiceError("not_found", f"there is no account {name[:NAME_CHARACTERS]!r}")
    keep_an_admin(session, found.player_id, role)
    row = session.get(models.Account, found.player_id, with_for_update=True, populate_existing=True)
    if row is None:
        raise ServiceError("not_found", f"there is no account {name[:NAME_CHARACTERS]!r}")
    if row.role != role:
        audit.write_role(session, by, now, row.name, Role(row.role), role)
        row.role = role
        session.flush()
    return _account(row)


def keep_an_admin(session: Session, player_id: int, becomes: Role | None) -> None:
    """Raise ServiceError *last_admin* if a player's next role, None for a deletion, would leave no admin."""
    if becomes is not Role.ADMIN and list(_locked_admins(session)) == [player_id]:
        raise ServiceError("last_admin", "this is the only admin; make somebody else one first")


def count_admins(session: Session) -> int:
    """Return how many admins there are."""
    wanted = select(func.count()).select_from(models.Account).where(models.Account.role == Role.ADMIN)
    return session.scalar(wanted) or 0


def _locked_admins(session: Session) -> Sequence[int]:
    """Return the players who are admins, so that nobody can change who is before this transaction ends."""
    wanted = select(models.Account.player_id).where(models.Account.role == Role.ADMIN)
    return session.scalars(wanted.order_by(models.Account.player_id).with_for_update()).all()


def _named(session: Session, name: str) -> models.Account | None:
    # Not every database takes every character, and no name has others.
    if not is_name(" ".join(name.split())):
        return None
    return session.scalar(select(models.Account).where(models.Account.name_key == fold(name)))


def _account(row: models.Account) -> Account:
    return Account(row.player_id, row.name, Role(row.role))
