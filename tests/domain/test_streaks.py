"""Streaks, against tables and against a brute-force count."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzle_service.domain.streaks import DayRow, DayStanding, Streaks, streaks

ISTANBUL = ZoneInfo("Europe/Istanbul")
GRACE = timedelta(hours=3)
TODAY = date(2026, 11, 30)
NOON = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
AT_ONE = datetime(2026, 11, 29, 22, 0, tzinfo=UTC)
"""One o'clock in the morning of today: yesterday's grace period is running."""

# One letter a day, today last; a dot is a day without a publication.
LETTERS = {
    "s": {"solved": True, "started": True},
    "f": {"failed": True, "started": True},
    "-": {},
    "~": {"started": True},
    "v": {"amended": True},
    "V": {"amended": True, "failed": True, "started": True},
    "S": {"amended": True, "solved": True, "started": True},
}


def rows(letters: str) -> list[DayRow]:
    first = TODAY - timedelta(days=len(letters) - 1)
    return [
        DayRow(first + timedelta(days=offset), **LETTERS[letter])
        for offset, letter in enumerate(letters)
        if letter != "."
    ]


def found(letters: str, now: datetime = NOON) -> Streaks:
    return streaks(rows(letters), now, ISTANBUL, GRACE)


@pytest.mark.parametrize(
    ("letters", "current", "best"),
    [
        ("", 0, 0),
        ("-", 0, 0),
        ("s", 1, 1),
        ("sssss-", 5, 5),
        ("sssss~", 5, 5),
        ("ssssss", 6, 6),
        ("sssf", 0, 3),
        ("sssf-", 0, 3),
        ("ss-s", 1, 2),
        ("ss~s", 1, 2),
        ("ssfsss", 3, 3),
        ("sss.s", 4, 4),
        ("s...s-", 2, 2),
        ("svs", 2, 2),
        ("sVs", 2, 2),
        ("sSs", 3, 3),
        ("sv", 1, 1),
        ("vvv", 0, 0),
    ],
)
def test_streaks_of_a_few_days(letters: str, current: int, best: int) -> None:
    assert (found(letters).current, found(letters).best) == (current, best)


@pytest.mark.parametrize(
    ("letters", "now", "current", "standings"),
    [
        ("ss~-", AT_ONE, 2, ["solved", "solved", "pending", "open"]),
        ("ss--", AT_ONE, 2, ["solved", "solved", "pending", "open"]),
        ("ss~s", AT_ONE, 3, ["solved", "solved", "pending", "solved"]),
        ("ssf-", AT_ONE, 0, ["solved", "solved", "failed", "open"]),
        ("s~~-", AT_ONE, 0, ["solved", "missed", "pending", "open"]),
        ("ss~-", NOON, 0, ["solved", "solved", "missed", "open"]),
        ("--s-", NOON, 1, ["before", "before", "solved", "open"]),
        ("---", AT_ONE, 0, ["before", "before", "open"]),
        ("sVv-", NOON, 1, ["solved", "excused", "excused", "open"]),
    ],
)
def test_standings_of_days(letters: str, now: datetime, current: int, standings: list[DayStanding]) -> None:
    result = found(letters, now)
    assert result.current == current
    assert list(result.standings) == standings


def test_the_best_streak_is_the_longest_run_and_never_one_more() -> None:
    assert found("sssfssf-").best == 3


@given(st.text(alphabet="sf-~vVS.", max_size=40), st.sampled_from([NOON, AT_ONE]), st.randoms())
def test_streaks_are_those_of_a_brute_force_count(letters: str, now: datetime, shuffler: object) -> None:
    days = rows(letters)
    result = streaks(days, now, ISTANBUL, GRACE)
    kept = [
        letter in "sS"
        for offset, letter in enumerate(reversed(letters))
        if letter in "sSf"
        or (letter in "-~" and not (offset == 0 or (offset == 1 and now == AT_ONE and _played(letters[:-1]))))
    ]
    kept.reverse()
    runs = ((start, end) for start in range(len(kept)) for end in range(start + 1, len(kept) + 1))
    best = max((end - start for start, end in runs if all(kept[start:end])), default=0)
    current = next((count for count, solved in enumerate(reversed(kept)) if not solved), len(kept))
    assert (result.current, result.best) == (current, best)
    assert result.current <= result.best <= sum(row.solved for row in days)


def _played(letters: str) -> bool:
    return any(letter in "sfSV~" for letter in letters)


@given(st.permutations(rows("ssf~-sSv-s-")))
def test_the_order_of_the_rows_does_not_matter(days: list[DayRow]) -> None:
    result = streaks(days, NOON, ISTANBUL, GRACE)
    expected = found("ssf~-sSv-s-")
    assert (result.current, result.best) == (expected.current, expected.best)
    by_day = dict(zip((row.day for row in days), result.standings, strict=True))
    assert [by_day[row.day] for row in rows("ssf~-sSv-s-")] == list(expected.standings)


def test_solving_a_day_never_shortens_a_streak() -> None:
    for before, after in pairwise(["ss-s-", "ssss-", "sssss"]):
        assert found(before).current < found(after).current
