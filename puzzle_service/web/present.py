"""The JSON of the API, from the services' plain values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import url_for

from dama import Move, Position
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.services.judging import MoveResult
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.services.tallies import Tally
from puzzle_service.web import texts
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.submission import Mode

Json = dict[str, Any]


@dataclass(frozen=True)
class Standing:
    """A puzzle as a player sees it now: the same for a day's attempt and for practice.

    `solution` stays None until the player is done.
    """

    mode: Mode
    state: str
    attempt: int
    attempts_left: int
    slow_left: int
    position: Position
    line: Sequence[Move]
    solution: Sequence[Move] | None

    @property
    def legal(self) -> Sequence[Move]:
        """The moves to choose from: none after the end."""
        return self.position.legal_moves if self.state == "open" else ()


def puzzle_json(published: PublishedPuzzle, standing: Standing, *, notice: Notice) -> Json:
    """Return the puzzle JSON, all but `served`: before the end nothing in it depends on the key.

    It is the same for everybody who stands like this and reads the same language.
    """
    return {
        "number": published.number,
        "day": published.day.isoformat(),
        "rules": published.rules,
        "moves": published.moves,
        "turn": published.position.turn.value,
        "mode": standing.mode,
        "start": published.position.fen(),
        "last_move": _move(published.previous_move),
        "state": standing.state,
        "attempt": standing.attempt,
        "ply": len(standing.line),
        "attempts_left": standing.attempts_left,
        "slow_left": standing.slow_left,
        "position": standing.position.fen(),
        "line": _moves(standing.line),
        "legal": _moves(standing.legal),
        "solution": _moves(standing.solution),
        "note": _note(published, standing.solution),
        "share": share(published, standing.mode, standing.state, standing.attempt),
        "message": str(notice),
    }


def result_json(
    published: PublishedPuzzle,
    result: MoveResult,
    mode: Mode,
    *,
    notice: Notice,
    streak: int | None,
    tally: Tally | None,
) -> Json:
    """Return the answer to a move; of a refutation only the first ply is shown before the end."""
    is_open = result.state == "open"
    return {
        "verdict": result.verdict,
        "played": _move(result.move),
        "reply": _move(result.reply),
        "position": result.position.fen(),
        "legal": _moves(result.position.legal_moves if is_open else ()),
        "attempt": result.attempt,
        "ply": result.ply,
        "attempts_left": result.attempts_left,
        "slow_left": result.slow_left,
        "state": result.state,
        "refutation": _moves(result.refutation),
        "solution": _moves(result.solution),
        "note": _note(published, result.solution),
        "share": share(published, mode, result.state, result.attempt),
        "message": str(notice),
        "kind": notice.kind,
        "streak": streak,
        "figures": None if tally is None else texts.figures(tally),
    }


def share(published: PublishedPuzzle, mode: Mode, state: str, attempt: int) -> str | None:
    """Return a solved day's result to pass on: it reads well aloud and helps nobody with the solution."""
    if mode != "daily" or state != "solved":
        return None
    symbols = "✗" * (attempt - 1) + "✓"
    result = _(
        "Dama puzzle %(number)d: solved on attempt %(attempt)d of %(all)d",
        number=published.number,
        attempt=attempt,
        all=MAX_ATTEMPTS,
    )
    return f"{result} {symbols}\n{url_for('puzzle.practice', number=published.number, _external=True)}"


def _note(published: PublishedPuzzle, solution: Sequence[Move] | None) -> str | None:
    """Return what the solution depends on: before it is shown, that would tell something about it."""
    return None if solution is None else texts.rule_note(published.themes)


def _move(move: Move | None) -> Json | None:
    return None if move is None else dict(move.json())


def _moves(moves: Sequence[Move] | None) -> list[Json] | None:
    return None if moves is None else [dict(move.json()) for move in moves]
