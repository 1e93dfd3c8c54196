"""Runs that are cut short, and workers that are killed: the file is the same as if nothing had happened."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main
from generator.journal import RunKey, opened

PROGRAM = Path(sys.executable).with_name("dama-generate")
PATIENCE = 120.0
"""Seconds that a busy machine may take."""
MIX = "random placement=2, self-play=1"
RUN = ("--count", "12", "--seed", "3", "--mix", MIX)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a run that nothing happens to."""
    out = tmp_path_factory.mktemp("whole") / "out.jsonl"
    process = started(out)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert list(out.parent.iterdir()) == [out]
    return out.read_bytes()


ENDLESS = ("--count", "100000")
"""More than there is time for: what is to be cut short must not end before. The journal does not mind."""


def started(out: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen([PROGRAM, "--out", out, *RUN, *more], stderr=subprocess.PIPE, text=True)


def chunks_in(out: Path) -> int:
    journal = out.with_name(f".{out.name}.journal")
    return max(0, journal.read_bytes().count(b"\n") - 1) if journal.exists() else 0


def wait_for_chunks(process: subprocess.Popen[str], out: Path, chunks: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while chunks_in(out) < chunks:
        assert time.monotonic() < deadline, "nothing comes in"
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.02)


def workers_of(process: subprocess.Popen[str]) -> Iterator[int]:
    for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            yield int(child)


def test_killed_workers_lose_nothing_and_change_nothing(tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.jsonl"
    process = started(out, "--jobs", "2")
    for chunks in (1, 3):
        wait_for_chunks(process, out, chunks)
        os.kill(next(workers_of(process)), signal.SIGKILL)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert out.read_bytes() == expected
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_was_cut_short_goes_on(number: signal.Signals, tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.jsonl"
    for jobs in ("2", "1") if number is signal.SIGKILL else ("2",):
        chunks = chunks_in(out)
        process = started(out, "--jobs", jobs, "--resume", *ENDLESS)
        wait_for_chunks(process, out, chunks + 1)
        process.send_signal(number)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == (1 if number is signal.SIGINT else -number)
    process = started(out, "--resume")
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
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
    run = CliRunner().invoke(main, ["--out", str(out), *RUN, "--resume", *arguments])
    assert run.exit_code == 1
    assert told in run.stderr
    assert run.stderr.count("\n") == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_journal_of_another_version_is_told(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with opened(out) as journal:
        journal.begin(RunKey(3, MIX, "dama-generate 9"))
    run = CliRunner().invoke(main, ["--out", str(out), *RUN, "--resume"])
    assert run.exit_code == 1
    assert "its generator is dama-generate 9, not dama-generate" in run.stderr


def test_a_damaged_journal_is_told(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    journal = tmp_path / ".out.jsonl.journal"
    journal.write_text("nonsense\nnonsense\n")
    run = CliRunner().invoke(main, ["--out", str(out), *RUN, "--resume"])
    assert run.exit_code == 1
    assert f"{journal} is damaged, or no journal" in run.stderr
    assert run.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == [journal]


def test_two_runs_do_not_write_one_file(tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.jsonl"
    first = started(out)
    wait_for_chunks(first, out, 1)
    run = CliRunner().invoke(main, ["--out", str(out), *RUN])
    assert run.exit_code == 1
    assert f"another run is writing {out}" in run.stderr
    _, errors = first.communicate(timeout=PATIENCE)
    assert first.returncode == 0, errors
    assert out.read_bytes() == expected


def test_known_puzzles_are_not_found_again(tmp_path: Path, expected: bytes) -> None:
    known, out = tmp_path / "known.jsonl", tmp_path / "out.jsonl"
    known.write_bytes(expected)
    process = started(out, "--known", str(known), "--count", "3")
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert "duplicate" in errors
    assert not set(out.read_bytes().splitlines()) & set(expected.splitlines())


def test_positions_of_a_file_are_a_source(tmp_path: Path) -> None:
    positions, out = tmp_path / "positions.txt", tmp_path / "out.jsonl"
    positions.write_text("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5  # a trap\nW:Wa2,b2,c2:Ba7,b7,c7\n")
    arguments = ("--count", "1", "--seed", "1", "--mix", "file=1", "--positions", positions)
    run = subprocess.run(
        [PROGRAM, "--out", out, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert run.returncode == 0, run.stderr
    assert '"source":"file"' in out.read_text()
    journal = RunKey(1, "file=1 [00000000]")
    with opened(out) as other:
        other.begin(journal)
    again = CliRunner().invoke(main, ["--out", str(out), *map(str, arguments), "--resume"])
    assert again.exit_code == 1
    assert "its mix is file=1 [00000000], not file=1 [" in again.stderr
    positions.write_text("W:Wz9:B\n")
    wrong = CliRunner().invoke(main, ["--out", str(out), *map(str, arguments)])
    assert wrong.exit_code == 1
    assert f"{positions}, line 1: " in wrong.stderr
