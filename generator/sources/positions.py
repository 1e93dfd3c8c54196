"""Positions from a file: one FEN a line, from a collection of games or composed by hand."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, Self

from dama import InvalidNotation, Position, Ruleset
from generator.sources import Candidate

_COMMENT: Final = "#"
_LONGEST: Final = 10_000
"""Letters of a line that can hold no FEN, and may have no end."""


class PositionsError(ValueError):
    """A file that holds no positions; the message names the file, the line, and what was expected."""


@dataclass(frozen=True, slots=True)
class Positions:
    """The positions of a file in random order, again and again: White to move, colours swapped if need be."""

    fens: tuple[str, ...]
    name: str = "file"

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the positions of a file; empty lines and what follows a # do not count.

        Raises PositionsError, and OSError when the file cannot be read.
        """
        try:
            fens = tuple(_checked(path, number, text) for number, text in _texts(path))
        except UnicodeDecodeError as error:
            raise PositionsError(f"{path} is no text in UTF-8; expected a FEN a line") from error
        if not fens:
            raise PositionsError(f"{path} holds no position; expected a FEN a line")
        return cls(fens)

    def candidates(self, rng: Random, rules: Ruleset) -> Iterator[Candidate]:
        """Yield every position once, then every one again in another order, without end."""
        while True:
            for fen in rng.sample(self.fens, len(self.fens)):
                yield Candidate(Position.from_fen(fen, rules), self.name).seen_by_white()


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield what the lines of a file hold, with their numbers."""
    # Some editors begin a file with a mark.
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST), ""), 1):
            if len(line) == _LONGEST:
                raise PositionsError(f"{path}, line {number}: too long; expected a FEN a line")
            if text := line.partition(_COMMENT)[0].strip():
                yield number, text


def _checked(path: Path, number: int, text: str) -> str:
    """Return the text of a line that is the FEN of a position which games may have."""
    try:
        position = Position.from_fen(text)
    except InvalidNotation as error:
        raise PositionsError(
            f"{path}, line {number}: {error}; expected a FEN like W:Wa2,Kd4:Ba6,Kh8"
        ) from error
    if defects := position.status():
        expected = "expected a position that a game can have"
        raise PositionsError(f"{path}, line {number}: {text}: {', '.join(defects)}; {expected}")
    return text
