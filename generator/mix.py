"""The mix: which sources a run draws on, and what share of its time each of them gets."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from generator.sources import Source
from generator.sources.blocked import draw_lock
from generator.sources.choice import is_siege
from generator.sources.middlegames import ThinnedMiddlegames
from generator.sources.mutation import Mutation
from generator.sources.placement import RandomPlacement
from generator.sources.positions import Positions
from generator.sources.retrograde import Retrograde
from generator.sources.selfplay import SelfPlay


@dataclass(frozen=True, slots=True)
class Share:
    """A source and its part of a run."""

    source: Source
    share: float
    """Its share of the time; only the proportions to the others count."""
    candidates: int
    """Candidates in a chunk, as many as take about half a second of one core, whatever the source."""


Mix = tuple[Share, ...]

_TWO_PLIES: Final = Retrograde("retrograde", (2,))
_FOUR_PLIES: Final = Retrograde("retrograde, four plies", (3,))
_BLOCKED: Final = Retrograde("retrograde from blocked", (2, 3), draw_lock, is_siege, quiet_replies=0.4)
_BALANCED: Final = RandomPlacement("random placement", king_chance=0.5)
_MOSTLY_MEN: Final = RandomPlacement("random placement, mostly men", king_chance=0.1)
_MUTATION: Final = Mutation((_TWO_PLIES, _FOUR_PLIES, _BLOCKED, _BALANCED))

DEFAULT: Final[Mix] = (
    Share(_TWO_PLIES, 4, 25),
    Share(_FOUR_PLIES, 40, 15),
    Share(_BLOCKED, 6, 8),
    Share(_BALANCED, 10, 900),
    Share(_MOSTLY_MEN, 6, 2000),
    Share(ThinnedMiddlegames(), 7, 800),
    Share(SelfPlay(), 17, 350),
    Share(_MUTATION, 10, 1),
)
"""Chance gives more wins in two, so what gives wins in three has most of the time; self-play has much of it
for the natural look, and what brings rare themes has some."""

_FILE_CANDIDATES: Final = 300


def share_of_file(path: Path) -> Share:
    """Return the share of a file of positions: as much time as all of the default mix.

    Raises positions.PositionsError for a file that holds none, and OSError when it cannot be read.
    """
    positions = Positions.read(path)
    # A chunk that is longer than the file would meet the same positions twice.
    candidates = min(_FILE_CANDIDATES, len(positions.fens))
    return Share(positions, sum(each.share for each in DEFAULT), candidates)


_MULTIPLIER: Final = 0x9E3779B9
"""2^32 divided by the golden ratio: its multiples modulo 2^32 spread evenly, however many there are."""
_ENTRY: Final = re.compile(r"\s*([^=]+?)\s*=\s*([^,=]*?)\s*(?:,|$)")
"""A source's name may hold commas, its share may not."""
_LEAST, _MOST = 0.001, 1_000_000
"""Shares beyond which a source has no turn in any run, or sums are no longer exact."""


def source_of(number: int, mix: Mix) -> Share:
    """Return the share whose turn a chunk's number is: in any stretch of numbers each has its part."""
    spot = number * _MULTIPLIER % 2**32 * sum(each.share for each in mix) / 2**32
    for each in mix:
        if spot < each.share:
            return each
        spot -= each.share
    return mix[-1]


def parse(text: str, available: Iterable[Share] = DEFAULT) -> Mix:
    """Return the mix that a text like ``retrograde=40,self-play=10`` asks for.

    >>> [(each.source.name, each.share) for each in parse("self-play=1, retrograde, four plies=2.5")]
    [('self-play', 1.0), ('retrograde, four plies', 2.5)]

    ``available`` are the sources that may be named. Raises ValueError, naming the part that is wrong.
    """
    shares = {each.source.name: each for each in available}
    mix: list[Share] = []
    end = 0
    while end < len(text) or not mix:
        entry = _ENTRY.match(text, end)
        if entry is None:
            raise ValueError(
                f"'{text[end:].strip()}' is no share of a source; expected NAME=SHARE,NAME=SHARE…"
            )
        end = entry.end()
        name, number = entry.groups()
        if name not in shares:
            raise ValueError(f"there is no source '{name}'; expected one of: {'; '.join(shares)}")
        if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", number) or not _LEAST <= float(number) <= _MOST:
            expected = f"a number from {_LEAST:g} to {_MOST:,}"
            raise ValueError(f"'{number}' is no share for '{name}'; expected {expected}")
        if any(each.source.name == name for each in mix):
            raise ValueError(f"'{name}' is named twice; expected each source once")
        mix.append(replace(shares[name], share=float(number)))
    return tuple(mix)
