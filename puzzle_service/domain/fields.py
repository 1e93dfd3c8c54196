"""What may stand in a record's fields, and how what may not is told."""

from typing import Any, Final

LONGEST: Final = 64
HIGHEST: Final = 1e6
SHOWN: Final = 60
"""Characters of a wrong value that a message repeats."""


class RecordError(ValueError):
    """A line that is no sound puzzle; the message says what is wrong with it."""


def check_kind(name: str, value: object, *kinds: type) -> None:
    """Check that a value is of one of the kinds."""
    # True is an int to Python, not to whoever wrote the line.
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise RecordError(f"{name}: {clip(value)}; expected {' or '.join(map(_named, kinds))}")


def check_number(name: str, value: Any) -> None:
    """Check that a value is a number that everybody can work with."""
    check_kind(name, value, int, float)
    # Compared, not converted: JSON has whole numbers that no float holds.
    if not abs(value) <= HIGHEST:
        raise RecordError(f"{name}: {clip(value)}; expected at most {HIGHEST} either way")


def check_text(name: str, value: object, longest: int = LONGEST) -> None:
    """Check that a value is text on one line, and not too long."""
    if not isinstance(value, str) or not value.isprintable() or len(value) > longest:
        raise RecordError(f"{name}: {clip(value)}; expected at most {longest} printable characters")


def check_count(name: str, values: Any, most: int) -> None:
    """Check that there are not too many values."""
    if len(values) > most:
        raise RecordError(f"{name}: {len(values)} of them; expected at most {most}")


def clip(value: object) -> str:
    """Return a value as it may be shown: on one line, and not all of a long one."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _named(kind: type) -> str:
    return "null" if kind is type(None) else kind.__name__
