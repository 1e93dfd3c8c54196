"""The program ``dama``: look at positions, count moves, prove forced wins, check games."""

from dama.cli import match, pdn, positions, prove
from dama.cli.program import main

__all__ = ["main", "match", "pdn", "positions", "prove"]
