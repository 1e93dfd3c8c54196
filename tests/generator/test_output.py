"""The output file takes its place whole or not at all."""

from pathlib import Path

import pytest

from generator.output import replacing


def test_it_takes_the_place_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old\n")
    with replacing(path) as file:
        file.write("ğ")
        assert path.read_text() == "old\n"
    assert path.read_bytes() == "ğ\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_an_exception_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old\n")

    def fail() -> None:
        with replacing(path) as file:
            file.write("new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_run_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old\n")
    with replacing(path):
        pass
    assert path.read_text() == "old\n"


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_text("old\n")
    link.symlink_to(target)
    with replacing(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert target.read_text() == "new\n"
