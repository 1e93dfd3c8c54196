"""The levels of the computer's play: how many positions each may look at, and how *easy* goes wrong.

A level is a number of positions and no time, so that it plays the same on every machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """How one level plays.

    ``nodes`` are the positions looked at for a move. The rest is a beginner's play: ``depth`` limits the
    plies looked ahead, ``misjudgement`` is by how many hundredths of a man a move is taken for better or
    worse than it is, at most, and ``oversight`` the chance that the answers to a move are not looked at.
    A draw is worth ``contempt`` hundredths less than an even game to who plays for a win.
    """

    name: str
    nodes: int
    depth: int | None = None
    misjudgement: int = 0
    oversight: float = 0.0
    contempt: int = 0

    @property
    def errs(self) -> bool:
        """Whether it goes wrong on purpose."""
        return self.misjudgement > 0 or self.oversight > 0


LEVELS: Final[Mapping[str, Level]] = MappingProxyType(
    {
        level.name: level
        for level in (
            Level("easy", nodes=200, depth=1, misjudgement=40, oversight=0.12),
            Level("medium", nodes=2_000, contempt=25),
            Level("hard", nodes=2_000_000, contempt=25),
            Level("master", nodes=4_000_000),
        )
    }
)
"""The levels by name, weakest first.

*Medium* sees short combinations; *hard* takes a fifth of a second of a free core, so that on a busy machine a
move does not take much longer than one second; *master* is for hints.
"""
