"""The commands for the calendar and for what came out wrong: what they print, and their exit codes."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from puzzle_service.cli import days, main, puzzles, schedule, site
from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.services import audit, publication
from puzzle_service.settings import Settings

DAY = timedelta(days=1)
AddPuzzles = Callable[..., list[str]]
Run = Callable[..., Result]


@pytest.fixture
def run(settings: Settings, noon: datetime, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A function that runs the program at noon of the last day of November 2026, a Monday."""
    for module in (days, puzzles, schedule, site):
        monkeypatch.setattr(module, "utc_now", lambda: noon)

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, env={"DAMA_DATABASE_URL": settings.database_url})

    return invoke


def lines(result: Result) -> list[str]:
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def test_the_calendar_is_set_moved_cleared_and_filled_by_commands(run: Run, add_puzzles: AddPuzzles) -> None:
    first, second, third = sorted(add_puzzles(3, difficulty=5.0, moves=2))
    assert lines(run("schedule", "set", "2026-12-04", first)) == [f"{first} is set for 2026-12-04"]
    assert lines(run("schedule", "set", "2026-12-06", second)) == [f"{second} is set for 2026-12-06"]
    assert lines(run("schedule", "move", "2026-12-04", "2026-12-06")) == ["moved 2026-12-04 to 2026-12-06"]
    assert lines(run("schedule", "clear", "2026-12-04")) == ["2026-12-04 is free"]
    listed = lines(run("schedule", "list", "--days", "7"))
    what = "win in 2, difficulty 5.0"
    assert listed[0] == f"Mon 2026-11-30 gap, as things stand {second} {what} (approved)"
    assert listed[1].startswith(f"Tue 2026-12-01 gap, as things stand {third} {what} (approved)")
    assert listed[2] == f"Wed 2026-12-02 gap, as things stand {first} {what} (brought forward)"
    assert listed[3] == "Thu 2026-12-03 gap: no puzzle is left"
    assert listed[6] == f"Sun 2026-12-06 scheduled: {first} {what}, needed before its day"
    filled = run("schedule", "fill", "--days", "2")
    told = lines(filled)
    monday, tuesday = (line.split()[0] for line in told[:2])
    assert {monday, tuesday} == {second, third}
    assert told == [
        f"{monday} is set for 2026-11-30",
        f"{tuesday} is set for 2026-12-01",
        f"Mon 2026-11-30 is unusual: {schedule.RULES['band']}, {schedule.RULES['theme']}",
        f"Tue 2026-12-01 is unusual: {schedule.RULES['band']}, {schedule.RULES['theme']}",
    ]
    assert lines(run("schedule", "fill", "--days", "2")) == []
    assert lines(run("publish")) == [f"puzzle 1 of 2026-11-30 is {monday}"]
    assert lines(run("schedule", "list", "--days", "1")) == [
        f"Mon 2026-11-30 published as 1: {monday} {what}"
    ]


def test_gaps_that_cannot_be_filled_are_counted(run: Run, add_puzzles: AddPuzzles) -> None:
    (puzzle_id,) = add_puzzles(1)
    add_puzzles(4, Status.CANDIDATE)
    result = run("schedule", "fill", "--days", "3")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{puzzle_id} is set for 2026-11-30\n")
    assert result.stderr == "Error: gaps left for want of approved puzzles: 2\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("schedule", "set", "2026-12-04", "unknown"), "there is no puzzle 'unknown'"),
        (("schedule", "set", "2026-12-04", "\udcff"), "there is no puzzle '\\udcff'"),
        (("schedule", "move", "2026-12-04", "2026-12-05"), "no puzzle is scheduled for 2026-12-04"),
        (("schedule", "move", "2026-12-04", "2026-12-04"), "2026-12-04 is the same day"),
        (("schedule", "clear", "2026-12-04"), "no puzzle is scheduled for 2026-12-04"),
        (("take-back", "2026-12-04"), "nothing is out for 2026-12-04"),
        (("take-back", "2026-11-30"), "2026-11-30 has begun"),
        (("replace", "1", "--reason", "two keys", "--with", "unknown"), "there is no puzzle 'unknown'"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    run: Run, add_puzzles: AddPuzzles, arguments: tuple[str, ...], message: str
) -> None:
    add_puzzles(1)
    run("publish")
    result = run(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("schedule", "list", "--days", "0"), "0 is not in the range"),
        (("schedule", "fill", "--days", "732"), "732 is not in the range"),
        (("schedule", "fill", "--weeks", "105"), "105 is not in the range"),
        (("schedule", "set", "tomorrow", "x"), "does not match the format"),
        (("schedule", "move", "2026-12-04"), "Missing argument 'TO'"),
        (("take-back",), "Missing argument 'DAY'"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_what_a_clock_ahead_has_published_is_taken_back_by_a_command(
    run: Run, database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(9)
    publication.ensure_published(database.write, noon + DAY, settings)
    assert lines(run("schedule", "list", "--days", "1")) == [
        "Mon 2026-11-30 closed: the puzzle of a later day is out"
    ]
    told = run("status")
    assert told.exit_code == 1
    assert told.stderr.startswith("Error: the puzzle of 2026-12-01 is out, so none before it")
    assert told.stderr.count("\n") == 1
    assert lines(run("take-back", "2026-12-01")) == ["2026-12-01 is to come again"]
    assert lines(run("publish"))[0].startswith("puzzle 1 of 2026-11-30")


def test_status_says_all_that_is_wrong_in_one_line(
    run: Run, database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(2, Status.CANDIDATE)
    publication.ensure_published(database.write, noon - DAY, settings)
    result = run("status")
    assert result.exit_code == 1
    wrong = result.stderr.removeprefix("Error: ").split("; ")
    assert [one.strip() for one in wrong] == [
        site.ALARMS[alarm] for alarm in ("late", "no_scheduler", "no_approved", "from_reserve")
    ]
    assert "gaps in the next 7 days: 2026-11-30, 2026-12-01," in result.stdout


def test_a_replacement_can_be_named(run: Run, add_puzzles: AddPuzzles) -> None:
    add_puzzles(3)
    run("publish")
    (named,) = add_puzzles(1, Status.CANDIDATE, difficulty=99.0)
    assert lines(run("replace", "1", "--reason", "two keys", "--with", named)) == [f"puzzle 1 is now {named}"]


def test_commands_are_in_the_audit_log(
    run: Run, database: Database, tmp_path: Path, record_lines: list[str], noon: datetime
) -> None:
    """An import is one entry, also when some of it is refused, and none when nothing came in."""
    file = tmp_path / "puzzles.jsonl"
    file.write_text("\n".join([*record_lines[:3], "{"]))
    assert run("import", str(file)).exit_code == 1
    assert run("import", str(file)).exit_code == 1
    puzzle_id = json.loads(record_lines[0])["id"]
    run("review", "approve", puzzle_id)
    run("schedule", "set", "2026-12-04", puzzle_id)
    with database.read() as session:
        entries = audit.entries(session, noon.date())
    assert [(entry.by, entry.action, entry.count) for entry in entries] == [
        ("command line", "set", 0),
        ("command line", "approve", 0),
        ("command line", "import", 3),
    ]
