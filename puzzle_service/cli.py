"""The program ``dama-daily``: everything an operator does with the site."""

import logging
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, BinaryIO

import click
from sqlalchemy.exc import DatabaseError, OperationalError

from dama import symmetry
from dama.proof import Proof
from puzzle_service import db
from puzzle_service.clock import utc_now
from puzzle_service.db import Database, WrongRevision
from puzzle_service.domain import puzzle_day, record
from puzzle_service.domain.review import Status
from puzzle_service.services import admins, amendments, intake, publication, review, stock
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings, SettingsError

OPERATOR = "command line"
MOST_LISTED = 1_000_000

STATUSES = click.Choice([status.value for status in Status])
DAY = click.DateTime(["%Y-%m-%d"])

ALARMS = {
    "from_reserve": "the last puzzle came from the reserve, not from the approved ones",
    "brought_forward": "the last puzzle had been kept for a later day: no other approved one was left",
    "no_approved": "no approved puzzle is left: the next one will come from the reserve",
    "nothing_left": "no puzzle is left: the next day stays empty",
}


class _BadSettings(click.ClickException):
    exit_code = 2


class _Program(click.Group):
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


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run the site with one puzzle of Dama a day.

    Settings come from the environment: DAMA_DATABASE_URL, DAMA_TIMEZONE, DAMA_SECRET_KEY, DAMA_COOKIE_SECURE,
    DAMA_GRACE_HOURS and DAMA_BUSY_SECONDS.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    for noisy in ("apscheduler", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


@main.group("db")
def database_group() -> None:
    """Look after the database."""


@database_group.command()
def upgrade() -> None:
    """Bring the database to the revision of this version."""
    click.echo(f"the database is at revision {db.upgrade(Settings.from_env())}")


@database_group.command()
def check() -> None:
    """Check that the database is at the revision of this version."""
    click.echo(f"the database is at revision {db.check(Settings.from_env())}")


@main.command("import")
@click.argument("file", type=click.File("rb"), required=False)
@click.option("--stock", "from_stock", is_flag=True, help="Import the packaged stock, approved.")
@click.option("--prove", is_flag=True, help="Prove every puzzle by the kernel too.")
def import_command(file: BinaryIO | None, *, from_stock: bool, prove: bool) -> None:
    """Import puzzles, a JSON record a line, as candidates.

    Each is walked and searched again by the plain rules, unless it is known; those of the packaged stock are
    only walked. Refusals are listed with their lines, and the exit code is then 1.
    """
    if (file is None) is not from_stock:
        raise click.UsageError("expected either FILE or --stock")
    if file is not None:
        _import(file, Status.CANDIDATE, search=True, prove=prove)
        return
    packaged = intake.packaged_stock()
    if not packaged.is_file():
        raise click.ClickException("there is no stock in the package")
    with packaged.open("rb") as lines:
        _import(lines, Status.APPROVED, search=False, prove=prove)


@main.group("review")
def review_group() -> None:
    """Decide which puzzles go out."""


@review_group.command("list")
@click.option("--status", type=STATUSES, default="candidate", show_default=True, help="Which ones.")
@click.option(
    "--limit", type=click.IntRange(1, MOST_LISTED), default=50, show_default=True, help="How many at most."
)
def list_command(status: str, limit: int) -> None:
    """List puzzles in the order of their import."""
    with _database() as (database, _), database.read() as session:
        found = review.queue(session, status, limit=limit + 1)
        for one in found[:limit]:
            day = f" on {one.day}" if one.day else ""
            themes = ", ".join(one.themes) or "no theme"
            click.echo(f"{one.id} win in {one.moves}, difficulty {one.difficulty:.1f}, {themes}{day}")
        if len(found) > limit:
            click.echo(f"there are more; --limit shows more than {limit}", err=True)


@review_group.command()
@click.argument("puzzle_id", metavar="ID")
def show(puzzle_id: str) -> None:
    """Show a puzzle: the board, what is known about it, and the main line."""
    with _database() as (database, _), database.read() as session:
        found = review.get(session, puzzle_id)
    summary = found.summary
    click.echo(found.position)
    for name, value in (
        ("fen", summary.fen),
        ("rules", summary.rules),
        ("status", summary.status),
        ("reason", found.reason),
        ("day", summary.day),
        ("win in", summary.moves),
        ("before", f"{found.previous.fen()} {found.previous_move}"),
        ("solution", " ".join(found.proof.main_line())),
        ("first moves", found.first_moves),
        ("difficulty", f"{summary.difficulty:.1f}"),
        ("themes", ", ".join(summary.themes)),
        ("source", f"{summary.source}, {found.generator}, seed {found.seed}"),
        ("reviewed", found.reviewed_by and f"{found.reviewed_at:%Y-%m-%d} by {found.reviewed_by}"),
    ):
        if value not in (None, ""):
            click.echo(f"{name}: {value}")


@review_group.command()
@click.argument("puzzle_id", metavar="ID")
@click.option(
    "--day", type=DAY, help="The day it goes out. A puzzle that has one keeps it unless told otherwise."
)
@click.option("--any-day", is_flag=True, help="No day: the weekly rhythm decides.")
def approve(puzzle_id: str, day: datetime | None, *, any_day: bool) -> None:
    """Approve a puzzle, or give an approved one another day or none."""
    if day and any_day:
        raise click.UsageError("give either --day or --any-day")
    with _database() as (database, settings), database.write.begin() as session:
        now = utc_now()
        present = None if any_day else review.get(session, puzzle_id).summary.day
        chosen = day.date() if day else present
        today = puzzle_day.day_of(now, settings.timezone)
        review.approve(session, puzzle_id, OPERATOR, now, today, chosen)
    click.echo(f"approved {puzzle_id}" + (f" for {chosen}" if chosen else ""))


@review_group.command()
@click.argument("puzzle_id", metavar="ID")
@click.option("--reason", required=True, help="Why.")
def reject(puzzle_id: str, reason: str) -> None:
    """Reject a puzzle."""
    with _database() as (database, _), database.write.begin() as session:
        review.reject(session, puzzle_id, OPERATOR, utc_now(), reason)
    click.echo(f"rejected {puzzle_id}")


@main.command()
@click.option("--day", type=DAY, help="The day meant, which must be today.")
def publish(day: datetime | None) -> None:
    """Publish today's puzzle unless it is out.

    A day that nobody could play is never published afterwards, and one to come has its puzzle by
    `review approve --day`.
    """
    with _database() as (database, settings):
        now = utc_now()
        today = puzzle_day.day_of(now, settings.timezone)
        _check_day(day.date() if day else today, today)
        published = publication.ensure_published(database.write, now, settings)
        if published is None:
            with database.read() as session:
                raise ServiceError("nothing_left", publication.why_none(session, now, settings))
    click.echo(f"puzzle {published.number} of {published.day} is {published.puzzle_id}")


@main.command()
@click.argument("number", type=click.IntRange(min=1))
@click.option("--reason", required=True, help="What is wrong with the puzzle that is out.")
def replace(number: int, reason: str) -> None:
    """Give the day of a published puzzle another one; nobody's streak breaks on such a day."""
    with _database() as (database, settings), database.write.begin() as session:
        replacement = amendments.replace(session, number, OPERATOR, utc_now(), reason, settings)
    click.echo(f"puzzle {number} is now {replacement}")


@main.command()
@click.argument("number", type=click.IntRange(min=1))
@click.option("--reason", required=True, help="What is wrong with the puzzle that is out.")
def void(number: int, reason: str) -> None:
    """Declare a published puzzle void: it stays to be played, and breaks nobody's streak."""
    with _database() as (database, settings), database.write.begin() as session:
        amendments.void(session, number, OPERATOR, utc_now(), reason, settings)
    click.echo(f"puzzle {number} is void")


@main.command()
@click.option("--parent", type=int, hidden=True, help="The process without which there is nothing to do.")
def scheduler(parent: int | None) -> None:
    """Publish each day's puzzle when the day changes, until stopped."""
    from puzzle_service import scheduler as program

    settings = Settings.from_env()
    db.check(settings)
    program.run(settings, parent=parent)


@main.command()
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="The port.")
@click.option("--prepare", is_flag=True, help="First make database, stock and an admin; this host only.")
def serve(workers: int, host: str, port: int, *, prepare: bool) -> None:
    """Serve the site, with the scheduler inside."""
    if not host.strip():
        raise click.UsageError("--host: it is empty; expected an address of this machine such as 127.0.0.1")
    if prepare and host not in ("127.0.0.1", "::1", "localhost"):
        raise click.UsageError(f"--host: {host}; with --prepare expected this host alone, 127.0.0.1")
    # Flask and gunicorn take their time to load; no other command needs them.
    from puzzle_service import serve as program

    settings = Settings.from_env()
    if prepare:
        done = program.prepare(settings, utc_now())
        if done.imported:
            click.echo(f"Imported {done.imported} puzzles from the packaged stock.")
        if done.password:
            click.echo(f"Admin {program.ADMIN!r}, password (shown once): {done.password}")
    program.run(settings, host=host, port=port, workers=workers)


@main.group("admin")
def admin_group() -> None:
    """Look after the admins."""


@admin_group.command()
@click.argument("name")
@click.option("--generate", is_flag=True, help="Make a password, and print it once.")
def create(name: str, *, generate: bool) -> None:
    """Make an admin; the password is asked for."""
    with _database() as (database, _):
        password = admins.new_password() if generate else _asked_password()
        with database.write.begin() as session:
            made = admins.create(session, name, password, utc_now())
    click.echo(f"made admin {made.name!r}" + (f", password (shown once): {password}" if generate else ""))


@main.command()
def status() -> None:
    """Show the stock, the days it covers and the last publication; exit code 1 when something is wrong."""
    with _database() as (database, settings), database.read() as session:
        found = stock.status(session, utc_now(), settings)
    for name in ("candidates", "approved", "scheduled", "published", "rejected", "withdrawn"):
        click.echo(f"{name}: {getattr(found, name)}")
    click.echo(f"days covered: {found.days_covered}")
    click.echo(f"last publication: {found.last_publication or 'none'}")
    if found.alarm:
        raise click.ClickException(ALARMS[found.alarm])


def _asked_password() -> str:
    try:
        password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    except UnicodeDecodeError:
        # What is no text is refused with whatever else nobody could type into the form.
        return ""
    return password


def _place(error: Exception) -> str:
    """Return where an error came up, as near to it as our own code reaches."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(Path(__file__).parent)]
    frame = (ours or frames)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"


@contextmanager
def _database() -> Iterator[tuple[Database, Settings]]:
    """Give a command the database, once its revision is known to be right."""
    settings = Settings.from_env()
    db.check(settings)
    database = db.connect(settings)
    try:
        yield database, settings
    finally:
        database.close()


def _check_day(day: date, today: date) -> None:
    if day < today:
        raise ServiceError(
            "day_passed", f"{day} has passed and nobody could play it any more; today is {today}"
        )
    if day > today:
        raise ServiceError(
            "bad_request",
            f"{day} is still to come; schedule it with: dama-daily review approve ID --day {day}",
        )


def _import(lines: Iterable[bytes], status: Status, *, search: bool, prove: bool) -> None:
    added = known = refused = 0
    with _database() as (database, _):

        def check(proof: Proof) -> None:
            with database.read() as session:
                is_known = intake.is_known(session, symmetry.puzzle_id(proof.position))
            # A search can take seconds; it must not hold up whoever else writes.
            if search and not is_known:
                proof.search_again()
            else:
                proof.walk()
            if prove:
                intake.proved_by_kernel(proof)

        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                one = record.parse(line, check)
            except ValueError as error:
                click.echo(f"line {number}: {error}", err=True)
                refused += 1
                continue
            with database.write.begin() as session:
                is_new = intake.add(session, one, utc_now(), status)
            added, known = added + is_new, known + (not is_new)
    click.echo(f"{added} imported, {known} known, {refused} refused")
    if refused:
        sys.exit(1)


if __name__ == "__main__":
    main()
