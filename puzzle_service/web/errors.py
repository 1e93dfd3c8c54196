"""Failures as their reader expects them: JSON with a code below /api/, a plain page elsewhere."""

import logging
import math

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from werkzeug.exceptions import BadHost, HTTPException, SecurityError

from puzzle_service import db
from puzzle_service.services.errors import ServiceError
from puzzle_service.web import notices, player
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import ngettext
from puzzle_service.web.limits import TooMany

log = logging.getLogger(__name__)

CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many",
    500: "internal",
    503: "unavailable",
}
# What a service refuses, as HTTP says it; everything else is a bad request.
SERVICE_STATUS = {"not_found": 404, "stale": 409, "closed": 409, "not_yet": 409}
# What is refused of a game that a browser has sent.
GAME_STATUS = {"bad_request": 400, "illegal_move": 400, "over": 409, "too_long": 422}
RETRY_SECONDS = 5
RETRYABLE = (429, 503)
# A full disk is somebody's work, not a matter of seconds.
REPAIR_SECONDS = 300


class ApiError(Exception):
    """A request below /api/ that is refused, with its HTTP status, a code for programs and a message.

    ``retry_after`` are the seconds after which it may be sent again, if it came at a bad time (503).
    """

    def __init__(self, status: int, code: str, message: str, retry_after: int = RETRY_SECONDS) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.retry_after = status, code, message, retry_after


def for_programs() -> bool:
    """Say whether this request expects JSON."""
    return request.path.startswith("/api/")


def refusal(
    status: int,
    code: str | None = None,
    message: str | None = None,
    *,
    words: tuple[str, str] | None = None,
    retry_after: int = RETRY_SECONDS,
) -> Response:
    """Answer with an error: a status, and below /api/ its code and a message in the reader's language.

    ``words`` are a title and what to do about it, where those of the status do not fit; ``retry_after`` are
    the seconds after which a request that came at a bad time (429 or 503) may be sent again.
    """
    title, advice = words or _words(status)
    advice = message or advice
    if for_programs():
        text = message or f"{title}. {advice}".strip()
        response = jsonify(error={"code": code or CODES.get(status, "error"), "message": text})
    else:
        response = make_response(render_template("error.html", status=status, title=title, advice=advice))
    response.status_code = status
    if status in RETRYABLE:
        response.headers["Retry-After"] = str(retry_after)
    return response


def _words(status: int) -> tuple[str, str]:
    """Return what a status means to a reader, and what to do about it."""
    words = {
        400: (_("This request could not be read"), _("Go back, reload the page and try again.")),
        403: (_("This is not allowed"), ""),
        404: (
            _("There is nothing here"),
            _("Perhaps the address is mistyped, or the puzzle is not out yet."),
        ),
        405: (_("This address does not take that kind of request"), ""),
        409: (_("That is no longer possible"), ""),
        413: (_("That is too much at once"), _("A move is a few characters long.")),
        415: (_("That kind of data is not read here"), ""),
        500: (
            _("Something broke on our side"),
            _("It has been noted. Nothing you did is lost; please try again."),
        ),
        503: (_("The site is busy"), _("Nothing is lost. Please try again in a moment.")),
    }
    return words.get(status, words[400 if status < 500 else 500])


def _http(error: HTTPException) -> Response | HTTPException:
    if error.code is None or error.code < 400:
        return error
    response = refusal(error.code)
    if error.code == 405 and "Allow" in (headers := dict(error.get_headers())):
        response.headers["Allow"] = headers["Allow"]
    return response


def _wrong_host(_error: BadHost | SecurityError) -> Response:
    """Answer a request for a host that is not ours, or is none: no page, for it could name no address."""
    log.info("a request for another host was refused")
    message = _("No site of this name is served here. Look for a mistake in the address.")
    if for_programs():
        return refusal(400, message=message)
    return Response(f"{message}\n", 400, mimetype="text/plain")


def _csrf(error: CSRFError) -> Response:
    log.info("a request without a valid token was refused: %s", error.description)
    message = _("The page is too old, or cookies are switched off. Reload the page and try again.")
    return refusal(400, "csrf_failed", message)


def _database(error: SQLAlchemyError) -> Response:
    # A page's header says who is signed in; it must not ask a database that has just failed.
    player.show_nobody()
    if isinstance(error, OperationalError) and db.cannot_save(error):
        log.error("the database cannot save: %s", error)
        words = (
            _("Nothing can be saved right now"),
            _("Nothing is lost and nothing is spent. Please try again later."),
        )
        return refusal(503, words=words, retry_after=REPAIR_SECONDS)
    log.error("the database did not answer: %s", error)
    return refusal(503)


def _service(error: ServiceError) -> Response:
    status = SERVICE_STATUS.get(error.code, 400)
    return refusal(status, error.code, str(notices.refusal(error.code)))


def _too_many(error: TooMany) -> Response:
    words = (_("That was too often"), come_back(error.seconds))
    return refusal(429, words=words, retry_after=error.seconds)


def come_back(seconds: int) -> str:
    """Return when to try again, in words."""
    if seconds < 60:
        return ngettext(
            "Please try again in %(num)d second.", "Please try again in %(num)d seconds.", seconds
        )
    minutes = math.ceil(seconds / 60)
    return ngettext("Please try again in %(num)d minute.", "Please try again in %(num)d minutes.", minutes)


def _api(error: ApiError) -> Response:
    return refusal(error.status, error.code, error.message, retry_after=error.retry_after)


def init_app(app: Flask) -> None:
    """Register the handlers."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(BadHost, _wrong_host)
    app.register_error_handler(SecurityError, _wrong_host)
    app.register_error_handler(CSRFError, _csrf)
    for away in db.AWAY:
        app.register_error_handler(away, _database)
    app.register_error_handler(ServiceError, _service)
    app.register_error_handler(TooMany, _too_many)
    app.register_error_handler(ApiError, _api)
