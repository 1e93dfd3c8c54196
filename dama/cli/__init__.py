"""The program ``dama``: look at positions, count moves, prove forced wins."""

from dama.cli import positions, prove
from dama.cli.program import main

__all__ = ["main", "positions", "prove"]
