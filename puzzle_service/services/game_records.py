"""Games as PDN: read from a text that a visitor brings, and written for him to take along."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dama import GameOver, pdn
from dama.errors import PdnError
from puzzle_service.services import games
from puzzle_service.services.games import LONGEST_GAME, GameRefused, Sent


@dataclass(frozen=True)
class Record:
    """A game in both forms: as a browser sends it, and as PDN; ``headers`` name players and occasion."""

    sent: Sent
    pdn: str
    headers: Mapping[str, str] = field(default_factory=dict)


def read(text: str, rules: str) -> Record:
    """Return the first game of a PDN text; ``rules`` hold when it does not name its own.

    >>> read('[White "Ayşe"] 1. c3c4 d6d5 1-0', "turkish").sent
    Sent(rules='turkish', start=None, moves=('c3-c4', 'd6-d5'), resigned=<Color.BLACK: 'B'>, agreed=False)

    Raises GameRefused, with line and column for what cannot be read.
    """
    try:
        found = next(pdn.read_games(text, games.ruleset(rules)))
        if len(found.moves) > LONGEST_GAME:
            raise GameRefused.too_long(len(found.moves))
        game = found.game()
    except PdnError as error:
        raise GameRefused("bad_request", f"pdn: {error}") from error
    except GameOver as error:
        raise GameRefused("over", f"pdn: {error}") from error
    return Record(games.canonical(game), pdn.format_game(found), found.headers)


def write(sent: Sent, headers: Mapping[str, str]) -> Record:
    """Return a game that was sent as PDN, under these headers; raises GameRefused."""
    game = games.replay(sent)
    written = pdn.format_game(pdn.PdnGame.from_game(game, headers))
    return Record(games.canonical(game), written, headers)
