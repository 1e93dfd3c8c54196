"""A player's record: streaks, freezes, days, and how many attempts they took."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, case, func, select
from sqlalchemy.orm import Session

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.domain.streaks import DayRow, streaks
from puzzle_service.models import Attempt
from puzzle_service.services import days as published_days
from puzzle_service.services.days import DayState, PublishedDay
from puzzle_service.settings import Settings


@dataclass(frozen=True)
class Record:
    """A player's record; ``days`` holds every published day, the oldest first.

    ``meter`` counts the solved days that pay for freezes. ``distribution`` counts the days solved with 1, 2
    and 3 attempts, and under "failed" those failed.
    """

    current: int
    best: int
    meter: int
    days: tuple[DayState, ...]
    distribution: dict[int | str, int]
    played: int
    solved: int


class _Tries(NamedTuple):
    """One player's attempts at one puzzle: how many went wrong, and which one solved it, if any did."""

    wrong: int
    solved_on: int | None


NO_TRIES: Final[Mapping[str, _Tries]] = {}
_attempt: Final = Attempt.__table__.c
# Made once and of plain columns: this is asked for on every page.
TRIES: Final = (
    select(
        _attempt.puzzle_id,
        func.count(case((_attempt.result == "wrong", 1))),
        func.min(case((_attempt.result == "solved", _attempt.ordinal))),
    )
    .where(_attempt.player_id == bindparam("player"))
    .group_by(_attempt.puzzle_id)
)


def me(session: Session, player_id: int | None, now: datetime, settings: Settings) -> Record:
    """Return the record of a player, or that of somebody who has not played yet.

    It takes two statements, or one for nobody, however many days and players there are; O(days since the
    player began).
    """
    return _record(session, NO_TRIES if player_id is None else _tries(session, player_id), now, settings)


def together(session: Session, one_id: int, other_id: int, now: datetime, settings: Settings) -> Record:
    """Return the record that two players would have as one, with the better result of each puzzle."""
    one, other = _tries(session, one_id), _tries(session, other_id)
    for puzzle_id in published_days.still_open(session, now, settings):
        # Who has not begun it stands better than who has failed.
        for theirs, ours in ((one, other), (other, one)):
            if puzzle_id not in ours and puzzle_id in theirs and _has_failed(theirs[puzzle_id]):
                del theirs[puzzle_id]
    both = {
        puzzle_id: min(one[puzzle_id], other[puzzle_id], key=_cost) for puzzle_id in one.keys() & other.keys()
    }
    return _record(session, {**one, **other, **both}, now, settings)


def _record(session: Session, tries: Mapping[str, _Tries], now: datetime, settings: Settings) -> Record:
    published = published_days.published(session, puzzle_day.day_of(now, settings.timezone))
    last = max(len(published.days) - 1, 0)
    places = (published.place_of.get(puzzle_id, last) for puzzle_id in tries)
    # Of the days before the first one played nothing depends on the player; today is open for everybody.
    began = min(places, default=last)
    rows, attempts = [], []
    for one in published.days[began:]:
        row, spent = _day(one, tries)
        rows.append(row)
        attempts.append(spent)
    found = streaks(rows, now, settings.timezone, settings.grace)
    days = [
        DayState(early.day, early.number, standing, spent, early.day in found.frozen)
        for early, standing, spent in zip(published.early[began:], found.standings, attempts, strict=True)
    ]
    distribution = _distribution(days)
    played = sum(distribution.values())
    return Record(
        found.current,
        found.best,
        found.meter,
        (*published.early[:began], *days),
        distribution,
        played,
        played - distribution["failed"],
    )


def _tries(session: Session, player_id: int) -> dict[str, _Tries]:
    """Return a player's attempts by puzzle."""
    found = session.execute(TRIES, {"player": player_id}).all()
    return {puzzle_id: _Tries(wrong, solved_on) for puzzle_id, wrong, solved_on in found}


def _cost(tries: _Tries) -> tuple[bool, int]:
    """Return by what two results are compared: solved comes first, then fewer wrong attempts."""
    return tries.solved_on is None, tries.wrong


def _has_failed(tries: _Tries) -> bool:
    return tries.solved_on is None and tries.wrong >= MAX_ATTEMPTS


def _day(published: PublishedDay, tries: Mapping[str, _Tries]) -> tuple[DayRow, int]:
    """Return a day's row and the attempts it took, or has cost."""
    tried = tries.get(published.puzzle_id)
    if published.withdrawn:
        tried = _with_withdrawn(tried, [tries[one] for one in published.withdrawn if one in tries])
    if tried is None:
        return published.untouched, 0
    wrong, solved_on = tried
    day, *_, amended = published.untouched
    row = DayRow(day, solved_on is not None, wrong >= MAX_ATTEMPTS, started=True, amended=amended)
    return row, solved_on or wrong


def _with_withdrawn(tried: _Tries | None, before: Sequence[_Tries]) -> _Tries | None:
    """Return the attempts of a day whose puzzle was replaced: a solve of any of its puzzles counts."""
    if not before:
        return tried
    solved_on = [one.solved_on for one in (tried, *before) if one and one.solved_on]
    return _Tries(tried.wrong if tried else 0, min(solved_on, default=None))


def _distribution(days: Iterable[DayState]) -> dict[int | str, int]:
    counts: dict[int | str, int] = dict.fromkeys([*range(1, MAX_ATTEMPTS + 1), "failed"], 0)
    for day in days:
        if day.state == "solved":
            counts[day.attempts] += 1
        elif day.state == "failed":
            counts["failed"] += 1
    return counts
