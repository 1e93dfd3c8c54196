"""Calibration of the puzzles in the tables: which attempts count, what the command says, what it changes."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from puzzle_service.cli import calibrate as command
from puzzle_service.cli import main
from puzzle_service.db import Database
from puzzle_service.domain import weights
from puzzle_service.domain.calibration import rank_correlation
from puzzle_service.domain.findings import FEATURES
from puzzle_service.domain.review import Status
from puzzle_service.domain.weights import PRESENT, Weights
from puzzle_service.models import Attempt, Player, Puzzle
from puzzle_service.services import amendments, audit, calibration
from puzzle_service.settings import Settings
from tests.domain import simulated
from tests.service import histories

AddPuzzles = Callable[..., list[str]]
Run = Callable[..., Result]
OTHERS = Weights({**PRESENT.weights, "nodes": 0.5, "tries": 1.2}, offset=0.0)


@pytest.fixture
def run(settings: Settings, noon: datetime, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A function that runs the command."""
    monkeypatch.setattr(command, "utc_now", lambda: noon)

    def invoke(*arguments: str | Path) -> Result:
        words = ["calibrate", *map(str, arguments)]
        return CliRunner().invoke(main, words, env={"DAMA_DATABASE_URL": settings.database_url})

    return invoke


def add_players(session: Session, count: int, now: datetime) -> list[int]:
    session.execute(insert(Player), [{"created_at": now} for _ in range(count)])
    return list(session.scalars(select(Player.id).order_by(Player.id)))


def first_attempts(session: Session, player: int, solved: Mapping[str, bool], now: datetime) -> None:
    """Let a player have ended a first attempt at each of these puzzles."""
    common = {
        "player_id": player,
        "ordinal": 1,
        "plies": [],
        "slow": 0,
        "started_at": now,
        "finished_at": now,
    }
    rows = [
        {"puzzle_id": one, "result": "solved" if won else "wrong", **common} for one, won in solved.items()
    ]
    session.execute(insert(Attempt), rows)


def features(seed: int) -> dict[str, float]:
    """Features of a puzzle like those that generators write."""
    chance = np.random.default_rng(seed)
    return {
        name: round(float(chance.uniform(1, 8)), 4) if name == "nodes" else float(chance.integers(0, 3))
        for name in FEATURES
    }


def findings(seed: int) -> Mapping[str, object]:
    return {"features": features(seed), "tries": {}, "checks": {}, "skeleton": "", "game": None}


def difficulties(database: Database) -> dict[str, float]:
    with database.read() as session:
        return {row.id: row.difficulty for row in session.execute(select(Puzzle.id, Puzzle.difficulty))}


@pytest.fixture
def played(database: Database, add_puzzles: AddPuzzles, noon: datetime) -> list[str]:
    """Puzzles that were out for half a year, as hard as other weights say, and tried by a hundred players."""
    ids = []
    for seed in range(weights.ENOUGH + 30):
        known = {"difficulty": PRESENT.difficulty(features(seed)), "findings": findings(seed)}
        ids += add_puzzles(1, Status.PUBLISHED, **known)
    chance = np.random.default_rng(1)
    with database.write.begin() as session:
        histories.publish(session, ids, noon - timedelta(days=len(ids)))
        players = add_players(session, 100, noon)
        strength = chance.normal(1700, 250, len(players))
        hardness = np.array([900 + 75 * (OTHERS.difficulty(features(seed)) - 5) for seed in range(len(ids))])
        wins = 1 / (1 + 10 ** ((hardness - strength[:, None]) / 400))
        solved = chance.random(wins.shape) < wins
        for player, row in zip(players, solved, strict=True):
            first_attempts(session, player, dict(zip(ids, row, strict=True)), noon)
    return ids


def test_first_attempts_that_have_ended_count_and_nothing_else(
    database: Database, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    ids = add_puzzles(3, Status.PUBLISHED, difficulty=9.0)
    with database.write.begin() as session:
        histories.publish(session, ids, noon)
        players = add_players(session, 6, noon)
        for player, history in zip(players, ("s", "ws", "www", "w.", ".", "s"), strict=True):
            histories.play(session, player, {ids[0]: history}, noon)
        histories.play(session, players[0], {ids[1]: "ws"}, noon)
    with database.read() as session:
        found = calibration.calibrate(session)
    assert [(one.number, one.attempts, one.rate) for one in found.puzzles] == [(1, 5, 0.4), (2, 1, 0.0)]
    assert (found.attempts, found.players, found.sure, found.refit) == (6, 5, 0, None)
    first, second = found.puzzles
    assert first.deviation < second.deviation
    assert second.measured > first.measured
    assert 0 < first.predicted < 1


def test_a_day_that_was_declared_void_is_left_out(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    ids = [*add_puzzles(2, Status.PUBLISHED, difficulty=9.0), *add_puzzles(1)]
    with database.write.begin() as session:
        histories.publish(session, ids[:2], noon - timedelta(days=1))
        (player,) = add_players(session, 1, noon)
        histories.play(session, player, dict.fromkeys(ids[:2], "s"), noon)
    with database.write.begin() as session:
        amendments.void(session, 1, "ayşe", noon, "two keys", settings)
    with database.read() as session:
        assert [one.number for one in calibration.calibrate(session).puzzles] == [2]
    with database.write.begin() as session:
        amendments.replace(session, 2, "ayşe", noon, "two keys", settings, ids[2])
    with database.read() as session:
        assert calibration.calibrate(session).puzzles == ()


def test_the_order_of_puzzles_comes_out_of_the_tables(
    database: Database, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    """Simulated players of known strength: two hundred first attempts at each puzzle."""
    truth = simulated.play(3, puzzles=30, players=250, drawn=True)
    results = truth.results
    ids = add_puzzles(30, Status.PUBLISHED, difficulty=11.0)
    with database.write.begin() as session:
        histories.publish(session, ids, noon - timedelta(days=30))
        players = add_players(session, 250, noon)
        for number, player in enumerate(players):
            mine = np.flatnonzero(results.player == number)
            tried = {ids[results.puzzle[game]]: bool(results.solved[game]) for game in mine}
            first_attempts(session, player, tried, noon)
    with database.read() as session:
        found = calibration.calibrate(session)
    assert [one.attempts for one in found.puzzles] == [200] * 30
    assert found.sure == 30
    measured = np.array([one.measured for one in found.puzzles])
    assert rank_correlation(measured, truth.puzzles) >= 0.95


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_refit_is_reported_and_given_to_the_puzzles_to_come(
    database: Database, run: Run, played: list[str], add_puzzles: AddPuzzles, noon: datetime, tmp_path: Path
) -> None:
    to_come = {}
    for seed, status in enumerate((Status.CANDIDATE, Status.APPROVED, Status.REJECTED), 1000):
        known = {"difficulty": PRESENT.difficulty(features(seed)), "findings": findings(seed)}
        (one,) = add_puzzles(1, status, **known)
        to_come[one] = OTHERS.difficulty(features(seed))
    (plain,) = add_puzzles(1, difficulty=3.0, findings={"features": {}, "tries": {}, "checks": {}})
    before = difficulties(database)
    told = run("--report", tmp_path / "report.html", "--plot", tmp_path / "plot.svg")
    assert (told.exit_code, told.stderr) == (0, "")
    text = told.stdout
    assert f"first attempts: {100 * len(played)}, by 100 players, at {len(played)} puzzles" in text
    assert re.search(r"^refitted to 1[4-7]\d puzzles: difficulty is off by [12]\.\d\d as", text, re.MULTILINE)
    assert any(line.startswith("nodes") and " 1.00 " in line for line in text.splitlines())
    assert difficulties(database) == before
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 1
    assert page.count('<th scope="row">') == len(played) + len(FEATURES) + 1
    drawn = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    assert ET.fromstring(drawn).tag.endswith("svg")  # noqa: S314  (our own)
    assert "Solved on the first try" in drawn

    applied = run("--apply")
    assert applied.exit_code == 0
    assert applied.stdout.endswith("new difficulties: 3; without features to reckon by: 1\n")
    after = difficulties(database)
    # Differences are measured; the level stays that of the puzzles that were out.
    before_off, after_off = (
        [found[puzzle_id] - truth for puzzle_id, truth in to_come.items()] for found in (before, after)
    )
    assert np.std(after_off) < 0.6 < np.std(before_off)
    assert {one: after[one] for one in (*played, plain)} == {one: before[one] for one in (*played, plain)}
    with database.read() as session:
        (entry,) = audit.entries(session, noon.date())
    assert (entry.by, entry.action, entry.count) == ("command line", audit.Action.CALIBRATE, 3)
    assert entry.reason is not None
    assert "nodes 1.00 → 0." in entry.reason
    assert not entry.may_undo
    assert run("--apply").stdout.endswith("new difficulties: 0; without features to reckon by: 1\n")
    with database.read() as session:
        assert len(audit.entries(session, noon.date())) == 1


def test_too_little_is_no_ground_for_new_difficulties(
    database: Database, run: Run, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    ids = [*add_puzzles(1, Status.PUBLISHED), *add_puzzles(1)]
    empty = run()
    assert (empty.exit_code, empty.stdout) == (0, "no first attempt has ended yet\n")
    with database.write.begin() as session:
        histories.publish(session, ids[:1], noon)
        (player,) = add_players(session, 1, noon)
        histories.play(session, player, {ids[0]: "s"}, noon)
    before = difficulties(database)
    refused = run("--apply")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: nothing to apply: weights stay: 0 puzzles")
    assert refused.stderr.count("\n") == 1
    assert difficulties(database) == before
    with database.read() as session:
        assert audit.entries(session, noon.date()) == []


def test_a_report_is_written_before_anybody_has_played(run: Run, tmp_path: Path) -> None:
    assert run("--report", tmp_path / "report.html", "--plot", tmp_path / "plot.svg").exit_code == 0
    assert "no first attempt has ended yet" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<svg" in (tmp_path / "plot.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--report", "--plot"])
def test_a_file_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path, option: str) -> None:
    failed = run(option, tmp_path / "nowhere" / "file")
    assert failed.exit_code == 1
    assert "nowhere" in failed.stderr
    assert failed.stderr.count("\n") == 1
