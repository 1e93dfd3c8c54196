"""The program itself: its group of commands, how it fails, and the database it gives them."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from sqlalchemy.exc import DatabaseError, OperationalError

from puzzle_service import db, logs
from puzzle_service.db import Database, WrongRevision
from puzzle_service.domain import names
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings, SettingsError

OPERATOR = names.OPERATOR
DAY = click.DateTime(["%Y-%m-%d"])


class _BadSettings(click.ClickException):
    exit_code = 2


class Program(click.Group):
    """A group whose failures are one message on stderr: exit code 1, and 2 for unusable settings."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program: what nobody expected is one line too, with the place where it happened."""
        try:
            return super().__call__(*args, **kwargs)
        except Exception as error:  # noqa: BLE001  (the edge; whoever calls `main` in a test sees everything)
            said = " ".join(f"{type(error).__name__}: {error}".split())
            click.echo(f"Error: a fault of the program, please report it: {said} ({_place(error)})", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except SettingsError as error:
            raise _BadSettings(str(error)) from error
        except (ServiceError, WrongRevision, OSError) as error:
            raise click.ClickException(str(error)) from error
        except DatabaseError as error:
            # Only what the database says of itself; a statement that it refuses is a fault of ours.
            if type(error) not in (DatabaseError, OperationalError):
                raise
            said = " ".join(str(error.orig).split())
            raise click.ClickException(f"the database cannot be used: {said}") from error


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dama-daily")
def main() -> None:
    """Run the site with one puzzle of Dama a day.

    Settings come from the environment, from variables that begin with DAMA_; the README lists them.
    """
    # A value that means nothing is reported with all other mistakes in the settings.
    logs.set_up("json" if os.environ.get("DAMA_LOG_FORMAT") == "json" else "text")


@contextmanager
def opened() -> Iterator[tuple[Database, Settings]]:
    """Give a command the database, once its revision is known to be right."""
    settings = Settings.from_env()
    db.check(settings)
    database = db.connect(settings)
    try:
        yield database, settings
    finally:
        database.close()


def _place(error: Exception) -> str:
    """Return where an error came up, as near to it as our own code reaches."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(Path(__file__).parent)]
    frame = (ours or frames)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"
