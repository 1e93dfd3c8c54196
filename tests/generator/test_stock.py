"""The packaged stock: all of it is proved and nothing twice; a sample is found out again by both rules."""

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from dama import Color
from dama.prove import prove
from generator.novelty import Known, Traits
from generator.pool import Entry, read_pools
from generator.themes import RARE
from generator.verify import inject_faults, verify

STOCK = Path(str(files("puzzle_service") / "stock" / "stock.jsonl"))
ENTRIES: list[Entry] = list(read_pools([STOCK]))
FEW_MOVES = 12
"""First moves; of more some take the plain rules half a minute."""
SAMPLE: list[Entry] = Random(2026).sample(
    [entry for entry in ENTRIES if entry.fields["first_moves"] <= FEW_MOVES], 100
)
"""All that a record says is found out again for so many, twice; dama-generate verify does it for all."""
SLICES = 8
"""Parts of the work, so that several test processes share it."""
LEAST = 1000
LEAST_RARE = 150
LEAST_NATURAL = 150
LONGEST_LINE = 20_000


def test_there_is_enough_of_everything() -> None:
    assert len(ENTRIES) >= LEAST
    lengths = Counter(entry.fields["moves"] for entry in ENTRIES)
    assert set(lengths) == {2, 3}
    assert 2 * lengths[3] >= len(ENTRIES)
    assert {entry.fields["rules"] for entry in ENTRIES} == {"turkish"}
    sources = Counter(entry.source for entry in ENTRIES)
    assert sources["self-play"] >= LEAST_NATURAL
    assert len(sources) >= 5
    assert sum(not RARE.isdisjoint(entry.themes) for entry in ENTRIES) >= LEAST_RARE


def test_each_is_new_to_those_before_it() -> None:
    known = Known()
    for entry in ENTRIES:
        traits = Traits.of(entry.fields)
        assert known.refusal(traits) is None, entry.where
        known.add(traits)


def test_lines_are_compact() -> None:
    for line, entry in zip(STOCK.read_text(encoding="utf-8").splitlines(), ENTRIES, strict=True):
        assert json.dumps(entry.fields, separators=(",", ":"), ensure_ascii=False) == line
        assert len(line) < LONGEST_LINE


@pytest.mark.parametrize("part", range(SLICES))
def test_every_puzzle_is_proved_and_white_to_move(part: int) -> None:
    for entry in ENTRIES[part::SLICES]:
        assert entry.position.turn is Color.WHITE
        proved = prove(entry.position, entry.fields["moves"])
        assert proved is not None
        assert proved.same_tree(entry.proof()), entry.where


@pytest.mark.parametrize("part", range(SLICES))
def test_a_sample_passes_every_filter_and_is_what_its_records_say_by_both_rules(part: int) -> None:
    for entry in SAMPLE[part::SLICES]:
        verify(entry)


@pytest.mark.parametrize("part", range(SLICES))
def test_a_fault_in_any_proof_of_the_sample_is_seen(part: int) -> None:
    for entry in SAMPLE[part::SLICES]:
        assert inject_faults(entry) > 0
