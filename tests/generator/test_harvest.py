"""The harvest: the same whoever finishes first, nothing twice, half and half."""

import json
from collections import Counter
from itertools import permutations

from generator.chunk import ChunkResult
from generator.harvest import ENOUGH, Harvest
from generator.novelty import DUPLICATE, SAME_SKELETON, Known
from generator.record import Record

FENS = {
    "a": "W:Wa2,b2:Ba7,b7",
    "b": "W:Wc2,d2:Bc7,d7",
    "c": "W:We4,g2:Be6,h7",
    "d": "W:Wa3,c3:Ba5,c5",
    "e": "W:Wb3,d3:Bb6,d6",
    "f": "W:Wa4,e4:Ba6,e7",
}


def record(name: str, number: int, moves: int) -> Record:
    fields = {"id": name, "rules": "turkish", "fen": FENS[name], "skeleton": name, "game": None}
    return Record(name, moves, json.dumps(fields | {"from": f"{name} from {number}"}))


def chunk(number: int, *found: tuple[str, int]) -> ChunkResult:
    records = tuple(record(name, number, moves) for name, moves in found)
    return ChunkResult(number, "placement", 10, records, Counter({"no win": 10 - len(found)}), 0.5)


CHUNKS = (
    chunk(0, ("a", 2), ("b", 2)),
    chunk(1, ("c", 2), ("a", 2), ("d", 3)),
    chunk(2),
    chunk(3, ("d", 3), ("e", 3), ("f", 3)),
)


def harvested(
    chunks: tuple[ChunkResult, ...], count: int | None = None, known: Known | None = None
) -> tuple[list[str], Harvest]:
    kept: list[str] = []
    harvest = Harvest(lambda record: kept.append(json.loads(record.line)["from"]), known or Known(), count)
    for result in chunks:
        harvest.add(result)
    return kept, harvest


def test_the_order_of_arrival_does_not_matter() -> None:
    expected = ["a from 0", "b from 0", "c from 1", "d from 1", "e from 3", "f from 3"]
    for chunks in permutations(CHUNKS):
        kept, harvest = harvested(chunks)
        assert kept == expected
        assert harvest.candidates == {"placement": 40}
        assert harvest.seconds == {"placement": 2.0}
        assert harvest.accepted == {("placement", 2): 3, ("placement", 3): 3}
        assert harvest.refused == {"no win": 32, DUPLICATE: 2}


def test_what_was_known_before_is_refused() -> None:
    known = Known()
    harvested(CHUNKS[:1], known=known)
    kept, harvest = harvested(CHUNKS, known=known)
    assert kept == ["c from 1", "d from 1", "e from 3", "f from 3"]
    assert harvest.refused[DUPLICATE] == 4


def test_what_a_full_length_turns_away_is_not_known() -> None:
    same_skeleton = record("e", 1, 3)
    same_skeleton = Record("e", 3, same_skeleton.line.replace('"skeleton": "e"', '"skeleton": "c"'))
    late = ChunkResult(1, "placement", 10, (record("c", 1, 2), same_skeleton), Counter(), 0.5)
    kept, harvest = harvested((chunk(0, ("a", 2), ("b", 2)), late), 4)
    assert kept == ["a from 0", "b from 0", "e from 1"]
    kept, harvest = harvested((chunk(0, ("a", 2)), late), 4)
    assert kept == ["a from 0", "c from 1"]
    assert harvest.refused == {"no win": 9, SAME_SKELETON: 1}


def test_half_of_a_counted_harvest_at_most_is_of_one_length() -> None:
    for chunks in permutations(CHUNKS):
        kept, harvest = harvested(chunks, 3)
        assert kept == ["a from 0", "b from 0", "d from 1"]
        assert harvest.is_full
        assert harvest.refused[ENOUGH] == 1


def test_an_even_count_is_halved_exactly() -> None:
    kept, harvest = harvested(CHUNKS, 4)
    assert kept == ["a from 0", "b from 0", "d from 1", "e from 3"]
    assert harvest.refused[ENOUGH] == 2


def test_nothing_is_kept_out_of_turn_until_the_rest_is_asked_for() -> None:
    kept, harvest = harvested((CHUNKS[3], CHUNKS[1]))
    assert kept == []
    assert harvest.candidates.total() == 0
    harvest.add_rest()
    assert kept == ["c from 1", "a from 1", "d from 1", "e from 3", "f from 3"]


def test_a_full_harvest_takes_no_more() -> None:
    kept, harvest = harvested(CHUNKS[:2], 2)
    assert kept == ["a from 0", "d from 1"]
    harvest.add(CHUNKS[3])
    harvest.add_rest()
    assert len(kept) == 2
