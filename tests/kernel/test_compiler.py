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
WHOLE = compiler.cache_folder()
"""With all that is compiled of the kernel, as it was loaded to get here."""

PROGRAM = """
import json, time
began = time.perf_counter()
from dama import Position, kernel
loaded = time.perf_counter() - began
from dama.kernel import compiler
from tests.kernel.compiled import compilations
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
    "compilations": compilations(),
}))
"""
LACKING = ("duals._duals", "mixed.can_move")
"""Quick to compile, and yet with a quarter of the kernel's other functions in them; one of either kind."""
ANSWERS = {"perft": 85090, "italian": 7361, "wins_in": 3, "soundness": 0, "balance": 256.0, "distances": [3]}


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path


def _start() -> dict[str, object]:
    """Return what a process says that loads the kernel from the places of the test, and makes use of it."""
    command = [sys.executable, "-W", "error", "-c", PROGRAM]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found: dict[str, object] = json.loads(run.stdout)
    assert {name: found[name] for name in ANSWERS} == ANSWERS
    return found


def _files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}


def test_two_fresh_interpreters_on_a_cache_that_lacks_something(places: Path) -> None:
    """An empty one is what ``make kernel`` begins with: to compile all of it once more would take long."""
    folder = compiler.cache_folder()
    assert folder.is_relative_to(places / "cache")
    shutil.copytree(WHOLE, folder, dirs_exist_ok=True)
    whole = _files(folder)
    for lacking in LACKING:
        for path in list(folder.rglob(f"{lacking}-*.nb?")):
            path.unlink()
    kept = _files(folder)
    first = _start()
    written = _files(folder)
    # What was missing is there again, and nothing else was written; nothing was compiled twice.
    assert {path.name for path in written} == {path.name for path in whole} > {path.name for path in kept}
    assert written.items() >= kept.items()
    compiled: dict[str, int] = first["compilations"]  # type: ignore[assignment]
    assert set(compiled.values()) == {0, 1}
    second = _start()
    assert _files(folder) == written
    assert first["folder"] == second["folder"] == folder.as_posix()
    assert second["seconds"] < first["seconds"]  # type: ignore[operator]
    assert not any((places / "tmp").iterdir())


def test_a_cache_that_cannot_be_written(places: Path) -> None:
    """The code is kept in a temporary place, of which the next start makes use."""
    (places / "cache").write_text("a file, so no folder can be made in it")
    folder = compiler.cache_folder()
    assert folder.is_relative_to(places / "tmp")
    # To compile it all once more would take long and show no more.
    shutil.copytree(WHOLE, folder, dirs_exist_ok=True)
    written = _files(folder)
    assert written
    assert _start()["folder"] == folder.as_posix()
    assert _files(places / "tmp") == written
    assert (places / "cache").is_file()


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
