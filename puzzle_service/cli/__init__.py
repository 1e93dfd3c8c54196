"""The program ``dama-daily``: everything an operator does with the site."""

from puzzle_service.cli import accounts, days, puzzles, site
from puzzle_service.cli.program import main

__all__ = ["accounts", "days", "main", "puzzles", "site"]
