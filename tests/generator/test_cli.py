"""`dama-generate`: what it takes, what it tells, and that nothing is lost when something goes wrong."""

import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner

from dama import Position
from generator import chunk, examination
from generator.cli import main
from generator.mix import Mix
from tests.generator.runs import run_here

POOL = (Path(__file__).parents[1] / "data" / "puzzles.jsonl").read_bytes()


def test_seconds_end_a_run(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    started = time.monotonic()
    run = run_here("--out", out, "--seconds", "1", "--seed", "1")
    assert time.monotonic() - started < 30
    # A machine too busy to find anything in that time says so.
    assert (run.exit_code, out.exists()) == ((0, True) if " 0 puzzles" not in run.stderr else (1, False))


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


def test_a_lying_kernel_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lied_about: list[Position] = []

    def lying_prove(position: Position, _limit: int) -> None:
        lied_about.append(position)

    monkeypatch.setattr(examination, "prove", lying_prove)
    out = tmp_path / "out.jsonl"
    out.write_text("from an earlier run\n")
    result = run_here("--out", out, "--count", "100", "--seed", "1")
    assert result.exit_code == 1
    assert lied_about[0].fen() in result.stderr
    assert "disagree" in result.stderr
    assert "Traceback" not in result.stderr
    assert out.read_text() == "from an earlier run\n"


@pytest.mark.parametrize("found", [0, 1])
def test_what_was_found_is_kept_when_workers_die_again_and_again(
    found: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die() -> NoReturn:
        raise BrokenProcessPool

    def search_or_die(seed: int, number: int, mix: Mix) -> chunk.ChunkResult:
        return chunk.search_chunk(seed, number, mix) if number < found else die()

    monkeypatch.setattr("generator.pipeline.search_chunk", search_or_die)
    out = tmp_path / "out.jsonl"
    result = run_here("--out", out, "--seconds", "300", "--seed", "3", "--mix", "random placement=1")
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
