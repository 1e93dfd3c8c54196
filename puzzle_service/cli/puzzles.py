"""The commands for puzzles that are not out: bringing them in, and deciding about them."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, BinaryIO, cast

import click

from puzzle_service import generating
from puzzle_service.cli.program import DAY, OPERATOR, main, opened
from puzzle_service.clock import utc_now
from puzzle_service.domain import puzzle_day
from puzzle_service.domain.review import Status
from puzzle_service.services import generation, intake, review

MOST_LISTED = 1_000_000
STATUSES = click.Choice([status.value for status in Status])


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


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
def export(file: Path) -> None:
    """Write down every puzzle there is, a JSON record a line, for dama-generate --known."""
    with opened() as (database, _), database.read() as session, _written_whole(file) as written:
        written.writelines(f"{line}\n" for line in intake.export(session))


@main.command()
@click.option(
    "--seconds",
    type=click.IntRange(generation.SECONDS.start, generation.SECONDS.stop - 1),
    help="How long to look for puzzles.",
)
@click.option("--run", "run_id", type=int, hidden=True, help="The run that a worker has written down.")
def generate(seconds: int | None, run_id: int | None) -> None:
    """Look for new puzzles with dama-generate, and import what it finds as candidates.

    One such run at a time, started here or on the pages of the site, which show it too.
    """
    if (seconds is None) is (run_id is None):
        raise click.UsageError("--seconds is missing")
    with opened() as (database, _), _ended_in_order():
        if seconds is not None:
            with database.write.begin() as session:
                run_id = generation.start(session, OPERATOR, utc_now(), seconds)
        run = generating.run(database, cast(int, run_id), utc_now, generating.program())
    click.echo(f"{run.state}: {run.accepted} found, {run.added} imported")
    if run.error:
        raise click.ClickException(run.error)


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
    with opened() as (database, _), database.read() as session:
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
    with opened() as (database, _), database.read() as session:
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
    "--day",
    type=DAY,
    metavar="DAY",
    help="The day it goes out, such as 2026-12-31. A puzzle that has one keeps it unless told otherwise.",
)
@click.option("--any-day", is_flag=True, help="No day: the weekly rhythm decides.")
def approve(puzzle_id: str, day: datetime | None, *, any_day: bool) -> None:
    """Approve a puzzle, or give an approved one another day or none."""
    if day and any_day:
        raise click.UsageError("give either --day or --any-day")
    with opened() as (database, settings), database.write.begin() as session:
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
    with opened() as (database, _), database.write.begin() as session:
        review.reject(session, puzzle_id, OPERATOR, utc_now(), reason)
    click.echo(f"rejected {puzzle_id}")


@contextmanager
def _written_whole(path: Path) -> Iterator[IO[str]]:
    """Open a file that takes its place at the end, and leaves what was there after any failure."""
    if not path.is_file() and (path.exists() or path == Path("-")):
        with click.open_file(str(path), "w", encoding="utf-8") as stream:
            yield stream
        return
    place = path.resolve()
    draft = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with draft.open("w", encoding="utf-8") as stream:
            yield stream
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let SIGTERM, a service manager's way to end a process, be what an operator's Ctrl-C is."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _import(lines: IO[bytes], status: Status, *, search: bool, prove: bool) -> None:
    with opened() as (database, _):
        done = intake.bring_in(
            database, lines, status, utc_now, OPERATOR, search=search, prove=prove, on_refusal=_tell
        )
    click.echo(f"{len(done.added)} imported, {done.known} known, {done.refused} refused")
    if done.refused:
        sys.exit(1)


def _tell(number: int, why: str) -> None:
    click.echo(f"line {number}: {why}", err=True)
