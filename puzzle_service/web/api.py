"""The JSON interface: today's puzzle, and moves judged one by one."""

from typing import Any

from flask import Blueprint, Response, jsonify, request

from puzzle_service.services import attempts
from puzzle_service.web import openapi, play, player, present, serving, submission
from puzzle_service.web.errors import ApiError
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.pages import standing_notice
from puzzle_service.web.site import request_time, site

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")


@blueprint.get("/puzzles/today")
def today() -> Response:
    """Answer with today's puzzle and the player's progress."""
    now, parts = request_time(), site()
    with play.todays_puzzle(now) as (session, published):
        if published is None:
            raise ApiError(404, "no_puzzle", _("There is no puzzle today."))
        view = attempts.view(session, published, player.find(session), now, parts.settings)
    player.expect()
    standing = play.standing(view, "daily")
    served = serving.token(published, serving.first_served(published, now))
    notice = standing_notice(published, standing)
    return jsonify(present.puzzle_json(published, standing, notice=notice) | {"served": served})


@blueprint.post("/puzzles/<int:number>/moves")
def move(number: int) -> Response:
    """Judge a move; 409 with the verdict *over* when it comes after the end."""
    try:
        sent = submission.from_json(json_body())
    except submission.BadSubmission as error:
        raise ApiError(400, "bad_request", str(error)) from error
    judged = play.submit(number, sent)
    answer = present.result_json(
        judged.published,
        judged.result,
        sent.mode,
        notice=judged.notice,
        streak=judged.streak,
        tally=judged.tally,
    )
    response = jsonify(answer)
    response.status_code = 409 if judged.result.verdict == "over" else 200
    if judged.token is not None:
        player.keep_guest(response, judged.token)
    return response


@blueprint.get("/openapi.json")
def document() -> Response:
    """Describe this interface."""
    response = jsonify(openapi.document())
    response.headers["Cache-Control"] = "no-cache"
    return response


def json_body() -> Any:
    """Return the decoded body of this request; raises BadSubmission for one that nests without an end."""
    try:
        return request.get_json()
    except RecursionError as error:
        raise submission.BadSubmission("expected a JSON object of a moderate depth") from error
