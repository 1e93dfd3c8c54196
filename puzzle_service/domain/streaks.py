"""Streaks: published puzzles in a row solved on their day, derived from rows and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from puzzle_service.domain import puzzle_day

DayStanding = Literal["solved", "failed", "missed", "open", "pending", "excused", "before"]

NEUTRAL: Final = frozenset({"open", "pending", "excused"})
"""What neither lengthens a run nor ends it."""


@dataclass(frozen=True)
class DayRow:
    """What the rows say of one published day and one player.

    ``amended`` means that its puzzle was replaced or declared void: then a solve counts and nothing else
    does.
    """

    day: date
    solved: bool = False
    failed: bool = False
    started: bool = False
    amended: bool = False


@dataclass(frozen=True)
class Streaks:
    """The run up to now, the longest run, and how each day stands, in the order of the rows."""

    current: int
    best: int
    standings: tuple[DayStanding, ...]


def streaks(rows: Sequence[DayRow], now: datetime, zone: ZoneInfo, grace: timedelta) -> Streaks:
    """Return a player's streaks from one row for every published day, in any order.

    Today while it is open, a day whose grace period is running, and an amended day break nothing; a day
    without a publication has no row and does not exist.
    """
    ordered = sorted(rows, key=lambda row: row.day)
    started = next((row.day for row in ordered if row.started or row.solved or row.failed), None)
    today = puzzle_day.day_of(now, zone)
    best = run = 0
    standing_of: dict[date, DayStanding] = {}
    for row in ordered:
        standing = standing_of[row.day] = _standing(row, started, today, now, zone, grace)
        if standing == "solved":
            run += 1
        elif standing not in NEUTRAL:
            run = 0
        best = max(best, run)
    return Streaks(run, best, tuple(standing_of[row.day] for row in rows))


def _standing(
    row: DayRow, started: date | None, today: date, now: datetime, zone: ZoneInfo, grace: timedelta
) -> DayStanding:
    if row.solved:
        return "solved"
    if row.amended:
        return "excused"
    if row.failed:
        return "failed"
    if row.day >= today:
        return "open"
    if started is None or row.day < started:
        return "before"
    if puzzle_day.in_grace(row.day, now, zone, grace):
        return "pending"
    return "missed"
