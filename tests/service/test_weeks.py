"""Two years filled by the command, and what the calendar then shows, read with a reader's eyes.

All of it on one database: what each of them does is tested with the schedule.
"""

import json
from datetime import date, datetime, timedelta
from importlib.resources import files
from itertools import pairwise

import pytest
from click.testing import CliRunner
from sqlalchemy import insert, select

from puzzle_service.cli import main
from puzzle_service.cli import schedule as commands
from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.domain.rhythm import Offer
from puzzle_service.models import Publication, Puzzle
from puzzle_service.services import publication, schedule
from puzzle_service.settings import Settings
from tests.domain import weeks
from tests.domain.weeks import DAY, MONDAY

WEEKS = 104


def made_up() -> list[Offer]:
    """Return as many puzzles as two years need, and somewhat more."""
    return weeks.pool(7, 1100, rare=150, natural=150)


def packaged() -> list[Offer]:
    """Return the puzzles that a new site begins with."""
    stock = files("puzzle_service") / "stock" / "stock.jsonl"
    lines = map(json.loads, stock.read_text(encoding="utf-8").splitlines())
    return [
        Offer(
            id=line["id"],
            moves=line["moves"],
            difficulty=line["difficulty"],
            themes=tuple(line["themes"]),
            source=line["source"],
            solver=line["fen"][0],
            score=line["score"],
        )
        for line in lines
    ]


@pytest.fixture
def offers(
    request: pytest.FixtureRequest, database: Database, records: list[Record], noon: datetime
) -> list[Offer]:
    """Enough approved puzzles for two years; their boards are all the same two, one for each colour."""
    found: list[Offer] = request.param()
    board = records[0]
    fens = {"W": board.fen, "B": board.proof.position.swapped().fen()}
    rows = [
        {
            "id": one.id,
            "rules": board.rules,
            "fen": fens[one.solver],
            "previous_fen": board.previous_fen,
            "previous_move": board.previous_move,
            "moves": one.moves,
            "key": board.key,
            "proof": {},
            "first_moves": board.first_moves,
            "difficulty": one.difficulty,
            "score": one.score,
            "themes": list(one.themes),
            "findings": {},
            "source": one.source,
            "generator": "test",
            "seed": "1",
            "status": Status.APPROVED,
            "imported_at": noon,
        }
        for one in found
    ]
    with database.write.begin() as session:
        session.execute(insert(Puzzle), rows)
    return found


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
@pytest.mark.parametrize("offers", [made_up, packaged], indirect=True)
def test_two_years_filled_by_the_command_keep_every_rule_in_alternating_colours(
    database: Database,
    settings: Settings,
    offers: list[Offer],
    noon: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commands, "utc_now", lambda: noon)
    program = CliRunner().invoke(
        main, ["schedule", "fill", "--weeks", f"{WEEKS}"], env={"DAMA_DATABASE_URL": settings.database_url}
    )
    assert (program.exit_code, program.stderr) == (0, "")
    assert len(program.stdout.splitlines()) == WEEKS * 7
    by_id = {one.id: one for one in offers}
    with database.read() as session:
        rows = session.execute(select(Puzzle.day, Puzzle.id).where(Puzzle.day.is_not(None)))
        days: dict[date, Offer] = {day: by_id[puzzle_id] for day, puzzle_id in rows if day is not None}
        shown = schedule.calendar(session, noon, settings, WEEKS * 7)
    assert sorted(days) == [MONDAY + n * DAY for n in range(WEEKS * 7)]
    assert weeks.complaints(days, offers) == {}
    assert [(one.day, one.state) for one in shown] == [(day, "scheduled") for day in sorted(days)]
    for before, after in pairwise(shown):
        assert before.position is not None
        assert after.position is not None
        assert before.position.turn is not after.position.turn, after.day


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
@pytest.mark.parametrize("offers", [made_up], indirect=True)
def test_filling_month_by_month_keeps_every_rule_too(
    database: Database, settings: Settings, offers: list[Offer], noon: datetime
) -> None:
    """The pool shrinks meanwhile, and what is left of it has bands of its own: near to those of all."""
    for month in range(2):
        now = noon + timedelta(days=28 * month)
        with database.write.begin() as session:
            filled = schedule.fill(session, now, settings, "ayşe", 42)
        assert filled.broken == {}
        for n in range(28):
            with database.write.begin() as session:
                publication.reconcile(session, now + n * DAY, settings)
    by_id = {one.id: one for one in offers}
    with database.read() as session:
        rows = session.execute(select(Publication.day, Publication.puzzle_id))
        days = {day: by_id[puzzle_id] for day, puzzle_id in rows}
    assert sorted(days) == [MONDAY + n * DAY for n in range(2 * 28)]
    wrong = weeks.complaints(days, offers)
    assert not any(rules - {"band"} for rules in wrong.values())
    assert len(wrong) <= 2
