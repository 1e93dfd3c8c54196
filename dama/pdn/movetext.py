"""The moves of a PDN game, with comments, glyphs and variations, played as they are read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from dama.move import Move
from dama.pdn.annotated import AnnotatedMove, Line
from dama.pdn.nags import parse_nag
from dama.pdn.scanner import Token
from dama.pdn.scores import Score, parse_score
from dama.position import Position

MOST_NESTED: Final = 100
"""Variations within variations that are still read; no annotator comes near it."""

_LONGEST_MOVE: Final = 200
"""Characters: sixteen captures with blanks around every separator take fewer."""
_LEADING_ZERO: Final = re.compile(r"\b0(?=[1-9])")


@dataclass
class _Played:
    """A move that has been read, and what followed it so far."""

    token: Token
    move: Move
    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    variations: list[Line] = field(default_factory=list)

    def finish(self) -> AnnotatedMove:
        return AnnotatedMove(self.move, tuple(self.nags), tuple(self.comments), tuple(self.variations))


class _OpenLine:
    """A line that is being read: its moves so far, and the positions before and after the last of them."""

    def __init__(self, position: Position, opened_by: Token | None = None) -> None:
        self.opened_by = opened_by
        self.before = self.position = position
        self.moves: list[_Played] = []
        self.comments: list[str] = []

    def play(self, token: Token) -> None:
        if len(token.text) > _LONGEST_MOVE:
            raise token.error(f"{token} is too long for a move")
        try:
            move = self.position.parse_move(_plain(token.text))
        except ValueError as error:
            raise token.error(str(error)) from error
        self.before, self.position = self.position, self.position.after(move)
        self.moves.append(_Played(token, move))

    def last(self, token: Token) -> _Played:
        """Return the last move, which the token is about."""
        if not self.moves:
            raise token.error(f"{token} comes before a move; expected a move")
        return self.moves[-1]

    def finish(self) -> Line:
        return Line(tuple(played.finish() for played in self.moves), tuple(self.comments))


class Movetext:
    """The moves of one game, taken in word by word.

    >>> from dama.pdn.scanner import scan
    >>> movetext = Movetext(Position.start())
    >>> for token in scan("1. c3c4 (1. d3d4 {Better.}) 1-0"):
    ...     movetext.take(token)
    >>> movetext.finish().moves[0].variations[0].moves[0].comments, movetext.score
    (('Better.',), '1-0')

    No word makes it call itself, so that no text is too deep for it.
    """

    def __init__(self, start: Position) -> None:
        self._lines = [_OpenLine(start)]
        self.result: Token | None = None
        """The result after the moves."""

    def take(self, token: Token) -> None:
        """Take in the next word. Raises PdnError when it cannot stand here, or is no legal move."""
        line = self._lines[-1]
        match token.kind:
            case "number":
                pass  # whose turn it is follows from the position
            case "move":
                line.play(token)
            case "comment":
                if comment := _comment(token):
                    (line.moves[-1].comments if line.moves else line.comments).append(comment)
            case "nag" | "strength":
                line.last(token).nags.append(_nag(token))
            case "open":
                line.last(token)
                if len(self._lines) > MOST_NESTED:
                    raise token.error(f"variations are nested more than {MOST_NESTED} deep")
                self._lines.append(_OpenLine(line.before, token))
            case "close":
                self._close(token)
            case "result" if line.opened_by is None:
                self.result = token
            case "result":
                raise token.error(f"{token} stands in a variation; expected a move or ')'")
            case _:
                raise token.error(
                    f"{token} is no part of a game; expected a move, a comment, a variation or a result"
                )

    def finish(self) -> Line:
        """Return the main line. Raises PdnError when a variation is still open."""
        line = self._lines[-1]
        if line.opened_by is not None:
            raise line.opened_by.error("this variation is not closed; expected ')'")
        return line.finish()

    @property
    def main_line(self) -> Iterator[tuple[Token, Move]]:
        """The moves of the main line with the words that stand for them."""
        return ((played.token, played.move) for played in self._lines[0].moves)

    @property
    def score(self) -> Score | None:
        """The score that the result means, or None."""
        return parse_score(self.result.text) if self.result else None

    def _close(self, token: Token) -> None:
        line = self._lines[-1]
        if line.opened_by is None:
            raise token.error("there is no variation to close; expected a move")
        if not line.moves:
            raise token.error("the variation has no move; expected a move")
        self._lines.pop()
        self._lines[-1].moves[-1].variations.append(line.finish())


def _plain(move: str) -> str:
    """Return a move without capitals, but for a king's, and without zeros before the numbers of squares."""
    return _LEADING_ZERO.sub("", move.lower()).replace("=k", "=K")


def _comment(token: Token) -> str:
    """Return what a comment says, blanks and line breaks made one blank each."""
    text = token.text
    if text.startswith(";"):
        return " ".join(text[1:].split())
    if not text.endswith("}"):
        raise token.error(f"the comment {token} is not closed; expected '}}'")
    return " ".join(text[1:-1].split())


def _nag(token: Token) -> int:
    nag = parse_nag(token.text)
    if nag is None:
        raise token.error(f"{token} is no glyph; expected $0 … $255, or ! and ?")
    return nag
