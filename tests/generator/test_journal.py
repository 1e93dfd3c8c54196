"""Journals: what was written is there again, a torn end is cut off, damage and other runs are told."""

from collections import Counter
from pathlib import Path

import pytest

from generator.chunk import ChunkResult
from generator.journal import JournalError, Past, RunKey, opened
from generator.record import Record

KEY = RunKey(5, "retrograde=1")
RESULTS = (
    ChunkResult(1, "retrograde", 10, (Record("ğ", 2, '{"id":"ğ","moves":2}'),), Counter({"no win": 9}), 0.25),
    ChunkResult(0, "self-play", 7, (), Counter({"same game": 3, "kings": 4}), 0.5),
)


def written(out: Path) -> Path:
    with opened(out) as journal:
        assert journal.past() is None
        journal.begin(KEY)
        for seconds, result in enumerate(RESULTS, start=1):
            journal.add(result, float(seconds))
    return journal.path


def past(out: Path) -> Past | None:
    with opened(out) as journal:
        return journal.past()


def test_what_was_written_is_there_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    path = written(out)
    assert list(tmp_path.iterdir()) == [path]
    found = past(out)
    assert found == Past(KEY, RESULTS, 2.0)
    assert [result.seconds for result in found.results] == [0.25, 0.5]


def test_a_journal_goes_on_after_what_it_holds(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    written(out)
    more = ChunkResult(2, "file", 1, (), Counter({"no win": 1}), 0.1)
    with opened(out) as journal:
        assert journal.past() is not None
        journal.add(more, 9.0)
    assert past(out) == Past(KEY, (*RESULTS, more), 9.0)


def test_another_run_begins_with_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    written(out)
    with opened(out) as journal:
        journal.begin(RunKey(6, "file=1"))
    assert past(out) == Past(RunKey(6, "file=1"))


def test_wherever_the_power_goes_whole_lines_are_kept(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    path = written(out)
    content = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(content) if byte == ord("\n")]
    for length in range(len(content)):
        path.write_bytes(content[:length])
        lines = sum(end <= length for end in ends)
        expected = Past(KEY, RESULTS[: lines - 1], float(lines - 1)) if lines else None
        assert past(out) == expected
        with opened(out) as journal:
            assert journal.past() == expected
            if expected is None:
                journal.begin(KEY)
            journal.add(RESULTS[1], 3.0)
        again = past(out)
        assert again is not None
        assert again.results == (*RESULTS[: max(0, lines - 1)], RESULTS[1])


def test_damage_before_whole_lines_is_told(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    path = written(out)
    content = path.read_bytes()
    last = content.rstrip(b"\n").rindex(b"\n") + 1
    for place in range(0, last, 7):
        damaged = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        path.write_bytes(damaged)
        with pytest.raises(JournalError, match="is damaged, or no journal"):
            past(out)
        assert path.read_bytes() == damaged


@pytest.mark.parametrize("content", ["a\nb\n", "00000000 {}\n\n", "\n\n", "a3830348 []\n"])
def test_another_file_is_told_and_left_as_it_is(content: str, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    path = tmp_path / ".out.jsonl.journal"
    path.write_text(content)
    with pytest.raises(JournalError, match="is damaged, or no journal"):
        past(out)
    assert path.read_text() == content


def test_one_run_at_a_time_has_the_journal(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with opened(out), pytest.raises(OSError, match=r"another run is writing .*out\.jsonl"), opened(out):
        pass
    with opened(out) as journal, opened(tmp_path / "other.jsonl"):
        journal.begin(KEY)
        journal.remove()
    assert [path.name for path in tmp_path.iterdir()] == [".other.jsonl.journal"]
