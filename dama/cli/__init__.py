"""The program ``dama``: look at positions, prove forced wins, play and choose moves, check games."""

from dama.cli import bestmove, match, pdn, play, positions, prove
from dama.cli.program import main

__all__ = ["bestmove", "main", "match", "pdn", "play", "positions", "prove"]
