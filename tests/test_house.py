"""What holds for the project as a whole: what ships, and what must not be loaded to serve a page."""

import doctest
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest
from click.testing import CliRunner

import dama.cli
import puzzle_service.cli
from tests.generator.runs import run_here

ROOT = Path(__file__).parents[1]


def _run(code: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, cwd=ROOT)


def test_numba_migrations_and_metrics_are_not_loaded_before_they_are_asked_for() -> None:
    """Numba neither by the plain rules and proofs nor by the site and its program, the rest by no page."""
    _run("""
import sys, dama, dama.proof, dama.diagram, dama.cli, puzzle_service.web
assert not {"numba", "alembic", "prometheus_client"} & sys.modules.keys()
import puzzle_service.cli
assert "numba" not in sys.modules
""")


def test_the_wheel_holds_all_that_the_site_needs(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        check=True,
        cwd=ROOT,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    folders = [ROOT / name for name in ("dama", "generator", "puzzle_service", "templates")]
    needed = {_name_in_the_wheel(path) for folder in folders for path in folder.rglob("*") if path.is_file()}
    needed = {name for name in needed if "__pycache__" not in name}
    assert {
        "puzzle_service/templates/base.html",
        "puzzle_service/static/js/puzzle.js",
        "puzzle_service/stock/stock.jsonl",
        "puzzle_service/translations/tr/LC_MESSAGES/messages.mo",
        "puzzle_service/migrations/versions/0002_accounts.py",
    } <= needed
    needed.add("generator/templates/report.html")
    assert needed <= names
    assert not [name for name in names if name.startswith(("tests/", "bench/", "deploy/"))]


def _name_in_the_wheel(path: Path) -> str:
    name = path.relative_to(ROOT).as_posix()
    return f"puzzle_service/{name}" if name.startswith("templates/") else name


def test_every_locked_requirement_has_a_hash_and_no_index_is_named() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    requirements = re.split(r"\n(?=[a-z0-9])", lock)
    assert len(requirements) > 40
    assert all("--hash=sha256:" in requirement for requirement in requirements)
    assert "://" not in lock
    assert "--find-links" not in lock


def test_the_example_in_the_readme_is_true() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 2
    assert result.failed == 0


def test_the_readme_lists_every_command_of_the_programs() -> None:
    listed = re.findall(
        r"^\| `(dama[a-z-]*) ?([a-z|\\-]*)", (ROOT / "README.md").read_text(encoding="utf-8"), re.M
    )
    commands = {(program, name) for program, names in listed for name in names.replace("\\", "").split("|")}
    for program, group in (("dama", dama.cli.main), ("dama-daily", puzzle_service.cli.main)):
        assert set(group.commands) == {name for owner, name in commands if owner == program}


@pytest.mark.parametrize("program", ["dama", "dama-generate", "dama-daily"])
def test_every_program_tells_its_version(program: str) -> None:
    command = [str(Path(sys.executable).with_name(program)), "--version"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told == f"{program}, version {version('dama-daily')}\n"


def test_no_ruleset_is_told_by_its_name() -> None:
    """A ruleset is data: code that compares names would miss a site's own mix."""
    sources = [
        path for folder in ("dama", "generator", "puzzle_service") for path in (ROOT / folder).rglob("*.py")
    ]
    assert len(sources) > 20
    for path in sources:
        assert not re.search(r"[!=]=\s*[\"']turkish", path.read_text(encoding="utf-8")), path


def test_what_the_generator_keeps_is_taken_in_by_an_import_that_proves(tmp_path: Path) -> None:
    """Generator and site share no code but ``dama`` and meet in a file: both must mean the same by it."""
    file, environment = tmp_path / "puzzles.jsonl", {"DAMA_DATABASE_URL": f"sqlite:///{tmp_path / 'db'}"}
    found = run_here("--count", "2", "--seed", "3", "--mix", "random placement=1", "--out", file)
    assert found.exit_code == 0, found.stderr
    for arguments, told in (
        (["db", "upgrade"], ""),
        (["import", "--prove", str(file)], "2 imported, 0 known, 0 refused\n"),
    ):
        run = CliRunner().invoke(puzzle_service.cli.main, arguments, env=environment)
        assert run.exit_code == 0, run.stderr
        assert run.stdout.endswith(told)


def test_every_library_that_is_installed_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    provided_by = packages_distributions()
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("dama", "generator", "puzzle_service")
        for path in (ROOT / folder).rglob("*.py")
    )
    imported = re.findall(r"^\s*(?:from|import) ([a-z_0-9]+)", sources, re.M)
    used = {_plain_name(name) for module in imported for name in provided_by.get(module, ())}
    needed = {_plain_name(re.split(r"[^\w.-]", one)[0]) for one in project["dependencies"]}
    # Nobody imports the time zones but Python itself, where the system has none.
    assert needed - used == {"tzdata"}


def _plain_name(distribution: str) -> str:
    return distribution.lower().replace("_", "-")
