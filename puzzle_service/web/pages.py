"""The puzzle page: everything its template shows, gathered in one value."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex

from markupsafe import Markup

from dama import Color, Move, Position
from dama.diagram import board_svg
from dama.squares import square_name, squares_in
from puzzle_service.domain import puzzle_day
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.services.records import Record
from puzzle_service.settings import Settings
from puzzle_service.web import days, notices, present, serving, texts
from puzzle_service.web.days import Cell
from puzzle_service.web.i18n import clock_label, date_label, day_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.present import Json, Standing


@dataclass(frozen=True)
class PuzzlePage:
    """What the puzzle page shows; `form` holds the hidden fields of the form for typed moves."""

    daily: bool
    open: bool
    title: str
    description: str
    kicker: str
    heading: str
    board: Markup
    notice: Notice
    attempts_label: str
    pips: Sequence[str]
    line: Sequence[Move]
    form: dict[str, str]
    week: Sequence[Cell]
    streak_line: str
    now: str
    next_change: str
    next_label: str
    json: Json


def puzzle_page(
    published: PublishedPuzzle,
    standing: Standing,
    record: Record,
    now: datetime,
    served_at: datetime,
    settings: Settings,
) -> PuzzlePage:
    """Gather the page of a puzzle as one player, whom it was served at `served_at`, sees it now."""
    served = serving.token(published, served_at)
    notice = _notice(published, standing)
    next_change = puzzle_day.next_change(now, settings.timezone)
    today = puzzle_day.day_of(now, settings.timezone)
    heading = notices.heading(published.position.turn, published.moves)
    number = _("Puzzle %(number)d", number=published.number)
    day = day_label(published.day) if standing.mode == "daily" else date_label(published.day)
    daily = standing.mode == "daily"
    return PuzzlePage(
        daily=daily,
        open=standing.state == "open",
        title=number if daily else _("Practice: puzzle %(number)d", number=published.number),
        description=_("Turkish draughts, one puzzle a day. %(task)s.", task=heading),
        kicker=" · ".join((number, day) if daily else (_("Practice"), number, day)),
        heading=heading,
        board=board(standing.position, last=_last(published, standing), solver=published.position.turn),
        notice=notice,
        attempts_label=_attempts_label(standing),
        pips=_pips(standing),
        line=standing.line,
        form=_form(standing, served),
        week=days.week(record.days, today),
        streak_line=_streak_line(record),
        now=_iso(now),
        next_change=_iso(next_change),
        next_label=clock_label(next_change, settings.timezone),
        json=present.puzzle_json(published, standing, served=served, notice=notice),
    )


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
            ", ".join(map(square_name, squares_in(squares))) for squares in (pieces.men, pieces.kings)
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


def _notice(published: PublishedPuzzle, standing: Standing) -> Notice:
    # Of several moves sent before the page came back, the last one says how the puzzle stands.
    return next(reversed(notices.pending()), None) or standing_notice(published, standing)


def _last(published: PublishedPuzzle, standing: Standing) -> Move | None:
    return standing.line[-1] if standing.line else published.previous_move


def _attempts_label(standing: Standing) -> str:
    if standing.state == "solved":
        return texts.solved_on(standing.attempt)
    return texts.attempts_left(standing.attempts_left)


def _pips(standing: Standing) -> list[str]:
    used = ["used"] * (MAX_ATTEMPTS - standing.attempts_left)
    won = ["won"] if standing.state == "solved" else []
    rest = ["idle" if won else "left"] * (MAX_ATTEMPTS - len(used) - len(won))
    return used + won + rest


def _form(standing: Standing, served: str) -> dict[str, str]:
    fields = {
        "attempt": str(standing.attempt),
        "ply": str(len(standing.line)),
        "mode": standing.mode,
        "served": served,
        "request_id": token_hex(16),
    }
    if standing.mode == "practice":
        fields["line"] = ",".join(map(str, standing.line))
    return fields


def _streak_line(record: Record) -> str:
    states = {state.state for state in record.days[-2:]}
    streak = _("Streak %(n)d", n=record.current) if record.current else _("No streak yet")
    if "open" in states:
        return _("%(streak)s, today still open", streak=streak)
    return streak


def _iso(instant: datetime) -> str:
    return instant.isoformat(timespec="seconds").replace("+00:00", "Z")
