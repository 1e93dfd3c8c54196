"""Chunks: examined candidate by candidate, each refusal by its name."""

import json
from functools import partial

import pytest

from dama import Move, Position, kernel
from dama.kernel import Soundness
from dama.proof import Proof
from dama.prove import prove
from generator import chunk, quality
from generator.chunk import MIX, examine, search_chunk
from generator.gate import DisagreementError
from generator.predecessors import predecessor
from generator.record import Record
from generator.sources import Candidate
from generator.themes import has_locked_ending

PUZZLES = (
    "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7",
    "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5",
    "W:WKa2,Ka8,Kc8:BKc1,Kd3",
    "W:Wb2,c2,h2,e3,Kf3,g4:Ba3",
)


def examined(fen: str) -> Record | str:
    return examine(Candidate(Position.from_fen(fen), "by hand"), 42)


@pytest.mark.parametrize("fen", PUZZLES)
def test_a_puzzle_becomes_a_record(fen: str) -> None:
    record = examined(fen)
    assert isinstance(record, Record)
    fields = json.loads(record.line)
    position = Position.from_fen(fen)
    assert list(fields) == [
        "schema", "id", "rules", "fen", "previous", "moves", "key", "proof", "first_moves",
        "difficulty", "themes", "source", "generator", "seed",
    ]  # fmt: skip
    assert (fields["schema"], fields["rules"], fields["fen"]) == (1, "turkish", position.fen())
    assert (fields["source"], fields["seed"]) == ("by hand", 42)
    assert (fields["id"], fields["moves"]) == (record.id, record.moves)
    assert fields["first_moves"] == len(position.legal_moves)
    assert Position.from_fen(fields["previous"]["fen"]).play(fields["previous"]["move"]) == position
    proof = Proof.from_json(position, fields["moves"], fields["proof"])
    proof.walk()
    proof.search_again()
    assert fields["key"] == proof.key


@pytest.mark.parametrize(
    ("fen", "name"),
    [
        ("W:Wb2,c2,e2:Bb7,d7,f7", "no win"),
        ("W:Wa2,b3,c3:Bb4,c5", "win in one"),
        ("W:WKa1,Kc5:BKa4,e6,f6", "capture"),
        ("W:Wd3,f3,b4:Bd4,f6,h7,e7", "no win"),
        ("W:WKa1,Kb4,Ke7,Kb8:BKc6", "kings"),
        ("W:WKg1,h2,h3,b4,b6,d6,d7,f7:BKa2,b3,e3,e5,h5,Kc6,a7", "size"),
        ("W:WKa1,a2:Be3,a4,h6", "first moves"),
        ("W:WKb1,Kg3:Be2,h3,e4", "one key"),
        ("W:Wf4,Kg7,h7,Kf8:BKd1", "one way"),
        ("W:WKa3,Kg7:Be2,h4,c6", "one way"),
        ("W:Wd2,f4,b6,c7:Bb3,e3,a6", "last move"),
        ("W:WKb1,Ka8:Bf2,Kh6,g7", "one against one"),
        ("W:WKh1,a3,a4,Kh5,Kg8:BKc3", "one against one"),
        ("W:Wa5,Kf6,Kg8:BKg1,e4", "fight"),
        ("W:WKb6,Ka8:Be2,Kd5,f5", "exclusive"),
        ("W:WKd5,d6,f6:BKf3,Ka6,c7", "no move before"),
    ],
)
def test_what_is_no_puzzle_is_refused_by_name(fen: str, name: str) -> None:
    assert examined(fen) == name


@pytest.mark.parametrize("fen", PUZZLES)
def test_a_locked_ending_is_told_without_the_proof(fen: str) -> None:
    record = examined(fen)
    assert isinstance(record, Record)
    position = Position.from_fen(fen)
    proof = Proof.from_json(position, record.moves, json.loads(record.line)["proof"])
    assert chunk._locks_in(position, record.moves) is has_locked_ending(proof)


def test_a_chunk_depends_on_seed_and_number_alone() -> None:
    number = next(place for place, (source, _) in enumerate(MIX) if source.name == "random placement")
    first, again, other = search_chunk(7, number), search_chunk(7, number), search_chunk(8, number)
    assert first == again
    assert first != other
    assert first.candidates == len(first.found) + first.refused.total()
    assert first.source == "random placement"


def test_a_game_gives_one_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_fen(PUZZLES[1])
    before = predecessor(position)
    games = (1, 1, None, 2, 1, 2)

    class Fixed:
        name = "fixed"

        def candidates(self, *_: object) -> list[Candidate]:
            return [Candidate(position, "fixed", before, game) for game in games]

    monkeypatch.setattr(chunk, "MIX", ((Fixed(), len(games)),))
    result = search_chunk(1, 0)
    assert len(result.found) == 3
    assert result.refused == {"same game": 3}


def test_a_win_that_the_kernel_makes_up_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_fen("W:Wb2,c2,e2,g2,h3,Kc8:Bb7,d7,f7,g5,h7")
    monkeypatch.setattr(kernel, "wins_in", lambda _position, _limit: 2)
    monkeypatch.setattr(kernel, "soundness", lambda _position, _moves: Soundness.SOUND)
    with pytest.raises(DisagreementError, match="its proof no win") as caught:
        examine(Candidate(position, "by hand"), 42)
    assert caught.value.fen == position.fen()


def test_a_win_that_the_kernel_makes_quicker_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    def a_move_too_few(position: Position, limit: int) -> dict[Move, int]:
        return {move: max(1, needed - 1) for move, needed in kernel.distances(position, limit).items()}

    monkeypatch.setattr(kernel, "wins_in", lambda _position, _limit: 2)
    monkeypatch.setattr(kernel, "soundness", lambda _position, _moves: Soundness.SOUND)
    monkeypatch.setattr(quality, "FEWEST_FIRST_MOVES", {2: 10})
    monkeypatch.setattr(chunk, "prove", partial(prove, distances=a_move_too_few))
    with pytest.raises(DisagreementError) as caught:
        examined(PUZZLES[1])
    assert caught.value.fen == Position.from_fen(PUZZLES[1]).fen()
