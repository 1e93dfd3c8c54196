"""Writing PDN: one form for every game, whatever the form in which it was read."""

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

from dama.pdn.annotated import Line, PdnGame
from dama.pdn.headers import DERIVED, format_header
from dama.pdn.nags import split_nags
from dama.pieces import Color
from dama.position import Position

_WIDTH: Final = 79
_LINE_END: Final = "\n"
_BREAK: Final = re.compile(" (?!%)")
"""Where a comment may be broken: a line that begins with % would be skipped by other programs."""


def format_game(game: PdnGame) -> str:
    """Return a game as PDN 3.0: headers, an empty line, the moves with all that belongs to them.

    >>> from dama import Color, Game, Position
    >>> game = Game(Position.start())
    >>> _ = game.play("c3c4"), game.play("d6d5"), game.resign(Color.BLACK)
    >>> print(format_game(PdnGame.from_game(game, {"White": "Ayşe", "Black": "Mehmet"})), end="")
    [White "Ayşe"]
    [Black "Mehmet"]
    [Result "1-0"]
    [GameType "30,W,8,8,A0,0"]
    [Rules "turkish"]
    <BLANKLINE>
    1. c3-c4 d6-d5 1-0
    """
    headers = "".join(f"{header}\n" for header in _headers(game))
    white_begins = game.start.turn is Color.WHITE
    words = (*_words(game.line, 0 if white_begins else 1), game.score)
    return f"{headers}\n{_wrapped(words)}\n"


def _headers(game: PdnGame) -> Iterator[str]:
    rules = game.start.rules
    values = {name: value for name, value in game.headers.items() if name not in DERIVED}
    values |= {"Result": game.score, "GameType": rules.game_type, "Rules": rules.name}
    if game.start != Position.start(rules) or game.quiet_plies:
        values |= {"SetUp": "1", "FEN": game.start.fen(game.quiet_plies)}
    return itertools.starmap(format_header, values.items())


def _words(line: Line, ply: int) -> Iterator[str]:
    """Yield the words of a line whose first move is that ply of the game, White's first being 0."""
    yield from _comments(line.comments)
    numbered = False
    for annotated in line.moves:
        if ply % 2 == 0 or not numbered:
            yield f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}"
        sign, nags = split_nags(annotated.nags)
        yield f"{annotated.move}{sign}"
        yield from (f"${nag}" for nag in nags)
        yield from _comments(annotated.comments)
        for variation in annotated.variations:
            yield from _in_parentheses(list(_words(variation, ply)))
        # After an interruption even Black's move is numbered.
        numbered = not (annotated.comments or annotated.variations)
        ply += 1


def _in_parentheses(words: list[str]) -> Iterator[str]:
    words[0] = f"({words[0]}"
    if words[-1].endswith(_LINE_END):
        words.append(")")
    else:
        words[-1] += ")"
    return iter(words)


def _comments(comments: Iterable[str]) -> Iterator[str]:
    for comment in (" ".join(comment.split()) for comment in comments):
        if "}" in comment:
            yield f";{comment}{_LINE_END}"
        elif comment:
            yield from _BREAK.split(f"{{{comment}}}")


def _wrapped(words: Iterable[str]) -> str:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
        if word.endswith(_LINE_END):
            lines[-1] = lines[-1].removesuffix(_LINE_END)
            lines.append("")
    return "\n".join(lines)
