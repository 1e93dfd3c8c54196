"""The command that backs the database up."""

from pathlib import Path

import click

from puzzle_service import backup as backups
from puzzle_service.cli.program import main
from puzzle_service.settings import Settings


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def backup(file: Path, *, force: bool) -> None:
    """Copy a SQLite database into FILE while the site runs; PostgreSQL has pg_dump for that.

    The copy holds the state of one instant, is checked, and appears whole or not at all.
    """
    settings = Settings.from_env()
    backups.back_up(settings, file, replace=force)
    click.echo(f"backed up to {file}")
    place = "DAMA_SECRET_KEY" if settings.secret_key else settings.secret_file
    click.echo(f"the secret is not in it; keep a copy of that too: {place}")
