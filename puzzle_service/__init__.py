"""The daily-puzzle site."""

from typing import Any


def __getattr__(name: str) -> Any:
    # The web is imported by who asks for it: commands and the scheduler do without Flask.
    if name == "create_app":
        from puzzle_service.web import create_app

        return create_app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
