"""Puzzle records: sound ones are read, and every kind of unsound one is refused with its reason."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from dama import Position
from dama.proof import Proof, ProofError
from dama.soundness import duals
from puzzle_service.domain import findings
from puzzle_service.domain.fields import RecordError
from puzzle_service.domain.findings import FEATURES
from puzzle_service.domain.record import Record, parse

Fields = dict[str, Any]


def test_sound_records_are_read(record_lines: list[str]) -> None:
    for line in record_lines:
        fields = json.loads(line)
        found = parse(line.encode())
        assert (found.id, found.fen, found.key) == (fields["id"], fields["fen"], fields["key"])
        assert found.proof.root == fields["proof"]
        assert list(found.themes) == fields["themes"]


def test_texts_are_kept_as_we_write_them_not_as_they_were_written(record_lines: list[str]) -> None:
    """However somebody spells it, what is kept fits the tables and is the same for all."""
    fields = json.loads(record_lines[0])
    expected = parse(record_lines[0])
    previous = fields["previous"]
    origin, target = previous["move"][:2], previous["move"][-2:]
    for fen, move in (
        (previous["fen"].replace(",", ", ") + ".", " " * 500 + previous["move"]),
        (previous["fen"] + " " * 500, f"{origin}{target}"),
    ):
        spelt = parse(json.dumps(fields | {"previous": {"fen": fen, "move": move}}))
        assert (spelt.previous_fen, spelt.previous_move) == (previous["fen"], previous["move"])
        assert spelt == expected


@pytest.mark.parametrize("depth", [400, 900, 990])
@pytest.mark.parametrize("field", ["id", "schema", "themes", "proof", "seed"])
def test_a_field_nested_without_end_is_refused(record_lines: list[str], field: str, depth: int) -> None:
    fields = json.loads(record_lines[0]) | {field: "@"}
    line = json.dumps(fields).replace('"@"', '{"wins": ' * depth + "[]" + "}" * depth)
    with pytest.raises((RecordError, ProofError)):
        parse(line)


def test_a_caller_may_check_more_than_a_walk(record_lines: list[str]) -> None:
    seen: list[Proof] = []
    one = parse(record_lines[0], seen.append)
    assert [proof.root for proof in seen] == [one.proof.root]

    def disagrees(proof: Proof) -> None:
        raise ProofError("the search disagrees")

    with pytest.raises(ProofError, match="the search disagrees"):
        parse(record_lines[0], disagrees)


def test_a_sound_proof_has_no_dual(records: list[Record]) -> None:
    for one in records:
        assert list(duals(one.proof)) == []


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("schema", 1, "schema: 1; expected 2"),
        ("schema", None, "schema: None; expected 2"),
        ("id", "0" * 16, "id: '0000000000000000'; expected"),
        ("id", 7, "id: 7; expected str"),
        ("rules", "chess", "unknown ruleset 'chess'"),
        ("fen", "W:Wa9:Bb1", "a9"),
        ("moves", 4, "moves: 4; expected one of 2, 3"),
        ("moves", True, "moves: True; expected int"),
        ("moves", "2", "moves: '2'; expected int"),
        ("key", "a2-a3", "key: 'a2-a3'; the proof has"),
        ("first_moves", 1, "first_moves: 1; expected"),
        ("difficulty", float("nan"), "difficulty: nan; expected at most 1000000.0 either way"),
        ("difficulty", float("-inf"), "difficulty: -inf; expected at most"),
        ("difficulty", 10**400, "difficulty: 10+…; expected at most"),
        ("difficulty", -(10**18), "difficulty: -10+; expected at most"),
        ("first_moves", 10**400, "first_moves: 10+…; expected"),
        ("moves", 10**400, "moves: 10+…; expected one of 2, 3"),
        ("seed", 10**400, "seed: '10+…; expected at most 64"),
        ("schema", "x" * 1000, "schema: 'x{59}…; expected 2"),
        ("themes", ["sacrifice"] * 17, "themes: 17 of them; expected at most 16"),
        ("themes", ["sacrifice", "sacrifice"], "themes: sacrifice, sacrifice; expected each at most once"),
        ("themes", ["zugzwangs"], "themes: 'zugzwangs'; expected any of 180° trap, blockade"),
        ("score", float("nan"), "score: nan; expected at most"),
        ("score", None, "score: None; expected int or float"),
        ("features", {}, "features: 'first_moves' is missing or unknown; expected nodes, in_three"),
        ("features", dict.fromkeys((*FEATURES, "charm"), 1), "features: 'charm' is missing or unknown"),
        ("features", dict.fromkeys(FEATURES, True), "features: nodes: True; expected int or float"),
        ("features", dict.fromkeys(FEATURES, float("inf")), "features: nodes: inf; expected at most"),
        ("checks", [], "checks: .*; expected dict"),
        ("checks", {"economy": {}}, "checks: economy: {}; expected int or float"),
        ("checks", {"economy": [1]}, "checks: economy: .1.; expected int or float"),
        ("checks", {"economy": "x" * 201}, "checks: economy: 'x+…; expected at most 200"),
        ("checks", {"x" * 65: 1}, "checks: 'x+…; expected at most 64"),
        ("checks", {str(one): one for one in range(65)}, "checks: 65 of them; expected at most 64"),
        ("skeleton", "m-E\n", "skeleton: .*; expected at most 200 printable characters"),
        ("game", 7, "game: 7; expected str or null"),
        ("game", "x" * 201, "game: 'x+…; expected at most 200"),
        ("source", "\ud800", "source: .* printable"),
        ("key", "\udcff", "key: .*; the proof has"),
        ("difficulty", "hard", "difficulty: 'hard'; expected int or float"),
        ("themes", [1], "themes: 1; expected at most 64 printable characters"),
        ("themes", "sacrifice", "themes: 'sacrifice'; expected list"),
        ("source", "x" * 65, "source: 'x+…; expected at most 64"),
        ("generator", "a\u0000b", "generator: .* printable"),
        ("proof", [], "expected dict"),
        ("previous", {}, "previous: expected fen and move"),
        ("previous", {"fen": "W:Wa2:Bb7", "move": "a2-a3"}, "previous: a2-a3 in W:Wa2:Bb7 leads to"),
    ],
)
def test_a_wrong_field_is_refused(record_lines: list[str], field: str, value: object, reason: str) -> None:
    fields = json.loads(record_lines[0]) | {field: value}
    with pytest.raises(RecordError, match=reason):
        parse(json.dumps(fields))


def test_a_puzzle_of_the_diagonal_board_is_refused(record_lines: list[str]) -> None:
    fields = json.loads(record_lines[0]) | {
        "rules": "italian",
        "fen": "B:W17:B5",
        "previous": {"fen": "W:W21:B5", "move": "21-17"},
    }
    with pytest.raises(RecordError, match="rules: 'italian'; expected rules for the board of 64 squares"):
        parse(json.dumps(fields))


def test_what_was_found_out_is_read_as_it_was_written(record_lines: list[str]) -> None:
    for line in record_lines:
        fields = json.loads(line)
        found = parse(line)
        assert found.score == fields["score"]
        names = ("features", "tries", "checks", "skeleton", "game")
        assert found.findings.json() == {name: fields[name] for name in names}
        assert findings.from_json(found.findings.json()) == found.findings


@pytest.mark.parametrize("name", ["features", "score", "tries", "checks", "skeleton", "game"])
def test_a_record_without_one_of_its_fields_is_refused(record_lines: list[str], name: str) -> None:
    fields = json.loads(record_lines[0])
    del fields[name]
    with pytest.raises(RecordError, match=f"^{name} is missing$"):
        parse(json.dumps(fields))


def test_a_try_is_a_refuted_first_move_with_a_legal_line(record_lines: list[str]) -> None:
    fields = json.loads(record_lines[0])
    move, line = next((move, line) for move, line in fields["proof"]["refuted"].items() if line)
    assert parse(json.dumps(fields | {"tries": {move: line[:1]}})).findings.tries == {move: (line[0],)}
    for tries, reason in (
        ({fields["key"]: line}, f"tries: '{fields['key']}'; expected a first move that the proof refutes"),
        ({"a1-a2": line}, "tries: 'a1-a2'; expected a first move that the proof refutes"),
        ({move: []}, f"tries: '{move}': .*; expected 1 to 3 moves"),
        ({move: [line[0]] * 4}, f"tries: '{move}': .*; expected 1 to 3 moves"),
        ({move: line[0]}, f"tries: '{move}': .*; expected 1 to 3 moves"),
        ({move: [move]}, f"tries: {move}: '{move}'; expected a legal move in B:"),
        ({move: [7]}, f"tries: {move}: 7; expected a legal move in B:"),
        ({move: [" " + line[0]]}, f"tries: {move}: .*; expected a legal move in B:"),
        ({move: [line[0], line[0]]}, f"tries: {move}: '{line[0]}'; expected a legal move in W:"),
    ):
        with pytest.raises(RecordError, match=reason):
            parse(json.dumps(fields | {"tries": tries}))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "expected a JSON object"),
        (b"\xff{}", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("{}", "schema: None"),
    ],
    ids=["broken", "a list", "not UTF-8", "nested without end", "empty"],
)
def test_a_line_that_is_no_record_is_refused(line: str | bytes, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        parse(line)


def _first_defence_dropped(fields: Fields) -> None:
    defences = fields["proof"]["wins"][fields["key"]]
    del defences[next(iter(defences))]


def _false_end(fields: Fields) -> None:
    fields["proof"]["wins"][fields["key"]] = {}


def _one_move_more(fields: Fields) -> None:
    fields["moves"] = 3


def _wrong_key(fields: Fields) -> None:
    wins, refuted = fields["proof"]["wins"], fields["proof"]["refuted"]
    other = next(iter(refuted))
    wins[other], refuted[fields["key"]] = wins.pop(fields["key"]), refuted.pop(other)
    fields["key"] = other


def _illegal_move(fields: Fields) -> None:
    fields["proof"]["slow"].append("a1-h8")


def _move_judged_twice(fields: Fields) -> None:
    fields["proof"]["slow"].append(fields["key"])


def _spaces_in_the_fen(fields: Fields) -> None:
    fields["fen"] = fields["fen"].replace(",", ", ")


@pytest.mark.parametrize(
    "fault",
    [
        _first_defence_dropped,
        _false_end,
        _one_move_more,
        _wrong_key,
        _illegal_move,
        _move_judged_twice,
        _spaces_in_the_fen,
    ],
)
def test_a_fault_in_a_record_is_caught(record_lines: list[str], fault: Callable[[Fields], None]) -> None:
    fields = json.loads(record_lines[0])
    fault(fields)
    with pytest.raises((RecordError, ProofError)):
        parse(json.dumps(fields))


def test_two_keys_make_no_puzzle() -> None:
    from dama.prove import prove

    proof = prove(Position.from_fen("W:WKa2,Kc4:Bd7"), 3)
    assert proof is not None
    assert len(proof.keys) > 1
    assert list(duals(proof))
