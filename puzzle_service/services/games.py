"""Games that the site does not keep: a browser holds one as text, and the rules say here how it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
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


def canonical(sent: Sent, game: Game) -> Sent:
    """Return how the site writes a game that was sent and replayed: each move in full, no usual start.

    >>> sent = Sent("turkish", RULESETS["turkish"].start, ("c3c4",))
    >>> canonical(sent, replay(sent))
    Sent(rules='turkish', start=None, moves=('c3-c4',), resigned=None, agreed=False)
    """
    start = start_fen(sent)
    is_usual = start == Position.start(sent.rules).fen()
    return replace(sent, start=None if is_usual else start, moves=tuple(map(str, game.moves)))


def start_fen(sent: Sent) -> str:
    """Return the position in which a game begins, with its clock, as FEN; raises GameRefused."""
    return _begun(sent).fen()


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


def from_link(values: Mapping[str, str]) -> Sent:
    """Return the game that an address holds; what is no game is found out when it is replayed.

    >>> from_link({"rules": "italian", "moves": "22-19.10-14", "ended": "W"}).resigned
    <Color.WHITE: 'W'>

    Raises GameRefused for an end that is none.
    """
    ended = values.get("ended")
    if ended not in (None, DRAW, *Color):
        raise GameRefused("bad_request", f"ended: {ended!r}; expected W, B or {DRAW}")
    agreed = ended == DRAW
    return Sent(
        rules=values.get("rules", next(iter(RULESETS))),
        start=values.get("start") or None,
        moves=tuple(filter(None, values.get("moves", "").split(SEPARATOR))),
        resigned=None if ended is None or agreed else Color(ended),
        agreed=agreed,
    )


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
