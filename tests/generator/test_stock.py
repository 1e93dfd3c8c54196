"""The packaged stock: every puzzle of it passes the gate and every predicate by both implementations."""

import json
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from dama import Color, Position
from dama.proof import Proof
from dama.prove import prove
from dama.symmetry import puzzle_id
from generator import gate
from generator.difficulty import difficulty
from generator.quality import LENGTH_FILTERS, POSITION_FILTERS, PROOF_FILTERS, refusal
from generator.themes import themes_of

LINES = (files("puzzle_service") / "stock" / "stock.jsonl").read_text(encoding="utf-8").splitlines()
RECORDS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
SLICES = 8
"""Parts of the stock, so that several test processes share the work."""
SEARCHED_WHOLE = 10
"""Of so many puzzles one has all that its proof says of any move searched again: a second each."""


def proof_of(record: dict[str, Any]) -> Proof:
    position = Position.from_fen(record["fen"], record["rules"])
    return Proof.from_json(position, record["moves"], record["proof"])


def test_there_is_enough_of_everything() -> None:
    assert len(RECORDS) >= 200
    lengths = Counter(record["moves"] for record in RECORDS)
    assert set(lengths) == {2, 3}
    assert 2 * lengths[3] >= len(RECORDS)
    assert {record["rules"] for record in RECORDS} == {"turkish"}
    assert len({record["source"] for record in RECORDS}) == 3
    themes = Counter(theme for record in RECORDS for theme in record["themes"])
    assert min(themes[theme] for theme in ("sacrifice", "multi-capture", "promotion", "king hunt")) >= 5
    for moves in lengths:
        grades = sorted(record["difficulty"] for record in RECORDS if record["moves"] == moves)
        assert grades[-1] - grades[0] > 3


def test_no_two_are_the_same_up_to_mirror_and_colours() -> None:
    forms = [
        form.fen()
        for record in RECORDS
        for position in [Position.from_fen(record["fen"])]
        for form in {position, position.mirrored(), position.swapped(), position.mirrored().swapped()}
    ]
    assert len(forms) == len(set(forms))
    assert len({record["id"] for record in RECORDS}) == len(RECORDS)


def test_lines_are_compact() -> None:
    for line, record in zip(LINES, RECORDS, strict=True):
        assert json.dumps(record, separators=(",", ":"), ensure_ascii=False) == line
        assert len(line) < 16_000


@pytest.mark.parametrize("part", range(SLICES))
def test_every_puzzle_passes_the_gate(part: int) -> None:
    for record in RECORDS[part::SLICES]:
        proof = proof_of(record)
        gate.check(proof)
        proved = prove(proof.position, proof.moves)
        assert proved is not None
        assert proved.same_tree(proof)


@pytest.mark.parametrize("part", range(SLICES))
def test_every_puzzle_passes_every_predicate(part: int) -> None:
    for record in RECORDS[part::SLICES]:
        proof = proof_of(record)
        assert proof.position.turn is Color.WHITE
        assert refusal(POSITION_FILTERS, proof.position) is None
        assert refusal(LENGTH_FILTERS, proof.position, proof.moves) is None
        assert refusal(PROOF_FILTERS, proof) is None


@pytest.mark.parametrize("part", range(SLICES))
def test_every_record_says_what_is_so(part: int) -> None:
    for record in RECORDS[part::SLICES]:
        proof = proof_of(record)
        assert record["id"] == puzzle_id(proof.position)
        assert record["key"] == proof.key
        assert record["first_moves"] == len(proof.position.legal_moves)
        assert record["difficulty"] == difficulty(proof.position, proof.moves)
        assert record["themes"] == list(themes_of(proof))
        before = Position.from_fen(record["previous"]["fen"])
        assert before.status() == []
        assert before.outcome() is None
        assert before.play(record["previous"]["move"]) == proof.position


@pytest.mark.parametrize("part", range(SLICES))
def test_one_in_ten_is_searched_as_a_whole(part: int) -> None:
    for record in RECORDS[part * SEARCHED_WHOLE :: SLICES * SEARCHED_WHOLE]:
        proof_of(record).search_again()
