"""Choosing from pools: the puzzles that promise most, easy and hard alike, many themes, nothing twice."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple

from generator.novelty import Known, Traits
from generator.pool import Entry
from generator.quality import MOVES_TO_WIN
from generator.themes import RARE

BAND_QUANTILES: Final = (0.15, 0.30, 0.45, 0.60, 0.75, 0.90)
"""Where one band of difficulty ends and the next begins, as shares of the pool: a band for each weekday."""
LENGTHS: Final = ((2,), (2,), (2, 3), (2, 3), (3,), (3,), (3,))
"""In how many moves a band's puzzles are won."""
NATURAL: Final = "self-play"
"""The source whose positions have all been reached in games."""
THEME_PENALTY: Final = 3.0
"""Points that a puzzle loses when its leading theme has its equal share of the selection already."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a selection should have: so many puzzles, and of rare and of natural ones so many at least."""

    count: int
    least_rare: int = 0
    least_natural: int = 0


@dataclass(slots=True)
class Selection:
    """What has been chosen, in the order of ids, which is as good as shuffled, and what could not be met."""

    chosen: list[Entry] = field(default_factory=list)
    unmet: list[str] = field(default_factory=list)


class _Slot(NamedTuple):
    """What puzzles compete for."""

    band: int
    moves: int


def is_rare(entry: Entry) -> bool:
    """Tell whether the puzzle has a theme that few have."""
    return not RARE.isdisjoint(entry.themes)


def is_natural(entry: Entry) -> bool:
    """Tell whether the position was reached in a game."""
    return entry.source == NATURAL


def band_limits(difficulties: Iterable[float]) -> tuple[float, ...]:
    """Return the difficulties at which the bands but the first begin; of an empty pool there are none."""
    ranked = sorted(difficulties)
    return tuple(ranked[int(share * len(ranked))] for share in BAND_QUANTILES) if ranked else ()


def band_of(difficulty: float, limits: Sequence[float]) -> int:
    """Return the number of the band that a difficulty is in, 0 for the easiest."""
    return bisect_right(limits, difficulty)


def select(pool: Iterable[Entry], wish: Wish) -> Selection:
    """Choose from a pool; the same pool gives the same selection, whatever its order.

    Every band of difficulty gets its share, half of all are wins in three. Within that the score decides,
    less a penalty for leading themes of which there are many already; but first come as many rare and
    natural puzzles as are asked for. All are new to one another. What cannot be met is told in words.
    """
    return _Selector(sorted(pool, key=lambda entry: (-entry.score, entry.id, entry.line)), wish).selection()


class _Selector:
    def __init__(self, ranked: list[Entry], wish: Wish) -> None:
        self._ranked = ranked
        self._wish = wish
        self._limits = band_limits(entry.difficulty for entry in ranked)
        self._quotas = _quotas(wish.count)
        self._open = dict(self._quotas)
        self._known = Known()
        self._chosen: list[Entry] = []
        self._leading: Counter[str] = Counter()
        leading = {entry.themes[:1] for entry in ranked}
        self._penalty = THEME_PENALTY * len(leading) / wish.count

    def selection(self) -> Selection:
        wish = self._wish
        self._fill(is_rare, wish.least_rare)
        self._fill(is_natural, wish.least_natural)
        self._fill(_any, wish.count)
        unmet = [
            f"band {slot.band + 1}, in {slot.moves} moves: {quota - self._open[slot]} of {quota}"
            for slot, quota in self._quotas.items()
            if self._open[slot]
        ]
        self._fill_anyhow()
        for what, holds, least in (
            ("rare puzzles", is_rare, wish.least_rare),
            ("natural puzzles", is_natural, wish.least_natural),
            ("puzzles", _any, wish.count),
        ):
            found = sum(map(holds, self._chosen))
            if found < least:
                unmet.append(f"{what}: {found} of {least}")
        return Selection(sorted(self._chosen, key=lambda entry: entry.id), unmet)

    def _fill(self, holds: Callable[[Entry], bool], least: int) -> None:
        """Choose among those that ``holds`` is true of until so many of them are chosen, or none is left."""
        queues = self._queues(holds)
        found = sum(map(holds, self._chosen))
        while found < least:
            slots = [slot for slot, left in self._open.items() if left and queues[slot]]
            if not slots:
                return
            slot = max(
                slots, key=lambda slot: (self._open[slot] / self._quotas[slot], -slot.band, -slot.moves)
            )
            entry = self._best(queues[slot])
            if entry is not None:
                self._choose(entry)
                self._open[slot] -= 1
                found += 1

    def _queues(self, holds: Callable[[Entry], bool]) -> dict[_Slot, dict[str, list[Entry]]]:
        """Return the puzzles to choose from by slot and leading theme, the best at the end."""
        queues: dict[_Slot, dict[str, list[Entry]]] = {slot: defaultdict(list) for slot in self._open}
        for entry in reversed(self._ranked):
            slot = _Slot(band_of(entry.difficulty, self._limits), entry.moves)
            if slot in queues and holds(entry):
                queues[slot][_leading(entry)].append(entry)
        return queues

    def _best(self, queues: dict[str, list[Entry]]) -> Entry | None:
        """Take the best puzzle out of the queues of a slot; None when it is not new."""
        theme = max(queues, key=lambda theme: (queues[theme][-1].score - self._price(theme), theme))
        entry = queues[theme].pop()
        if not queues[theme]:
            del queues[theme]
        return entry if self._is_new(entry) else None

    def _fill_anyhow(self) -> None:
        """Give the places that nothing suits to the best of what is left, keeping half in three if it can."""
        in_three = sum(entry.moves == max(MOVES_TO_WIN) for entry in self._chosen)
        free = self._wish.count - len(self._chosen)
        wanted = min(free, ceil(self._wish.count / 2) - in_three)
        self._take((entry for entry in self._ranked if entry.moves == max(MOVES_TO_WIN)), wanted)
        self._take(self._ranked, self._wish.count - len(self._chosen))

    def _take(self, entries: Iterable[Entry], places: int) -> None:
        for entry in entries:
            if places <= 0:
                return
            if self._is_new(entry):
                self._choose(entry)
                places -= 1

    def _price(self, theme: str) -> float:
        return self._penalty * self._leading[theme]

    def _is_new(self, entry: Entry) -> bool:
        return self._known.refusal(Traits.of(entry.fields)) is None

    def _choose(self, entry: Entry) -> None:
        self._known.add(Traits.of(entry.fields))
        self._chosen.append(entry)
        self._leading[_leading(entry)] += 1


def _leading(entry: Entry) -> str:
    return entry.themes[0] if entry.themes else ""


def _any(_entry: Entry) -> bool:
    return True


def _quotas(count: int) -> dict[_Slot, int]:
    """Return how many puzzles of each band and length to choose; half of all, rounded up, are in three."""
    edges = [round(share * count) for share in (0, *BAND_QUANTILES, 1)]
    sizes = [end - start for start, end in pairwise(edges)]
    quotas = {_Slot(band, moves): sizes[band] for band, (moves, *more) in enumerate(LENGTHS) if not more}
    mixed = [band for band, lengths in enumerate(LENGTHS) if len(lengths) > 1]
    in_three = ceil(count / 2) - sum(size for slot, size in quotas.items() if slot.moves == 3)
    for place, band in enumerate(mixed, start=1):
        share = min(sizes[band], max(0, in_three) // (len(mixed) - place + 1))
        in_three -= share
        quotas |= {_Slot(band, 2): sizes[band] - share, _Slot(band, 3): share}
    return quotas
