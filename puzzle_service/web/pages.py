"""The puzzle page: everything its template shows, gathered in one value."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from random import getrandbits
from typing import Final

from flask import render_template
from markupsafe import Markup

from dama import Color, Move, Position
from dama.diagram import board_svg
from dama.squares import squares_in
from puzzle_service.domain import puzzle_day
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.services.records import Record
from puzzle_service.services.tallies import Tally
from puzzle_service.settings import Settings
from puzzle_service.web import days, notices, player, present, serving, sheets, texts
from puzzle_service.web.addresses import here
from puzzle_service.web.i18n import clock_label, date_label, day_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.present import Json, Standing
from puzzle_service.web.signing import csrf_token

REQUEST_ID_BITS: Final = 128
"""Enough that no two pages of one player carry the same; nobody gains anything by guessing it."""


@dataclass(frozen=True)
class PuzzlePage:
    """What the page of a puzzle says to everybody who stands like this, and reads the same language.

    ``news`` is what has just happened, if anything has.
    """

    published: PublishedPuzzle
    standing: Standing
    news: Notice | None

    @property
    def shown(self) -> Hashable:
        """What decides everything that is said here."""
        published, standing = self.published, self.standing
        which = (published.number, published.day, published.puzzle_id, published.swapped)
        stands = (standing.mode, standing.state, standing.attempt, standing.attempts_left, standing.slow_left)
        return which, stands, tuple(map(str, standing.line)), self.news

    @property
    def notice(self) -> Notice:
        """What has happened, or how the puzzle stands."""
        return self.news or standing_notice(self.published, self.standing)

    @property
    def number(self) -> int:
        """The puzzle's number."""
        return self.published.number

    @property
    def daily(self) -> bool:
        """Whether this is a day's attempt, not practice."""
        return self.standing.mode == "daily"

    @property
    def open(self) -> bool:
        """Whether there is a move to make."""
        return self.standing.state == "open"

    @property
    def title(self) -> str:
        """The name of the page."""
        if self.daily:
            return _("Puzzle %(number)d", number=self.number)
        return _("Practice: puzzle %(number)d", number=self.number)

    @property
    def description(self) -> str:
        """The page in a sentence, for those who pass it on."""
        return _("Turkish draughts, one puzzle a day. %(task)s.", task=self.heading)

    @property
    def kicker(self) -> str:
        """What stands above the task: which puzzle, of which day."""
        number = _("Puzzle %(number)d", number=self.number)
        if self.daily:
            return " · ".join((number, day_label(self.published.day)))
        return " · ".join((_("Practice"), number, date_label(self.published.day)))

    @property
    def heading(self) -> str:
        """The task."""
        return notices.heading(self.published.position.turn, self.published.moves)

    @property
    def board(self) -> Markup:
        """The position as an image, with the last move."""
        last = self.standing.line[-1] if self.standing.line else self.published.previous_move
        return board(self.standing.position, last=last, solver=self.published.position.turn)

    @property
    def attempts_label(self) -> str:
        """How many attempts are left, or which one solved the puzzle."""
        if self.standing.state == "solved":
            return texts.solved_on(self.standing.attempt)
        return texts.attempts_left(self.standing.attempts_left)

    @property
    def pips(self) -> Sequence[str]:
        """The attempts as marks: spent ones, the one that won, those that are left."""
        used = ["used"] * (MAX_ATTEMPTS - self.standing.attempts_left)
        won = ["won"] if self.standing.state == "solved" else []
        rest = ["idle" if won else "left"] * (MAX_ATTEMPTS - len(used) - len(won))
        return used + won + rest

    @property
    def line(self) -> Sequence[Move]:
        """The moves of both sides so far."""
        return self.standing.line

    @property
    def solution(self) -> Sequence[Move]:
        """The solution after the end, nothing before it."""
        return self.standing.solution or ()

    @property
    def note(self) -> str | None:
        """The rule that the solution depends on where sites differ, once the solution is shown."""
        return texts.rule_note(self.published.themes) if self.standing.solution is not None else None

    @property
    def share(self) -> str | None:
        """The result to pass on, if there is one."""
        standing = self.standing
        return present.share(self.published, standing.mode, standing.state, standing.attempt)

    @property
    def form(self) -> dict[str, str]:
        """The hidden fields of the form for typed moves that tell where the player stands."""
        fields = {
            "attempt": str(self.standing.attempt),
            "ply": str(len(self.standing.line)),
            "mode": self.standing.mode,
        }
        if not self.daily:
            fields["line"] = ",".join(map(str, self.standing.line))
        return fields

    @property
    def json(self) -> Json:
        """The puzzle JSON of the API, for the page's script; `served` has its place among the holes."""
        return present.puzzle_json(self.published, self.standing, notice=self.notice)


def puzzle_page(
    published: PublishedPuzzle,
    standing: Standing,
    record: Record,
    tally: Tally | None,
    now: datetime,
    served_at: datetime,
    settings: Settings,
) -> Markup:
    """Return the page of a puzzle as one player, whom it was served at `served_at`, sees it now."""
    page = PuzzlePage(published, standing, _news())
    values = _of_this_visit(published, now, served_at) | _of_the_player(record, tally, now, settings)
    return _sheet(page).filled(values)


def newcomers_page(
    published: PublishedPuzzle,
    depends_on: Hashable,
    shown: Callable[[], tuple[Standing, Record]],
    now: datetime,
    served_at: datetime,
    settings: Settings,
) -> Markup:
    """Return the page of today's puzzle as everybody sees it who has not played yet.

    It is the same for all of them while it depends on the same; only when it is not kept is it asked for what
    it shows.
    """
    news = _news()

    def sheet() -> sheets.Sheet:
        standing, record = shown()
        page = PuzzlePage(published, standing, news)
        return _sheet(page).partly_filled(_of_the_player(record, None, now, settings))

    kept = sheets.kept("newcomers", (depends_on, news), sheet)
    return kept.filled(_of_this_visit(published, now, served_at))


def _news() -> Notice | None:
    # Of several moves sent before the page came back, the last one says how the puzzle stands.
    return next(reversed(notices.pending()), None)


def _sheet(page: PuzzlePage) -> sheets.Sheet:
    return sheets.sheet("puzzle.html", page.shown, lambda: {"page": page, "texts": texts.puzzle()})


def _of_this_visit(published: PublishedPuzzle, now: datetime, served_at: datetime) -> dict[str, str]:
    return {
        "csrf_token": csrf_token(),
        "now": _iso(now),
        # The same request sent again is known by it.
        "request_id": f"{getrandbits(REQUEST_ID_BITS):x}",
        "served": serving.token(published, served_at),
    }


def head(record: Record) -> dict[str, str]:
    """Return what the head of a page says of its visitor, for the holes that a sheet has there."""
    return {"account": _account(), "streak": _streak(record)}


def _of_the_player(record: Record, tally: Tally | None, now: datetime, settings: Settings) -> dict[str, str]:
    next_change = puzzle_day.next_change(now, settings.timezone)
    return {
        **head(record),
        "figures": "" if tally is None else texts.figures(tally),
        "next": _iso(next_change),
        "next_label": clock_label(next_change, settings.timezone),
        "streak_line": _streak_line(record),
        "week": _week(record, puzzle_day.day_of(now, settings.timezone)),
    }


def board(position: Position, *, last: Move | None, solver: Color) -> Markup:
    """Return the board as an image with the position in words, the solver's side at the bottom."""
    svg = board_svg(position, title=position_words(position), last=last, flipped=solver is Color.BLACK)
    # The diagram escapes its title; everything else in it are numbers and fixed names.
    return Markup(svg)  # noqa: S704


def position_words(position: Position) -> str:
    """Return where the pieces stand: "White: men a2, b2; kings d4. Black: men a6."."""
    sides = []
    for color in Color:
        pieces = position.pieces(color)
        men, kings = (
            ", ".join(map(position.rules.grid.name, squares_in(squares)))
            for squares in (pieces.men, pieces.kings)
        )
        parts = [_("men %(squares)s", squares=men)] if men else []
        parts += [_("kings %(squares)s", squares=kings)] if kings else []
        placed = "; ".join(parts or [_("no pieces")])
        sides.append(f"{notices.side_name(color)}: {placed}.")
    return " ".join(sides)


def standing_notice(published: PublishedPuzzle, standing: Standing) -> Notice:
    """Return what a puzzle says when it is opened: what to do, or how it ended."""
    if standing.state != "open":
        return (
            notices.practised()
            if standing.mode == "practice"
            else notices.ended(standing.state, standing.attempt)
        )
    if standing.line:
        return notices.go_on(published.moves - len(standing.line) // 2)
    return notices.your_move(published.moves)


def _account() -> Markup:
    """Return the header's part about whoever has signed in on this device."""
    if player.shown() is None and here() is None:
        return sheets.sheet("account/nav.html", None, dict).filled({})
    return Markup(render_template("account/nav.html"))  # noqa: S704


def _streak(record: Record) -> Markup:
    return sheets.sheet("streak.html", record.current, lambda: {"streak": record.current}).filled({})


def _streak_line(record: Record) -> str:
    states = {state.state for state in record.days[-2:]}
    streak = _("Streak %(n)d", n=record.current) if record.current else _("No streak yet")
    if "open" in states:
        return _("%(streak)s, today still open", streak=streak)
    return streak


def _week(record: Record, today: date) -> Markup:
    """Return the last seven days, today last."""
    depends_on = (today, record.days[0].day if record.days else None, record.days[-7:])
    return sheets.sheet("week.html", depends_on, lambda: {"week": days.week(record.days, today)}).filled({})


def _iso(instant: datetime) -> str:
    return instant.isoformat(timespec="seconds").replace("+00:00", "Z")
