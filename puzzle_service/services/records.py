"""A player's record: streaks, days, and how many attempts they took."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.domain.streaks import DayRow, DayStanding, streaks
from puzzle_service.models import Amendment, Attempt, Publication
from puzzle_service.settings import Settings


@dataclass(frozen=True)
class DayState:
    """How one published day stands for a player; ``attempts`` are those it took, or those spent so far."""

    day: date
    number: int
    state: DayStanding
    attempts: int


@dataclass(frozen=True)
class Record:
    """A player's record; ``days`` holds every published day, the oldest first.

    ``distribution`` counts the days solved with 1, 2 and 3 attempts, and under "failed" those failed.
    """

    current: int
    best: int
    days: tuple[DayState, ...]
    distribution: dict[int | str, int]
    played: int
    solved: int


def me(session: Session, player_id: int | None, now: datetime, settings: Settings) -> Record:
    """Return the record of a player, or that of somebody who has not played yet.

    It reads every published day, in two or three statements however many there are: O(days).
    """
    today = puzzle_day.day_of(now, settings.timezone)
    publications = session.execute(
        select(Publication.day, Publication.number, Publication.puzzle_id)
        .where(Publication.day <= today)
        .order_by(Publication.day)
    ).all()
    withdrawn: dict[date, set[str]] = defaultdict(set)
    amended = select(Amendment.day, Amendment.puzzle_id).where(Amendment.day <= today)
    for day, puzzle_id in session.execute(amended):
        withdrawn[day].add(puzzle_id)
    results = _results(session, player_id)
    rows: list[DayRow] = []
    attempts: list[tuple[int, int]] = []
    for day, number, puzzle_id in publications:
        row, spent = _day(day, results, puzzle_id, withdrawn[day])
        rows.append(row)
        attempts.append((number, spent))
    return _record(rows, attempts, now, settings)


def _results(session: Session, player_id: int | None) -> dict[str, list[str | None]]:
    """Return the results of a player's attempts by puzzle, in their order."""
    found: dict[str, list[str | None]] = defaultdict(list)
    if player_id is not None:
        wanted = select(Attempt.puzzle_id, Attempt.result).where(Attempt.player_id == player_id)
        for puzzle_id, result in session.execute(wanted.order_by(Attempt.ordinal)):
            found[puzzle_id].append(result)
    return found


def _day(
    day: date, results: dict[str, list[str | None]], puzzle_id: str, withdrawn: set[str]
) -> tuple[DayRow, int]:
    """Return a day's row and the attempts it took, or has cost; a solve of any of its puzzles counts."""
    tries = [results.get(one, []) for one in (puzzle_id, *sorted(withdrawn - {puzzle_id}))]
    solved = [len(one) for one in tries if "solved" in one]
    row = DayRow(
        day,
        solved=bool(solved),
        failed=tries[0].count("wrong") >= MAX_ATTEMPTS,
        started=any(tries),
        amended=bool(withdrawn),
    )
    return row, min(solved, default=tries[0].count("wrong"))


def _record(
    rows: Sequence[DayRow], attempts: Sequence[tuple[int, int]], now: datetime, settings: Settings
) -> Record:
    """Return the record from each day's row, its number and the attempts it took."""
    found = streaks(rows, now, settings.timezone, settings.grace)
    days = tuple(
        DayState(row.day, number, state, spent)
        for row, state, (number, spent) in zip(rows, found.standings, attempts, strict=True)
    )
    distribution: dict[int | str, int] = dict.fromkeys([*range(1, MAX_ATTEMPTS + 1), "failed"], 0)
    for day in days:
        if day.state == "solved":
            distribution[day.attempts] += 1
        elif day.state == "failed":
            distribution["failed"] += 1
    played = sum(distribution.values())
    return Record(found.current, found.best, days, distribution, played, played - distribution["failed"])
