"""PDN, the text form of games: read, checked and written, with headers, comments, glyphs and variations.

>>> from dama import pdn
>>> (game,) = pdn.read_games('[White "Ayşe"] 1. d3d4 {Begins.} d6d5 (1... c6-c5) 2. d4:d8 1-0')
>>> print(pdn.format_game(game), end="")
[White "Ayşe"]
[Result "1-0"]
[GameType "30,W,8,8,A0,0"]
[Rules "turkish"]
<BLANKLINE>
1. d3-d4 {Begins.} 1... d6-d5 (1... c6-c5) 2. d4xd6xd8 1-0
"""

from dama.pdn.annotated import AnnotatedMove, Line, PdnGame
from dama.pdn.reader import find_problems, read_games
from dama.pdn.writer import format_game

__all__ = ["AnnotatedMove", "Line", "PdnGame", "find_problems", "format_game", "read_games"]
