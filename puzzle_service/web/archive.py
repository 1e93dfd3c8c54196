"""The archive: every day that is out, month by month, each to be practised."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from babel.dates import format_date
from flask import Blueprint, make_response, render_template
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.domain import puzzle_day
from puzzle_service.services import records
from puzzle_service.services.days import DayState
from puzzle_service.services.records import Record
from puzzle_service.web import days, player
from puzzle_service.web.days import Week
from puzzle_service.web.i18n import language
from puzzle_service.web.site import request_time, site

RECENT: Final = 3
"""How many months the archive shows at once; the others have a page each."""

blueprint = Blueprint("archive", __name__)


@dataclass(frozen=True, order=True)
class Month:
    """A month of a year; its text is that of the address, "2026-11"."""

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.number:02d}"

    @classmethod
    def of(cls, day: date) -> "Month":
        """Return the month of a day."""
        return cls(day.year, day.month)

    @classmethod
    def parse(cls, text: str) -> "Month | None":
        """Return the month that an address names, None when it names none."""
        found = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])", text)
        return cls(int(found[1]), int(found[2])) if found else None

    @property
    def label(self) -> str:
        """The name with the year: "November 2026"."""
        label = format_date(date(self.year, self.number, 1), "LLLL y", locale=language())
        # It stands by itself, as a heading or on a button; within a sentence some languages write it small.
        return label[0].upper() + label[1:]

    @property
    def before(self) -> "Month":
        """The month before."""
        return Month(self.year - 1, 12) if self.number == 1 else Month(self.year, self.number - 1)


@dataclass(frozen=True)
class Grid:
    """A month with its weeks, and how many of its puzzles are solved."""

    month: Month
    weeks: list[Week]
    solved: int
    published: int


@blueprint.get("/archive")
def newest() -> Response:
    """Show the last months, the newest first, and the way to those before."""
    found, today = _record()
    months = _months(found.days, today)
    grids = [_grid(found.days, month, today) for month in months[:RECENT]]
    return _page(found, grids, older=months[RECENT:])


@blueprint.get("/archive/<text>")
def month(text: str) -> Response:
    """Show one month; one to come answers like one that does not exist."""
    found, today = _record()
    months = _months(found.days, today)
    wanted = Month.parse(text)
    if wanted is None or wanted not in months:
        raise NotFound
    place = months.index(wanted)
    return _page(
        found,
        [_grid(found.days, wanted, today)],
        only=True,
        later=months[place - 1] if place else None,
        earlier=months[place + 1] if place + 1 < len(months) else None,
    )


def _record() -> tuple[Record, date]:
    now, parts = request_time(), site()
    with parts.database.read() as session:
        found = records.me(session, player.find(session), now, parts.settings)
    return found, puzzle_day.day_of(now, parts.settings.timezone)


def _months(published: Sequence[DayState], today: date) -> list[Month]:
    """Return the months from this one back to that of the first puzzle."""
    if not published:
        return []
    months = [Month.of(today)]
    while months[-1] > Month.of(published[0].day):
        months.append(months[-1].before)
    return months


def _grid(published: Sequence[DayState], month: Month, today: date) -> Grid:
    own = [one for one in published if Month.of(one.day) == month]
    weeks = days.month(published, month.year, month.number, today)
    return Grid(month, weeks, sum(one.state == "solved" for one in own), len(own))


def _page(found: Record, grids: list[Grid], **ways: object) -> Response:
    page = render_template(
        "archive.html",
        streak=found.current,
        grids=grids,
        weekdays=days.weekdays(),
        legend=days.legend(week for grid in grids for week in grid.weeks),
        **ways,
    )
    response = make_response(page)
    player.renew(response)
    return response
