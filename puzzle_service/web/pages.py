"""The puzzle page: everything its template shows, gathered in one value."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from secrets import token_hex

from flask import current_app
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from dama import Color, Move, Position
from dama.diagram import board_svg
from dama.squares import square_name, squares_in
from puzzle_service.domain import puzzle_day
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.services.records import Record
from puzzle_service.services.tallies import Tally
from puzzle_service.settings import Settings
from puzzle_service.web import days, fragments, notices, present, serving, texts
from puzzle_service.web.days import Cell
from puzzle_service.web.i18n import clock_label, date_label, day_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.present import Json, Standing


@dataclass(frozen=True)
class PuzzlePage:
    """The page of a puzzle as one player sees it now; `served` is the token of when it was served to him.

    Most of it is the same for all who stand alike, and made by the template only when no fragment of theirs
    is kept; `shown` is what such fragments depend on.
    """

    published: PublishedPuzzle
    standing: Standing
    notice: Notice
    record: Record
    figures: str | None
    now: datetime
    served: str
    settings: Settings

    @cached_property
    def shown(self) -> Hashable:
        """Everything that decides what the page says about the puzzle, save for its language."""
        published, standing = self.published, self.standing
        which = (published.number, published.day, published.puzzle_id, published.swapped)
        stands = (standing.mode, standing.state, standing.attempt, standing.attempts_left, standing.slow_left)
        return which, stands, tuple(map(str, standing.line)), self.notice, self.share

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

    @cached_property
    def share(self) -> str | None:
        """The result to pass on, if there is one."""
        standing = self.standing
        return present.share(self.published, standing.mode, standing.state, standing.attempt)

    @property
    def form(self) -> dict[str, str]:
        """The hidden fields of the form for typed moves; the same request again is known by its id."""
        fields = {
            "attempt": str(self.standing.attempt),
            "ply": str(len(self.standing.line)),
            "mode": self.standing.mode,
            "served": self.served,
            "request_id": token_hex(16),
        }
        if not self.daily:
            fields["line"] = ",".join(map(str, self.standing.line))
        return fields

    @property
    def week(self) -> Sequence[Cell]:
        """The last seven days, today last."""
        return days.week(self.record.days, puzzle_day.day_of(self.now, self.settings.timezone))

    @property
    def streak_line(self) -> str:
        """The streak in words."""
        states = {state.state for state in self.record.days[-2:]}
        streak = texts.streak(self.record.current)
        if "open" in states:
            return _("%(streak)s, today still open", streak=streak)
        return streak

    @property
    def now_iso(self) -> str:
        """The present instant."""
        return _iso(self.now)

    @cached_property
    def next_change(self) -> datetime:
        """The instant at which there is a new puzzle."""
        return puzzle_day.next_change(self.now, self.settings.timezone)

    @property
    def next_iso(self) -> str:
        """The same for the script's countdown."""
        return _iso(self.next_change)

    @property
    def next_label(self) -> str:
        """The same for the reader."""
        return clock_label(self.next_change, self.settings.timezone)

    @property
    def json(self) -> Markup:
        """The puzzle JSON of the API for the page's script."""
        same = fragments.kept("puzzle JSON", self.shown, caller=self._json_for_all)
        # The token is of letters, digits, hyphens, underscores and dots alone.
        return Markup(f'{same[:-1]}, "served": "{self.served}"}}')  # noqa: S704

    def _json_for_all(self) -> Markup:
        found: Json = present.puzzle_json(self.published, self.standing, notice=self.notice)
        return htmlsafe_json_dumps(found, dumps=current_app.json.dumps)


def puzzle_page(
    published: PublishedPuzzle,
    standing: Standing,
    record: Record,
    tally: Tally | None,
    now: datetime,
    served_at: datetime,
    settings: Settings,
) -> PuzzlePage:
    """Gather the page of a puzzle as one player, whom it was served at `served_at`, sees it now."""
    return PuzzlePage(
        published,
        standing,
        # Of several moves sent before the page came back, the last one says how the puzzle stands.
        next(reversed(notices.pending()), None) or standing_notice(published, standing),
        record,
        None if tally is None else texts.figures(tally),
        now,
        serving.token(published, served_at),
        settings,
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


def _iso(instant: datetime) -> str:
    return instant.isoformat(timespec="seconds").replace("+00:00", "Z")
