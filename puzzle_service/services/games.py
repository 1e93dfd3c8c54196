"""Games that the site does not keep: a browser holds one as text, and the rules say here how it stands."""

from dataclasses import dataclass
from typing import Final

from dama import RULESETS, Color, Game, GameOver, Position, Ruleset
from dama.errors import AmbiguousMove, IllegalMove, InvalidNotation, UnsoundPosition

LONGEST_GAME: Final = 600
"""Plies."""
SEPARATOR: Final = "."
"""Stands between moves in a link, where it need not be escaped."""
DRAW: Final = "draw"
"""How a link says that a draw was agreed on."""


class GameRefused(ValueError):  # noqa: N818
    """A text that is no game of at most ``LONGEST_GAME`` plies; the message names the part that is wrong.

    Codes: bad_request, illegal_move, over (a move or an agreement after the end), too_long.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @classmethod
    def too_long(cls, plies: int) -> "GameRefused":
        """Return the refusal of a game of so many plies."""
        return cls("too_long", f"moves: {plies} plies; expected at most {LONGEST_GAME} of both sides")


@dataclass(frozen=True)
class Sent:
    """A game as a browser sends it: the ruleset's name, the start (FEN; None: the usual one), the moves.

    ``resigned`` is the side that gave up after them; ``agreed`` says that both agreed on a draw.
    """

    rules: str
    start: str | None = None
    moves: tuple[str, ...] = ()
    resigned: Color | None = None
    agreed: bool = False


def replay(sent: Sent) -> Game:
    """Return the game, every move of it checked.

    >>> replay(Sent("turkish", moves=("c3-c4", "d6d5"))).fen()
    'W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,d3,e3,f3,g3,h3,c4:Bd5,a6,b6,c6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7'

    Raises GameRefused.
    """
    if len(sent.moves) > LONGEST_GAME:
        raise GameRefused.too_long(len(sent.moves))
    game = _begun(sent)
    for number, text in enumerate(sent.moves):
        try:
            game.play(text)
        except (InvalidNotation, IllegalMove, AmbiguousMove) as error:
            raise GameRefused("illegal_move", f"moves[{number}]: {error}") from error
        except GameOver as error:
            raise GameRefused("over", f"moves[{number}]: {error}") from error
    try:
        if sent.resigned is not None:
            game.resign(sent.resigned)
        elif sent.agreed:
            game.agree_draw()
    except GameOver as error:
        raise GameRefused("over", f"ended: {error}") from error
    return game


def going_on(sent: Sent) -> Game:
    """Return the game, which must not have ended; raises GameRefused."""
    game = replay(sent)
    if game.result is not None:
        raise GameRefused("over", f"moves: the game has ended, {game.result}; expected one that goes on")
    return game


def canonical(game: Game) -> Sent:
    """Return a game as the site writes it: each move in full, no start where it is the usual one.

    >>> canonical(replay(Sent("turkish", RULESETS["turkish"].start, ("c3c4",))))
    Sent(rules='turkish', start=None, moves=('c3-c4',), resigned=None, agreed=False)
    """
    start, result = game.start_fen(), game.result
    reason, winner = (None, None) if result is None else (result.reason, result.winner)
    return Sent(
        rules=game.rules.name,
        start=None if start == Position.start(game.rules).fen() else start,
        moves=tuple(map(str, game.moves)),
        resigned=winner.other if reason == "resignation" and winner is not None else None,
        agreed=reason == "agreement",
    )


def link(sent: Sent) -> dict[str, str]:
    """Return the values of an address that opens a game: rules, start, moves and, if it was ended, ended.

    >>> link(Sent("turkish", moves=("c3-c4", "d6-d5"), agreed=True))
    {'rules': 'turkish', 'moves': 'c3-c4.d6-d5', 'ended': 'draw'}

    No value of a game that `replay` accepts has to be escaped but for the start's colons and commas.
    """
    ended = DRAW if sent.agreed else sent.resigned
    values = {
        "rules": sent.rules,
        "start": sent.start,
        "moves": SEPARATOR.join(sent.moves),
        "ended": None if ended is None else str(ended),
    }
    return {name: value for name, value in values.items() if value}


def ruleset(name: str) -> Ruleset:
    """Return the ruleset of that name; raises GameRefused."""
    try:
        return RULESETS[name]
    except KeyError:
        expected = ", ".join(RULESETS)
        raise GameRefused("bad_request", f"rules: {name!r}; expected one of {expected}") from None


def _begun(sent: Sent) -> Game:
    rules = ruleset(sent.rules)
    if sent.start is None:
        return Game(Position.start(rules))
    try:
        return Game.from_fen(sent.start, rules)
    except (InvalidNotation, UnsoundPosition) as error:
        raise GameRefused("bad_request", f"start: {error}") from error
