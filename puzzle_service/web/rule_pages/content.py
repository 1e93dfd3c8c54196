"""What a page about rules is made of. Diagrams are plain data, so that they can be held against the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from dama.game import GameReason
from dama.pieces import Color

ForbiddenBecause = Literal[
    "diagonal",
    "too far",
    "king too far",
    "backwards",
    "must capture",
    "own piece",
    "capture backwards",
    "two in a row",
    "king is safe",
    "goes on",
    "still a man",
    "stops there",
    "still there",
    "turns back",
    "fewer",
    "with the king",
    "more kings",
    "king earlier",
]
"""Why a move is forbidden; a reader is told by `reasons.because`."""


@dataclass(frozen=True)
class Legal:
    """A legal move of a diagram: its text, the squares of the pieces it takes, and whether it crowns."""

    move: str
    takes: tuple[str, ...] = ()
    crowns: bool = False
    also: tuple[str, ...] = ()
    """The other ways to play the same move."""


@dataclass(frozen=True)
class Forbidden:
    """A move that is not legal, why, and what would make it so: another position, or other rules.

    A move that no piece ever makes has neither.
    """

    move: str
    because: ForbiddenBecause
    legal_in: str | None = None
    """A position, as FEN, that differs just in what forbids the move."""
    legal_under: Mapping[str, object] = field(default_factory=dict)
    """Fields of the ruleset with values under which the move is legal."""


@dataclass(frozen=True)
class Ending:
    """How a game stands after some moves from the diagram, not before: its reason, None while it goes on."""

    line: tuple[str, ...]
    reason: GameReason | None
    winner: Color | None = None


@dataclass(frozen=True)
class Diagram:
    """A position as FEN and all that is said of it: every legal move, and some that are forbidden.

    ``endings`` say how a game goes on from it; ``is_start`` that games begin with it.
    """

    name: str
    fen: str
    legal: tuple[Legal, ...]
    forbidden: tuple[Forbidden, ...] = ()
    endings: tuple[Ending, ...] = ()
    is_start: bool = False


@dataclass(frozen=True)
class Figure:
    """A diagram and what to see on it."""

    diagram: Diagram
    caption: str


@dataclass(frozen=True)
class Section:
    """A part of a page: its anchor, heading and paragraphs, a list in order, and diagrams."""

    anchor: str
    heading: str
    paragraphs: tuple[str, ...]
    steps: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A question that players ask, and the answer."""

    question: str
    answer: str


@dataclass(frozen=True)
class Source:
    """Where a rule comes from: a name, what was taken from it, and its address if it has one."""

    name: str
    note: str
    address: str | None = None


@dataclass(frozen=True)
class Advice:
    """What helps to play by the rules: tips, common mistakes, and questions with their answers."""

    tips: tuple[str, ...]
    mistakes: tuple[str, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Page:
    """What the page of a ruleset says."""

    lead: str
    sections: tuple[Section, ...]
    advice: Advice
    sources: tuple[Source, ...]

    @property
    def diagrams(self) -> tuple[Diagram, ...]:
        """Every diagram of the page."""
        return tuple(figure.diagram for section in self.sections for figure in section.figures)
