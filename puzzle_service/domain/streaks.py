"""Streaks: published puzzles in a row solved on their day, derived from rows and nothing else.

A meter of freezes gains one for each solved day, up to ``FULL_METER``. A day not solved, missed or failed
alike, costs ``FREEZE`` of it and keeps the streak when the day before it was solved and the meter holds so
much; otherwise streak and meter fall to nothing. Days that count neither for nor against do not exist for
any of this.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal, NamedTuple
from zoneinfo import ZoneInfo

from puzzle_service.domain import puzzle_day

DayStanding = Literal["solved", "failed", "missed", "open", "pending", "excused", "before"]

NEUTRAL: Final = frozenset({"open", "pending", "excused", "before"})
"""What neither lengthens a streak nor ends it."""
FREEZE: Final = 7
"""Solved days that pay for one day not solved."""
FULL_METER: Final = 2 * FREEZE
"""Solved days that the meter holds at most."""


class DayRow(NamedTuple):
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
    """The streak now, the longest ever, and what the meter holds.

    ``standings`` say how each day stands, in the order of the rows; ``frozen`` are the days not solved that
    the meter paid for, and they stay failed or missed in the standings.
    """

    current: int
    best: int
    meter: int
    standings: tuple[DayStanding, ...]
    frozen: frozenset[date]


def streaks(rows: Sequence[DayRow], now: datetime, zone: ZoneInfo, grace: timedelta) -> Streaks:
    """Return a player's streaks from one row for every published day, in any order.

    Today while it is open, a day whose grace period is running, and an amended day break nothing; a day
    without a publication has no row and does not exist.
    """
    ordered = sorted(rows)
    started = next((row.day for row in ordered if row.started or row.solved or row.failed), None)
    today = puzzle_day.day_of(now, zone)
    unsettled = _first_unsettled(today, now, zone, grace)
    standing_of = {row.day: _standing(row, started, today, unsettled) for row in ordered}
    current = best = meter = 0
    solved_before = False
    frozen = set()
    for day, standing in standing_of.items():
        if standing in NEUTRAL:
            continue
        if standing == "solved":
            current, meter = current + 1, min(meter + 1, FULL_METER)
            best = max(best, current)
        elif solved_before and meter >= FREEZE:
            meter -= FREEZE
            frozen.add(day)
        else:
            current = meter = 0
        solved_before = standing == "solved"
    return Streaks(current, best, meter, tuple(standing_of[row.day] for row in rows), frozenset(frozen))


def _first_unsettled(today: date, now: datetime, zone: ZoneInfo, grace: timedelta) -> date:
    """Return the first day that may still be finished: one in its grace period, else today."""
    day = today
    while puzzle_day.in_grace(before := day - timedelta(days=1), now, zone, grace):
        day = before
    return day


def _standing(row: DayRow, started: date | None, today: date, unsettled: date) -> DayStanding:
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
    return "missed" if row.day < unsettled else "pending"
