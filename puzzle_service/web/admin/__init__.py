"""The pages of those who review: the queue, the calendar and its days, the stock, the log."""

from puzzle_service.web.admin import calendar, day, log, outlook, puzzle, queue, stock
from puzzle_service.web.admin.area import blueprint

__all__ = ["blueprint", "calendar", "day", "log", "outlook", "puzzle", "queue", "stock"]
