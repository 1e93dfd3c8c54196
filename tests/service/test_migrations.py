"""Migrations: what was there before is there afterwards, forth and back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from puzzle_service import db
from puzzle_service.db import Database, WrongRevision
from puzzle_service.domain import findings
from puzzle_service.domain.review import Status
from puzzle_service.models import Puzzle
from puzzle_service.services import accounts, audit, devices, passwords, tallies
from puzzle_service.services.tallies import Tally
from puzzle_service.settings import Settings
from tests.conftest import AddPuzzles
from tests.service.histories import DAY

PASSWORD = "four unrelated words"  # noqa: S105


def migrate(database: Database, revision: str, *, down: bool = False) -> None:
    with db.migrating(database) as connection:
        config = Config()
        config.set_main_option("script_location", str(db.MIGRATIONS))
        config.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(config, revision)


def put(connection: Connection, table: str, columns: str, *rows: Sequence[Any]) -> None:
    names = columns.split()
    statement = text(f"INSERT INTO {table} ({', '.join(names)}) VALUES (:{', :'.join(names)})")  # noqa: S608
    connection.execute(statement, [dict(zip(names, row, strict=True)) for row in rows])


def test_puzzles_stay_without_what_was_found_out_about_them_and_get_none_of_it(
    settings: Settings, database: Database, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    (puzzle_id,) = add_puzzles(1, score=2.5)
    with database.write.begin() as session:
        puzzle = session.get_one(Puzzle, puzzle_id)
        before = (puzzle.fen, puzzle.difficulty, puzzle.themes, puzzle.proof)
        assert findings.from_json(puzzle.findings) != findings.NONE
        entry = audit.write_import(session, "ayşe", noon, 1, Status.CANDIDATE)
    migrate(database, "0002", down=True)
    with pytest.raises(WrongRevision, match="revision 0002"):
        db.check(settings)
    migrate(database, "head")
    assert db.check(settings) == db.REVISION
    with database.read() as session:
        puzzle = session.get_one(Puzzle, puzzle_id)
        assert (puzzle.fen, puzzle.difficulty, puzzle.themes, puzzle.proof) == before
        assert (puzzle.score, findings.from_json(puzzle.findings)) == (0, findings.NONE)
        assert [one.id for one in audit.entries(session, noon.date())] == [entry]


def test_guests_admins_and_results_come_along(
    settings: Settings, database: Database, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    puzzle_id, other = add_puzzles(2)
    migrate(database, "0001", down=True)
    then = noon - DAY
    hashes = {name: passwords.hashed(f"{PASSWORD} of {name}") for name in ("Işık", "IŞIK", "ışık", "ışık 2")}
    with database.write.kw["bind"].begin() as connection:
        put(
            connection,
            "player",
            "id token_hash created_at",
            *((number, devices.token_hash(f"guest {number}"), then) for number in (1, 2, 3)),
        )
        put(
            connection,
            "admin",
            "name password_hash session_key created_at",
            *((name, kept, "key", then) for name, kept in hashes.items()),
        )
        put(
            connection,
            "attempt",
            "player_id puzzle_id ordinal plies slow result started_at",
            *((1, puzzle_id, ordinal, "[]", 0, "wrong", then) for ordinal in (1, 2, 3)),
            (2, puzzle_id, 1, "[]", 0, "wrong", then),
            (2, puzzle_id, 2, "[]", 0, "solved", then),
            (3, puzzle_id, 1, "[]", 0, None, then),
            (3, other, 1, "[]", 0, "solved", then),
        )
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT setval('player_id_seq', 3)"))
    migrate(database, "head")
    names = {"Işık": "Işık", "IŞIK": "IŞIK 3", "ışık": "ışık 4", "ışık 2": "ışık 2"}
    with database.read() as session:
        assert [devices.guest(session, f"guest {number}") for number in (1, 2, 3)] == [1, 2, 3]
        assert tallies.get(session, puzzle_id) == Tally(second=1, failed=1)
        assert tallies.get(session, other) == Tally(first=1)
        assert accounts.count_admins(session) == 4
        for name, now in names.items():
            found, key = accounts.find(session, now), accounts.verify(session, now, f"{PASSWORD} of {name}")
            assert found is not None
            assert (found.name, found.role) == (now, "admin")
            assert key is not None
            assert key.player_id == found.player_id
    migrate(database, "0001", down=True)
    with database.write.kw["bind"].begin() as connection:
        kept = connection.execute(text("SELECT id, token_hash FROM player ORDER BY id")).all()
        assert [(one.id, one.token_hash) for one in kept[:3]] == [
            (number, devices.token_hash(f"guest {number}")) for number in (1, 2, 3)
        ]
        admins = connection.scalars(text("SELECT name FROM admin ORDER BY id")).all()
        more = [(f"admin {number}", "none", "key", then) for number in range(5)]
        put(connection, "admin", "name password_hash session_key created_at", *more)
    assert admins == list(names.values())
    migrate(database, "head")
    assert db.check(settings) == db.REVISION
