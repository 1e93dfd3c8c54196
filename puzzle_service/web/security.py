"""What every answer carries: content policy, cache rules, cookie flags; and the check of who sent it."""

from flask import Flask, Response, current_app
from flask_wtf import CSRFProtect
from werkzeug.wrappers import Response as AnyResponse

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

csrf = CSRFProtect()


def init_app(app: Flask, *, secure: bool) -> None:
    """Protect every unsafe request and every answer of the application.

    `secure` marks the cookies for TLS only.
    """
    app.config.update(
        SESSION_COOKIE_NAME="dama_session",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=secure,
        # A tab may stay open for a day; the token lives as long as the session it is bound to.
        WTF_CSRF_TIME_LIMIT=None,
    )
    csrf.init_app(app)
    app.after_request(_add_headers)


def set_cookie(response: AnyResponse, name: str, value: str, seconds: int) -> None:
    """Set a long-lived cookie that scripts cannot read and other sites cannot send with a post."""
    secure = bool(current_app.config["SESSION_COOKIE_SECURE"])
    response.set_cookie(name, value, max_age=seconds, httponly=True, samesite="Lax", secure=secure)


def drop_cookie(response: AnyResponse, name: str) -> None:
    """Have the browser drop a cookie of ours."""
    secure = bool(current_app.config["SESSION_COOKIE_SECURE"])
    response.delete_cookie(name, httponly=True, samesite="Lax", secure=secure)


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    # Personal unless a view has said otherwise: who plays, signs in or reads which language decides.
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
        response.vary.update(("Accept-Language", "Cookie"))
    return response
