"""Days as cells: the week under the puzzle, the last weeks of the record, the months of the archive."""

from calendar import Calendar
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from flask import url_for

from puzzle_service.services.days import DayState
from puzzle_service.web import texts
from puzzle_service.web.i18n import day_label, weekday_label
from puzzle_service.web.i18n import gettext as _

WEEKS: Final = 5
ICONS: Final[Mapping[str, str]] = {
    "failed": "cross",
    "missed": "minus",
    "frozen": "freeze",
    "open": "dot",
    "pending": "clock",
    "excused": "wave",
    "before": "ring",
}
"""What stands for a day that was not solved; a solved one shows in how many attempts."""


@dataclass(frozen=True)
class Cell:
    """One day: how it stands, where its puzzle is, and the words for it, short and with the date.

    ``state`` also tells a day without a puzzle ("none") from one before the first puzzle ("early") and one
    to come ("future"); those have no number and lead nowhere.
    """

    day: date
    state: str
    words: str
    number: int | None = None
    attempts: int | None = None
    icon: str | None = None
    href: str | None = None
    is_today: bool = False
    frozen: bool = False

    @property
    def label(self) -> str:
        """The day and how it stands, to be read aloud."""
        return f"{day_label(self.day)}: {self.words}"

    @property
    def weekday(self) -> str:
        """The short name of its weekday."""
        return weekday_label(self.day)


Week = list[Cell | None]
"""Seven days from Monday on, None for those of another month."""


def week(days: Sequence[DayState], today: date) -> list[Cell]:
    """Return the last seven days, today last."""
    return list(_cells(days, today - timedelta(days=6), today, today))


def weeks(days: Sequence[DayState], today: date) -> list[Week]:
    """Return the last weeks, Monday first and whole, the days to come included."""
    monday = today - timedelta(days=today.weekday())
    cells = list(_cells(days, monday - timedelta(weeks=WEEKS - 1), monday + timedelta(days=6), today))
    return [list(cells[start : start + 7]) for start in range(0, len(cells), 7)]


def month(days: Sequence[DayState], year: int, number: int, today: date) -> list[Week]:
    """Return the weeks of a month, Monday first."""
    dates = Calendar().monthdatescalendar(year, number)
    cells = _cells(days, dates[0][0], dates[-1][-1], today)
    return [[cell if cell.day.month == number else None for cell in _take(cells, 7)] for _week in dates]


def weekdays() -> list[str]:
    """Return the short names of the weekdays, Monday first."""
    monday = date(2024, 1, 1)
    return [weekday_label(monday + timedelta(days=offset)) for offset in range(7)]


def legend(weeks: Iterable[Week]) -> list[Cell]:
    """Return a cell without a day for every mark that is seen in some weeks."""
    shown = {"frozen" if cell.frozen else cell.state for week in weeks for cell in week if cell is not None}
    solved = Cell(date.min, "solved", _("solved, in so many attempts"), attempts=1)
    others = [Cell(date.min, name, standing_name(name), icon=ICONS[name]) for name in ICONS]
    return [cell for cell in (solved, *others) if cell.state in shown]


def standing_name(state: str) -> str:
    """Return how a day stands, in words."""
    names = {
        "failed": _("not solved"),
        "missed": _("not played"),
        "frozen": _("kept by a freeze"),
        "open": _("still open"),
        "pending": _("can still be finished"),
        "excused": _("does not count"),
        "before": _("before your first puzzle"),
        "none": _("no puzzle"),
        "early": _("before the first puzzle"),
        "future": _("still to come"),
    }
    return names[state]


def _take(cells: Iterator[Cell], count: int) -> list[Cell]:
    return [next(cells) for _place in range(count)]


def _cells(days: Sequence[DayState], first: date, last: date, today: date) -> Iterator[Cell]:
    length = (last - first).days + 1
    # Publications have a day each, so what is wanted lies among as many as there are days since.
    by_day = {state.day: state for state in days[-(today - first).days - 1 :]} if first <= today else {}
    begin = days[0].day if days else None
    for offset in range(length):
        day = first + timedelta(days=offset)
        found = by_day.get(day)
        yield _empty(day, begin, today) if found is None else _cell(found, today)


def _empty(day: date, begin: date | None, today: date) -> Cell:
    state = "none"
    if day > today:
        state = "future"
    elif begin is not None and day < begin:
        state = "early"
    return Cell(day, state, standing_name(state), is_today=day == today)


def _cell(found: DayState, today: date) -> Cell:
    is_today = found.day == today
    solved = found.state == "solved"
    words = texts.solved_in(found.attempts) if solved else standing_name(found.state)
    if found.frozen:
        words = f"{words}, {standing_name('frozen')}"
    return Cell(
        found.day,
        found.state,
        words,
        number=found.number,
        attempts=found.attempts if solved else None,
        icon=None if solved else ICONS["frozen" if found.frozen else found.state],
        href=url_for("puzzle.today") if is_today else url_for("puzzle.practice", number=found.number),
        is_today=is_today,
        frozen=found.frozen,
    )
