"""Positions from a file: every one in turn, and a bad line told by its number."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from dama import RULESETS, Color, Position
from generator.mix import DEFAULT, parse, share_of_file
from generator.sources.positions import Positions, PositionsError

FENS = ("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7", "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5", "B:Wa2,b2:Be7,Kh8")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "fens.txt"
    path.write_text(f"\ufeff# composed\n{FENS[0]}\n\n  {FENS[1]}  # the second\n{FENS[2]}\n")
    return path


def test_every_position_comes_once_before_any_comes_again(file: Path) -> None:
    stream = Positions.read(file).candidates(Random(1), RULESETS["turkish"])
    expected = {Position.from_fen(FENS[0]), Position.from_fen(FENS[1]), Position.from_fen(FENS[2]).swapped()}
    for _ in range(3):
        found = list(islice(stream, 3))
        assert {candidate.position for candidate in found} == expected
        assert {candidate.source for candidate in found} == {"file"}
        assert all(candidate.position.turn is Color.WHITE for candidate in found)
        assert all(candidate.before is None and candidate.game is None for candidate in found)


def test_the_seed_decides_on_the_order(file: Path) -> None:
    def order(seed: int) -> list[str]:
        stream = Positions.read(file).candidates(Random(seed), RULESETS["turkish"])
        return [candidate.position.fen() for candidate in islice(stream, 12)]

    assert order(1) == order(1)
    assert order(1) != order(2)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hello", "line 2: 'hello' is not a position; expected"),
        ("W:Wa2:Bi9", "line 2: 'W:Wa2:Bi9' is not a position: 'i9' is no square"),
        ("W:Wa2,a2:Bh7", "line 2: 'W:Wa2,a2:Bh7'"),
        ("W:Wa8:Bb7", "line 2: W:Wa8:Bb7: white man on its last rank: a8; expected a position that a game"),
        ("W:Wa2:B", "line 2: W:Wa2:B: black has no piece"),
        ("#" * 20_000, "line 2: too long; expected a FEN a line"),
    ],
)
def test_a_bad_line_is_told_by_its_number(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "fens.txt"
    path.write_text(f"{FENS[0]}\n{line}\n")
    with pytest.raises(PositionsError) as caught:
        Positions.read(path)
    assert str(caught.value).startswith(f"{path}, {told}")


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# W:Wa2:Bb7\n"])
def test_a_file_without_a_position_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "fens.txt"
    path.write_bytes(content)
    with pytest.raises(PositionsError, match="holds no position; expected a FEN a line"):
        Positions.read(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fens.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PositionsError, match="is no text in UTF-8"):
        Positions.read(path)


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Positions.read(tmp_path / "fens.txt")


def test_a_mix_may_name_a_file_that_was_given(file: Path) -> None:
    share = share_of_file(file)
    (only,) = parse("file=1", (*DEFAULT, share))
    assert only.source == share.source
