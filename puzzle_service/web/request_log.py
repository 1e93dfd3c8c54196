"""What is noted about each request: its id, and a line with its route, its status and the time it took."""

import logging
import re
import secrets
from time import perf_counter
from typing import Any

from flask import Flask, Response, g, request

from puzzle_service import logs
from puzzle_service.web.site import site

HEADER = "X-Request-ID"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
NO_ROUTE = "none"

_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

log = logging.getLogger(__name__)


class Application(Flask):
    """Flask, but for what it writes about a fault: the address as it was sent stays out of the log."""

    def log_exception(self, exc_info: Any) -> None:
        """Log a fault with its traceback."""
        log.error("a fault while answering %s %s", _method(), _route(), exc_info=exc_info)


def init_app(app: Flask) -> None:
    """Note every request; to be called before anything else is registered, so as to measure all of it."""
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(_leave)


def _begin() -> None:
    g.began = perf_counter()
    # A visitor could send an id too; only what a proxy of ours has seen to is believed.
    sent = request.headers.get(HEADER, "") if site().settings.proxies else ""
    g.request_id = sent if _ID.fullmatch(sent) else secrets.token_hex(8)
    logs.request_id.set(g.request_id)


def _end(response: Response) -> Response:
    seconds = perf_counter() - g.began
    method, route, status = _method(), _route(), response.status_code
    response.headers[HEADER] = g.request_id
    milliseconds = round(seconds * 1000, 1)
    fields = {"method": method, "route": route, "status": status, "milliseconds": milliseconds}
    log.info("%s %s %d %.1f ms", method, route, status, milliseconds, extra=fields)
    if (counted := site().metrics) is not None:
        counted.answered(route, status, seconds)
    return response


def _leave(_error: BaseException | None) -> None:
    logs.request_id.set(None)


def _method() -> str:
    return request.method if request.method in METHODS else "OTHER"


def _route() -> str:
    return request.url_rule.rule if request.url_rule is not None else NO_ROUTE
