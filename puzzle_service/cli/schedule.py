"""The commands for the calendar: which puzzle waits for which day."""

from datetime import datetime

import click

from puzzle_service.cli.program import DAY, OPERATOR, main, opened
from puzzle_service.clock import utc_now
from puzzle_service.domain.rhythm import Rule
from puzzle_service.services import schedule

DAYS = click.option(
    "--days",
    type=click.IntRange(1, schedule.FORESEEN_DAYS),
    default=schedule.CALENDAR_DAYS,
    show_default=True,
    help="How many days, today the first.",
)
WEEK = 7
RULES: dict[Rule, str] = {
    "length": "another length than its weekday's",
    "band": "easier or harder than its weekday's",
    "theme": "a leading theme of the days around it",
    "natural": "the seventh day without a natural position",
    "rare": "the seventh day without a rare theme",
}


@main.group("schedule")
def schedule_group() -> None:
    """Decide which puzzle goes out when. A day is written like 2026-12-31."""


@schedule_group.command("list")
@DAYS
def list_command(days: int) -> None:
    """List the days to come: what is out, what is scheduled, and what would go out on a gap."""
    with opened() as (database, settings), database.read() as session:
        found = schedule.calendar(session, utc_now(), settings, days)
    for one in found:
        click.echo(f"{one.day:%a} {one.day} {_described(one)}")


@schedule_group.command("set")
@click.argument("day", type=DAY, metavar="DAY")
@click.argument("puzzle_id", metavar="ID")
def set_command(day: datetime, puzzle_id: str) -> None:
    """Put a puzzle on a free day, approving it if it is not approved."""
    with opened() as (database, settings), database.write.begin() as session:
        schedule.set_day(session, day.date(), puzzle_id, OPERATOR, utc_now(), settings)
    click.echo(f"{puzzle_id} is set for {day.date()}")


@schedule_group.command()
@click.argument("day", type=DAY, metavar="DAY")
@click.argument("to", type=DAY, metavar="TO")
def move(day: datetime, to: datetime) -> None:
    """Move the puzzle of a day to another day; if that has one too, they change places."""
    with opened() as (database, settings), database.write.begin() as session:
        schedule.move(session, day.date(), to.date(), OPERATOR, utc_now(), settings)
    click.echo(f"moved {day.date()} to {to.date()}")


@schedule_group.command()
@click.argument("day", type=DAY, metavar="DAY")
def clear(day: datetime) -> None:
    """Make a day a gap again; its puzzle stays approved."""
    with opened() as (database, _), database.write.begin() as session:
        schedule.clear_day(session, day.date(), OPERATOR, utc_now())
    click.echo(f"{day.date()} is free")


@schedule_group.command()
@DAYS
@click.option(
    "--weeks", type=click.IntRange(1, schedule.FORESEEN_DAYS // WEEK), help="How many weeks, instead of days."
)
def fill(days: int, weeks: int | None) -> None:
    """Give the gaps approved puzzles by the weekly rhythm, all of them planned together.

    Where the approved puzzles are too few or too much alike for that, it says which days are unusual and why.
    """
    count = days if weeks is None else weeks * WEEK
    with opened() as (database, settings), database.write.begin() as session:
        filled = schedule.fill(session, utc_now(), settings, OPERATOR, count)
    for day, puzzle_id in filled.days:
        click.echo(f"{puzzle_id} is set for {day}")
    for day, rules in filled.broken.items():
        click.echo(f"{day:%a} {day} is unusual: {', '.join(RULES[rule] for rule in rules)}")
    if filled.left:
        raise click.ClickException(f"gaps left for want of approved puzzles: {filled.left}")


def _described(one: schedule.Day) -> str:
    if one.puzzle is None:
        why = "the puzzle of a later day is out" if one.state == "closed" else "no puzzle is left"
        return f"{one.state}: {why}"
    what = f"{one.puzzle.id} win in {one.puzzle.moves}, difficulty {one.puzzle.difficulty:.1f}"
    if one.state == "published":
        return f"published as {one.number}: {what}"
    if one.state == "gap":
        return f"gap, as things stand {what} ({(one.source or '').replace('_', ' ')})"
    brought_forward = ", needed before its day" if one.alarm else ""
    return f"scheduled: {what}{brought_forward}"
