"""Days as cells: the week under the puzzle and the last weeks of the record."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from flask import url_for

from puzzle_service.services.days import DayState
from puzzle_service.web import texts
from puzzle_service.web.i18n import day_label, weekday_label
from puzzle_service.web.i18n import gettext as _

WEEKS: Final = 5
# Days that neither kept nor broke anything look alike.
LOOKS: Final[Mapping[str, str]] = {"excused": "neutral", "before": "neutral"}


@dataclass(frozen=True)
class Cell:
    """One day: how it stands, where its puzzle is, and the words for it."""

    day: date
    state: str
    label: str
    weekday: str
    attempts: int | None = None
    href: str | None = None
    is_today: bool = False


def week(days: Iterable[DayState], today: date) -> list[Cell]:
    """Return the last seven days, today last."""
    return list(_cells(days, today - timedelta(days=6), today, today))


def weeks(days: Iterable[DayState], today: date) -> list[Cell]:
    """Return the last weeks, Monday first and whole, the days to come included."""
    monday = today - timedelta(days=today.weekday())
    return list(_cells(days, monday - timedelta(weeks=WEEKS - 1), monday + timedelta(days=6), today))


def _cells(days: Iterable[DayState], first: date, last: date, today: date) -> Iterator[Cell]:
    by_day = {state.day: state for state in days}
    for offset in range((last - first).days + 1):
        day = first + timedelta(days=offset)
        yield _cell(day, by_day.get(day), today)


def _cell(day: date, found: DayState | None, today: date) -> Cell:
    weekday = weekday_label(day)
    if found is None:
        state = "future" if day > today else "neutral"
        words = _("no puzzle")
        return Cell(day, state, f"{day_label(day)}: {words}", weekday, is_today=day == today)
    solved = found.state == "solved"
    words = texts.solved_in(found.attempts) if solved else _standing_name(found.state)
    return Cell(
        day,
        LOOKS.get(found.state, found.state),
        f"{day_label(day)}: {words}",
        weekday,
        attempts=found.attempts if solved else None,
        href=url_for("puzzle.today") if day == today else url_for("puzzle.practice", number=found.number),
        is_today=day == today,
    )


def _standing_name(state: str) -> str:
    names = {
        "failed": _("not solved"),
        "missed": _("not played"),
        "open": _("still open"),
        "pending": _("can still be finished"),
        "excused": _("does not count"),
        "before": _("before your first puzzle"),
    }
    return names[state]
