"""The harvest: the same whoever finishes first, without duplicates, half and half."""

from collections import Counter
from itertools import permutations

from generator.chunk import ChunkResult
from generator.harvest import DUPLICATE, ENOUGH, Harvest
from generator.record import Record


def chunk(number: int, *records: tuple[str, int]) -> ChunkResult:
    found = tuple(Record(name, moves, f"{name} from {number}") for name, moves in records)
    return ChunkResult(number, "placement", 10, found, Counter({"no win": 10 - len(found)}))


CHUNKS = (
    chunk(0, ("a", 2), ("b", 2)),
    chunk(1, ("c", 2), ("a", 2), ("d", 3)),
    chunk(2),
    chunk(3, ("d", 3), ("e", 3), ("f", 3)),
)


def harvested(chunks: tuple[ChunkResult, ...], count: int | None = None) -> tuple[list[str], Harvest]:
    lines: list[str] = []
    harvest = Harvest(lambda record: lines.append(record.line), count)
    for result in chunks:
        harvest.add(result)
    return lines, harvest


def test_the_order_of_arrival_does_not_matter() -> None:
    expected = ["a from 0", "b from 0", "c from 1", "d from 1", "e from 3", "f from 3"]
    for chunks in permutations(CHUNKS):
        lines, harvest = harvested(chunks)
        assert lines == expected
        assert harvest.candidates == {"placement": 40}
        assert harvest.accepted == {("placement", 2): 3, ("placement", 3): 3}
        assert harvest.refused == {"no win": 32, DUPLICATE: 2}


def test_half_of_a_counted_harvest_at_most_is_of_one_length() -> None:
    for chunks in permutations(CHUNKS):
        lines, harvest = harvested(chunks, 3)
        assert lines == ["a from 0", "b from 0", "d from 1"]
        assert harvest.is_full
        assert harvest.refused[ENOUGH] == 1


def test_an_even_count_is_halved_exactly() -> None:
    lines, harvest = harvested(CHUNKS, 4)
    assert lines == ["a from 0", "b from 0", "d from 1", "e from 3"]
    assert harvest.refused[ENOUGH] == 2


def test_nothing_is_kept_out_of_turn_until_the_rest_is_asked_for() -> None:
    lines, harvest = harvested((CHUNKS[3], CHUNKS[1]))
    assert lines == []
    assert harvest.candidates.total() == 0
    harvest.add_rest()
    assert lines == ["c from 1", "a from 1", "d from 1", "e from 3", "f from 3"]


def test_a_full_harvest_takes_no_more() -> None:
    lines, harvest = harvested(CHUNKS[:2], 2)
    assert lines == ["a from 0", "d from 1"]
    harvest.add(CHUNKS[3])
    harvest.add_rest()
    assert len(lines) == 2
