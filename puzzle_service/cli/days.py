"""The commands for days that are out: publishing today's puzzle, and making good what went wrong."""

from datetime import date, datetime

import click

from puzzle_service.cli.program import DAY, OPERATOR, main, opened
from puzzle_service.clock import utc_now
from puzzle_service.domain import puzzle_day
from puzzle_service.services import amendments, publication
from puzzle_service.services.errors import ServiceError


@main.command()
@click.option("--day", type=DAY, metavar="DAY", help="The day meant, which must be today.")
def publish(day: datetime | None) -> None:
    """Publish today's puzzle unless it is out.

    A day that nobody could play is never published afterwards, and one to come has its puzzle by
    `schedule set`.
    """
    with opened() as (database, settings):
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
@click.option(
    "--with", "puzzle_id", metavar="ID", help="The other one; otherwise what publication would pick."
)
def replace(number: int, reason: str, puzzle_id: str | None) -> None:
    """Give the day of a published puzzle another one; nobody's streak breaks on such a day."""
    with opened() as (database, settings), database.write.begin() as session:
        replacement = amendments.replace(session, number, OPERATOR, utc_now(), reason, settings, puzzle_id)
    click.echo(f"puzzle {number} is now {replacement}")


@main.command()
@click.argument("number", type=click.IntRange(min=1))
@click.option("--reason", required=True, help="What is wrong with the puzzle that is out.")
def void(number: int, reason: str) -> None:
    """Declare a published puzzle void: it stays to be played, and breaks nobody's streak."""
    with opened() as (database, settings), database.write.begin() as session:
        amendments.void(session, number, OPERATOR, utc_now(), reason, settings)
    click.echo(f"puzzle {number} is void")


@main.command("take-back")
@click.argument("day", type=DAY, metavar="DAY")
def take_back(day: datetime) -> None:
    """Take back what a clock that ran ahead has published for a day to come, while nobody has played it."""
    with opened() as (database, settings), database.write.begin() as session:
        publication.take_back(session, day.date(), OPERATOR, utc_now(), settings)
    click.echo(f"{day.date()} is to come again")


def _check_day(day: date, today: date) -> None:
    if day < today:
        raise ServiceError(
            "day_passed", f"{day} has passed and nobody could play it any more; today is {today}"
        )
    if day > today:
        raise ServiceError(
            "bad_request",
            f"{day} is still to come; give it a puzzle with: dama-daily schedule set {day} ID",
        )
