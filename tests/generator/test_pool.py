"""Pools are read line by line, whoever wrote the file, and what is no record is told by file and line."""

import json
from pathlib import Path

import pytest

from generator.pool import PoolError, read_pools

LINES = (Path(__file__).parents[1] / "data" / "puzzles.jsonl").read_text(encoding="utf-8").splitlines()
RECORD = json.loads(LINES[0])


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(LINES[:2]),
        "\r\n".join(LINES[:2]) + "\r\n",
        "\ufeff" + LINES[0] + "\n\ufeff" + LINES[1],
        "\n" + LINES[0] + "\n\n  \n" + LINES[1] + "\n\n",
    ],
    ids=["no line feed at the end", "carriage returns", "byte order marks", "empty lines"],
)
def test_what_editors_and_other_systems_make_of_a_file_is_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    path.write_bytes(text.encode())
    assert [entry.line for entry in read_pools([path])] == LINES[:2]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("moves", 7),
        ("difficulty", float("nan")),
        ("difficulty", 10**400),
        ("score", float("inf")),
        ("themes", [{}]),
        ("themes", ["alchemy"]),
        ("game", ["self-play 1-2-3"]),
        ("source", "\ud800"),
        ("id", "a\nb"),
        ("skeleton", "\x1b[31m"),
    ],
)
def test_a_value_that_nobody_can_count_with_order_or_show_is_told(
    field: str, value: object, tmp_path: Path
) -> None:
    path = tmp_path / "pool.jsonl"
    path.write_text(LINES[1] + "\n" + json.dumps(RECORD | {field: value}) + "\n")
    with pytest.raises(PoolError, match=f"line 2: the record has no {field} as this program writes it"):
        list(read_pools([path]))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[" * 100_000, "no JSON"),
        (LINES[0][:500], "no JSON"),
        ("x" * 2**20, "longer than 1,048,576 bytes"),
    ],
    ids=["nested", "cut off", "endless"],
)
def test_a_line_that_cannot_be_taken_apart_is_told(line: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    path.write_text(f"{LINES[0]}\n{line}")
    with pytest.raises(PoolError, match=f"line 2: {told}"):
        list(read_pools([path]))
