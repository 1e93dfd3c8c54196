"""What somebody may write: texts that every database takes and every page can show."""

from typing import Final

from puzzle_service.services.errors import ServiceError

LONGEST_REASON: Final = 200


def reason(text: str) -> str:
    """Return why something was decided, without blanks around it; raises ServiceError *bad_request*."""
    stripped = text.strip()
    if not 0 < len(stripped) <= LONGEST_REASON or not stripped.isprintable():
        raise ServiceError(
            "bad_request", f"{text[:40]!r} is no reason; expected 1 to {LONGEST_REASON} printable characters"
        )
    return stripped


def puzzle_id(text: str) -> str:
    """Return what can be the id of a puzzle; raises ServiceError *not_found*, as for an unknown one."""
    # Not every database takes every character, and no id has others.
    if not (text.isascii() and text.isalnum()):
        raise ServiceError("not_found", f"there is no puzzle {text[:40]!r}")
    return text
