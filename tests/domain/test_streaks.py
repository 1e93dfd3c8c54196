"""Streaks, against tables."""

from datetime import UTC, date, datetime, timedelta
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


@given(st.permutations(rows("ssf~-sSv-s-")))
def test_the_order_of_the_rows_does_not_matter(days: list[DayRow]) -> None:
    result = streaks(days, NOON, ISTANBUL, GRACE)
    expected = found("ssf~-sSv-s-")
    assert (result.current, result.best) == (expected.current, expected.best)
    by_day = dict(zip((row.day for row in days), result.standings, strict=True))
    assert [by_day[row.day] for row in rows("ssf~-sSv-s-")] == list(expected.standings)


@pytest.mark.parametrize(
    ("letters", "current", "best", "meter", "frozen"),
    [
        ("s", 1, 1, 1, ""),
        ("ssssss-s", 1, 6, 1, ""),  # six in the meter are too few
        ("sssssss-s", 8, 8, 1, "8"),
        ("sssssssfs", 8, 8, 1, "8"),
        ("sssssss~s", 8, 8, 1, "8"),
        ("sssssss-", 7, 7, 7, ""),  # today is still open
        ("sssssssf", 7, 7, 0, "8"),
        ("sssssss--s", 1, 7, 1, "8"),  # not alone
        ("ssssssssssssss--s", 1, 14, 1, "15"),
        ("ssssssssssssssfs-s", 16, 16, 2, "15 17"),
        ("ssssssssssssssfsfs", 16, 16, 2, "15 17"),
        ("sssssssssssssssss-s", 18, 18, 8, "18"),  # seventeen solved days fill it no further than fourteen
        ("sssssss-ssssss-s", 1, 13, 1, "8"),
        ("sssssss-sssssss-s", 15, 15, 1, "8 16"),
        ("sssssss-v-s", 1, 7, 1, "8"),  # what does not count stands between nothing
        ("sssssssv-s", 8, 8, 1, "9"),
        ("sssssss.-s", 8, 8, 1, "9"),
        ("sssssssVs", 8, 8, 8, ""),
        ("ssssssS-s", 8, 8, 1, "8"),
        ("-------s", 1, 1, 1, ""),
    ],
)
def test_a_freeze_keeps_the_streak_over_a_day_that_stands_alone(
    letters: str, current: int, best: int, meter: int, frozen: str
) -> None:
    result = found(letters)
    first = TODAY - timedelta(days=len(letters))
    places = " ".join(str((day - first).days) for day in sorted(result.frozen))
    assert (result.current, result.best, result.meter, places) == (current, best, meter, frozen)


def test_a_frozen_day_stays_what_it_was() -> None:
    assert found("sssssssfs").standings[7] == "failed"
    assert found("sssssss-s").standings[7] == "missed"


def test_a_day_in_its_grace_period_costs_no_freeze_before_it_is_over() -> None:
    assert (found("sssssss~-", AT_ONE).meter, found("sssssss~-", NOON).meter) == (7, 0)
    assert found("sssssss~-", AT_ONE).current == found("sssssss~-", NOON).current == 7
