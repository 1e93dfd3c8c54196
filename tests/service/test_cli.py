"""The program ``dama-daily``: what it prints, and its exit codes."""

import io
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dama.proof import Proof
from puzzle_service import db, generating
from puzzle_service.cli import main
from puzzle_service.clock import utc_now
from puzzle_service.domain import record
from puzzle_service.domain.record import Record
from puzzle_service.services import intake
from puzzle_service.settings import Settings
from tests.service.programs import Run, failed


@pytest.fixture(autouse=True)
def _quiet_logs() -> Iterator[None]:
    names = ("apscheduler", "alembic")
    before = {name: logging.getLogger(name).level for name in names}
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def file(tmp_path: Path, record_lines: list[str]) -> Path:
    """Three puzzles, wins in two and in three, that are soon searched again."""
    path = tmp_path / "puzzles.jsonl"
    path.write_text("\n".join(record_lines[4:7]) + "\n")
    return path


def test_the_database_is_made_and_checked(empty_url: str) -> None:
    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, env={"DAMA_DATABASE_URL": empty_url})

    for arguments in (("db", "check"), ("status",), ("publish",), ("scheduler",), ("serve",)):
        if arguments == ("serve",):
            empty = {"DAMA_DATABASE_URL": empty_url, "DAMA_SECRET_KEY": "k" * 32}
            result = CliRunner().invoke(main, ["serve", "--port", "1"], env=empty)
        else:
            result = invoke(*arguments)
        assert failed(result, 1, "dama-daily db upgrade")
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1
    assert f"at revision {db.REVISION}" in invoke("db", "upgrade").stdout
    assert invoke("db", "upgrade").exit_code == 0
    assert invoke("db", "check").exit_code == 0


def test_settings_that_cannot_be_used_are_listed(run: Run) -> None:
    result = run("status", DAMA_TIMEZONE="Mars", DAMA_GRACE_HOURS="many")
    assert failed(result, 2, "DAMA_TIMEZONE: 'Mars'")
    assert "DAMA_GRACE_HOURS: 'many'" in result.stderr


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_secret_file_that_holds_no_secret_is_one_line(run: Run, settings: Settings) -> None:
    assert settings.database_file is not None
    file = settings.database_file.with_suffix(".secret")
    for contents in (b"", b"\xff" * 40):
        file.write_bytes(contents)
        result = run("serve", "--port", "1")
        assert failed(result, 2, f"Error: {file}: ")
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "url",
    [
        "sqlite:///x.sqlite3?nonsense=1",
        "sqlite://host/x.sqlite3",
        "sqlite:///%00",
        "postgresql:///dama?nonsense=1",
        "postgresql:///dama?port=x",
        "postgresql://host:port/dama",
    ],
)
def test_an_address_that_no_driver_takes_is_a_mistake_in_the_settings(run: Run, url: str) -> None:
    for command in (("status",), ("db", "upgrade"), ("db", "check"), ("serve",)):
        assert failed(run(*command, DAMA_DATABASE_URL=url), 2, "DAMA_DATABASE_URL: ")


def test_a_database_that_cannot_be_reached_is_one_line(run: Run, tmp_path: Path) -> None:
    not_one = tmp_path / "not-a-database"
    not_one.write_text("x" * 5000)
    assert failed(run("status", DAMA_DATABASE_URL=f"sqlite:///{not_one}"), 1, "not a database")


def test_a_server_that_is_not_there_is_one_line(run: Run, tmp_path: Path) -> None:
    result = run("status", DAMA_DATABASE_URL=f"postgresql:///dama?host={tmp_path}")
    assert failed(result, 1, "the database cannot be used: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("prove", [(), ("--prove",)])
def test_an_import_is_idempotent(run: Run, file: Path, prove: tuple[str, ...]) -> None:
    assert run("import", str(file), *prove).stdout == "3 imported, 0 known, 0 refused\n"
    again = run("import", str(file), *prove)
    assert (again.exit_code, again.stdout) == (0, "0 imported, 3 known, 0 refused\n")


def test_an_import_keeps_the_good_lines_and_names_the_bad_ones(
    run: Run, file: Path, record_lines: list[str]
) -> None:
    broken = json.loads(record_lines[1]) | {"key": "a1-a2"}
    file.write_text("\n".join([record_lines[0], json.dumps(broken), "", "{", record_lines[2]]))
    result = run("import", str(file))
    assert failed(result, 1, "line 2: key: 'a1-a2'; the proof has")
    assert "line 4: not JSON" in result.stderr
    assert result.stdout == "2 imported, 0 known, 2 refused\n"


def test_an_import_ends_at_a_line_that_may_have_no_end(
    run: Run, file: Path, record_lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "LONGEST", 10_000)
    file.write_text("\n".join([record_lines[0], "x" * 20_000, record_lines[1]]))
    result = run("import", str(file))
    assert failed(result, 1, "line 2: longer than 10,000 bytes; expected a record")
    assert run("import", str(file)).stderr == result.stderr  # what was good before it is known by now


def test_an_import_searches_again(run: Run, file: Path, record_lines: list[str]) -> None:
    """A move that is said to win slowly but does not passes the walk, and not the search."""
    fields = json.loads(next(line for line in record_lines if not json.loads(line)["proof"]["slow"]))
    text = next(iter(fields["proof"]["refuted"]))
    fields["proof"]["slow"] = [text]
    del fields["proof"]["refuted"][text]
    record.parse(json.dumps(fields))
    file.write_text(json.dumps(fields))
    assert failed(run("import", str(file)), 1, f"none win slowly by search, {text} by the proof")


def test_an_import_walks_each_proof_once_and_searches_what_is_new(
    run: Run, file: Path, record_lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(record_lines[0])
    calls: list[str] = []
    _spy(monkeypatch, "walk", calls)
    _spy(monkeypatch, "search_again", calls)
    run("import", str(file))
    assert calls == ["search_again", "walk"], "the search walks by itself"
    calls.clear()
    run("import", str(file))
    assert calls == ["walk"]


def _spy(monkeypatch: pytest.MonkeyPatch, name: str, calls: list[str]) -> None:
    method = getattr(Proof, name)

    def spied(proof: Proof) -> None:
        calls.append(name)
        method(proof)

    monkeypatch.setattr(Proof, name, spied)


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("import",), "expected either FILE or --stock"),
        (("import", "--stock", __file__), "expected either FILE or --stock"),
        (("import", "/no/such/file"), "/no/such/file"),
        (("nonsense",), "No such command"),
        (("review", "list", "--status", "lost"), "'lost' is not one of"),
        (("publish", "--day", "tomorrow"), "does not match the format"),
        (("serve", "--workers", "0"), "0 is not in the range"),
        (("serve", "--prepare", "--host", "0.0.0.0"), "expected this host alone"),  # noqa: S104
        (("serve", "--host", ""), "--host: it is empty; expected an address"),
        (("serve", "--host", " "), "--host: it is empty; expected an address"),
        (("review", "list", "--limit", str(2**63)), "is not in the range"),
        (("review", "list", "--limit", "9" * 30), "is not in the range"),
        (("review", "reject", "x"), "--reason"),
        (("account", "role", "ayşe", "king"), "'king' is not one of"),
        (("account", "create", "ayşe", "--role", "king"), "'king' is not one of"),
        (("account", "recover", "ayşe", "--language", "latin"), "'latin' is not one of"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(run: Run, arguments: tuple[str, ...], message: str) -> None:
    assert failed(run(*arguments), 2, message)


def test_the_packaged_stock_comes_in_approved(run: Run, small_stock: int) -> None:
    count = small_stock
    assert run("import", "--stock").stdout == f"{count} imported, 0 known, 0 refused\n"
    assert run("import", "--stock").stdout == f"0 imported, {count} known, 0 refused\n"
    assert f"approved: {count}\n" in run("status").stdout


def test_an_export_holds_what_was_imported_and_is_known_again(run: Run, file: Path, tmp_path: Path) -> None:
    run("import", str(file))
    exported = tmp_path / "known.jsonl"
    result = run("export", str(exported))
    assert (result.exit_code, result.output) == (0, "")
    lines = [json.loads(line) for line in exported.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(file.read_text().splitlines())
    assert run("import", str(exported)).stdout == f"0 imported, {len(lines)} known, 0 refused\n"
    assert failed(run("export", str(tmp_path / "no folder" / "file")), 1, "No such file")
    assert run("export", "-").stdout == exported.read_text(encoding="utf-8")


def test_an_export_that_fails_leaves_what_was_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(_session: object) -> Iterator[str]:
        yield "half"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("puzzle_service.services.intake.export", half)
    path = tmp_path / "folder" / "known.jsonl"
    path.parent.mkdir()
    path.write_text("of last week")
    assert failed(run("export", str(path)), 1, "No space left on device")
    assert path.read_text() == "of last week"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("run_id", ["-1", "7", "9" * 30])
def test_a_run_that_was_never_written_down_is_told(run: Run, run_id: str) -> None:
    assert failed(run("generate", "--run", run_id), 1, f"there is no run {run_id} of the generator")


def test_a_run_of_the_generator_needs_its_seconds_and_an_existing_run(run: Run) -> None:
    assert failed(run("generate"), 2, "--seconds is missing")
    assert failed(run("generate", "--seconds", "9"), 2, "9 is not in the range 10<=x<=3600")
    assert failed(run("generate", "--run", "7"), 1, "there is no run 7 of the generator")


def test_a_run_of_the_generator_says_what_came_of_it(
    run: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"import shutil, sys; shutil.copy({str(file)!r}, sys.argv[2]); print('3 accepted')"
    monkeypatch.setattr(generating, "program", lambda: [sys.executable, "-c", script])
    run("import", str(file))
    assert run("generate", "--seconds", "10").stdout == "done: 3 found, 0 imported\n"
    monkeypatch.setattr(generating, "program", lambda: [str(tmp_path / "nothing")])
    assert failed(run("generate", "--seconds", "10"), 1, "there is no dama-generate beside")


def test_from_candidates_to_the_day(run: Run, file: Path, records: list[Record]) -> None:
    later = str(utc_now().date() + timedelta(days=300))
    run("import", str(file))
    listed = run("review", "list").stdout.splitlines()
    assert len(listed) == 3
    first, second = (line.split()[0] for line in listed[:2])
    shown = run("review", "show", first).stdout
    one = next(one for one in records if one.id == first)
    assert f"fen: {one.fen}" in shown
    assert f"solution: {' '.join(one.proof.main_line())}" in shown
    assert failed(run("status"), 1, "no approved puzzle is left")
    assert run("review", "approve", first).stdout == f"approved {first}\n"
    assert failed(run("review", "approve", second, "--day", "2999-12-31"), 1, "2999-12-31 is too far")
    assert run("review", "approve", second, "--day", later).exit_code == 0
    assert f"{second} win in" in run("review", "list", "--status", "approved").stdout
    assert f"on {later}" in run("review", "list", "--status", "approved").stdout
    assert run("review", "approve", second).stdout == f"approved {second} for {later}\n"
    assert run("review", "approve", second, "--any-day").stdout == f"approved {second}\n"
    assert "on 2999-12-31" not in run("review", "list", "--status", "approved").stdout
    assert run("review", "approve", second, "--any-day", "--day", later).exit_code == 2
    cut = run("review", "list", "--status", "approved", "--limit", "1")
    assert len(cut.stdout.splitlines()) == 1
    assert "there are more" in cut.stderr
    assert run("review", "reject", second, "--reason", "dull").exit_code == 0
    assert "reason: dull" in run("review", "show", second).stdout
    out = run("publish")
    assert out.stdout.startswith("puzzle 1 of ")
    assert out.stdout.endswith(f" is {first}\n")
    assert run("publish").stdout == out.stdout
    assert run("publish", "--day", out.stdout.split()[3]).stdout == out.stdout
    assert failed(run("review", "reject", first, "--reason", "dull"), 1, "is published and cannot become")
    replaced = run("replace", "1", "--reason", "two keys")
    assert replaced.exit_code == 0
    assert run("void", "1", "--reason", "unclear").stdout == "puzzle 1 is void\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("publish",), "no proved puzzle is left"),
        (("publish", "--day", "2020-01-01"), "2020-01-01 has passed"),
        (("publish", "--day", "2999-12-31"), "schedule set 2999-12-31 ID"),
        (("review", "show", "unknown"), "there is no puzzle 'unknown'"),
        (("review", "approve", "unknown"), "there is no puzzle 'unknown'"),
        (("replace", "7", "--reason", "x"), "no puzzle 7 is out"),
        (("void", "7", "--reason", "x"), "no puzzle 7 is out"),
        (("status",), "no puzzle is left"),
        (("replace", str(2**63), "--reason", "x"), f"no puzzle {2**63} is out"),
        (("void", "9" * 30, "--reason", "x"), f"no puzzle {'9' * 30} is out"),
        (("review", "show", "\udcff"), "there is no puzzle '\\udcff'"),
        (("review", "show", ""), "there is no puzzle ''"),
        (("review", "approve", "\udcff", "--day", "2999-12-31"), "there is no puzzle '\\udcff'"),
        (("review", "reject", "\udcff", "--reason", "dull"), "there is no puzzle '\\udcff'"),
        (("review", "reject", "x", "--reason", "\udcff"), "'\\udcff' is no reason"),
        (("replace", "1", "--reason", "a\udcffb"), "is no reason; expected 1 to 200 printable characters"),
        (("void", "1", "--reason", "x" * 201), "is no reason"),
        (("void", "1", "--reason", "two\nlines"), "is no reason"),
        (("account", "create", "\udcff", "--generate"), "'\\udcff' is no name"),
        (("account", "create", "command line", "--generate"), "there is an account 'command line' already"),
        (("account", "role", "\udcff", "admin"), "there is no account '\\udcff'"),
        (("account", "role", "ayşe", "admin"), "there is no account 'ayşe'"),
        (("account", "recover", "ayşe"), "there is no account 'ayşe'"),
        (("account", "recover", "a\0b"), "there is no account 'a\\x00b'"),
    ],
)
def test_what_cannot_be_done_is_one_line(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert failed(result, 1, message)
    assert result.stderr.count("\n") == 1


def test_status_is_quiet_when_all_is_well(run: Run, file: Path) -> None:
    run("import", str(file))
    for line in run("review", "list").stdout.splitlines():
        run("review", "approve", line.split()[0])
    run("publish")
    result = run("status")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "approved: 2\n" in result.stdout
    assert "published: 1\n" in result.stdout
    assert "days covered: 2\n" in result.stdout


@pytest.mark.parametrize(
    "changes",
    [
        {"difficulty": 10**400},
        {"seed": 10**70},
        {"source": "\ud800"},
        {"previous": {"fen": " " * 500, "move": "\ud800"}},
        {"id": "\ud800"},
        {"themes": ["\x00"]},
    ],
)
def test_a_record_that_no_table_takes_is_refused(
    run: Run, file: Path, record_lines: list[str], changes: dict[str, Any]
) -> None:
    file.write_text(json.dumps(json.loads(record_lines[0]) | changes) + "\n" + record_lines[1])
    result = run("import", str(file))
    assert failed(result, 1, "line 1: ")
    assert result.stdout == "1 imported, 0 known, 1 refused\n"


def test_a_record_spelt_at_length_is_kept_short(run: Run, file: Path, record_lines: list[str]) -> None:
    fields = json.loads(record_lines[0])
    previous = {"fen": fields["previous"]["fen"] + " " * 500, "move": " " * 500 + fields["previous"]["move"]}
    file.write_text(json.dumps(fields | {"previous": previous}))
    assert run("import", str(file)).stdout == "1 imported, 0 known, 0 refused\n"
    shown = run("review", "show", fields["id"]).stdout
    assert f"before: {fields['previous']['fen']} {fields['previous']['move']}\n" in shown


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_fault_is_one_line_to_operators_and_visible_to_tests(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "check", _fault)
    assert isinstance(run("db", "check").exception, KeyError)
    monkeypatch.setattr(sys, "argv", ["dama-daily", "db", "check"])
    said = io.StringIO()
    with pytest.raises(SystemExit) as left, redirect_stderr(said):
        main()
    assert left.value.code == 1
    assert said.getvalue().startswith(
        "Error: a fault of the program, please report it: KeyError: 'a key' (site.py"
    )
    assert said.getvalue().count("\n") == 1


def _fault(_: Settings) -> str:
    raise KeyError("a key")
