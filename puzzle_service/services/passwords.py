"""Passwords: what can be one, how it is kept, and whether it is the right one."""

import secrets
import unicodedata
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from puzzle_service.services.errors import ServiceError

FEWEST_CHARACTERS: Final = 8
MOST_CHARACTERS: Final = 256
WEAKEST: Final = 2
"""The lowest score of zxcvbn's 0 to 4 that is taken: below it, a million guesses find the password."""
_JUDGED: Final = 72
"""How much of a long password is judged; zxcvbn takes no more, and much more would take it seconds."""
_ONE_SIGN: Final = str.maketrans("@{[<!|$+", "4(((1157")
"""Signs that stand for the same letter are judged as one: zxcvbn tries every way to read them together."""

_hasher: Final = PasswordHasher()


def check(password: str, name: str = "") -> None:
    """Check that a password can be one for the account of this name.

    Raises ServiceError: *weak_password* for what is too short, too long or not printable, *common_password*
    for what anybody would try first.
    """
    if not FEWEST_CHARACTERS <= len(password) <= MOST_CHARACTERS or not password.isprintable():
        raise ServiceError(
            "weak_password",
            f"the password cannot be used; expected {FEWEST_CHARACTERS} to {MOST_CHARACTERS}"
            " printable characters",
        )
    # Its word lists take 14 MB, which a process that sees no new password does not need.
    from zxcvbn import zxcvbn

    password, name = password[:_JUDGED].translate(_ONE_SIGN), name.translate(_ONE_SIGN)
    judged = zxcvbn(password, user_inputs=[name, *name.split()])
    if judged["score"] < WEAKEST:
        raise ServiceError(
            "common_password",
            "the password is among the first that anybody would try; expected one that is not a common word,"
            " a name, a date or a row of keys",
        )


def hashed(password: str) -> str:
    """Return what is kept of a password."""
    return _hasher.hash(_one_form(password))


def matches(kept: str | None, password: str) -> bool:
    """Tell whether a password is the one that this was kept of; takes equally long when nothing was."""
    try:
        _hasher.verify(kept or _nobodys(), _one_form(password))
    except VerificationError:
        return False
    return kept is not None


def generated() -> str:
    """Return a random password to be shown once."""
    return secrets.token_urlsafe(12)


def _one_form(password: str) -> bytes:
    # Keyboards differ in whether ş is one character or two. What is no text at all matches nothing.
    return unicodedata.normalize("NFC", password).encode(errors="surrogatepass")


@cache
def _nobodys() -> str:
    return _hasher.hash(secrets.token_urlsafe())
