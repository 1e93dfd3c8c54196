"""Choosing from pools: the best of every band, half in three, themes balanced, nothing alike."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from dama import Position
from generator.cli import main
from generator.pool import Entry
from generator.selection import Wish, band_limits, band_of, select

PUZZLES = Path(__file__).parents[1] / "data" / "puzzles.jsonl"
THEMES = (("sacrifice",), ("promotion", "sacrifice"), ("sweep",), ("quiet key",), ())


def entry(number: int, moves: int, difficulty: float, **more: object) -> Entry:
    rng = Random(number)
    squares = rng.sample([f"{file}{rank}" for file in "abcdefgh" for rank in "234567"], 8)
    fen = f"W:W{','.join(squares[:4])}:B{','.join(squares[4:])}"
    fields: dict[str, object] = {"id": f"{number:016x}", "rules": "turkish", "fen": fen, "game": None}
    fields |= {"skeleton": f"m-N {number}", **more}
    return Entry(
        where=f"pool, line {number}",
        line=json.dumps(fields),
        id=str(fields["id"]),
        position=Position.from_fen(fen),
        moves=moves,
        difficulty=difficulty,
        score=float(more.get("score", rng.random())),  # type: ignore[arg-type]
        themes=more.get("themes", rng.choice(THEMES)),  # type: ignore[arg-type]
        skeleton=str(fields["skeleton"]),
        source=str(more.get("source", rng.choice(("retrograde", "retrograde", "self-play")))),
        game=None,
        fields=fields,
    )


def pool_of(size: int, **more: object) -> list[Entry]:
    """Return a pool in which longer wins are harder on the whole."""
    rng = Random(size)
    return [
        entry(number, moves, 5 * moves + 8 * rng.random(), **more)
        for number in range(size)
        for moves in [rng.choice((2, 3))]
    ]


POOL = pool_of(600)


def test_every_band_has_its_share_and_half_are_in_three() -> None:
    selection = select(POOL, Wish(100))
    limits = band_limits(each.difficulty for each in POOL)
    bands = Counter((band_of(each.difficulty, limits), each.moves) for each in selection.chosen)
    assert selection.unmet == []
    assert bands == {
        (0, 2): 15, (1, 2): 15, (2, 2): 10, (2, 3): 5, (3, 2): 10, (3, 3): 5,
        (4, 3): 15, (5, 3): 15, (6, 3): 10,
    }  # fmt: skip


@pytest.mark.parametrize("wanted", [1, 2, 3, 7, 20, 33, 101])
def test_as_many_are_chosen_as_are_asked_for(wanted: int) -> None:
    chosen = select(POOL, Wish(wanted)).chosen
    assert len({each.id for each in chosen}) == wanted
    assert sum(each.moves == 3 for each in chosen) >= wanted // 2


def test_the_order_of_the_pool_does_not_matter() -> None:
    shuffled = Random(1).sample(POOL, len(POOL))
    assert select(POOL, Wish(50, 20, 20)) == select(shuffled, Wish(50, 20, 20))
    assert select(POOL, Wish(50)) != select(POOL[1:], Wish(50))


def test_of_one_theme_the_best_are_chosen() -> None:
    pool = pool_of(400, themes=("sweep",))
    chosen = {each.id for each in select(pool, Wish(40)).chosen}
    limits = band_limits(each.difficulty for each in pool)
    for band, moves in ((0, 2), (5, 3)):
        slot = [each for each in pool if (band_of(each.difficulty, limits), each.moves) == (band, moves)]
        ranked = sorted(slot, key=lambda each: -each.score)
        assert [each.id in chosen for each in ranked] == [True] * 6 + [False] * (len(ranked) - 6)


def test_themes_that_score_less_have_their_share_too() -> None:
    pool = pool_of(300, themes=("sweep",), score=5.0)
    pool += [entry(1000 + n, each.moves, each.difficulty, themes=("promotion",), score=4.0)
             for n, each in enumerate(pool)]  # fmt: skip
    leading = Counter(each.themes[0] for each in select(pool, Wish(60)).chosen)
    assert leading["sweep"] > leading["promotion"] > 15


def test_as_many_rare_and_natural_ones_as_asked_for() -> None:
    few = [
        entry(n, 2 + n % 2, 5 * (2 + n % 2) + n % 8, themes=themes, source=source, score=-9.0)
        for n in range(2000, 2200)
        for themes, source in [((("sweep", "zugzwang"), "file"), (("sweep",), "self-play"))[n // 2 % 2]]
    ]
    pool = pool_of(400, themes=("sweep",), source="retrograde", score=1.0) + few
    without, having = select(pool, Wish(60)), select(pool, Wish(60, least_rare=12, least_natural=9))
    assert having.unmet == []
    assert sum("zugzwang" in each.themes for each in having.chosen) == 12
    assert sum(each.source == "self-play" for each in having.chosen) == 9
    assert not any(each.score < 0 for each in without.chosen)


def test_what_resembles_what_is_chosen_is_left_out() -> None:
    copies = [entry(n, each.moves, each.difficulty, skeleton=each.skeleton, score=-1.0)
              for n, each in zip(count(3000), POOL, strict=False)]  # fmt: skip
    chosen = select(POOL + copies, Wish(80)).chosen
    assert len({each.skeleton for each in chosen}) == 80
    games = pool_of(200, game="one game")
    assert len(select(games, Wish(10)).chosen) == 1


def test_what_cannot_be_met_is_told() -> None:
    in_two = pool_of(100, themes=("sweep",), source="file")
    in_two = [each for each in in_two if each.moves == 2]
    selection = select(in_two, Wish(20, least_rare=3, least_natural=2))
    assert len(selection.chosen) == 20
    assert "band 7, in 3 moves: 0 of 2" in selection.unmet
    assert "rare puzzles: 0 of 3" in selection.unmet
    assert "natural puzzles: 0 of 2" in selection.unmet
    assert select(in_two, Wish(500)).unmet[-1] == f"puzzles: {len(in_two)} of 500"
    assert select([], Wish(1)).unmet[-1] == "puzzles: 0 of 1"


def chosen_from(*arguments: str | Path) -> Iterator[object]:
    result = CliRunner().invoke(main, ["select", *map(str, arguments)])
    yield from (result.exit_code, result.stdout, result.stderr)


def test_the_command_writes_the_chosen_lines(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    code, told, errors = chosen_from(PUZZLES, PUZZLES, "--count", "6", "--out", out)
    lines = out.read_text().splitlines()
    assert len(lines) == 6
    assert set(lines) < set(PUZZLES.read_text().splitlines())
    assert "6 puzzles" in str(told)
    assert (code == 1) is ("not met: " in str(errors))


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((PUZZLES, "--out", "out"), 2, "--count"),
        ((PUZZLES, "--count", "3"), 2, "--out"),
        (("--count", "3", "--out", "out"), 2, "FILES"),
        ((PUZZLES, "--count", "0", "--out", "out"), 2, "--count"),
        ((PUZZLES, "--count", "9" * 400, "--out", "out"), 2, "--count"),
        (("/dev/null", "--count", "3", "--out", "out"), 1, "no puzzle to choose; out is left as it was"),
        ((PUZZLES, "--count", "3", "--out", "out", "--least-rare", "4"), 2, "--count is less"),
        ((PUZZLES, "--count", "3", "--out", "no/folder/out"), 2, "--out"),
        (("nowhere.jsonl", "--count", "3", "--out", "out"), 2, "nowhere.jsonl"),
        ((__file__, "--count", "3", "--out", "out"), 1, "line 1: no JSON"),
    ],
)
def test_wrong_usage_and_wrong_files_are_told(
    arguments: tuple[str | Path, ...], code: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found, _, errors = chosen_from(*arguments)
    assert found == code
    assert told in str(errors)
    assert list(tmp_path.iterdir()) == []
