"""Puzzle days: every instant belongs to exactly one, whatever the clocks of the zone do."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzle_service.domain import puzzle_day

ISTANBUL = ZoneInfo("Europe/Istanbul")
GRACE = timedelta(hours=3)
ZONES = ["Europe/Istanbul", "Europe/Sofia", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati"]
# Midnight itself is skipped or comes twice in these.
ODD_ZONES = ["Africa/Cairo", "America/Havana", "Asia/Beirut", "America/Asuncion", "Australia/Lord_Howe"]


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type,misc]


@given(
    instant=st.integers(1_400_000_000, 2_000_000_000).map(lambda second: datetime.fromtimestamp(second, UTC)),
    zone=st.sampled_from([*ZONES, *ODD_ZONES]).map(ZoneInfo),
)
def test_an_instant_lies_within_its_day_and_no_other(instant: datetime, zone: ZoneInfo) -> None:
    day = puzzle_day.day_of(instant, zone)
    assert puzzle_day.start_of(day, zone) <= instant < puzzle_day.end_of(day, zone)
    assert puzzle_day.next_change(instant, zone) == puzzle_day.start_of(day + timedelta(days=1), zone)


@pytest.mark.parametrize("name", [*ZONES, *ODD_ZONES])
def test_a_year_of_days_has_no_gap_and_no_overlap(name: str) -> None:
    zone = ZoneInfo(name)
    for offset in range(366):
        day = date(2026, 1, 1) + timedelta(days=offset)
        first = puzzle_day.start_of(day, zone)
        assert puzzle_day.day_of(first, zone) == day
        assert puzzle_day.day_of(first - timedelta(seconds=1), zone) == day - timedelta(days=1)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Istanbul", date(2026, 3, 29), 24),
        ("Europe/Berlin", date(2026, 3, 29), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("America/New_York", date(2026, 3, 8), 23),
        ("America/New_York", date(2026, 11, 1), 25),
        ("Africa/Cairo", date(2026, 4, 24), 23),
    ],
)
def test_a_day_is_as_long_as_the_clocks_make_it(zone: str, day: date, hours: int) -> None:
    length = puzzle_day.end_of(day, ZoneInfo(zone)) - puzzle_day.start_of(day, ZoneInfo(zone))
    assert length == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("now", "served_at", "accepted"),
    [
        # On the day, whoever asks and whatever the page says.
        (utc(2026, 11, 30, 20, 59), utc(2026, 11, 30, 20, 0), True),
        (utc(2026, 11, 30, 20, 59), None, True),
        (utc(2026, 11, 30, 20, 59), utc(2026, 11, 29, 12, 0), True),
        # After it, who was served before its end, for three hours.
        (utc(2026, 11, 30, 21, 0), utc(2026, 11, 30, 20, 59), True),
        (utc(2026, 12, 1, 0, 0), utc(2026, 11, 30, 20, 59), True),
        (utc(2026, 12, 1, 0, 0, 1), utc(2026, 11, 30, 20, 59), False),
        (utc(2026, 11, 30, 21, 1), utc(2026, 11, 30, 21, 0), False),
        (utc(2026, 11, 30, 21, 1), None, False),
        (utc(2026, 11, 30, 21, 1), utc(2026, 11, 29, 20, 0), False),
        # Before it, nobody.
        (utc(2026, 11, 29, 20, 59), utc(2026, 11, 29, 20, 0), False),
    ],
)
def test_who_may_go_on_after_the_change_of_day(
    now: datetime, served_at: datetime | None, accepted: bool
) -> None:
    assert puzzle_day.accepts(date(2026, 11, 30), now, served_at, ISTANBUL, GRACE) is accepted


@pytest.mark.parametrize(
    ("now", "closed"),
    [
        (utc(2026, 11, 29, 20, 59), False),
        (utc(2026, 11, 30, 20, 59), False),
        (utc(2026, 12, 1, 0, 0), False),
        (utc(2026, 12, 1, 0, 0, 1), True),
    ],
)
def test_a_day_is_closed_once_nobody_can_finish_it(now: datetime, *, closed: bool) -> None:
    served_at = utc(2026, 11, 30, 20, 0)
    assert puzzle_day.is_closed(date(2026, 11, 30), now, ISTANBUL, GRACE) is closed
    assert not (closed and puzzle_day.accepts(date(2026, 11, 30), now, served_at, ISTANBUL, GRACE))


def test_without_grace_a_day_ends_with_its_last_instant() -> None:
    served_at = utc(2026, 11, 30, 20, 0)
    accepts = [
        puzzle_day.accepts(date(2026, 11, 30), now, served_at, ISTANBUL, timedelta(0))
        for now in (utc(2026, 11, 30, 20, 59, 59), utc(2026, 11, 30, 21, 0, 1))
    ]
    assert accepts == [True, False]


def test_naive_datetimes_are_refused() -> None:
    with pytest.raises(ValueError, match="no UTC offset"):
        puzzle_day.day_of(datetime(2026, 11, 30), ISTANBUL)  # noqa: DTZ001
