"""What every answer carries: content policy, cache rules, cookie flags; and the check of who sent it."""

import re
from collections.abc import Callable, Iterable
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import quote_from_bytes

from flask import Flask, Request, current_app, request
from flask_wtf import CSRFProtect
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.exceptions import BadHost, SecurityError
from werkzeug.formparser import FormDataParser
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response as AnyResponse

from puzzle_service.settings import Settings
from puzzle_service.web.signing import Sessions, csrf_token

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # Over TLS the token check compares the referrer, so the site's own pages must keep sending it.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PERSONAL: Final = {"Cache-Control": "no-store", "Vary": "Accept-Language, Cookie"}
# For a year no browser asks for this host without TLS; other hosts of the domain are none of our business.
STRICT_TRANSPORT_SECURITY: Final = "max-age=31536000"

SESSION_COOKIE: Final = "dama_session"

_READABLE: Final = "".join(map(chr, range(ord("!"), ord("~") + 1)))
_UNREADABLE: Final = re.compile("[^!-~]")

csrf = CSRFProtect()


class NamedFields(FormDataParser):
    """Reads forms and leaves out what has no name: nobody could ask for it, and not everybody expects it."""

    def parse(
        self,
        stream: IO[bytes],
        mimetype: str,
        content_length: int | None,
        options: dict[str, str] | None = None,
    ) -> tuple[IO[bytes], MultiDict[str, str], MultiDict[str, FileStorage]]:
        """Return what is left of the stream, the fields and the files."""
        rest, fields, files = super().parse(stream, mimetype, content_length, options)
        # The types promise a name; a part of a multipart form may come without one all the same.
        return rest, MultiDict(pair for pair in fields.items(multi=True) if isinstance(pair[0], str)), files


class ReadableRequest(Request):
    """A request whose address may hold any bytes: those that are no text stand as they would be escaped."""

    form_data_parser_class = NamedFields

    def __init__(self, environ: "WSGIEnvironment", *args: Any, **kwargs: Any) -> None:
        query = environ.get("QUERY_STRING", "")
        if _UNREADABLE.search(query):
            environ["QUERY_STRING"] = quote_from_bytes(query.encode("latin-1"), safe=_READABLE)
        super().__init__(environ, *args, **kwargs)


class Headed:
    """A WSGI application all of whose answers carry the site's headers.

    This lies around the application, and not in its hooks, which would check the same texts each time anew.
    """

    def __init__(self, app: "WSGIApplication", *, secure: bool) -> None:
        self._app = app
        strict = {"Strict-Transport-Security": STRICT_TRANSPORT_SECURITY} if secure else {}
        self._headers = tuple((HEADERS | strict).items())

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a request."""

        def started(line: str, headers: list[tuple[str, str]], *exc_info: Any) -> Callable[[bytes], object]:
            # Personal unless a view has said otherwise: who plays, signs in or reads which language decides.
            if not any(name == "Cache-Control" for name, _ in headers):
                headers[:] = [*(pair for pair in headers if pair[0] not in PERSONAL), *PERSONAL.items()]
            headers += self._headers
            return start_response(line, headers, *exc_info)

        return self._app(environ, started)


def init_app(app: Flask, settings: Settings) -> None:
    """Protect every unsafe request and every answer of the application."""
    secure = settings.cookie_secure
    app.config.update(
        TRUSTED_HOSTS=list(settings.trusted_hosts) or None,
        SESSION_COOKIE_NAME=SESSION_COOKIE,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=secure,
        # A tab may stay open for a day; the token lives as long as the session it is bound to.
        WTF_CSRF_TIME_LIMIT=None,
    )
    app.request_class = ReadableRequest
    app.session_interface = Sessions()
    # Before every other look at a request: some of them answer with a page.
    app.before_request_funcs.setdefault(None, []).insert(0, _check_host)
    csrf.init_app(app)
    app.jinja_env.globals["csrf_token"] = csrf_token
    app.wsgi_app = Headed(app.wsgi_app, secure=secure)  # type: ignore[method-assign]
    if settings.proxies:
        # Each proxy adds the address it was asked from, so that many from the end are true and the rest is
        # what the browser says of itself. The name of the host a proxy hands on as it is.
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies, x_host=0
        )


def set_cookie(response: AnyResponse, name: str, value: str, seconds: int) -> None:
    """Set a long-lived cookie that scripts cannot read and other sites cannot send with a post."""
    secure = bool(current_app.config["SESSION_COOKIE_SECURE"])
    response.set_cookie(name, value, max_age=seconds, httponly=True, samesite="Lax", secure=secure)


def drop_cookie(response: AnyResponse, name: str) -> None:
    """Have the browser drop a cookie of ours."""
    secure = bool(current_app.config["SESSION_COOKIE_SECURE"])
    response.delete_cookie(name, httponly=True, samesite="Lax", secure=secure)


def _check_host() -> None:
    """Refuse a request for another host, for which no page could be made."""
    if isinstance(request.routing_exception, BadHost | SecurityError):
        raise request.routing_exception
