"""Logs: one line each on stderr, as text or JSON, in UTC, with the id of the request they belong to.

What the site logs never says who plays: no name, number, address, cookie or token.
"""

import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from pythonjsonlogger.json import JsonFormatter

from puzzle_service.settings import LogFormat

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that is being answered; None outside of one."""

_NOISY: Final = ("apscheduler", "alembic")
_DETAIL: Final = re.compile(r"^(DETAIL|CONTEXT):.*$", re.MULTILINE)
"""What PostgreSQL adds to an error: the values of the row that it was about."""


def set_up(log_format: LogFormat) -> None:
    """Send every line to stderr, once for a process; later calls change nothing."""
    handler = logging.StreamHandler()
    prepare(handler, log_format)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for noisy in _NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)


def prepare(handler: logging.Handler, log_format: LogFormat) -> None:
    """Have a handler write our lines."""
    handler.setFormatter(JsonLines() if log_format == "json" else TextLines())
    handler.addFilter(_add_request_id)


class TextLines(logging.Formatter):
    """Lines for people: instant, level, message, and the request's id in brackets."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, one whatever the message is made of, with a traceback below it if there is one."""
        instant = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")[:-6]
        message = record.getMessage()
        if "\n" in message:
            message = _without_values(message).replace("\n", " ")
        found = getattr(record, "request_id", None)
        line = f"{instant}Z {record.levelname} {message}{f' [{found}]' if found else ''}"
        if record.exc_info:
            line += "\n" + _without_values(self.formatException(record.exc_info))
        return line


class JsonLines(JsonFormatter):
    """Lines for programs: time, level, logger, message, request_id, and what a line says in fields."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger"}
        super().__init__("%(levelname)s %(name)s %(message)s", rename_fields=names, timestamp="time")

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Return the fields without the values that the database named."""
        for name in {"message", "exc_info"} & log_data.keys():
            log_data[name] = _without_values(log_data[name])
        return log_data


def _without_values(text: str) -> str:
    return _DETAIL.sub(r"\1: (not shown)", text)


def _add_request_id(record: logging.LogRecord) -> bool:
    if (found := request_id.get()) is not None:
        record.request_id = found
    return True
