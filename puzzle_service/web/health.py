"""For machines that watch: is the site well, may requests be sent here, and what has been counted."""

import hmac
import logging

from flask import Blueprint, Response, jsonify, make_response, request
from werkzeug.exceptions import NotFound

from puzzle_service import db, metrics
from puzzle_service.services import health
from puzzle_service.services.health import Health
from puzzle_service.web.site import request_time, site

blueprint = Blueprint("health", __name__)
log = logging.getLogger(__name__)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Say whether somebody has to look after the site: 200, or 503 and what is wrong."""
    found = _health()
    if found is None:
        return _answer(503, status="alarm", alarms=["database"], database="away", scheduler="unknown")
    alarms = found.stock.alarms
    return _answer(
        503 if alarms else 200,
        status="alarm" if alarms else "ok",
        alarms=alarms,
        database="ok",
        scheduler=found.scheduler,
    )


@blueprint.get("/readyz")
def readyz() -> Response:
    """Say whether this server can answer visitors: 200, or 503 and why not."""
    try:
        with site().database.read() as session:
            ready = health.is_ready(session)
    except db.AWAY as error:
        log.error("the database did not answer: %s", error)
        return _answer(503, ready=False, why="the database is away")
    if not ready:
        return _answer(503, ready=False, why="the database belongs to another version")
    return _answer(200, ready=True)


@blueprint.get("/metrics")
def exposition() -> Response:
    """Give Prometheus what was counted; for everybody without the token there is nothing here."""
    parts = site()
    token, sent = parts.settings.metrics_token, request.headers.get("Authorization", "")
    if token is None or parts.metrics is None:
        raise NotFound
    if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
        raise NotFound
    found = _health()
    searches = None if parts.searches is None else parts.searches.running()
    readings = None if found is None else _readings(found)
    response = make_response(parts.metrics.exposition(readings, searches))
    response.content_type = metrics.CONTENT_TYPE
    response.headers["Cache-Control"] = "no-store"
    return response


def _health() -> Health | None:
    """Return how the site is, or None when the database is away."""
    parts = site()
    try:
        with parts.database.read() as session:
            return health.health(session, request_time(), parts.settings)
    except db.AWAY as error:
        log.error("the database did not answer: %s", error)
        return None


def _readings(found: Health) -> metrics.Readings:
    return metrics.Readings(
        puzzles=found.stock.counts,
        days_covered=found.stock.days_covered,
        publications=found.publications,
        last_publication_age=found.publication_age,
        scheduler_lease=found.lease_seconds,
        alarms=found.stock.alarms,
    )


def _answer(code: int, **values: object) -> Response:
    response = jsonify(values)
    response.status_code = code
    response.headers["Cache-Control"] = "no-store"
    return response
