"""Reports: what is in a pool, by source, band, theme and size, and near duplicates; as text and as a page."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.pool import read_pools
from generator.report import DAYS, Report

PUZZLES = Path(__file__).parents[1] / "data" / "puzzles.jsonl"
RECORDS = [json.loads(line) for line in PUZZLES.read_text(encoding="utf-8").splitlines()]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


def report(alike: float = 0.75) -> Report:
    return Report.of(read_pools([PUZZLES]), alike)


def test_every_puzzle_is_counted_once_by_source_band_and_size() -> None:
    found = report()
    for counts in (found.sources, found.bands, found.pieces):
        assert sum(map(sum, counts.values())) == len(RECORDS) == len(found.entries)
    assert found.totals == tuple(sum(record["moves"] == n for record in RECORDS) for n in (2, 3))
    sources = Counter((record["source"], record["moves"]) for record in RECORDS)
    assert found.sources == {name: (sources[name, 2], sources[name, 3]) for name, _ in sources}


def test_every_theme_is_counted() -> None:
    themes = Counter(theme for record in RECORDS for theme in record["themes"])
    assert {name: sum(counts) for name, counts in report().themes.items()} == themes


def test_pairs_that_look_alike_are_named_in_mirrors_too(tmp_path: Path) -> None:
    shifted = [record | {"id": record["id"][::-1]} for record in RECORDS[:2]]
    shifted[1]["fen"] = (
        shifted[1]["fen"]
        .translate(str.maketrans("abcdefgh", "hgfedcba"))
        .replace(shifted[1]["fen"][0], "W", 1)
    )
    path = tmp_path / "like.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in shifted))
    found = Report.of(read_pools([PUZZLES, path]), 0.99)
    assert [pair.likeness for pair in found.pairs] == [1.0, 1.0]
    assert {frozenset((pair.one.id, pair.other.id)) for pair in found.pairs} == {
        frozenset((record["id"], record["id"][::-1])) for record in RECORDS[:2]
    }
    assert report(0.99).pairs == ()
    assert len(report(0.5).pairs) >= len(report(0.6).pairs)


def test_the_text_has_a_line_for_everything() -> None:
    result = run(PUZZLES)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{len(RECORDS)} puzzles")
    for word in (*DAYS, *(record["source"] for record in RECORDS), "180° trap", "zugzwang", "pieces"):
        assert word in result.stdout


def test_the_page_stands_alone_and_is_the_same_every_time(tmp_path: Path) -> None:
    pages = [tmp_path / name for name in ("one.html", "two.html")]
    for path in pages:
        assert run(PUZZLES, "--html", path, "--alike", "0.5").exit_code == 0
    page = pages[0].read_text(encoding="utf-8")
    assert page == pages[1].read_text(encoding="utf-8")
    assert page.count('class="diagram"') >= len(RECORDS)
    assert page.count('aria-label="W:W') >= len(RECORDS)
    for record in RECORDS:
        assert record["id"] in page
    assert not re.search(r'(src|href)="(?!#)', page.replace('xlink:href="#', 'href="#'))
    assert "#010203" not in page
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_a_name_with_a_dollar_sign_is_no_formula(tmp_path: Path) -> None:
    pool, page = tmp_path / "pool.jsonl", tmp_path / "page.html"
    pool.write_text(json.dumps(RECORDS[0] | {"source": r"$\x{$"}))
    assert run(pool, "--html", page).exit_code == 0
    assert r"$\x{$</text>" in page.read_text(encoding="utf-8")


def test_a_pool_without_a_puzzle_has_a_report_too(tmp_path: Path) -> None:
    empty, page = tmp_path / "empty.jsonl", tmp_path / "empty.html"
    empty.write_text("")
    result = run(empty, "--html", page)
    assert result.exit_code == 0
    assert "0 puzzles" in result.stdout
    assert "There is no puzzle." in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((), 2, "FILES"),
        (("nowhere.jsonl",), 2, "nowhere.jsonl"),
        ((PUZZLES, "--alike", "0.1"), 2, "--alike"),
        ((PUZZLES, "--html", "no/folder/page.html"), 2, "--html"),
        ((__file__,), 1, "line 1: no JSON"),
    ],
)
def test_wrong_usage_and_wrong_files_are_told(
    arguments: tuple[str | Path, ...], code: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == code
    assert told in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("score", None),
        ("themes", "sweep"),
        ("skeleton", 5),
        ("fen", "W:Wz9:B"),
        ("difficulty", "hard"),
        ("proof", []),
    ],
)
def test_a_record_with_a_wrong_field_is_told(field: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps(RECORDS[0]) + "\n" + json.dumps(RECORDS[1] | {field: value}) + "\n")
    result = run(path)
    assert result.exit_code == 1
    assert f"{path}, line 2: " in result.stderr
    assert field in result.stderr or str(value) in result.stderr or "z9" in result.stderr
