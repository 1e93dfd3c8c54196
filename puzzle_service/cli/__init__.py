"""The program ``dama-daily``: everything an operator does with the site."""

import sys

try:
    from puzzle_service.cli import accounts, backup, calibrate, days, puzzles, schedule, site
    from puzzle_service.cli.program import main
except KeyboardInterrupt:  # nothing has begun that could tell of it
    sys.exit("Aborted!")

__all__ = ["accounts", "backup", "calibrate", "days", "main", "puzzles", "schedule", "site"]
