"""Backups of a SQLite database while the site runs: a whole copy of one instant, or none at all."""

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings


def back_up(settings: Settings, target: Path, *, replace: bool) -> None:
    """Copy the database as it is at this instant into a file that appears whole or not at all.

    Raises ServiceError when there is nothing to copy, the copy is not sound, or the file exists and is not to
    be replaced; OSError when it cannot be written.
    """
    source = settings.database_file
    if source is None:
        raise _refusal("the database is PostgreSQL's; back it up with: pg_dump --format=custom")
    if not source.is_file():
        raise _refusal(f"there is no database at {source}")
    _check_target(source, target, replace=replace)
    with _draft_beside(target) as draft:
        try:
            _copy(source, draft, settings.busy_seconds)
        except sqlite3.Error as error:
            raise _refusal(f"{source} cannot be copied: {error}") from error
        _sync(draft)
        _give_name(draft, target, replace=replace)
        _sync(target.parent)


def _refusal(message: str) -> ServiceError:
    return ServiceError("bad_request", message)


def _check_target(source: Path, target: Path, *, replace: bool) -> None:
    if not target.parent.is_dir():
        raise _refusal(f"{target.parent} is no folder; expected one to put {target.name} into")
    if not target.exists():
        return
    if target.samefile(source):
        raise _refusal(f"{target} is the database itself; expected another file")
    if not replace:
        raise _refusal(f"{target} exists; expected a new file, or --force to replace it")
    if not target.is_file():
        raise _refusal(f"{target} is no file; expected one to replace")


@contextmanager
def _draft_beside(target: Path) -> Iterator[Path]:
    """Give an empty file next to the target that only its owner can read, and that is gone afterwards."""
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield draft
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def _copy(source: Path, draft: Path, busy_seconds: int) -> None:
    existing = f"{source.absolute().as_uri()}?mode=rw"
    with (
        closing(sqlite3.connect(existing, uri=True, timeout=busy_seconds)) as origin,
        closing(sqlite3.connect(draft)) as copy,
    ):
        # In one step: it reads one instant while others write, and would begin anew with each of several.
        origin.backup(copy, pages=-1)
        # One file, without a log beside it that a copy could leave behind.
        copy.execute("PRAGMA journal_mode = DELETE")
        (found,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            said = " ".join(found.split())
            raise _refusal(f"{source} is damaged, and so is its copy: {said}")
        if copy.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise _refusal(f"{source} holds rows that belong to nothing, and so would its copy")


def _give_name(draft: Path, target: Path, *, replace: bool) -> None:
    if replace:
        draft.replace(target)
        return
    try:
        # Unlike a renaming, a link never takes the place of what somebody has put there meanwhile.
        os.link(draft, target)
    except FileExistsError as error:
        raise _refusal(f"{target} exists; expected a new file, or --force to replace it") from error


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
