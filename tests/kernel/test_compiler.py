"""Where the compiled code is kept: every start works, and no start uses code of other sources."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from dama.kernel import compiler

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json, time
began = time.perf_counter()
from dama import Position, kernel
loaded = time.perf_counter() - began
from dama.kernel import compiler, counting, duals, material, mixed, orthogonal
from dama.kernel import orthogonal_lines, rules, steps, wins
specialisations = [
    len(thing.signatures)
    for module in (orthogonal, mixed, rules, counting, orthogonal_lines, steps, wins, duals, material)
    for thing in vars(module).values()
    if hasattr(thing, "signatures")
]
position = Position.from_fen("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5")
print(json.dumps({
    "perft": kernel.perft(Position.start(), 5),
    "italian": kernel.perft(Position.start("italian"), 5),
    "wins_in": kernel.wins_in(position, 4),
    "soundness": kernel.soundness(position, 3),
    "balance": kernel.balance(position, 4),
    "distances": list(kernel.distances(position, 3).values()),
    "folder": compiler.cache_folder().as_posix(),
    "seconds": loaded,
    "specialisations": specialisations,
}))
"""
ANSWERS = {"perft": 85090, "italian": 7361, "wins_in": 3, "soundness": 0, "balance": 256.0, "distances": [3]}


def _said(program: str, cache: Path, temporary: Path) -> str:
    """Return what a program prints in a process with these places."""
    environment = os.environ | {
        "HOME": str(cache),
        "XDG_CACHE_HOME": str(cache),
        "LOCALAPPDATA": str(cache),
        "TMPDIR": str(temporary),
    }
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def _start(cache: Path, temporary: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(_said(PROGRAM, cache, temporary))
    assert {name: found[name] for name in ANSWERS} == ANSWERS
    return found


def _folder(cache: Path, temporary: Path) -> Path:
    """Return the folder that the kernel would take, without compiling it."""
    program = f"import runpy; print(runpy.run_path({compiler.__file__!r})['cache_folder']())"
    return Path(_said(program, cache, temporary).strip())


def _files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}


def test_two_fresh_interpreters_on_an_empty_cache(tmp_path: Path) -> None:
    cache, temporary = tmp_path / "cache", tmp_path / "tmp"
    temporary.mkdir()
    first = _start(cache, temporary)
    written = _files(cache)
    assert written
    # Of what only the search for play uses, none is compiled here; nothing is compiled twice.
    assert set(first["specialisations"]) <= {0, 1}  # type: ignore[call-overload]
    assert 1 in first["specialisations"]  # type: ignore[operator]
    second = _start(cache, temporary)
    assert _files(cache) == written
    assert str(second["folder"]).startswith(cache.as_posix())
    assert second["seconds"] < first["seconds"]  # type: ignore[operator]
    assert not any(temporary.iterdir())


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    """The code is kept in a temporary place, of which the next start makes use."""
    cache, temporary = tmp_path / "cache", tmp_path / "tmp"
    cache.write_text("a file, so no folder can be made in it")
    temporary.mkdir()
    folder = _folder(cache, temporary)
    assert folder.is_relative_to(temporary)
    # To compile it all once more would take long and show no more.
    shutil.copytree(compiler.cache_folder(), folder, dirs_exist_ok=True)
    written = _files(folder)
    assert written
    assert _start(cache, temporary)["folder"] == folder.as_posix()
    assert _files(temporary) == written
    assert cache.is_file()


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path


def test_other_sources_or_another_numba_have_another_folder(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = compiler.fingerprint()
    sources = places / "kernel"
    shutil.copytree(Path(compiler.__file__).parent, sources, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(compiler, "__file__", str(sources / "compiler.py"))
    assert compiler.fingerprint() == here
    with (sources / "orthogonal.py").open("a") as file:
        file.write("\n")
    changed = compiler.fingerprint()
    assert changed != here
    monkeypatch.setattr("numba.__version__", "0.0")
    assert compiler.fingerprint() not in {here, changed}


def test_only_stale_folders_are_removed(places: Path) -> None:
    folder = compiler.cache_folder()
    recent, stale = folder.parent / "recent", folder.parent / "stale"
    for other in (recent, stale):
        other.mkdir()
        (other / "code").write_text("")
    long_ago = time.time() - compiler.STALE_AFTER - 60
    os.utime(stale, (long_ago, long_ago))
    os.utime(folder, (long_ago, long_ago))
    assert compiler.cache_folder() == folder
    assert recent.is_dir()
    assert folder.is_dir()
    assert not stale.exists()


def test_a_temporary_folder_that_others_can_write_to_is_not_trusted(places: Path) -> None:
    (places / "cache").write_text("")
    private = compiler.cache_folder()
    assert private.is_relative_to(places / "tmp")
    assert compiler.cache_folder() == private
    private.parent.chmod(0o777)
    other = compiler.cache_folder()
    assert not other.is_relative_to(private.parent)
    assert other.stat().st_mode & 0o077 == 0
