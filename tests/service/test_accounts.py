"""Accounts: names, passwords, roles."""

import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from threading import Barrier

import pytest
from argon2 import Type, extract_parameters
from sqlalchemy.orm import Session

from puzzle_service.db import Database
from puzzle_service.domain.roles import Role
from puzzle_service.services import (
    accounts,
    audit,
    devices,
    keys,
    own_data,
    passwords,
    players,
    recovery,
    sign_ins,
)
from puzzle_service.services.errors import ServiceError
from tests.service.conftest import Table

PASSWORD = "four unrelated words"  # noqa: S105
OTHER = "and four others here"
IN_EARNEST = passwords._hasher
"""What hashes for the site; the other tests hash at less cost."""


def refused(database: Database, *arguments: object, **named: object) -> str:
    """Return the code with which an account is refused."""
    with pytest.raises(ServiceError) as error, database.write.begin() as session:
        accounts.create(session, *arguments, **named)  # type: ignore[arg-type]
    return error.value.code


def change_password(session: Session, player_id: int, current: str, new: str, now: datetime) -> str:
    """Change a password by the one so far or by recovery words."""
    key = accounts.verify_own(session, player_id, current)
    assert key is not None
    return accounts.change_password(session, key, passwords.hashed(new), now)


def test_an_account_is_known_by_name_and_password(database: Database, noon: datetime) -> None:
    with database.write.begin() as session:
        made = accounts.create(
            session, " Işıl  K ", passwords.hashed(PASSWORD), noon, role=Role.ADMIN, player_id=None
        )
    assert made.name == "Işıl K"
    with database.read() as session:
        for name in ("Işıl K", "ışıl k", "IŞIL K", "işil k", " IŞIL   K"):
            key = accounts.verify(session, name, PASSWORD)
            assert key is not None
            assert key.player_id == made.player_id
        assert accounts.verify(session, "Isil K", PASSWORD) is None
        assert accounts.verify(session, "Işıl K", OTHER) is None
        assert accounts.verify(session, "Işık K", PASSWORD) is None
        assert accounts.count_admins(session) == 1


def test_an_account_that_cannot_be_is_refused(database: Database, noon: datetime) -> None:
    with database.write.begin() as session:
        accounts.create(session, "ayşe", passwords.hashed(PASSWORD), noon, player_id=None)
    for name in ("AYŞE", "Command Line", "deleted account"):
        assert refused(database, name, "a hash", noon, player_id=None) == "name_taken"


@pytest.mark.parametrize(
    ("name", "password", "code"),
    [
        *((name, PASSWORD, "bad_name") for name in ("", " ", "x" * 65, "a\0b", "fatma\udcff")),
        *((name, PASSWORD, "bad_name") for name in ("ß" * 33, "ﷺ" * 4, "\u0307")),
        ("fatma", "short", "weak_password"),
        ("fatma", "x" * 257, "weak_password"),
        ("fatma", "long enough\udcff", "weak_password"),
        ("fatma", "Password1!", "common_password"),
        ("fatma", "P@$$w0rd", "common_password"),
        ("f@tm@$", "F@tm@$F@tm@$", "common_password"),
        ("fatma", "12345678", "common_password"),
        ("fatma", "galatasaray", "common_password"),
        ("fatma", "x" * 256, "common_password"),
        ("mihrünnisa", "mihrünnisa", "common_password"),
    ],
)
def test_a_name_or_a_password_that_can_be_nobodys_is_none(name: str, password: str, code: str) -> None:
    with pytest.raises(ServiceError) as error:
        accounts.check(name, password)
    assert error.value.code == code


def test_a_password_may_be_a_generated_one_or_a_long_sentence() -> None:
    for password in (passwords.generated(), "Bir sözcük, bir sözcük daha ve bir tane daha " * 4):
        passwords.check(password, "ayşe")


@pytest.mark.parametrize("signs", ["4@8({[<369&#!1/|0$5+7%2", "İ", "12", "1/1/99 "])
def test_no_password_keeps_the_site_busy(signs: str) -> None:
    """Anybody may send one, as often as they like: signs that stand for letters took it eleven seconds."""
    began = time.process_time()
    with suppress(ServiceError):
        passwords.check((signs * 256)[:256], f"{signs} " * 9)
    assert time.process_time() - began < 2


def test_a_password_is_the_same_however_a_keyboard_puts_its_letters_together() -> None:
    kept = passwords.hashed("çok güç bir şey")
    assert passwords.matches(kept, unicodedata.normalize("NFD", "çok güç bir şey"))
    assert not passwords.matches(kept, "cok guc bir sey")
    assert not passwords.matches(None, "")
    assert not passwords.matches(kept, "\udcff")


def test_a_password_is_kept_at_a_cost_that_makes_guessing_dear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", IN_EARNEST)
    kept = passwords.hashed(PASSWORD)
    found = extract_parameters(kept)
    assert found.type is Type.ID
    assert (found.memory_cost, found.time_cost) >= (64 * 1024, 3)
    assert passwords.matches(kept, PASSWORD)
    assert not passwords.matches(kept, OTHER)


def test_signing_up_takes_the_guest_over(table: Table) -> None:
    table.solve()
    with table.database.write.begin() as session:
        account = accounts.create(
            session, "ayşe", passwords.hashed(PASSWORD), table.now, player_id=table.player
        )
    assert (account.player_id, account.role) == (table.player, Role.PLAYER)
    assert table.rows() == [(1, "solved", 0)]
    assert refused(table.database, "fatma", "a hash", table.now, player_id=table.player) == "has_account"
    assert refused(table.database, "fatma", "a hash", table.now, player_id=table.player + 9) == "not_found"


def test_a_form_sent_twice_at_once_makes_one_account(database: Database, noon: datetime) -> None:
    with database.write.begin() as session:
        guest, _ = players.create_guest(session, noon)
    start = Barrier(4)

    def sign_up(player_id: int | None) -> str:
        start.wait()
        try:
            with database.write.begin() as session:
                accounts.create(session, "ayşe", passwords.hashed(PASSWORD), noon, player_id=player_id)
        except ServiceError as error:
            return error.code
        return "made"

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(sign_up, (guest, guest, None, None)))
    assert answers.count("made") == 1
    # Whoever waits for the guest meanwhile finds that the guest has an account.
    assert answers.count("has_account") <= 1
    assert set(answers) <= {"made", "name_taken", "has_account"}
    with database.read() as session:
        assert [one.name for one in accounts.everybody(session)] == ["ayşe"]


def test_a_new_password_ends_every_other_device(database: Database, noon: datetime) -> None:
    with database.write.begin() as session:
        own = accounts.create(session, "ayşe", passwords.hashed(PASSWORD), noon, player_id=None).player_id
        other = accounts.create(session, "fatma", passwords.hashed(PASSWORD), noon, player_id=None).player_id
        before = [devices.add(session, own, noon) for _ in range(2)]
        hers = devices.add(session, other, noon)
    with database.write.begin() as session:
        token = change_password(session, own, PASSWORD, OTHER, noon)
    with database.read() as session:
        found = [sign_ins.find(session, one) for one in (*before, hers, token)]
        assert [one and one.player_id for one in found] == [None, None, other, own]
        assert accounts.verify(session, "ayşe", PASSWORD) is None
        assert accounts.verify(session, "ayşe", OTHER) is not None
        assert accounts.verify(session, "fatma", PASSWORD) is not None


def test_recovery_words_stand_in_for_a_lost_password(database: Database, noon: datetime) -> None:
    with database.write.begin() as session:
        own = accounts.create(session, "ayşe", passwords.hashed(PASSWORD), noon, player_id=None).player_id
        other = accounts.create(session, "fatma", passwords.hashed(PASSWORD), noon, player_id=None).player_id
        words, hers = (recovery.new_code(session, one, "english") for one in (own, other))
        change_password(session, own, words.upper(), OTHER, noon)
        assert accounts.verify(session, "ayşe", OTHER) is not None
        for current in (PASSWORD, hers, "", "not the words at all"):
            assert accounts.verify_own(session, own, current) is None


def test_a_key_opens_nothing_once_the_lock_is_another(database: Database, noon: datetime) -> None:
    """Whoever knew the old password and was looked at just before the change does not get in after it."""
    with database.write.begin() as session:
        own = accounts.create(session, "ayşe", passwords.hashed(PASSWORD), noon, player_id=None).player_id
        words = recovery.new_code(session, own, "english")
        guest, _ = players.create_guest(session, noon)
        old, by_words = accounts.verify(session, "ayşe", PASSWORD), recovery.find(session, words)
        assert accounts.verify_own(session, guest, PASSWORD) is None
    assert old is not None
    assert by_words is not None
    with database.write.begin() as session:
        assert keys.still_opens(session, old)
        accounts.change_password(session, old, passwords.hashed(OTHER), noon)
    with database.write.begin() as session:
        assert not keys.still_opens(session, old)
        with pytest.raises(ServiceError) as error:
            accounts.change_password(session, old, passwords.hashed(PASSWORD), noon)
        assert error.value.code == "wrong_password"
        assert keys.still_opens(session, by_words)
        recovery.new_code(session, own, "english")
        assert not keys.still_opens(session, by_words)
        own_data.delete(session, own)
        assert not keys.still_opens(session, old)


def test_everybody_is_listed_reviewers_first_and_found_by_part_of_the_name(
    database: Database, noon: datetime
) -> None:
    roles = {"Zeynep": Role.ADMIN, "İrem": Role.PLAYER, "Can": Role.REVIEWER, "ayşe": Role.PLAYER}
    with database.write.begin() as session:
        for name, role in roles.items():
            accounts.create(session, name, passwords.hashed(PASSWORD), noon, role=role, player_id=None)
    with database.read() as session:

        def names(text: str = "") -> list[str]:
            return [one.name for one in accounts.everybody(session, text)]

        assert names() == ["Zeynep", "Can", "ayşe", "İrem"]
        assert names("IREM") == names("ırem") == ["İrem"]
        assert names("%") == names("\0") == names("\udcff") == []
        assert accounts.find(session, "a\0b") is accounts.find(session, "\udcff") is None
        assert accounts.verify(session, "\udcff\0", PASSWORD) is None
        assert [one.name for one in accounts.everybody(session, limit=1)] == ["Zeynep"]


def test_a_role_is_given_taken_and_written_down(database: Database, noon: datetime) -> None:
    with database.write.begin() as session:
        for name in ("ayşe", "fatma"):
            accounts.create(session, name, passwords.hashed(PASSWORD), noon, role=Role.ADMIN, player_id=None)
        assert accounts.set_role(session, "ayşe", "FATMA", Role.REVIEWER, noon).role is Role.REVIEWER
        accounts.set_role(session, "ayşe", "fatma", Role.REVIEWER, noon)
        for role in (Role.PLAYER, Role.REVIEWER):
            with pytest.raises(ServiceError) as error:
                accounts.set_role(session, "ayşe", "ayşe", role, noon)
            assert error.value.code == "last_admin"
        with pytest.raises(ServiceError) as error:
            accounts.set_role(session, "ayşe", "nobody", Role.ADMIN, noon)
        assert error.value.code == "not_found"
    with database.read() as session:
        (entry,) = audit.entries(session, noon.date())
        assert (entry.by, entry.action, entry.may_undo) == ("ayşe", audit.Action.ROLE, False)
        assert entry.reason == "fatma: admin → reviewer"


def test_of_two_admins_who_step_back_at_once_one_stays(database: Database, noon: datetime) -> None:
    names = ("ayşe", "fatma")
    with database.write.begin() as session:
        for name in names:
            accounts.create(session, name, passwords.hashed(PASSWORD), noon, role=Role.ADMIN, player_id=None)
    start = Barrier(2)

    def step_back(name: str) -> str:
        start.wait()
        try:
            with database.write.begin() as session:
                accounts.set_role(session, name, name, Role.PLAYER, noon)
        except ServiceError as error:
            return error.code
        return "done"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(step_back, names)) == ["done", "last_admin"]
    with database.read() as session:
        assert accounts.count_admins(session) == 1


def test_no_device_comes_to_hold_somebody_who_is_gone(database: Database, noon: datetime) -> None:
    with database.write.begin() as session, pytest.raises(ServiceError) as error:
        devices.add(session, 7, noon)
    assert error.value.code == "not_found"
