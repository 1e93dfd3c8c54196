"""Puzzle days: calendar days in the site's time zone, and the instants they begin and end at."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo


def require_aware(instant: datetime) -> datetime:
    """Return the instant in UTC; raises ValueError when it names no offset and so could mean any of many."""
    if instant.tzinfo is None or instant.utcoffset() is None:
        raise ValueError(f"{instant!r} has no UTC offset; expected an aware datetime")
    return instant.astimezone(UTC)


def day_of(instant: datetime, zone: ZoneInfo) -> date:
    """Return the puzzle day that an instant belongs to.

    >>> day_of(datetime(2026, 11, 28, 21, 30, tzinfo=UTC), ZoneInfo("Europe/Istanbul"))
    datetime.date(2026, 11, 29)
    """
    return require_aware(instant).astimezone(zone).date()


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the first instant of a puzzle day, in UTC.

    Where the clock skips midnight the day begins with the first time that exists; where midnight comes twice,
    with the first of the two.
    """
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def end_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the first instant after a puzzle day, in UTC."""
    return start_of(day + timedelta(days=1), zone)


def next_change(instant: datetime, zone: ZoneInfo) -> datetime:
    """Return the next instant at which a new puzzle day begins, in UTC."""
    return end_of(day_of(instant, zone), zone)


def in_grace(day: date, now: datetime, zone: ZoneInfo, grace: timedelta) -> bool:
    """Tell whether a puzzle day is over, but so lately that what was begun on it may still be finished."""
    return timedelta(0) <= require_aware(now) - end_of(day, zone) <= grace


def is_closed(day: date, now: datetime, zone: ZoneInfo, grace: timedelta) -> bool:
    """Tell whether a puzzle day is over for everybody: no attempt at its puzzle can count any more."""
    return require_aware(now) - end_of(day, zone) > grace


def accepts(day: date, now: datetime, served_at: datetime | None, zone: ZoneInfo, grace: timedelta) -> bool:
    """Tell whether an attempt at a day's puzzle counts now, the page having been served at ``served_at``.

    On the day itself everybody's does; within the grace period only that of a player whom the puzzle was
    served to on its day.
    """
    if day_of(now, zone) == day:
        return True
    if served_at is None or day_of(served_at, zone) != day:
        return False
    return in_grace(day, now, zone, grace)
