"""`dama-generate` as a program: the same file for any number of jobs, and nothing lost on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner

from dama import Position
from generator import chunk, examination, workers
from generator.cli import main
from generator.mix import Mix

PROGRAM = Path(sys.executable).with_name("dama-generate")
POOL = (Path(__file__).parents[1] / "data" / "puzzles.jsonl").read_bytes()
PATIENCE = 120.0
"""Seconds that a busy machine may take."""


def generate(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def has_found(out: Path) -> bool:
    """Tell whether a run that writes there has found a puzzle."""
    return any(part.stat().st_size for part in out.parent.glob(f".{out.name}.*.part"))


def test_the_same_file_for_any_number_of_jobs(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in ("one", "two", "other")]
    runs = [
        generate("--out", path, "--count", count, "--jobs", jobs, "--seed", seed)
        for path, count, jobs, seed in zip(paths, "221", "122", "334", strict=True)
    ]
    assert [run.returncode for run in runs] == [0, 0, 0], [run.stderr[-500:] for run in runs]
    one, two, other = (path.read_bytes() for path in paths)
    assert one == two
    assert not set(other.splitlines()) & set(one.splitlines())
    records = [json.loads(line) for line in one.splitlines()]
    assert [record["moves"] for record in records].count(2) == 1
    assert [record["moves"] for record in records].count(3) == 1
    assert len({record["id"] for record in records}) == 2
    assert len(list(tmp_path.iterdir())) == 3
    for word in ("seed 3", "2 puzzles", "random placement", "no win", "candidates", "a minute", "100%"):
        assert word in runs[0].stderr
    assert runs[0].stdout == ""
    assert "Traceback" not in runs[0].stderr


def test_seconds_end_a_run(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    started = time.monotonic()
    run = generate("--out", out, "--seconds", "8", "--seed", "1")
    assert time.monotonic() - started < 40
    # A machine too busy to find anything in that time says so.
    assert (run.returncode, out.exists()) == ((0, True) if " 0 puzzles" not in run.stderr else (1, False))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_was_found_is_kept_when_interrupted(tmp_path: Path, number: signal.Signals) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("from an earlier run\n")
    process = subprocess.Popen(
        [PROGRAM, "--out", out, "--seconds", "3000", "--jobs", "2", "--seed", "5"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + PATIENCE
    while not has_found(out):
        assert time.monotonic() < deadline, "nothing found"
        assert process.poll() is None
        time.sleep(0.05)
    assert out.read_text() == "from an earlier run\n"
    os.killpg(process.pid, number)  # as a terminal does: every process of the group gets it
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "interrupted" in errors
    assert "--resume goes on" in errors
    assert "Traceback" not in errors
    lines = out.read_text().splitlines()
    assert lines
    assert all(json.loads(line)["schema"] == 2 for line in lines)
    assert {path.name for path in tmp_path.iterdir()} == {"out.jsonl", ".out.jsonl.journal"}


def test_no_worker_outlives_a_killed_run(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [PROGRAM, "--out", tmp_path / "out.jsonl", "--seconds", "3000", "--jobs", "2", "--seed", "5"],
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + PATIENCE
    while not has_found(tmp_path / "out.jsonl"):
        assert time.monotonic() < deadline, "nothing found"
        time.sleep(0.05)
    process.kill()
    # Every worker has the pipe too: it ends when the last of them does.
    process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--count", "2", "--seconds", "2", "--out", "out"], "either --seconds or --count"),
        (["--out", "out"], "either --seconds or --count"),
        (["--count", "2"], "--out"),
        (["--count", "0", "--out", "out"], "--count"),
        (["--count", "two", "--out", "out"], "--count"),
        (["--seconds", "0", "--out", "out"], "--seconds"),
        (["--seconds", "-1", "--out", "out"], "--seconds"),
        (["--seconds", "nan", "--out", "out"], "--seconds"),
        (["--seconds", "inf", "--out", "out"], "--seconds"),
        (["--count", "2", "--jobs", "0", "--out", "out"], "--jobs"),
        (["--count", "2", "--seed", "-1", "--out", "out"], "--seed"),
        (["--count", "2", "--seed", "9" * 20, "--out", "out"], "--seed"),
        (["--count", "9" * 400, "--out", "out"], "--count"),
        (["--count", "2", "--out", "no/such/folder/out"], "--out"),
        (["--count", "2", "--out", "."], "--out"),
        (["--count", "2", "--out", "/dev/null"], "--out"),
        (["--count", "2", "--out", "o" * 300], "--out"),
        (["--count", "2", "--jobs", "100000", "--out", "out"], "--jobs"),
        (["--count", "2", "--out", "out", "more"], "more"),
        (["--count", "2", "--out", "out", "--mix", "retrograde"], "--mix"),
        (["--count", "2", "--out", "out", "--mix", "alchemy=1"], "no source 'alchemy'"),
        (["--count", "2", "--out", "out", "--mix", "retrograde=0"], "--mix"),
        (["--count", "2", "--out", "out", "--known", "nowhere"], "--known"),
        (["--count", "2", "--out", "out", "--positions", "nowhere"], "--positions"),
        (["--count", "2", "explain", "W:Wa1:Ba3"], "--count goes with no command"),
        ([], "--out"),
    ],
)
def test_wrong_usage_is_refused(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["--count", "2", "--out", "link", "--known", "pool"],
        ["--count", "2", "--out", "pool", "--positions", "pool"],
        ["select", "pool", "--count", "2", "--out", "link"],
        ["report", "pool", "--html", "pool"],
    ],
)
def test_a_file_that_is_read_is_not_written_over(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pool").write_bytes(POOL)
    Path("link").symlink_to("pool")
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "is read, too; expected another file" in result.stderr
    assert Path("pool").read_bytes() == POOL


def threads(jobs: int) -> Executor:
    """Workers in this process, so that what a test replaces is replaced for them too."""
    return ThreadPoolExecutor(jobs)


def test_a_lying_kernel_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lied_about: list[Position] = []

    def lying_prove(position: Position, _limit: int) -> None:
        lied_about.append(position)

    monkeypatch.setattr(workers, "hire", threads)
    monkeypatch.setattr(examination, "prove", lying_prove)
    out = tmp_path / "out.jsonl"
    out.write_text("from an earlier run\n")
    result = CliRunner().invoke(main, ["--out", str(out), "--count", "100", "--seed", "1"])
    assert result.exit_code == 1
    assert lied_about[0].fen() in result.stderr
    assert "disagree" in result.stderr
    assert "Traceback" not in result.stderr
    assert out.read_text() == "from an earlier run\n"


@pytest.mark.parametrize("found", [0, 4])
def test_what_was_found_is_kept_when_workers_die_again_and_again(
    found: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die() -> NoReturn:
        raise BrokenProcessPool

    def search_or_die(seed: int, number: int, mix: Mix) -> chunk.ChunkResult:
        return chunk.search_chunk(seed, number, mix) if number < found else die()

    monkeypatch.setattr(workers, "hire", threads)
    monkeypatch.setattr("generator.pipeline.search_chunk", search_or_die)
    out = tmp_path / "out.jsonl"
    arguments = ["--out", str(out), "--seconds", "300", "--seed", "1", "--mix", "retrograde=1"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "workers die again and again" in result.stderr
    assert out.exists() is (found > 0)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(28, "No space left on device"), "dama-generate: [Errno 28] No space left on device\n"),
        (
            RuntimeError("a\nb"),
            "dama-generate: a fault of the program, please report it: RuntimeError: a b\n",
        ),
    ],
)
def test_whatever_goes_wrong_is_one_line(
    error: Exception, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def go_wrong(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(sys, "argv", ["dama-generate", "explain", "W:Wa3:Ba4"])
    monkeypatch.setattr("generator.explain.explain", go_wrong)
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 1
    assert capsys.readouterr().err == told


def test_help_and_version() -> None:
    assert "--seconds" in CliRunner().invoke(main, ["--help"]).stdout
    assert "version" in CliRunner().invoke(main, ["--version"]).stdout
