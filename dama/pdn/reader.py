"""Reading PDN: from its words to games whose every move is legal."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Final

from dama.errors import PdnError
from dama.game import Game
from dama.pdn.annotated import PdnGame
from dama.pdn.headers import Headers
from dama.pdn.movetext import Movetext
from dama.pdn.scanner import Token, decode, scan
from dama.pdn.scores import Score, score_of
from dama.rulesets import Ruleset, find_ruleset

_HEAD: Final = frozenset({"header", "comment"})
"""Kinds of words that may stand before a game's moves."""


def read_games(text: str | bytes, rules: str | Ruleset = "turkish") -> Iterator[PdnGame]:
    """Yield the games of a PDN text, one after the other.

    >>> (game,) = read_games('[White "Ayşe"] 1. d3d4 {Begins.} d6-d5? 2. d4:d8 $1 (2. d4xd5xd7) 1-0')
    >>> print(game.headers["White"], *game.moves, game.score)
    Ayşe d3-d4 d6-d5 d4xd6xd8 1-0

    The text may come as the bytes of a file, in UTF-8. ``rules`` holds for games that do not name theirs.
    Raises PdnError at the first thing that cannot be read, and ValueError for a name that is no preset.
    """
    default = find_ruleset(rules)
    for tokens in _games(text):
        yield _read(tokens, default)


def find_problems(text: str | bytes, rules: str | Ruleset = "turkish") -> Iterator[PdnError]:
    """Yield what is wrong with a PDN text: of each game what keeps it from being read, or else its conflicts.

    >>> for problem in find_problems('1. c3-c4 zz * [Result "1-0"] 1. c3c4 0-1'):
    ...     print(problem)
    line 1, column 10: 'zz' is no part of a game; expected a move, a comment, a variation or a result
    line 1, column 38: the result is 0-1 here, but 1-0 in the headers
    """
    default = find_ruleset(rules)
    try:
        for tokens in _games(text):
            yield from _problems(tokens, default)
    except PdnError as error:
        yield error


def _problems(tokens: list[Token], default: Ruleset) -> tuple[PdnError, ...]:
    try:
        return _read(tokens, default).conflicts
    except PdnError as error:
        return (error,)


def _games(text: str | bytes) -> Iterator[list[Token]]:
    """Yield the words of one game after the other. Raises PdnError when there is none, or no text."""
    games = _split(scan(decode(text) if isinstance(text, bytes) else text))
    first = next(games, None)
    if first is None:
        raise PdnError("there is no game; expected headers or moves", 1, 1)
    return itertools.chain((first,), games)


def _split(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Cut a text into games: one ends after its result and the comments on that, or before headers."""
    game: list[Token] = []
    depth, begun, over = 0, False, False
    for token in tokens:
        if over and token.text == "*":
            continue  # a mere separator: this game's result has been told
        if (over and token.kind != "comment") or (begun and token.kind == "header"):
            yield game
            game, depth, begun, over = [], 0, False, False
        game.append(token)
        depth += (token.kind == "open") - (token.kind == "close")
        begun = begun or token.kind not in _HEAD
        over = over or (token.kind == "result" and depth <= 0)
    if any(token.kind != "comment" for token in game):
        yield game


def _read(tokens: list[Token], default: Ruleset) -> PdnGame:
    headers = Headers(token for token in tokens if token.kind == "header")
    game = headers.start(headers.rules(default))
    movetext = Movetext(game.start)
    for token in tokens:
        if token.kind != "header":
            movetext.take(token)
    line = movetext.finish()
    told, written = headers.score(), movetext.score
    score: Score = told if told and told != "*" else written or "*"
    place = movetext.result or headers.place_of_result
    conflicts = (*headers.conflicts, *_conflicts(game, movetext, score, place))
    return PdnGame(game.start, line, score, headers.told(), game.start_quiet_plies, conflicts)


def _conflicts(game: Game, movetext: Movetext, score: Score, place: Token | None) -> Iterator[PdnError]:
    """Play the main line, and yield what speaks against it or against the score, which stands at a place."""
    if movetext.result and movetext.score not in ("*", score):
        yield movetext.result.error(f"the result is {movetext.score} here, but {score} in the headers")
    for token, move in movetext.main_line:
        if game.result:
            yield token.error(f"{move} comes after the end of the game, {game.result}")
            return
        game.play(move)
    if place and game.result and score not in ("*", score_of(game.result)):
        yield place.error(f"the result is {score}, but by the rules {game.result}")
