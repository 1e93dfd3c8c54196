"""A report on a pool: how many puzzles of which source, band, theme and size, and which look alike."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from dama.likeness import likeness, mirrored, placement
from generator.pool import Entry
from generator.quality import MOVES_TO_WIN, piece_counts
from generator.selection import band_limits, band_of
from generator.themes import THEMES

DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""The bands of difficulty, the easiest first, by the weekday that each is for."""

Counts = dict[str, tuple[int, ...]]
"""What is counted → how many puzzles of each length."""


class Pair(NamedTuple):
    """Two puzzles that look alike."""

    likeness: float
    one: Entry
    other: Entry


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say about a pool; puzzles of each length are counted by themselves."""

    entries: tuple[Entry, ...]
    limits: tuple[float, ...]
    """The difficulties at which the bands but the first begin."""
    sources: Counts
    bands: Counts
    themes: Counts
    pieces: Counts
    skeletons: int
    pairs: tuple[Pair, ...]
    """Those that look most alike first."""
    alike: float
    """The likeness from which on pairs are named."""

    @classmethod
    def of(cls, entries: Iterable[Entry], alike: float) -> "Report":
        """Return the report on a pool."""
        pool = tuple(entries)
        limits = band_limits(entry.difficulty for entry in pool)
        sizes = {entry.id: f"{sum(piece_counts(entry.position)):2}" for entry in pool}
        return cls(
            entries=pool,
            limits=limits,
            sources=_counts((entry, (entry.source,)) for entry in pool),
            bands=_counts((entry, (DAYS[band_of(entry.difficulty, limits)],)) for entry in pool),
            themes=_counts((entry, entry.themes) for entry in pool),
            pieces=_counts((entry, (sizes[entry.id],)) for entry in pool),
            skeletons=len({entry.skeleton for entry in pool}),
            pairs=tuple(_pairs(pool, alike)),
            alike=alike,
        )

    def text(self) -> Iterator[str]:
        """Yield the report line by line."""
        in_two, in_three = self.totals
        yield f"{len(self.entries):,} puzzles, {in_two:,} in two and {in_three:,} in three"
        yield f"{self.skeletons:,} skeletons, {len(self.pairs):,} pairs at least {self.alike:.0%} alike"
        for name, counts, order in (
            ("source", self.sources, sorted(self.sources)),
            ("band", self.bands, DAYS),
            ("theme", self.themes, THEMES),
            ("pieces", self.pieces, sorted(self.pieces)),
        ):
            yield ""
            yield f"{name:28} {'in two':>8} {'in three':>8}"
            for each in order:
                in_two, in_three = counts.get(each, (0, 0))
                yield f"  {self.label(each):26} {in_two:8,} {in_three:8,}"
        for pair in self.pairs:
            yield ""
            yield f"{pair.likeness:.0%} alike: {pair.one.id} {pair.one.position.fen()}"
            yield f"{'':11} {pair.other.id} {pair.other.position.fen()}"

    @property
    def totals(self) -> tuple[int, ...]:
        """The number of puzzles of each length."""
        return tuple(sum(entry.moves == moves for entry in self.entries) for moves in MOVES_TO_WIN)

    def label(self, name: str) -> str:
        """Return the name to show: a band is told with its difficulties."""
        if name not in DAYS or not self.limits:
            return name
        band = DAYS.index(name)
        if band == 0:
            return f"{name}: below {self.limits[0]:.2f}"
        if band == len(self.limits):
            return f"{name}: from {self.limits[-1]:.2f}"
        return f"{name}: {self.limits[band - 1]:.2f} – {self.limits[band]:.2f}"


def _counts(pairs: Iterable[tuple[Entry, Iterable[str]]]) -> Counts:
    found = Counter((name, entry.moves) for entry, names in pairs for name in names)
    return {name: tuple(found[name, moves] for moves in MOVES_TO_WIN) for name, _ in found}


def _pairs(pool: tuple[Entry, ...], alike: float) -> list[Pair]:
    boards = sorted(
        ((placement(entry.position), entry) for entry in pool),
        key=lambda board: (board[0].bit_count(), board[1].id),
    )
    pairs = []
    for place, (one, entry) in enumerate(boards):
        # Boards of very different sizes cannot be alike: they come after those that can.
        most = one.bit_count() * (2 - alike) / alike
        for other, second in boards[place + 1 :]:
            if other.bit_count() > most:
                break
            found = max(likeness(one, other), likeness(mirrored(one), other))
            if found >= alike:
                pairs.append(Pair(found, entry, second))
    return sorted(pairs, key=lambda pair: (-pair.likeness, pair.one.id, pair.other.id))
