"""Several workers, workers that are killed, runs that are cut short: the file is that of one worker alone."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.journal import RunKey, opened
from tests.generator.runs import PATIENCE, run_here, started

MIX = "random placement=2, self-play=1"
RUN = ("--count", "8", "--seed", "3", "--mix", MIX)
ENDLESS = (*RUN, "--count", "100000")
"""More than there is time for: what is to be cut short must not end before. The journal does not mind."""


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a run by one worker that nothing happens to."""
    out = tmp_path_factory.mktemp("whole") / "out.jsonl"
    run = run_here("--out", out, *RUN)
    assert run.exit_code == 0, run.stderr
    assert list(out.parent.iterdir()) == [out]
    return out.read_bytes()


def chunks_in(out: Path) -> int:
    journal = out.with_name(f".{out.name}.journal")
    return max(0, journal.read_bytes().count(b"\n") - 1) if journal.exists() else 0


def wait_for_chunks(process: subprocess.Popen[str], out: Path, chunks: int) -> None:
    """Wait until so many chunks are in, and there is a puzzle among what is kept."""
    deadline = time.monotonic() + PATIENCE
    while chunks_in(out) < chunks or not any(
        part.stat().st_size for part in out.parent.glob(f".{out.name}.*.part")
    ):
        assert time.monotonic() < deadline, "nothing comes in"
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.02)


def workers_of(process: subprocess.Popen[str]) -> Iterator[int]:
    for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            yield int(child)


def test_the_same_file_for_any_number_of_jobs(tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.jsonl"
    process = started("--out", out, *RUN, "--jobs", "2")
    told, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert out.read_bytes() == expected
    assert list(tmp_path.iterdir()) == [out]
    for word in ("seed 3", "8 puzzles", "random placement", "no win", "candidates", "a minute", "100%"):
        assert word in errors
    assert "Traceback" not in errors
    assert told == ""
    records = [json.loads(line) for line in expected.splitlines()]
    assert sorted(record["moves"] for record in records) == [2] * 4 + [3] * 4
    assert len({record["id"] for record in records}) == 8
    other = tmp_path / "other.jsonl"
    assert run_here("--out", other, *RUN, "--seed", "4", "--count", "1").exit_code == 0
    assert not set(other.read_bytes().splitlines()) & set(expected.splitlines())


def test_a_killed_worker_loses_nothing_and_changes_nothing(tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.jsonl"
    process = started("--out", out, *RUN, "--jobs", "2")
    wait_for_chunks(process, out, 1)
    os.kill(next(workers_of(process)), signal.SIGKILL)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert out.read_bytes() == expected
    assert list(tmp_path.iterdir()) == [out]


def test_a_run_that_is_cut_short_keeps_what_it_found_and_goes_on(tmp_path: Path, expected: bytes) -> None:
    """First as a terminal does it: every process of the group gets the signal."""
    out = tmp_path / "out.jsonl"
    out.write_text("from an earlier run\n")
    for number, jobs in ((signal.SIGINT, "2"), (signal.SIGTERM, "1")):
        before, chunks = out.read_text(), chunks_in(out)
        process = started("--out", out, *ENDLESS, "--jobs", jobs, "--resume")
        wait_for_chunks(process, out, chunks + 1)
        assert out.read_text() == before
        os.killpg(process.pid, number)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1
        assert "interrupted" in errors
        assert "--resume goes on" in errors
        assert "Traceback" not in errors
        assert chunks_in(out) > chunks
        lines = out.read_text().splitlines()
        assert lines
        assert all(json.loads(line)["schema"] == 2 for line in lines)
        assert {path.name for path in tmp_path.iterdir()} == {"out.jsonl", ".out.jsonl.journal"}
    chunks = chunks_in(out)
    process = started("--out", out, *ENDLESS, "--jobs", "2", "--resume")
    wait_for_chunks(process, out, chunks + 1)
    process.kill()
    # Every worker has the pipe too: it ends when the last of them does, which nobody told to stop.
    process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL
    assert out.read_text().splitlines() == lines
    run = run_here("--out", out, *RUN, "--resume")
    assert run.exit_code == 0, run.stderr
    assert out.read_bytes() == expected
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--seed", "4"), "its seed is 3, not 4"),
        (("--mix", "retrograde=1"), f"its mix is {MIX}, not"),
    ],
)
def test_the_journal_of_another_run_is_told(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with opened(out) as journal:
        journal.begin(RunKey(3, MIX))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    run = run_here("--out", out, *RUN, "--resume", *arguments)
    assert run.exit_code == 1
    assert told in run.stderr
    assert run.stderr.count("\n") == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_journal_of_another_version_is_told(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with opened(out) as journal:
        journal.begin(RunKey(3, MIX, "dama-generate 9"))
    run = run_here("--out", out, *RUN, "--resume")
    assert run.exit_code == 1
    assert "its generator is dama-generate 9, not dama-generate" in run.stderr


def test_a_damaged_journal_is_told(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    journal = tmp_path / ".out.jsonl.journal"
    journal.write_text("nonsense\nnonsense\n")
    run = run_here("--out", out, *RUN, "--resume")
    assert run.exit_code == 1
    assert f"{journal} is damaged, or no journal" in run.stderr
    assert run.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == [journal]


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with opened(out) as journal:
        journal.begin(RunKey(3, MIX))
        before = journal.path.read_bytes()
        for resume in ((), ("--resume",)):
            run = run_here("--out", out, *RUN, *resume)
            assert run.exit_code == 1
            assert f"another run is writing {out}" in run.stderr
        assert list(tmp_path.iterdir()) == [journal.path]
        assert journal.path.read_bytes() == before


def test_known_puzzles_are_not_found_again(tmp_path: Path) -> None:
    known, out = tmp_path / "known.jsonl", tmp_path / "out.jsonl"
    for path, more in ((known, ()), (out, ("--known", known))):
        run = run_here("--out", path, *RUN, "--count", "1", *more)
        assert run.exit_code == 0, run.stderr
        assert ("duplicate" in run.stderr) is bool(more)
    assert not set(out.read_bytes().splitlines()) & set(known.read_bytes().splitlines())


def test_positions_of_a_file_are_a_source(tmp_path: Path) -> None:
    positions, out = tmp_path / "positions.txt", tmp_path / "out.jsonl"
    positions.write_text("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5  # a trap\nW:Wa2,b2,c2:Ba7,b7,c7\n")
    arguments = ("--out", out, "--count", "1", "--seed", "1", "--mix", "file=1", "--positions", positions)
    run = run_here(*arguments)
    assert run.exit_code == 0, run.stderr
    assert '"source":"file"' in out.read_text()
    with opened(out) as other:
        other.begin(RunKey(1, "file=1 [00000000]"))
    again = run_here(*arguments, "--resume")
    assert again.exit_code == 1
    assert "its mix is file=1 [00000000], not file=1 [" in again.stderr
    positions.write_text("W:Wz9:B\n")
    wrong = run_here(*arguments)
    assert wrong.exit_code == 1
    assert f"{positions}, line 1: " in wrong.stderr
