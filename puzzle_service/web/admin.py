"""Review: the queue, a puzzle with its proof, and what an admin decides about it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from flask import Blueprint, g, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.review import Status, may_become
from puzzle_service.services import checks, review, stock
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.review import PuzzleDetail
from puzzle_service.web import labels, notices, texts
from puzzle_service.web.i18n import date_label, number_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice, move_text
from puzzle_service.web.pages import board
from puzzle_service.web.sign_in import require_reviewer
from puzzle_service.web.site import request_time, site

PAGE = 50

blueprint = Blueprint("admin", __name__, url_prefix="/admin")
blueprint.before_request(require_reviewer)


@dataclass(frozen=True)
class Tab:
    """A status to choose in the list, with how many puzzles have it."""

    status: Status
    listed: str | None
    label: str
    count: int


@blueprint.get("")
def queue() -> Response:
    """List the puzzles of a status, candidates unless another one is asked for."""
    status, after = _status(), request.args.get("after")
    with site().database.read() as session:
        found = review.queue(session, status, _puzzle_id(after) if after else None, PAGE + 1)
        state = stock.status(session, request_time(), site().settings)
    page = render_template(
        "admin/queue.html",
        status=status,
        listed=_listed(status),
        tabs=_tabs(state),
        alarm=labels.alarm(state.alarm),
        puzzles=found[:PAGE],
        more=len(found) > PAGE,
        dated=status is Status.APPROVED,
    )
    return make_response(page)


@blueprint.get("/puzzles/<puzzle_id>")
def puzzle(puzzle_id: str) -> Response:
    """Show one puzzle: board, facts, proof, and the forms to decide."""
    status = _status()
    with site().database.read() as session:
        detail = _found(session, puzzle_id)
        following = _next(session, status, detail.id)
    current = detail.summary.status
    solver = detail.position.turn
    page = render_template(
        "admin/puzzle.html",
        puzzle=detail.summary,
        status=status,
        listed=_listed(status),
        status_name=labels.status(current),
        heading=notices.heading(solver, detail.summary.moves),
        board=board(detail.position, last=detail.previous_move, solver=solver),
        facts=_facts(detail),
        proof={
            "fen": detail.position.fen(),
            "turn": solver.value,
            "moves": detail.summary.moves,
            "rules": detail.summary.rules,
            "previous": detail.previous_move.json(),
            "root": detail.proof.root,
            "plies": {" ".join(line): move.json() for line, move in detail.proof.lines()},
        },
        texts=texts.proof(),
        may_approve=may_become(current, Status.APPROVED),
        may_reject=may_become(current, Status.REJECTED),
        today=_today().isoformat(),
        skip=following,
    )
    return make_response(page)


@blueprint.post("/puzzles/<puzzle_id>/approve")
def approve(puzzle_id: str) -> Response:
    """Approve a puzzle, for a day if one is given, and go on to the next."""
    text = request.form.get("day", "").strip()
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError:
        return _refused(puzzle_id, _("“%(text)s” is not a day.", text=text[:20]))

    def decide(session: Session) -> None:
        review.approve(session, puzzle_id, g.account.name, request_time(), _today(), day)

    done = _("Approved.") if day is None else _("Approved for %(day)s.", day=date_label(day))
    return _decided(puzzle_id, decide, done)


@blueprint.post("/puzzles/<puzzle_id>/reject")
def reject(puzzle_id: str) -> Response:
    """Reject a puzzle with a reason, and go on to the next."""
    reason = request.form.get("reason", "").strip()
    if not 0 < len(reason) <= checks.LONGEST_REASON or not reason.isprintable():
        return _refused(
            puzzle_id, _("A rejection needs a reason of at most %(n)d characters.", n=checks.LONGEST_REASON)
        )

    def decide(session: Session) -> None:
        review.reject(session, puzzle_id, g.account.name, request_time(), reason)

    return _decided(puzzle_id, decide, _("Rejected."))


def _decided(puzzle_id: str, decide: Callable[[Session], None], done: str) -> Response:
    """Carry out a decision and go to the next puzzle of the list it was taken from, or to the list."""
    status = _status()
    try:
        with site().database.write.begin() as session:
            decide(session)
            following = _next(session, status, puzzle_id)
    except ServiceError as error:
        if error.code == "not_found":
            raise NotFound from error
        return _refused(puzzle_id, labels.refusal(error.code))
    notices.show_next(Notice("good", done))
    return redirect(following, 303)


def _refused(puzzle_id: str, why: str) -> Response:
    notices.show_next(Notice("bad", why))
    return redirect(url_for("admin.puzzle", puzzle_id=_puzzle_id(puzzle_id), status=_listed(_status())), 303)


def _next(session: Session, status: Status, puzzle_id: str) -> str:
    """Return the address of the puzzle after this one in a list, or of the list."""
    found = review.queue(session, status, puzzle_id, 1)
    if not found:
        return url_for("admin.queue", status=_listed(status))
    return url_for("admin.puzzle", puzzle_id=found[0].id, status=_listed(status))


def _found(session: Session, puzzle_id: str) -> PuzzleDetail:
    try:
        return review.get(session, puzzle_id)
    except ServiceError as error:
        raise NotFound from error


def _puzzle_id(text: str) -> str:
    try:
        return checks.puzzle_id(text)
    except ServiceError as error:
        raise NotFound from error


def _status() -> Status:
    try:
        return Status(request.args.get("status", Status.CANDIDATE))
    except ValueError as error:
        raise NotFound from error


def _listed(status: Status) -> str | None:
    """Return how an address names a list: the candidates, which one comes for, not at all."""
    return None if status is Status.CANDIDATE else status.value


def _today() -> date:
    return puzzle_day.day_of(request_time(), site().settings.timezone)


def _tabs(state: stock.Status) -> list[Tab]:
    counts = {
        Status.CANDIDATE: state.candidates,
        Status.APPROVED: state.approved + state.scheduled,
        Status.PUBLISHED: state.published,
        Status.REJECTED: state.rejected,
        Status.WITHDRAWN: state.withdrawn,
    }
    return [Tab(status, _listed(status), labels.status(status), count) for status, count in counts.items()]


def _facts(detail: PuzzleDetail) -> list[tuple[str, str]]:
    """Return names and values of what a reviewer wants to know, most important first."""
    summary = detail.summary
    facts = [
        (_("Key"), move_text(detail.key)),
        (_("Main line"), " ".join(map(move_text, detail.proof.main_line()))),
        (_("First moves"), str(detail.first_moves)),
        (_("Difficulty"), number_label(summary.difficulty)),
        (_("Previous move"), move_text(detail.previous_move)),
        (_("Source"), labels.source(summary.source)),
        (_("Generator"), f"{detail.generator} ({detail.seed})"),
        (_("Rules"), summary.rules),
        (_("Position"), summary.fen),
        (_("Puzzle"), summary.id),
    ]
    if detail.reviewed_at is not None and detail.reviewed_by is not None:
        day = date_label(puzzle_day.day_of(detail.reviewed_at, site().settings.timezone))
        facts.append((_("Reviewed"), f"{day}, {detail.reviewed_by}"))
    if detail.reason:
        facts.append((_("Reason"), detail.reason))
    return facts
