"""The game of dama, Turkish and Italian: rules, positions, games, notation and proofs.

>>> from dama import Position
>>> position = Position.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7")
>>> position.play("b7-b8").play("d7xd2xb2xb7").play("b8xb6xf6xf3xd3").outcome()
Outcome(winner=<Color.WHITE: 'W'>, reason='no_pieces')
"""

from dama.errors import AmbiguousMove, GameOver, IllegalMove, InvalidNotation, UnsoundPosition
from dama.game import Game, Result
from dama.move import Move
from dama.pieces import Color
from dama.position import Outcome, Position
from dama.rulesets import RULESETS, Ruleset

__all__ = [
    "RULESETS",
    "AmbiguousMove",
    "Color",
    "Game",
    "GameOver",
    "IllegalMove",
    "InvalidNotation",
    "Move",
    "Outcome",
    "Position",
    "Result",
    "Ruleset",
    "UnsoundPosition",
]
