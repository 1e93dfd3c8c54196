"""Records: one line of JSON that says all there is to say of a puzzle."""

import json

import pytest

from dama import Position
from dama.proof import Proof
from dama.symmetry import puzzle_id
from generator.difficulty import WEIGHTS, difficulty
from generator.examination import Puzzle, examine
from generator.record import GENERATOR, SCHEMA, write_record
from generator.sources import Candidate
from tests.generator.wins import IN_THREE, IN_TWO, KING_HUNT, ZUGZWANG


def found(fen: str, game: int | None = None) -> Puzzle:
    puzzle = examine(Candidate(Position.from_fen(fen), "by hand", None, game))
    assert isinstance(puzzle, Puzzle)
    return puzzle


@pytest.mark.parametrize("fen", [IN_TWO, IN_THREE, KING_HUNT, ZUGZWANG])
def test_a_record_says_what_has_been_found_out(fen: str) -> None:
    puzzle = found(fen)
    record = write_record(puzzle, 42, 7)
    fields = json.loads(record.line)
    position = Position.from_fen(fen)
    assert list(fields) == [
        "schema", "id", "rules", "fen", "previous", "moves", "key", "proof", "first_moves", "difficulty",
        "features", "score", "themes", "tries", "checks", "skeleton", "source", "game", "generator", "seed",
    ]  # fmt: skip
    assert (fields["schema"], fields["rules"], fields["fen"]) == (SCHEMA, "turkish", position.fen())
    assert (fields["source"], fields["game"], fields["generator"], fields["seed"]) == (
        "by hand", None, GENERATOR, 42,
    )  # fmt: skip
    assert (
        (record.id, record.moves)
        == (fields["id"], fields["moves"])
        == (puzzle_id(position), puzzle.proof.moves)
    )
    assert fields["first_moves"] == len(position.legal_moves) == fields["checks"]["first moves"]
    assert Position.from_fen(fields["previous"]["fen"]).play(fields["previous"]["move"]) == position
    assert Proof.from_json(position, fields["moves"], fields["proof"]) == puzzle.proof
    assert fields["key"] == puzzle.proof.key
    assert fields["themes"] == list(puzzle.themes)
    assert fields["tries"] == puzzle.tries
    assert fields["score"] == puzzle.score
    assert fields["checks"] == {check.name: check.value for check in puzzle.checks}


def test_the_difficulty_follows_from_the_features_that_are_written_down() -> None:
    fields = json.loads(write_record(found(IN_THREE), 1, 1).line)
    assert set(fields["features"]) == set(WEIGHTS)
    assert difficulty(fields["features"]) == fields["difficulty"]


def test_games_of_other_chunks_and_runs_have_other_names() -> None:
    puzzle = found(IN_TWO, 3)
    names = {
        json.loads(write_record(puzzle, seed, chunk).line)["game"]
        for seed, chunk in ((1, 2), (1, 3), (2, 2), (12, 2))
    }
    assert len(names) == 4
    assert all(isinstance(name, str) and name.endswith("-3") for name in names)


def test_a_line_is_compact_and_one() -> None:
    line = write_record(found(IN_TWO), 1, 1).line
    assert "\n" not in line
    assert line == json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=False)
