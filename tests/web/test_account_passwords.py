"""Looking at passwords and making hashes of them: it takes long, and the site goes on meanwhile."""

from collections.abc import Callable
from typing import Literal

import pytest
from argon2 import PasswordHasher
from flask import Flask
from sqlalchemy import select, update

from puzzle_service.db import Database
from puzzle_service.models import Account, Device, Player
from puzzle_service.services import own_data, passwords
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, PASSWORD, Clock, Rows, Visitor, wrong_moves

pytestmark = ON_BOTH

OTHER = f"another {PASSWORD}"

Meanwhile = Callable[[Callable[[], None]], None]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """A function that has something happen while each password is looked at or kept."""

    def arrange(happen: Callable[[], None]) -> None:
        class Slow(PasswordHasher):
            def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
                happen()
                return super().hash(password, salt=salt)

            def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
                found = super().verify(hash, password)
                happen()
                return found

        monkeypatch.setattr(passwords, "_hasher", Slow(time_cost=1, memory_cost=64, parallelism=1))

    return arrange


def test_nobody_waits_with_a_move_while_a_password_is_looked_at(
    visitor: Visitor, today: PublishedPuzzle, database: Database, clock: Clock, meanwhile: Meanwhile
) -> None:
    visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0])
    written = []

    def write() -> None:
        with database.write.begin() as session:
            session.execute(update(Player).values(created_at=clock.now))
        written.append(True)

    meanwhile(write)
    visitor.sign_up("fatma")
    visitor.leave()
    visitor.sign_in("fatma")
    assert visitor.fill_in("/account/password", current=PASSWORD, new=OTHER).status_code == 303
    assert visitor.fill_in("/account/delete", password=OTHER, sure="yes").status_code == 303
    assert len(written) == 5


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("/sign-in", {"name": "fatma", "password": PASSWORD}, 401),
        ("/sign-up", {"name": "fatma", "password": PASSWORD}, 422),
        ("/account/password", {"current": PASSWORD, "new": OTHER}, 422),
        ("/account/delete", {"password": PASSWORD, "sure": "yes"}, 422),
    ],
)
def test_a_password_that_is_changed_while_it_is_looked_at_opens_nothing(
    app: Flask,
    database: Database,
    rows: Rows,
    meanwhile: Meanwhile,
    path: str,
    fields: dict[str, str],
    status: int,
) -> None:
    somebody = Visitor(app)
    if path.startswith("/account"):
        somebody.sign_up("fatma")
    else:
        Visitor(app).sign_up("fatma")
    kept = passwords.hashed(OTHER)

    def change() -> None:
        with database.write.begin() as session:
            session.execute(update(Account).values(password_hash=kept))

    meanwhile(change)
    assert somebody.fill_in(path, **fields).status_code == status
    assert (rows(Account), rows(Device)) == (1, 1)


def test_an_account_that_goes_while_its_password_is_looked_at_is_deleted_all_the_same(
    visitor: Visitor, database: Database, rows: Rows, meanwhile: Meanwhile
) -> None:
    """The form sent twice at once: neither answer says that nothing was deleted."""
    visitor.sign_up("fatma")

    def delete() -> None:
        with database.write.begin() as session:
            own_data.delete(session, session.scalars(select(Player.id)).one())

    meanwhile(delete)
    assert visitor.fill_in("/account/delete", password=PASSWORD, sure="yes").status_code == 303
    assert "The account is deleted." in visitor.open("/account")
    assert rows(Player) == 0
