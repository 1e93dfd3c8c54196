"""Own data: an export holds every row about a player, and a deletion leaves none."""

import json
import threading
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import ColumnElement, String, cast, select
from sqlalchemy.orm import Session

from puzzle_service.db import Database
from puzzle_service.domain.names import DELETED
from puzzle_service.domain.record import Record
from puzzle_service.domain.roles import Role
from puzzle_service.models import Account, AuditEntry, Base, Player, Puzzle
from puzzle_service.services import (
    accounts,
    amendments,
    audit,
    devices,
    own_data,
    passwords,
    players,
    puzzles,
    recovery,
    review,
    sign_ins,
    tallies,
)
from puzzle_service.services.audit import Action
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.tallies import Tally
from puzzle_service.settings import Settings
from tests.service.conftest import Table

PASSWORD = "four unrelated words"  # noqa: S105
NAME = "Mihrünnisa"


class Reviewer:
    """Somebody who has played, has an account and two devices, and has decided about puzzles."""

    def __init__(self, table: Table, ids: list[str]) -> None:
        self.table, self.id = table, table.player
        table.send(table.wrong, request_id="a wrong one")
        table.solve()
        with table.database.write.begin() as session:
            accounts.create(
                session, "zeynep", passwords.hashed(PASSWORD), table.now, role=Role.ADMIN, player_id=None
            )
            accounts.create(session, NAME, passwords.hashed(PASSWORD), table.now, player_id=self.id)
            accounts.set_role(session, "zeynep", NAME, Role.REVIEWER, table.now)
            self.tokens = [table.token, devices.add(session, self.id, table.now)]
            self.words = recovery.new_code(session, self.id, "turkish")
            today = table.published.day
            review.approve(session, ids[0], NAME, table.now, today)
            review.reject(session, ids[1], NAME, table.now, "dull")
            review.approve(session, ids[1], "zeynep", table.now, today)
            amendments.void(session, table.published.number, NAME, table.now, "unclear", table.settings)

    def traces(self) -> list[str]:
        """Return what must be found nowhere: hashes, words and the name, as JSON writes it too."""
        hashes = [devices.token_hash(token) for token in self.tokens]
        name = json.dumps(NAME).strip('"')
        return [*hashes, *self.tokens, self.words, NAME, name, NAME.lower(), "a wrong one"]


@pytest.fixture
def reviewer(table: Table, stock: list[Record], caplog: pytest.LogCaptureFixture) -> Reviewer:
    caplog.set_level("DEBUG", logger="puzzle_service")
    free = [one.id for one in stock if one.id != table.published.puzzle_id]
    return Reviewer(table, free[:2])


def rows(database: Database) -> dict[str, list[dict[str, str]]]:
    """Return every row of every table, each column as text."""
    found = {}
    with database.read() as session:
        for table in Base.metadata.sorted_tables:
            columns = [cast(column, String).label(column.name) for column in table.columns]
            found[table.name] = [dict(row) for row in session.execute(select(*columns)).mappings()]
    return found


def export(reviewer: Reviewer) -> dict[str, Any]:
    with reviewer.table.database.read() as session:
        found = own_data.export(session, reviewer.id, reviewer.table.now)
    as_read: dict[str, Any] = json.loads(json.dumps(found))
    assert as_read == found
    return found


def test_an_export_holds_every_row_about_a_player(reviewer: Reviewer) -> None:
    found = export(reviewer)
    assert found["exported_at"] == reviewer.table.now.isoformat()
    assert found["player"]["id"] == found["account"]["player_id"] == reviewer.id
    assert (found["account"]["name"], found["account"]["role"]) == (NAME, "reviewer")
    assert len(found["devices"]) == 2
    assert [one["result"] for one in found["attempts"]] == ["wrong", "solved"]
    verdicts = {one["response"]["verdict"] for one in found["move_requests"]}
    assert verdicts == {"wrong", "continue", "solved"}
    assert [one["status"] for one in found["reviewed_puzzles"]] == ["approved"]
    assert [(one["reason"], one["day"]) for one in found["amendments"]] == [
        ("unclear", reviewer.table.published.day.isoformat())
    ]
    entries = [(one["action"], one["by"]) for one in found["audit_entries"]]
    assert entries == [("role", None), ("approve", NAME), ("reject", NAME), ("approve", None), ("void", NAME)]


def test_an_export_says_what_everything_in_it_means(reviewer: Reviewer) -> None:
    found = export(reviewer)
    assert found["about"].keys() == found.keys() - {"about"}
    for key, table in own_data.TABLES.items():
        told = found["about"][key]
        assert told["rows"]
        for row in found[key] if isinstance(found[key], list) else [found[key]]:
            assert row.keys() == told["columns"].keys()
        assert all(told["columns"].values())
        if "player_id" in table.model.__table__.columns or table.model is Player:
            assert told["columns"].keys() | told.get("left_out", {}).keys() == {
                column.name for column in table.model.__table__.columns
            }


def test_no_table_about_players_is_forgotten() -> None:
    about_players = {
        table.name
        for table in Base.metadata.sorted_tables
        if any(key.column.table.name == "player" for key in table.foreign_keys)
    }
    assert about_players <= {table.model.__tablename__ for table in own_data.TABLES.values()}


def test_an_export_gives_nothing_away_about_others(reviewer: Reviewer) -> None:
    text = json.dumps(export(reviewer), ensure_ascii=False)
    with reviewer.table.database.read() as session:
        hashes = session.scalars(select(Account.password_hash)).all()
    assert len(hashes) == 2
    assert not any(kept in text for kept in hashes)
    assert reviewer.words not in text


def test_a_deletion_leaves_no_trace_and_every_figure(reviewer: Reviewer) -> None:
    database, puzzle_id = reviewer.table.database, reviewer.table.published.puzzle_id
    before = rows(database)
    assert all(trace in str(before) for trace in (NAME, NAME.lower(), *reviewer.traces()[:2]))
    with database.write.begin() as session:
        own_data.delete(session, reviewer.id)
    after = rows(database)
    text = str(after)
    assert [trace for trace in reviewer.traces() if trace in text] == []
    for name in ("player", "device", "account", "attempt", "move_request"):
        key = "id" if name == "player" else "player_id"
        assert str(reviewer.id) not in [row[key] for row in after[name]]
    with database.read() as session:
        assert tallies.get(session, puzzle_id) == Tally(second=1)
        assert recovery.find(session, reviewer.words) is None
    for name in ("puzzle", "publication", "amendment", "audit_entry", "tally"):
        assert len(after[name]) == len(before[name])
    said = {(row["by"], row["reason"]) for row in after["audit_entry"]}
    assert (DELETED, "unclear") in said
    assert ("zeynep", f"{DELETED}: player → reviewer") in said
    with database.read() as session:
        assert len(audit.entries(session, reviewer.table.published.day)) == len(before["audit_entry"])


def test_no_line_of_the_log_names_or_numbers_a_player(
    reviewer: Reviewer, caplog: pytest.LogCaptureFixture
) -> None:
    with reviewer.table.database.write.begin() as session:
        own_data.export(session, reviewer.id, reviewer.table.now)
        own_data.delete(session, reviewer.id)
    lines = [one.getMessage() for when in ("setup", "call") for one in caplog.get_records(when)]
    assert any("was declared void" in line for line in lines)
    said = "\n".join(lines)
    assert [trace for trace in (*reviewer.traces(), "zeynep", "player") if trace in said] == []


def test_a_deletion_touches_nobody_else(reviewer: Reviewer, table: Table) -> None:
    other = Table(table.database, table.settings, table.published, table.now)
    other.send(other.wrong)
    with table.database.write.begin() as session:
        accounts.create(session, f"{NAME} K", passwords.hashed(PASSWORD), table.now, player_id=other.player)
        own_data.delete(session, reviewer.id)
    assert other.rows() == [(1, "wrong", 0)]
    with table.database.read() as session:
        found = sign_ins.find(session, other.token)
        assert found is not None
        assert found.player_id == other.player
        assert accounts.verify(session, f"{NAME} K", PASSWORD) is not None
        assert accounts.verify(session, NAME, PASSWORD) is None


def test_a_guest_exports_and_deletes_as_well(table: Table) -> None:
    table.send(table.wrong)
    with table.database.write.begin() as session:
        found = own_data.export(session, table.player, table.now)
        own_data.delete(session, table.player)
    assert (found["account"], found["audit_entries"], len(found["attempts"])) == (None, [], 1)
    with table.database.read() as session:
        assert session.scalars(select(Player.id)).all() == []


def test_nobody_has_no_data_and_the_only_admin_stays(
    database: Database, settings: Settings, noon: datetime
) -> None:
    with database.write.begin() as session:
        ids = [
            accounts.create(
                session, name, passwords.hashed(PASSWORD), noon, role=Role.ADMIN, player_id=None
            ).player_id
            for name in ("ayşe", "fatma")
        ]
        own_data.delete(session, ids[0])
        for player_id, code in ((ids[1], "last_admin"), (ids[0], "not_found")):
            with pytest.raises(ServiceError) as error:
                own_data.delete(session, player_id)
            assert error.value.code == code
        with pytest.raises(ServiceError, match="no such player"):
            own_data.export(session, ids[0], noon)
        assert accounts.find(session, "fatma") is not None
        assert session.scalars(select(AuditEntry)).all() == []


def test_a_move_after_a_deletion_finds_nobody(table: Table) -> None:
    with table.database.write.begin() as session:
        own_data.delete(session, table.player)
    with pytest.raises(ServiceError) as error:
        table.send(table.wrong)
    assert error.value.code == "not_found"
    with table.database.write.begin() as session:
        assert not players.lock(session, table.player)


def test_a_deletion_and_an_undoing_at_once_do_not_wait_for_each_other(
    reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both need the entry of the log and its puzzle; what the second one writes down is nameless too."""
    database, now = reviewer.table.database, reviewer.table.now
    with database.read() as session:
        approved = audit.entries(session, now.date(), by=NAME, action=Action.APPROVE)[0].id
    deleting = threading.Thread(target=_delete, args=(database, reviewer.id))
    lock = puzzles.locked

    def locked_late(session: Session, *conditions: ColumnElement[bool]) -> dict[str, Puzzle]:
        if threading.current_thread() is not deleting:
            # The entry is locked, its puzzle not yet.
            deleting.start()
            deleting.join(0.5)
        return lock(session, *conditions)

    monkeypatch.setattr(puzzles, "locked", locked_late)
    with database.write.begin() as session:
        audit.undo(session, approved, "zeynep", now, now.date())
    deleting.join()
    assert [trace for trace in reviewer.traces() if trace in str(rows(database))] == []


def _delete(database: Database, player_id: int) -> None:
    with database.write.begin() as session:
        own_data.delete(session, player_id)
