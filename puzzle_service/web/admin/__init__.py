"""The pages of those who review."""

from puzzle_service.web.admin import puzzle, queue
from puzzle_service.web.admin.area import blueprint

__all__ = ["blueprint", "puzzle", "queue"]
