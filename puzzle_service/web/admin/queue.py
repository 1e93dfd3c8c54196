"""The queue: the puzzles of a status in the order of their import, candidates first of all."""

from dataclasses import dataclass

from flask import make_response, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.domain.review import Status
from puzzle_service.services import review, stock
from puzzle_service.web import labels
from puzzle_service.web.admin import area
from puzzle_service.web.admin.area import blueprint
from puzzle_service.web.site import request_time, site

PAGE = 25


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
    status, after = wanted(), request.args.get("after")
    with site().database.read() as session:
        found = review.queue(session, status, area.puzzle_id(after) if after else None, PAGE + 1)
        state = stock.status(session, request_time(), site().settings)
    page = render_template(
        "admin/queue.html",
        status=status,
        listed=listed(status),
        tabs=_tabs(state),
        puzzles=found[:PAGE],
        more=len(found) > PAGE,
        short=status is Status.CANDIDATE and len(found) < PAGE,
    )
    return make_response(page)


def wanted() -> Status:
    """Return the status of the list that a request is about; raises NotFound."""
    try:
        return Status(request.args.get("status", Status.CANDIDATE))
    except ValueError as error:
        raise NotFound from error


def listed(status: Status) -> str | None:
    """Return how an address names a list: the candidates, which one comes for, not at all."""
    return None if status is Status.CANDIDATE else status.value


def following(session: Session, status: Status, puzzle_id: str) -> str:
    """Return the address of the puzzle after this one in a list, or of the list."""
    found = review.queue(session, status, puzzle_id, 1)
    if not found:
        return url_for("admin.queue", status=listed(status))
    return url_for("admin.puzzle", puzzle_id=found[0].id, status=listed(status))


def _tabs(state: stock.Status) -> list[Tab]:
    counts = {
        Status.CANDIDATE: state.candidates,
        Status.APPROVED: state.approved + state.scheduled,
        Status.PUBLISHED: state.published,
        Status.REJECTED: state.rejected,
        Status.WITHDRAWN: state.withdrawn,
    }
    return [Tab(status, listed(status), labels.status(status), count) for status, count in counts.items()]
