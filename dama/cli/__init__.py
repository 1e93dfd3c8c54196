"""The program ``dama``: look at positions, prove forced wins, play and choose moves, check games."""

import sys

try:
    from dama.cli import bestmove, match, pdn, play, positions, prove
    from dama.cli.program import main
except KeyboardInterrupt:  # nothing has begun that could tell of it
    sys.exit("Aborted!")

__all__ = ["bestmove", "main", "match", "pdn", "play", "positions", "prove"]
