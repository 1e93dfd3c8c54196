"""One puzzle with its proof, and what an admin decides about it."""

from collections.abc import Callable
from datetime import date

from flask import g, make_response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.exceptions import BadRequest, NotFound
from werkzeug.wrappers import Response

from puzzle_service.domain import puzzle_day
from puzzle_service.domain.review import Status, may_become
from puzzle_service.services import likeness, review
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.review import PuzzleDetail, Seen
from puzzle_service.web import findings, labels, notices, texts
from puzzle_service.web.admin import area, queue
from puzzle_service.web.admin.area import blueprint
from puzzle_service.web.admin.proof import proof_json
from puzzle_service.web.i18n import date_label, number_label
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice, move_text
from puzzle_service.web.pages import board
from puzzle_service.web.site import request_time, site


@blueprint.get("/puzzles/<puzzle_id>")
def puzzle(puzzle_id: str) -> Response:
    """Show one puzzle: board, facts, proof, and the forms to decide."""
    status = queue.wanted()
    with site().database.read() as session:
        detail = _found(session, puzzle_id)
        alike = likeness.similar(session, detail.id)
        following = queue.following(session, status, detail.id)
    current = detail.summary.status
    solver = detail.position.turn
    page = render_template(
        "admin/puzzle.html",
        puzzle=detail.summary,
        status=status,
        listed=queue.listed(status),
        status_name=labels.status(current),
        heading=notices.heading(solver, detail.summary.moves),
        board=board(detail.position, last=detail.previous_move, solver=solver),
        facts=_facts(detail),
        rule_notes=findings.rule_notes(detail.summary.themes),
        tries=_tries(detail),
        features=findings.features(detail.findings),
        checks=findings.checks(detail.findings),
        proof=proof_json(detail.proof, detail.previous_move, detail.findings.tries),
        texts=texts.proof(),
        alike=[(one, round(100 * one.likeness), labels.standing(one.puzzle)) for one in alike],
        seen=f"{current} {detail.summary.day or ''}",
        is_candidate=current is Status.CANDIDATE,
        is_approved=current is Status.APPROVED,
        may_approve=may_become(current, Status.APPROVED),
        may_reject=may_become(current, Status.REJECTED),
        today=area.today().isoformat(),
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
        return _refused(puzzle_id, Notice("warn", _("“%(text)s” is not a day.", text=text[:20])))

    def decide(session: Session) -> int:
        return review.approve(
            session, puzzle_id, g.account.name, request_time(), area.today(), day, seen=_seen()
        )

    done = _("Approved.") if day is None else _("Approved for %(day)s.", day=date_label(day))
    return _decided(puzzle_id, decide, done)


@blueprint.post("/puzzles/<puzzle_id>/reject")
def reject(puzzle_id: str) -> Response:
    """Reject a puzzle with a reason, and go on to the next."""
    if (reason := area.reason()) is None:
        return _refused(puzzle_id, area.reason_needed())

    def decide(session: Session) -> int:
        return review.reject(session, puzzle_id, g.account.name, request_time(), reason, seen=_seen())

    return _decided(puzzle_id, decide, _("Rejected."))


def _seen() -> Seen | None:
    """Return what the page showed when the decision was taken; without that, the puzzle is taken as it is."""
    text = request.form.get("seen")
    if text is None:
        return None
    status, _space, day = text.partition(" ")
    try:
        return Status(status), date.fromisoformat(day) if day else None
    except ValueError as error:
        raise BadRequest from error


def _decided(puzzle_id: str, decide: Callable[[Session], int], done: str) -> Response:
    """Carry out a decision and go to the next puzzle of the list it was taken from, or to the list."""
    status = queue.wanted()
    try:
        with site().database.write.begin() as session:
            entry = decide(session)
            following = queue.following(session, status, puzzle_id)
    except ServiceError as error:
        if error.code == "not_found":
            raise NotFound from error
        return _refused(puzzle_id, labels.refusal(error.code))
    area.offer_undo(entry)
    notices.show_next(Notice("good", done))
    return area.back() if "back" in request.form else redirect(following, 303)


def _refused(puzzle_id: str, why: Notice) -> Response:
    notices.show_next(why)
    if "back" in request.form:
        return area.back()
    listed = queue.listed(queue.wanted())
    return redirect(url_for("admin.puzzle", puzzle_id=area.puzzle_id(puzzle_id), status=listed), 303)


def _found(session: Session, puzzle_id: str) -> PuzzleDetail:
    try:
        return review.get(session, puzzle_id)
    except ServiceError as error:
        raise NotFound from error


def _tries(detail: PuzzleDetail) -> list[tuple[str, str, str]]:
    """Return near misses: the line as the walker knows it, the wrong first move, and what refutes it."""
    return [
        (" ".join((move, *line)), move_text(move), " ".join(map(move_text, line)))
        for move, line in detail.findings.tries.items()
    ]


def _facts(detail: PuzzleDetail) -> list[tuple[str, str]]:
    """Return names and values of what a reviewer wants to know, most important first."""
    summary = detail.summary
    facts = [
        (_("Key"), move_text(detail.key)),
        (_("Main line"), " ".join(map(move_text, detail.proof.main_line()))),
        (_("First moves"), str(detail.first_moves)),
        (_("Difficulty"), number_label(summary.difficulty)),
        (_("Score"), number_label(detail.score)),
        (_("Previous move"), move_text(detail.previous_move)),
        (_("Source"), labels.source(summary.source)),
        (_("Source game"), detail.findings.game or "–"),
        (_("Skeleton"), detail.findings.skeleton or "–"),
        (_("Generator"), f"{detail.generator} ({detail.seed})"),
        (_("Rules"), summary.rules),
        (_("Position"), summary.fen),
        (_("Puzzle"), summary.id),
    ]
    if detail.reviewed_at is not None and detail.reviewed_by is not None:
        day = date_label(puzzle_day.day_of(detail.reviewed_at, site().settings.timezone))
        facts.append((_("Reviewed"), f"{day}, {labels.who(detail.reviewed_by)}"))
    if detail.reason:
        facts.append((_("Reason"), detail.reason))
    return facts
