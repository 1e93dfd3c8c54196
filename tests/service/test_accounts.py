"""Accounts: names, passwords, roles."""

from datetime import datetime

import pytest

from puzzle_service.db import Database
from puzzle_service.domain.roles import Role
from puzzle_service.services import accounts
from puzzle_service.services.errors import ServiceError


def test_an_account_is_known_by_name_and_password(database: Database, noon: datetime) -> None:
    with database.write.begin() as session:
        made = accounts.create(session, " Işıl  K ", "correct horse", noon, role=Role.ADMIN, player_id=None)
    assert made.name == "Işıl K"
    with database.read() as session:
        for name in ("Işıl K", "ışıl k", "ISIL K", "işil k"):
            assert accounts.verify(session, name, "correct horse") == made
        assert accounts.verify(session, "Işıl K", "correct horsf") is None
        assert accounts.verify(session, "Işık K", "correct horse") is None
        assert accounts.count_admins(session) == 1


@pytest.mark.parametrize(
    ("name", "password", "code"),
    [
        ("AYŞE", "long enough", "name_taken"),
        ("fatma", "short", "weak_password"),
        ("fatma", "x" * 257, "weak_password"),
        ("fatma", "long enough\udcff", "weak_password"),
        ("fatma\udcff", "long enough", "bad_name"),
        ("", "long enough", "bad_name"),
        ("x" * 65, "long enough", "bad_name"),
        ("a\0b", "long enough", "bad_name"),
    ],
)
def test_an_account_that_cannot_be_is_refused(
    database: Database, noon: datetime, name: str, password: str, code: str
) -> None:
    with database.write.begin() as session:
        accounts.create(session, "ayşe", accounts.new_password(), noon, player_id=None)
        with pytest.raises(ServiceError) as refused:
            accounts.create(session, name, password, noon, player_id=None)
        assert refused.value.code == code
