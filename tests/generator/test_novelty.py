"""What makes a puzzle new: another position, another skeleton, another look, another game."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dama import Position
from dama.likeness import placement
from generator.novelty import DUPLICATE, LOOK_ALIKE, SAME_GAME, SAME_SKELETON, Known, Traits
from generator.pool import PoolError

BOARD = "W:Wa2,b2,c2,d2,Ke2:Ba7,b7,c7,d7,Ke7"
PUZZLES = Path(__file__).parents[1] / "data" / "puzzles.jsonl"


def traits(name: str, fen: str, game: str | None = None) -> Traits:
    return Traits(name, name, placement(Position.from_fen(fen)), game)


def refused(one: Traits) -> str | None:
    known = Known()
    known.add(traits("first", BOARD, "game 1"))
    known.add(traits("second", "W:Wh5:Bh7"))
    return known.refusal(one)


@pytest.mark.parametrize(
    "fen",
    [
        BOARD,
        "W:Wa2,b2,c2,d2,Ke2:Ba7,b7,c7,d7,Kh7",
        "W:Wa2,b2,c2,d2,Ke2:Ba7,b7,c7,Kd7,Ke7",
        "W:Wh2,g2,f2,e2,Kd2:Bh7,g7,f7,e7,Kh8",
        "B:Ba7,b7,c7,d7,Ke7:Wa2,b2,c2,d2,Ke2",
        "W:Wa2,b2,c2,d2:Ba7,b7,c7,d7",
        "W:Wa2,b2,c2,d2,Ke2,g2,h2:Ba7,b7,c7,d7,Ke7",
    ],
)
def test_boards_that_share_four_fifths_of_their_pieces_look_alike(fen: str) -> None:
    assert refused(traits("other", fen)) == LOOK_ALIKE


@pytest.mark.parametrize(
    "fen",
    [
        "W:Wa2,b2,c2,d2,Ke2:Ba7,b7,Kf7,Kg7,Kh7",
        "W:Wa2,b2,c2,Kd2,e2:Ba7,b7,c7,Kd7,Ke7",
        "W:Wa7,b7,c7,d7,Ke7:Ba2,b2,c2,d2,Ke2",
        "W:Wa3,b3,c3,d3,Ke3:Ba7,b7,c7,d7,Ke7",
        "W:Wa2,b2,c2:Ba7,b7,c7",
        "W:Wh2,g2,f2,e2,d2:Bh7,g7,f7,Ke7,Kh8",
    ],
)
def test_boards_that_share_less_do_not(fen: str) -> None:
    assert refused(traits("other", fen)) is None


def test_the_same_puzzle_is_a_duplicate_whatever_else() -> None:
    assert refused(traits("first", "W:Wh4:Bg7")) == DUPLICATE


def test_a_game_gives_one_puzzle_and_no_game_is_no_game() -> None:
    assert refused(traits("other", "W:Wh4:Bg7", "game 1")) == SAME_GAME
    assert refused(traits("other", "W:Wh4:Bg7", "game 2")) is None
    assert refused(traits("other", "W:Wh4:Bg7", None)) is None


def test_the_same_skeleton_is_the_same_idea() -> None:
    one = traits("other", "W:Wh4:Bg7")
    assert refused(replace(one, skeleton="first")) == SAME_SKELETON
    assert refused(replace(one, skeleton="fir")) is None


def test_what_a_file_holds_is_known(tmp_path: Path) -> None:
    records = [json.loads(line) for line in PUZZLES.read_text().splitlines()]
    half = tmp_path / "half.jsonl"
    half.write_text("".join(json.dumps(record) + "\n" for record in records[::2]))
    known = Known.read([half, half])
    assert all(known.refusal(Traits.of(record)) == DUPLICATE for record in records[::2])
    assert DUPLICATE not in {known.refusal(Traits.of(record)) for record in records[1::2]}
    assert known.refusal(Traits.of(records[0] | {"id": "another"})) == SAME_SKELETON
    assert Known.read([]).refusal(Traits.of(records[0])) is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "no JSON"),
        ("[]", "schema 2"),
        ('{"schema":1,"id":"a"}', "schema 2"),
        ('{"schema":2,"id":"a"}', "expected a record with id, rules, fen and skeleton"),
        ('{"schema":2,"id":"a","rules":"turkish","fen":"W:Wz9:Ba2","skeleton":"m-N"}', "z9"),
        ('{"schema":2,"id":"a","rules":"chess","fen":"W:Wa1:Ba2","skeleton":"m-N"}', "chess"),
        ('{"schema":2,"id":1,"rules":"turkish","fen":"W:Wa1:Ba2","skeleton":"m-N"}', "expected a record"),
        ('{"schema":2,"id":"a","rules":"italian","fen":"W:W21:B1","skeleton":""}', "board of 64 squares"),
        ('{"schema":2,"id":"a","rules":"turkish","fen":"W:Wa1:Ba2","skeleton":"","game":[]}', "game"),
        ("\xff", "no JSON"),
    ],
)
def test_a_line_that_is_no_record_is_named(line: str, told: str, tmp_path: Path) -> None:
    good = PUZZLES.read_text().splitlines()[0]
    path = tmp_path / "known.jsonl"
    path.write_bytes(f"{good}\n{line}\n".encode("latin-1"))
    with pytest.raises(PoolError, match=told) as caught:
        Known.read([path])
    assert str(caught.value).startswith(f"{path}, line 2: ")
