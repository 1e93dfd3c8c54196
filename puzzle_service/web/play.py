"""One player at one puzzle: where he stands, and what a move of his is worth."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from werkzeug.exceptions import NotFound

from puzzle_service.domain import puzzle_day
from puzzle_service.services import attempts, publication, records, tallies
from puzzle_service.services.attempts import PlayerView
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.judging import MoveResult
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.services.tallies import Tally
from puzzle_service.web import limits, notices, player, serving
from puzzle_service.web.notices import Notice
from puzzle_service.web.present import Standing
from puzzle_service.web.serving import Served
from puzzle_service.web.site import request_time, site
from puzzle_service.web.submission import Mode, Submission

# Requests that make the same guest at once: one of them wins, and the others find it.
RACES = 3


@dataclass(frozen=True)
class Judged:
    """The answer to a move.

    `token` is what the browser has to keep, None in practice; `streak` and `tally` are set when a day's
    puzzle is over; `line` is what practice has to send next time.
    """

    published: PublishedPuzzle
    result: MoveResult
    notice: Notice
    token: str | None = None
    streak: int | None = None
    tally: Tally | None = None
    line: tuple[str, ...] = ()


@contextmanager
def todays_puzzle(now: datetime) -> Iterator[tuple[Session, PublishedPuzzle | None]]:
    """Give today's puzzle, published first when nobody has yet, and a session to read more with.

    The puzzle is None when there is none left.
    """
    parts = site()
    with parts.database.read() as session:
        if (found := publication.today(session, now, parts.settings)) is not None:
            yield session, found
            return
    # What this session reads began before the puzzle was out, so another one goes on.
    found = publication.ensure_published(parts.database.write, now, parts.settings)
    with parts.database.read() as session:
        yield session, found


def published(session: Session, number: int, now: datetime) -> PublishedPuzzle:
    """Return a puzzle that is out; one that is not answers like one that never will be."""
    found = publication.by_number(session, number, now, site().settings)
    if found is None:
        raise NotFound
    return found


def counts(puzzle: PublishedPuzzle, now: datetime) -> bool:
    """Say whether attempts count now: on the puzzle's day, and shortly after for whom it was served on it."""
    settings = site().settings
    served = serving.served(puzzle.number, None)
    served_at = served.at if served and served.puzzle_id == puzzle.puzzle_id else None
    return puzzle_day.accepts(puzzle.day, now, served_at, settings.timezone, settings.grace)


def standing(view: PlayerView, mode: Mode) -> Standing:
    """Return what is shown of where a player stands, with a day's puzzle or in practice."""
    return Standing(
        mode=mode,
        state=view.state,
        attempt=view.attempt,
        attempts_left=view.attempts_left,
        slow_left=view.slow_left,
        position=view.position,
        line=view.line,
        solution=view.solution,
    )


def submit(number: int, sent: Submission) -> Judged:
    """Judge a move; a first move makes the guest who plays it.

    Raises NotFound for a puzzle that is not out, ServiceError as the services for attempts and practice do,
    and TooMany for moves that come faster than anybody plays.
    """
    judged = _judged(number, sent)
    if (metrics := site().metrics) is not None:
        metrics.judged(sent.mode, judged.result.verdict)
    return judged


def _judged(number: int, sent: Submission) -> Judged:
    now, parts = request_time(), site()
    served = serving.served(number, sent.served)
    with parts.database.read() as session:
        puzzle = published(session, number, now)
        if sent.mode == "practice":
            view = attempts.view(session, puzzle, player.find(session), now, parts.settings)
            return _practise(puzzle, view, sent, served)
    for _ in range(RACES):
        try:
            return _attempt(puzzle, sent, served, now)
        except IntegrityError as error:
            lost = error
        except ServiceError:
            _recount_refused()
            raise
    raise lost


def _recount_refused() -> None:
    """Let a refused move count like any other: it has cost the site as much."""
    with site().database.read() as session:
        player_id = player.find(session)
    if player_id is None:
        limits.recount("guests")
    else:
        limits.recount("moves", player_id)


def _attempt(puzzle: PublishedPuzzle, sent: Submission, served: Served | None, now: datetime) -> Judged:
    parts = site()
    with parts.database.write.begin() as session:
        player_id, token = player.find_or_create(session, now)
        limits.hit("moves", player_id, session=session)
        result = attempts.submit(
            session,
            puzzle,
            player_id,
            now,
            parts.settings,
            attempt=sent.attempt,
            ply=sent.ply,
            move=sent.move,
            request_id=sent.request_id,
            shown=served.puzzle_id if served else None,
            served_at=served.at if served else None,
        )
        streak = tally = None
        if result.state != "open":
            streak = records.me(session, player_id, now, parts.settings).current
            tally = tallies.get(session, puzzle.puzzle_id)
    notice = notices.verdict(result, puzzle.position.turn.other, puzzle.moves, streak=streak)
    return Judged(puzzle, result, notice, token, streak, tally)


def _practise(puzzle: PublishedPuzzle, view: PlayerView, sent: Submission, served: Served | None) -> Judged:
    shown = served.puzzle_id if served else None
    result = attempts.practice(puzzle, view, sent.line, sent.move, shown=shown)
    played = tuple(str(ply) for ply in (result.move, result.reply) if ply is not None)
    line = {"continue": (*sent.line, *played), "solved": (*sent.line, *played), "wrong": ()}
    notice = notices.practice_verdict(result, puzzle.position.turn.other, puzzle.moves)
    return Judged(puzzle, result, notice, line=line.get(result.verdict, sent.line))
