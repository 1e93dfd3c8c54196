"""The program ``dama-daily``: everything an operator does with the site."""

from puzzle_service.cli import accounts, backup, calibrate, days, puzzles, schedule, site
from puzzle_service.cli.program import main

__all__ = ["accounts", "backup", "calibrate", "days", "main", "puzzles", "schedule", "site"]
