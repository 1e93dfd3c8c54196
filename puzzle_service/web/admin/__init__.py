"""The pages of those who review: the queue, the calendar and its days, the stock, the log, the accounts."""

from puzzle_service.web.admin import accounts, calendar, day, generation, log, outlook, puzzle, queue, stock
from puzzle_service.web.admin.access import init_app
from puzzle_service.web.admin.area import blueprint

__all__ = [
    "accounts",
    "blueprint",
    "calendar",
    "day",
    "generation",
    "init_app",
    "log",
    "outlook",
    "puzzle",
    "queue",
    "stock",
]
