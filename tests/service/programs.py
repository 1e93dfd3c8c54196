"""Running ``dama-daily`` in a test, and what it says when it fails."""

from collections.abc import Callable

from click.testing import Result

Run = Callable[..., Result]


def failed(result: Result, code: int, message: str) -> bool:
    """Tell whether a run failed as expected: with this code and one message on stderr, no traceback."""
    assert isinstance(result.exception, SystemExit)
    assert result.stderr.startswith(("Error: ", "Usage: ", "line "))
    assert message in result.stderr, result.stderr
    return result.exit_code == code
