"""Attempts: where a player stands with a puzzle, and what his moves leave behind, once for each request."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Final, cast

from sqlalchemy import bindparam, delete, select, tuple_
from sqlalchemy.orm import Session

from dama import Move, Position
from puzzle_service.domain import attempts as domain
from puzzle_service.domain import puzzle_day
from puzzle_service.domain.attempts import MAX_ATTEMPTS, MAX_SLOW, Progress, Result, State, Try
from puzzle_service.models import Attempt, MoveRequest
from puzzle_service.services import judging, players, tallies
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.judging import Answer, MoveResult
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings

LONGEST_REQUEST_ID: Final = 64
LONGEST_LINE: Final = 8
REQUESTS_KEPT: Final = timedelta(days=2)

_attempt: Final = Attempt.__table__.c
# Made once and of plain columns: this is asked for on every page of a player's.
_TRIES: Final = (
    select(_attempt.ordinal, _attempt.plies, _attempt.result, _attempt.slow)
    .where(_attempt.player_id == bindparam("player_id"), _attempt.puzzle_id == bindparam("puzzle_id"))
    .order_by(_attempt.ordinal)
)


@dataclass(frozen=True)
class PlayerView:
    """Where a player stands with a puzzle; ``position`` and ``line`` are those of the attempt in play.

    ``attempts`` are the results so far in their order, None for one in play; ``solution`` is None before the
    end; ``closed`` says that the puzzle's day is over for everybody, its grace period too.
    """

    state: State
    attempt: int
    ply: int
    attempts_left: int
    slow_left: int
    position: Position
    line: list[Move]
    solution: list[Move] | None
    attempts: list[Result | None]
    closed: bool


def view(
    session: Session, published: PublishedPuzzle, player_id: int | None, now: datetime, settings: Settings
) -> PlayerView:
    """Return where a player stands with a puzzle; for nobody, as one who has not begun."""
    tries = _tries(session, published, player_id)
    now_at = domain.progress(tries)
    line, position = judging.played(published.position, now_at.plies)
    return PlayerView(
        state=now_at.state,
        attempt=now_at.attempt,
        ply=len(line),
        attempts_left=now_at.attempts_left,
        slow_left=now_at.slow_left,
        position=position,
        line=list(line),
        solution=None if now_at.state == "open" else judging.solution(published),
        attempts=[one.result for one in tries],
        closed=puzzle_day.is_closed(published.day, now, settings.timezone, settings.grace),
    )


def submit(
    session: Session,
    published: PublishedPuzzle,
    player_id: int,
    now: datetime,
    settings: Settings,
    *,
    attempt: int,
    ply: int,
    move: str,
    request_id: str,
    served_at: datetime | None,
    shown: str | None = None,
) -> MoveResult:
    """Judge a move of a player's attempt and keep what follows; the same request again changes nothing.

    ``shown`` is the id of the puzzle that the player sees, if it is known. Raises ServiceError: *stale* when
    that one was replaced, or attempt and ply are not where the player stands, *closed* when the puzzle's day
    is over for this player, *bad_request*.
    """
    if not 0 < len(request_id) <= LONGEST_REQUEST_ID:
        raise ServiceError("bad_request", f"request_id: expected 1 to {LONGEST_REQUEST_ID} characters")
    # One request of a player at a time: the lock is what makes twenty at once cost what one costs.
    if not players.lock(session, player_id):
        raise ServiceError("not_found", "there is no such player")
    _check_shown(published, shown)
    kept = _kept_answer(session, published, player_id, request_id)
    if kept is not None:
        return judging.result(published, kept)
    stands = domain.progress(_tries(session, published, player_id))
    if stands.state != "open":
        return judging.result(published, judging.over(stands))
    if not puzzle_day.accepts(published.day, now, served_at, settings.timezone, settings.grace):
        raise ServiceError("closed", f"the day of puzzle {published.number} is over")
    if (attempt, ply) != (stands.attempt, len(stands.plies)):
        expected = f"{stands.attempt}, {len(stands.plies)}"
        raise ServiceError("stale", f"attempt {attempt}, ply {ply} was sent; expected {expected}")
    answer = judging.judge(published, stands, move)
    if answer.verdict != "illegal":
        _keep(session, published, player_id, now, answer)
    session.add(_kept_request(published, player_id, request_id, now, answer))
    session.flush()
    return judging.result(published, answer)


def practice_view(published: PublishedPuzzle, standing: PlayerView, line: Sequence[str]) -> PlayerView:
    """Return where practice stands after a line of both sides' plies, for a player who stands like this.

    A line that cannot be played, or after which the solver neither is to move nor has won, is the start. Only
    the rules are asked, not the proof: a line somebody makes up tells him nothing.
    """
    solver, moves, position = published.position.turn, tuple[Move, ...](), published.position
    # A line that is no line is the start.
    with suppress(ValueError):
        if len(line) <= LONGEST_LINE:
            moves, position = judging.played(published.position, tuple(line))
    outcome = position.outcome()
    solved = outcome is not None and outcome.winner is solver
    if not solved and (outcome is not None or position.turn is not solver):
        moves, position = (), published.position
    return replace(
        standing,
        state="solved" if solved else "open",
        attempt=1,
        ply=len(moves),
        attempts_left=MAX_ATTEMPTS,
        slow_left=MAX_SLOW,
        position=position,
        line=list(moves),
        solution=None,
    )


def practice(
    published: PublishedPuzzle,
    standing: PlayerView,
    line: Sequence[str],
    move: str,
    *,
    shown: str | None = None,
) -> MoveResult:
    """Judge a move after a line of both sides' plies, for a player who stands like this; keeps nothing.

    Only who has ended the puzzle is shown a whole refutation. Raises ServiceError: *stale* like ``submit``,
    *not_yet*, *bad_line*.
    """
    _check_shown(published, shown)
    done = standing.state != "open"
    # Whoever asks for the right moves here, an attempt can still count: a second cookie costs nothing.
    if not (done or standing.closed):
        raise ServiceError("not_yet", f"puzzle {published.number} can still be solved for its day")
    if len(line) > LONGEST_LINE:
        raise ServiceError("bad_line", f"{len(line)} plies; expected at most {LONGEST_LINE}")
    stands = Progress("open", 1, tuple(line), MAX_ATTEMPTS, MAX_SLOW)
    try:
        answer = judging.judge(published, stands, move, practice=True, whole=done)
    except ValueError as error:
        raise ServiceError("bad_line", f"line: {error}") from error
    return judging.result(published, answer)


def forget_requests(session: Session, now: datetime) -> None:
    """Drop the answers kept for requests so old that nobody repeats them any more."""
    named = (MoveRequest.player_id, MoveRequest.request_id)
    # Whoever merges or deletes a player may hold some of his and want the rest: nobody waits for the other.
    old = select(*named).where(MoveRequest.created_at < now - REQUESTS_KEPT).with_for_update(skip_locked=True)
    forgotten = delete(MoveRequest).where(tuple_(*named).in_(old))
    session.execute(forgotten, execution_options={"synchronize_session": False})


def _check_shown(published: PublishedPuzzle, shown: str | None) -> None:
    """Raise ServiceError when the player sees another puzzle than the one that has the number now."""
    if shown not in (None, published.puzzle_id):
        raise ServiceError("stale", f"puzzle {published.number} was replaced")


def _keep(
    session: Session, published: PublishedPuzzle, player_id: int, now: datetime, answer: Answer
) -> None:
    """Write what an answer means for the attempt in play, which begins with its first judged move."""
    wanted = select(Attempt).where(
        Attempt.player_id == player_id, Attempt.puzzle_id == published.puzzle_id, Attempt.result.is_(None)
    )
    row = session.scalar(wanted)
    if row is None:
        ordinal = answer.attempt
        if answer.verdict == "wrong" and answer.state == "open":
            ordinal -= 1
        row = Attempt(
            player_id=player_id,
            puzzle_id=published.puzzle_id,
            ordinal=ordinal,
            plies=[],
            slow=0,
            result=None,
            started_at=now,
        )
        session.add(row)
    if answer.verdict == "slow":
        row.slow += 1
        return
    row.plies = [*answer.line, *filter(None, (answer.move, answer.reply))]
    if answer.verdict != "continue":
        row.result, row.finished_at = answer.verdict, now
    if (ended := tallies.outcome(answer.state, row.ordinal)) is not None:
        tallies.add(session, published.puzzle_id, ended)


def _kept_request(
    published: PublishedPuzzle, player_id: int, request_id: str, now: datetime, answer: Answer
) -> MoveRequest:
    return MoveRequest(
        player_id=player_id,
        request_id=request_id,
        puzzle_id=published.puzzle_id,
        response=asdict(answer),
        created_at=now,
    )


def _kept_answer(
    session: Session, published: PublishedPuzzle, player_id: int, request_id: str
) -> Answer | None:
    """Return what the same request was answered before."""
    kept = session.get(MoveRequest, (player_id, request_id))
    if kept is None:
        return None
    if kept.puzzle_id != published.puzzle_id:
        raise ServiceError("bad_request", "request_id: it has been used for another puzzle")
    return Answer.from_json(kept.response)


def _tries(session: Session, published: PublishedPuzzle, player_id: int | None) -> list[Try]:
    if player_id is None:
        return []
    rows = session.execute(_TRIES, {"player_id": player_id, "puzzle_id": published.puzzle_id})
    return [
        Try(ordinal, tuple(plies), cast(Result | None, result), slow) for ordinal, plies, result, slow in rows
    ]
