"""Signed texts: what the site gives a browser to bring back unchanged, the session and the forms' tokens."""

from functools import lru_cache
from secrets import token_hex
from typing import Any, Final

from flask import Flask, current_app, session
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer
from itsdangerous.encoding import base64_encode

CSRF_KEY: Final = "csrf_token"
CSRF_SALT: Final = "wtf-csrf-token"
"""Where Flask-WTF keeps a session's secret, and what it signs forms' tokens for."""
CSRF_BYTES: Final = 20


class Signer(URLSafeTimedSerializer):
    """Signs texts without trying first how much shorter they would be compressed.

    They never are by much, and each try costs more than all the rest. What others of its kind have written
    it reads as they do.
    """

    def dump_payload(self, obj: Any) -> bytes:
        """Return a value in the form that is signed: JSON in letters that fit into a cookie or an address."""
        text = self.serializer.dumps(obj, **self.serializer_kwargs)
        return base64_encode(text)


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions, whose signer is made once and not twice for each request."""

    def __init__(self) -> None:
        self._signer: Signer | None = None

    def get_signing_serializer(self, app: Flask) -> Signer:
        """Return what signs the session's cookie."""
        if self._signer is None:
            how = {"key_derivation": self.key_derivation, "digest_method": self.digest_method}
            # Plain JSON, as `Signer` writes it: what we keep needs none of Flask's types beyond it.
            self._signer = Signer(str(app.secret_key), self.salt, signer_kwargs=how)
        return self._signer


def csrf_token() -> str:
    """Return the token that a form of this session carries, as Flask-WTF, which checks it, would make it."""
    if CSRF_KEY not in session:
        session[CSRF_KEY] = token_hex(CSRF_BYTES)
    return str(_csrf_signer(str(current_app.secret_key)).dumps(session[CSRF_KEY]))


@lru_cache(1)
def _csrf_signer(secret: str) -> Signer:
    return Signer(secret, CSRF_SALT)
