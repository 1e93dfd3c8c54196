"""Records of games to read: one in the standard form, and what is read of a text."""

from dama.pdn import PdnGame, read_games

STANDARD = """\
[White "Ayşe"]
[Result "1-0"]
[GameType "30,W,8,8,A0,0"]
[Rules "turkish"]

1. d3-d4 d6-d5 2. d4xd6xd8 1-0
"""


def only(text: str | bytes, rules: str = "turkish") -> PdnGame:
    """Return the only game that a text holds."""
    (game,) = read_games(text, rules)
    return game


def texts(game: PdnGame) -> list[str]:
    """Return the moves of a game as text."""
    return [str(move) for move in game.moves]
