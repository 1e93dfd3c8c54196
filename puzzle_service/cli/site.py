"""The commands that run the site and look after it."""

import click

from puzzle_service import db
from puzzle_service.cli.program import main, opened
from puzzle_service.clock import utc_now
from puzzle_service.services import stock
from puzzle_service.settings import Settings

ALARMS: dict[stock.Alarm, str] = {
    "from_reserve": "the last puzzle came from the reserve, not from the approved ones",
    "brought_forward": "the last puzzle had been kept for a later day: no other approved one was left",
    "no_approved": "no approved puzzle is left: the next one will come from the reserve",
    "nothing_left": "no puzzle is left: the next day stays empty",
    "ahead": "the puzzle of {ahead} is out, so none before it: see dama-daily take-back --help",
    "late": "today's puzzle is late",
    "no_scheduler": "no scheduler has shown itself for five minutes",
}


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
@click.option("--threads", type=click.IntRange(1, 64), default=8, show_default=True, help="Of each process.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="The port.")
@click.option("--scheduler/--no-scheduler", default=True, help="Whether the scheduler runs beside it.")
@click.option("--prepare", is_flag=True, help="First make database, stock and an admin; this host only.")
def serve(workers: int, threads: int, host: str, port: int, *, scheduler: bool, prepare: bool) -> None:
    """Serve the site, with the scheduler beside it.

    A socket that systemd hands over (LISTEN_FDS) takes the place of host and port.
    """
    if not host.strip():
        raise click.UsageError("--host: it is empty; expected an address of this machine such as 127.0.0.1")
    if prepare and host not in ("127.0.0.1", "::1", "localhost"):
        raise click.UsageError(f"--host: {host}; with --prepare expected this host alone, 127.0.0.1")
    # Flask and gunicorn take their time to load; no other command needs them.
    from puzzle_service import serve as program

    settings = Settings.from_env()
    options = program.Options(host, port, workers, threads, scheduler)
    if prepare:
        done = program.prepare(settings, utc_now())
        if done.imported:
            click.echo(f"Imported {done.imported} puzzles from the packaged stock.")
        if done.password:
            click.echo(f"Admin {program.ADMIN!r}, password (shown once): {done.password}")
            click.echo(f"Sign in with it at http://{options.bind}/sign-in; after that there is /admin.")
    program.run(settings, options)


@main.command()
def status() -> None:
    """Show the stock, the days it covers and the last publication; exit code 1 when something is wrong.

    `approved` are the approved puzzles without a day, `scheduled` those with one. A gap is a day to come for
    which nobody has chosen; the weekly rhythm will.
    """
    with opened() as (database, settings), database.read() as session:
        found = stock.status(session, utc_now(), settings)
    for name, count in found.counts.items():
        click.echo(f"{name}: {count}")
    click.echo(f"days covered: {found.days_covered}")
    click.echo(f"gaps in the next 7 days: {', '.join(map(str, found.gaps)) or 'none'}")
    click.echo(f"last publication: {found.last_publication or 'none'}")
    if found.alarms:
        raise click.ClickException(
            "; ".join(ALARMS[alarm] for alarm in found.alarms).format(ahead=found.ahead)
        )
