"""What is noted about each request: its id, and a line with its route, its status and the time it took.

This lies around the application, and not in its hooks: all of a request is measured, and little added to it.
"""

import logging
import re
from collections.abc import Callable, Iterable
from random import getrandbits
from time import perf_counter
from typing import TYPE_CHECKING, Any

from flask import Flask, request

from puzzle_service import logs
from puzzle_service.web.site import Site

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEADER = "X-Request-ID"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
NO_ROUTE = "none"
FIELDS = ("method", "route", "status", "milliseconds")
LINE = "%s %s %d %.1f ms"

_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

log = logging.getLogger(__name__)


class Application(Flask):
    """Flask, but for what it writes about a fault: the address as it was sent stays out of the log."""

    def log_exception(self, exc_info: Any) -> None:
        """Log a fault with its traceback."""
        asked = _method(request.environ), _route(request.environ)
        log.error("a fault while answering %s %s", *asked, exc_info=exc_info)


class Noted:
    """A WSGI application whose requests are noted."""

    def __init__(self, app: "WSGIApplication", site: Site) -> None:
        self._app, self._metrics = app, site.metrics
        # A visitor could send an id too; only what a proxy of ours has seen to is believed.
        self._believes = site.settings.proxies > 0

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a request, and note it."""
        began, given, status, route = perf_counter(), self._id(environ), 500, NO_ROUTE

        def started(line: str, headers: list[tuple[str, str]], *exc_info: Any) -> Callable[[bytes], object]:
            # Which rule has matched is known now, and no more when the application has returned.
            nonlocal status, route
            status, route = int(line[:3]), _route(environ)
            headers.append((HEADER, given))
            return start_response(line, headers, *exc_info)

        token = logs.request_id.set(given)
        try:
            return self._app(environ, started)
        finally:
            self._note(_method(environ), route, status, perf_counter() - began)
            logs.request_id.reset(token)

    def _id(self, environ: "WSGIEnvironment") -> str:
        sent = environ.get("HTTP_X_REQUEST_ID", "") if self._believes else ""
        return sent if _ID.fullmatch(sent) else f"{getrandbits(64):016x}"

    def _note(self, method: str, route: str, status: int, seconds: float) -> None:
        if log.isEnabledFor(logging.INFO):
            said = (method, route, status, round(seconds * 1000, 1))
            fields = dict(zip(FIELDS, said, strict=True))
            # Looking for the line of code that speaks, as `log.info` does, takes as long as all the rest.
            log.handle(log.makeRecord(log.name, logging.INFO, __file__, 0, LINE, said, None, extra=fields))
        if self._metrics is not None:
            self._metrics.answered(route, status, seconds)


def init_app(app: Flask, site: Site) -> None:
    """Note every request."""
    app.wsgi_app = Noted(app.wsgi_app, site)  # type: ignore[method-assign]


def _method(environ: "WSGIEnvironment") -> str:
    """Return a request's method, unless the visitor has made it up."""
    method: str = environ["REQUEST_METHOD"]
    return method if method in METHODS else "OTHER"


def _route(environ: "WSGIEnvironment") -> str:
    """Return the rule that a request has matched, for its address holds what the visitor has written."""
    rule = getattr(environ.get("werkzeug.request"), "url_rule", None)
    return NO_ROUTE if rule is None else str(rule.rule)
