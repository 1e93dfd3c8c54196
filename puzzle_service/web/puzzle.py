"""The puzzle pages: today's, older ones to practise, and the form for typed moves."""

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from sqlalchemy.orm import Session
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response

from puzzle_service.domain import puzzle_day
from puzzle_service.services import attempts, days, records, tallies
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.services.records import Record
from puzzle_service.web import notices, play, player, serving, submission
from puzzle_service.web.i18n import clock_label
from puzzle_service.web.pages import newcomers_page, puzzle_page
from puzzle_service.web.present import Standing
from puzzle_service.web.site import request_time, site

blueprint = Blueprint("puzzle", __name__)


@blueprint.get("/")
def today() -> Response:
    """Show today's puzzle with the player's progress."""
    now, parts = request_time(), site()
    with play.todays_puzzle(now) as (session, published):
        if published is None:
            return _no_puzzle()
        player_id = player.find(session)
        if player_id is None:
            return make_response(_newcomers_page(session, published))
        view = attempts.view(session, published, player_id, now, parts.settings)
        return _page(session, published, play.standing(view, "daily"), player_id)


@blueprint.get("/p/<int:number>")
def practice(number: int) -> Response:
    """Show an older puzzle to practise; today's belongs to `/` until the player is done with it.

    While the grace period lasts, who was served it on its day finds the attempt here, and everybody else who
    is not done with it when practice begins.
    """
    now, parts = request_time(), site()
    with parts.database.read() as session:
        published = play.published(session, number, now)
        player_id = player.find(session)
        view = attempts.view(session, published, player_id, now, parts.settings)
        unfinished = view.state == "open" and not view.closed
        if unfinished and published.is_today:
            return redirect(url_for("puzzle.today"))
        if unfinished and not play.counts(published, now):
            return _not_yet(published)
        if unfinished or (view.state != "open" and "result" in request.args):
            return _page(session, published, play.standing(view, "daily"), player_id)
        line = list(filter(None, request.args.get("line", "").split(",")))
        practised = attempts.practice_view(published, view, line)
        return _page(session, published, play.standing(practised, "practice"), player_id)


@blueprint.post("/p/<int:number>/moves")
def move(number: int) -> Response:
    """Take a typed move from the form and show the page again with the verdict."""
    try:
        sent = submission.from_form(request.form)
    except submission.BadSubmission as error:
        raise BadRequest(str(error)) from error
    try:
        judged = play.submit(number, sent)
    except ServiceError as error:
        notices.show_next(notices.refusal(error.code, page_follows=True))
        return redirect(url_for("puzzle.practice", number=number), 303)
    notices.show_next(judged.notice)
    if sent.mode == "practice":
        target = url_for("puzzle.practice", number=number, line=",".join(judged.line) or None)
    elif judged.published.is_today:
        target = url_for("puzzle.today")
    else:
        target = url_for("puzzle.practice", number=number, result=1)
    response = redirect(target, 303)
    if judged.token is not None:
        player.keep_guest(response, judged.token)
    return response


def _newcomers_page(session: Session, published: PublishedPuzzle) -> Markup:
    now, settings = request_time(), site().settings

    def shown() -> tuple[Standing, Record]:
        view = attempts.view(session, published, None, now, settings)
        return play.standing(view, "daily"), records.me(session, None, now, settings)

    player.expect()
    served_at = serving.first_served(published, now)
    # It changes with whatever a page shows of the days that are out to somebody for whom they came too early.
    latest = days.latest(session, published.day)
    return newcomers_page(published, latest, shown, now, served_at, settings)


def _page(
    session: Session, published: PublishedPuzzle, standing: Standing, player_id: int | None
) -> Response:
    now, parts = request_time(), site()
    record = records.me(session, player_id, now, parts.settings)
    served_at, tally = now, None
    if standing.mode == "daily":
        player.expect()
        served_at = serving.first_served(published, now)
        if standing.state != "open":
            tally = tallies.get(session, published.puzzle_id)
    response = make_response(puzzle_page(published, standing, record, tally, now, served_at, parts.settings))
    player.renew(response)
    return response


def _not_yet(published: PublishedPuzzle) -> Response:
    settings = site().settings
    begins = puzzle_day.end_of(published.day, settings.timezone) + settings.grace
    page = render_template(
        "notyet.html", number=published.number, begins=clock_label(begins, settings.timezone)
    )
    return make_response(page)


def _no_puzzle() -> Response:
    zone = site().settings.timezone
    next_change = clock_label(puzzle_day.next_change(request_time(), zone), zone)
    return make_response(render_template("nopuzzle.html", next_change=next_change))
