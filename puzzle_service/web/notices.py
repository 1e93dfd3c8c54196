"""Verdicts and states in words: what happened, why, and what comes next, in that order."""

import re
from dataclasses import dataclass
from typing import Literal, cast

from babel.lists import format_list
from flask import flash, get_flashed_messages
from markupsafe import Markup

from dama import Color, Move
from puzzle_service.services.illegal import Illegal
from puzzle_service.services.judging import MoveResult
from puzzle_service.web import texts
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import language, ngettext

Kind = Literal["info", "good", "bad", "warn", "slow"]


@dataclass(frozen=True)
class Notice:
    """A message in two parts: the first sentence, and the rest."""

    kind: Kind
    title: str
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.title} {self.rest}".strip()


def show_next(notice: Notice) -> None:
    """Keep a notice for the page that this browser sees next."""
    flash(f"{notice.title}\n{notice.rest}", notice.kind)


def pending() -> list[Notice]:
    """Return the notices kept for this page, and forget them."""
    found = cast("list[tuple[Kind, str]]", get_flashed_messages(with_categories=True))
    return [Notice(kind, *text.split("\n", 1)) for kind, text in found]


def move_text(move: Move | str) -> str:
    """Return a move as it is printed: "d3–e3", "b3×b5×d5"."""
    return str(move).replace("-", "–").replace("x", "×")


def side_name(color: Color) -> str:
    """Return a side at the beginning of a sentence: "White"."""
    return _("White") if color is Color.WHITE else _("Black")


def heading(turn: Color, moves: int) -> str:
    """Return the task: "White to move: win in 3"."""
    if turn is Color.WHITE:
        return _("White to move: win in %(n)d", n=moves)
    return _("Black to move: win in %(n)d", n=moves)


def in_two_parts(task: str) -> Markup:
    """Return a task that breaks, if it must, between who moves and what he is to do."""
    who, what = re.split(r"(?<=[:,]) ", task, maxsplit=1)
    return Markup('{} <span class="keep">{}</span>').format(who, what)


def your_move(moves: int) -> Notice:
    """Return what an untouched puzzle says."""
    return Notice(
        "info", _("Your move."), _("Find the move that wins in %(n)d against every defence.", n=moves)
    )


def go_on(moves_left: int) -> Notice:
    """Return what a puzzle says that is taken up again in the middle of an attempt."""
    return Notice(
        "info",
        _("Right so far."),
        _next_move(moves_left),
    )


def ended(state: str, attempt: int) -> Notice:
    """Return what a finished puzzle says when it is opened again."""
    if state == "solved":
        return Notice("good", f"{texts.solved_on(attempt)}.", _("The next puzzle comes tomorrow."))
    return Notice(
        "bad", _("Not solved this time."), _("Look at the solution; the next puzzle comes tomorrow.")
    )


def practised() -> Notice:
    """Return what practice says when the game on the board has ended."""
    return Notice("good", _("Solved."), _("Practice changes neither streak nor record."))


def refusal(code: str, *, page_follows: bool = False) -> Notice:
    """Return why a move was not judged at all, from a service's code.

    ``page_follows``: the reader is shown the page afresh with it, and need not load it.
    """
    stale = (_("This page is out of date."), _("Load it again to go on."))
    if page_follows:
        stale = (_("This page was out of date."), _("Here is how the puzzle stands now."))
    reasons = {
        "stale": stale,
        "closed": (
            _("The day of this puzzle is over."),
            _("It can be played for practice once nobody can finish it any more."),
        ),
        "not_yet": (
            _("This puzzle can still be solved for its day."),
            _("It can be practised once you have solved or failed it, or nobody can finish it any more."),
        ),
        "bad_line": (_("These moves do not belong together."), _("Start again from the beginning.")),
    }
    unknown = (_("This move could not be taken."), _("Load the page again and try once more."))
    return Notice("warn", *reasons.get(code, unknown))


def verdict(result: MoveResult, defender: Color, moves: int, *, streak: int | None) -> Notice:
    """Return the verdict on a move of an attempt at a puzzle in so many moves."""
    return _verdict(result, defender, moves, daily=True, streak=streak)


def practice_verdict(result: MoveResult, defender: Color, moves: int) -> Notice:
    """Return the verdict on a move in practice, where nothing is counted."""
    return _verdict(result, defender, moves, daily=False, streak=None)


def _verdict(result: MoveResult, defender: Color, moves: int, *, daily: bool, streak: int | None) -> Notice:
    moves_left = moves - result.ply // 2
    if result.illegal is not None:
        return _illegal(result.illegal)
    if result.move is None:
        return _over(result)
    if result.verdict == "continue" and result.reply is not None:
        return _right(result.move, result.reply, defender, moves_left)
    if result.verdict == "solved":
        return _solved(result, result.move, defender, streak)
    if result.verdict == "slow":
        return _slow(result.move, moves_left, slow_left=result.slow_left if daily else None)
    return _wrong(result, result.move, defender, moves)


def _right(move: Move, reply: Move, defender: Color, moves_left: int) -> Notice:
    title = _("%(move)s is right.", move=move_text(move))
    return Notice("good", title, f"{_answer(reply, defender)}. {_next_move(moves_left)}")


def _solved(result: MoveResult, move: Move, defender: Color, streak: int | None) -> Notice:
    outcome = result.position.outcome()
    if outcome is not None and outcome.reason == "no_legal_move":
        why = _("%(side)s has no move left.", side=side_name(defender))
    else:
        why = _("%(side)s has no piece left.", side=side_name(defender))
    parts = [why]
    if streak is not None:
        parts += [f"{texts.solved_on(result.attempt)}.", _("Streak %(n)d.", n=streak)]
    return Notice("good", _("%(move)s wins.", move=move_text(move)), " ".join(parts))


def _wrong(result: MoveResult, move: Move, defender: Color, moves: int) -> Notice:
    shown = move_text(move)
    title = _("%(move)s does not win.", move=shown)
    if result.late:
        title = _("%(move)s wins too late once more.", move=shown)
        why = _("No more late wins are taken back, so it counts as wrong.")
    elif result.refutation:
        answer = _answer(result.refutation[0], defender)
        why = _("%(answer)s: no win in %(n)d any more.", answer=answer, n=moves)
    else:
        why = _("No win in %(n)d any more.", n=moves)
    if result.state == "open":
        after = _("Try again from the start.")
    else:
        after = _("That was the last attempt: here is the solution.")
    return Notice("bad", title, f"{why} {after}")


def _slow(move: Move, moves_left: int, *, slow_left: int | None) -> Notice:
    parts = [_("It is taken back and costs nothing."), _next_move(moves_left)]
    if slow_left is not None:
        parts.append(f"{texts.slow_left(slow_left)}.")
    return Notice("slow", _("%(move)s wins, but one move later.", move=move_text(move)), " ".join(parts))


def _over(result: MoveResult) -> Notice:
    if result.state == "solved":
        return Notice("info", _("You have solved this puzzle already."), _("Its result stays as it is."))
    return Notice("info", _("All attempts at this puzzle are spent."), _("Its result stays as it is."))


def _illegal(why: Illegal) -> Notice:
    typed = str(why.params["text"])
    text = move_text(typed)
    free = _("No attempt is used up.")
    if why.code == "must_capture":
        pieces = format_list(list(why.params["pieces"]), locale=language())
        count = len(why.params["pieces"])
        must = ngettext("%(pieces)s must capture.", "%(pieces)s must capture.", count, pieces=pieces)
        return Notice(
            "warn", _("%(text)s is not possible: capturing is compulsory.", text=text), f"{must} {free}"
        )
    if why.code == "must_take_most":
        most = ngettext(
            "A capture must take the most it can: %(num)d piece here.",
            "A capture must take the most it can: %(num)d pieces here.",
            why.params["count"],
        )
        return Notice("warn", _("%(text)s is not possible.", text=text), f"{most} {free}")
    if why.code == "ambiguous":
        meanings = [
            _("%(move)s (takes %(squares)s)", move=move_text(move), squares=" ".join(squares))
            for move, squares in why.params["meanings"]
        ]
        listed = format_list(meanings, style="or", locale=language())
        again = _("Type every stop of the one you mean: %(moves)s.", moves=listed)
        return Notice("warn", _("%(text)s fits several captures.", text=text), f"{again} {free}")
    if why.code == "notation":
        again = _("Type two squares, or every stop of a series: b3xb5xd5.")
        return Notice("warn", _("“%(text)s” is not a move.", text=typed), f"{again} {free}")
    return Notice("warn", _("%(text)s is not possible here.", text=text), free)


def _next_move(moves_left: int) -> str:
    return ngettext("Win with the next move.", "Find the win in %(num)d.", moves_left)


def _answer(reply: Move, defender: Color) -> str:
    """Return the defender's answer as a clause without its full stop."""
    parts = {"side": side_name(defender), "move": move_text(reply)}
    taken = len(reply.captured)
    if taken and reply.promotes:
        return ngettext(
            "%(side)s answers %(move)s, takes %(num)d piece and crowns",
            "%(side)s answers %(move)s, takes %(num)d pieces and crowns",
            taken,
            **parts,
        )
    if taken:
        return ngettext(
            "%(side)s answers %(move)s and takes %(num)d piece",
            "%(side)s answers %(move)s and takes %(num)d pieces",
            taken,
            **parts,
        )
    if reply.promotes:
        return _("%(side)s answers %(move)s and crowns", **parts)
    return _("%(side)s answers %(move)s", **parts)
