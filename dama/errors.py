"""What can be wrong with an input: each is a ValueError whose message holds it and what was expected."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dama.move import Move


class InvalidNotation(ValueError):  # noqa: N818  (the field's name for it)
    """A text that cannot be a position, a move or a game."""


class IllegalMove(ValueError):  # noqa: N818
    """A well-formed move that the rules do not allow; ``expected`` holds the moves that they do."""

    def __init__(self, message: str, expected: Sequence["Move"]) -> None:
        super().__init__(message)
        self.expected = tuple(expected)


class AmbiguousMove(ValueError):  # noqa: N818
    """A move text that fits several legal moves; ``meanings`` holds them."""

    def __init__(self, message: str, meanings: Sequence["Move"]) -> None:
        super().__init__(message)
        self.meanings = tuple(meanings)


class UnsoundPosition(ValueError):  # noqa: N818
    """A position that no game could have brought about; ``defects`` names what is wrong with it."""

    def __init__(self, message: str, defects: Sequence[str]) -> None:
        super().__init__(message)
        self.defects = tuple(defects)


class GameOver(ValueError):  # noqa: N818
    """A move, a resignation or an agreement in a game that has ended."""


class PdnError(InvalidNotation):
    """What is wrong with a PDN text: ``complaint`` says what, ``line`` and ``column``, from 1, say where."""

    def __init__(self, complaint: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {complaint}")
        self.complaint = complaint
        self.line = line
        self.column = column
