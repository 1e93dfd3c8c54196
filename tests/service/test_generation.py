"""Runs of the generator: one at a time, seen from everywhere, imported at their end, and never stuck."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from puzzle_service import generating
from puzzle_service.db import Database
from puzzle_service.domain import record
from puzzle_service.domain.fields import RecordError
from puzzle_service.domain.findings import NONE
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.services import audit, generation, intake, review
from puzzle_service.services.audit import Action
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.generation import Run
from puzzle_service.settings import Settings
from tests.conftest import DATA, AddPuzzles
from tests.service.racers import race

BY = "ayşe"
PATIENCE = 120
LEASE = timedelta(seconds=generation.LEASE_SECONDS)
SECOND = timedelta(seconds=1)

FOLDERS = ("dama-generate-killed", "dama-generate-held", "dama-generate-new", "elsewhere")

FAKE = """
import os, shutil, signal, sys, time
said = dict(zip(sys.argv[3::2], sys.argv[4::2]))
known = open(said["--known"]).read().count("id")
print("known", known, "nice", os.nice(0), file=sys.stderr)
def out(lines):
    with open(sys.argv[1]) as records, open(said["--out"], "w") as found:
        found.writelines(records.readlines()[:lines])
def stopped(*_):
    out(2)
    sys.exit("dama-generate: interrupted; found.jsonl has the 2 puzzles found till then")
signal.signal(signal.SIGINT, stopped)
sys.stderr.write("\\r 10%| 12 candidates, 1,002 accepted\\n")
sys.stderr.flush()
what = sys.argv[2]
if what == "waits":
    signal.pause()
elif what == "is deaf":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        signal.pause()
elif what == "fails":
    sys.exit("dama-generate: no puzzle found; found.jsonl is left as it was")
elif what == "dies":
    out(2)
    os.kill(os.getpid(), signal.SIGKILL)
out(int(what))
"""
"""A generator that finds the first records of a file at once, or does something else that is asked of it."""


def fake(tmp_path: Path, what: str, records: Path = DATA / "puzzles.jsonl") -> list[str]:
    """The command of a generator that does what it is told."""
    program = tmp_path / "generator.py"
    program.write_text(FAKE)
    return [sys.executable, str(program), str(records), what]


class Clock:
    """A clock that goes on by so much whenever it is looked at."""

    def __init__(self, now: datetime, step: timedelta = timedelta()) -> None:
        self.now, self.step = now, step

    def __call__(self) -> datetime:
        self.now += self.step
        return self.now


def start(database: Database, now: datetime, seconds: int = 10) -> int:
    with database.write.begin() as session:
        return generation.start(session, BY, now, seconds)


def latest(database: Database, now: datetime) -> Run:
    with database.read() as session:
        found = generation.latest(session, now)
    assert found is not None
    return found


def carry_out(database: Database, now: datetime, command: Sequence[str], **clock: timedelta) -> Run:
    return generating.run(database, start(database, now), Clock(now, **clock), command)


def candidates(database: Database) -> list[str]:
    with database.read() as session:
        return sorted(one.id for one in review.queue(session, limit=1000))


def done(database: Database, now: datetime) -> list[tuple[Action, str, int]]:
    with database.read() as session:
        return [(one.action, one.by, one.count) for one in audit.entries(session, now.date())]


def _until(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def _quick_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generating, "BEAT_SECONDS", 0.02)


def test_what_a_run_finds_is_checked_and_becomes_candidates(
    database: Database, records: list[Record], tmp_path: Path, noon: datetime
) -> None:
    with database.write.begin() as session:
        for one in records[:2]:
            intake.add(session, one, noon, Status.REJECTED)
    run = carry_out(database, noon, fake(tmp_path, "4"))
    assert (run.state, run.accepted, run.checked, run.added, run.error) == ("done", 1002, 4, 2, None)
    assert run.lines[0].startswith("known 2 "), "it was given the puzzles that there are"
    assert candidates(database) == sorted(one.id for one in records[2:4])
    assert done(database, noon) == [(Action.IMPORT, BY, 2), (Action.GENERATE, BY, 10)]


def test_only_one_run_at_a_time_and_none_without_measure(database: Database, noon: datetime) -> None:
    first = start(database, noon)
    for now in (noon, noon + LEASE - SECOND):
        with pytest.raises(ServiceError, match="only one may be"):
            start(database, now)
    assert latest(database, noon).id == first
    assert len(done(database, noon)) == 1, "who came too late left nothing behind"
    for seconds in (9, 3601, 0, -10):
        with pytest.raises(ServiceError, match=f"{seconds} seconds; expected 10 to 3600"):
            start(database, noon, seconds)


def test_a_run_that_shows_no_sign_of_life_is_lost_and_another_may_begin(
    database: Database, tmp_path: Path, noon: datetime
) -> None:
    lost = start(database, noon)
    assert latest(database, noon + LEASE - SECOND).goes_on
    later = noon + LEASE
    assert (latest(database, later).state, latest(database, later).added) == ("lost", 0)
    following = start(database, later)
    with database.write.begin() as session:
        order = generation.show(session, lost, later, accepted=9, checked=0, lines=[])
    assert order == "give_up"
    assert (latest(database, later).id, latest(database, later).accepted) == (following, 0)


def test_signs_of_life_keep_a_run_as_long_as_it_takes(database: Database, noon: datetime) -> None:
    run_id = start(database, noon)
    for beat in range(1, 5):
        now = noon + beat * (LEASE - SECOND)
        with database.write.begin() as session:
            assert generation.show(session, run_id, now, accepted=beat, checked=0, lines=["x"]) == "go_on"
        assert (latest(database, now).state, latest(database, now).accepted) == ("running", beat)


def test_a_run_that_was_given_up_imports_nothing(database: Database, tmp_path: Path, noon: datetime) -> None:
    run_id = start(database, noon)
    following = start(database, noon + LEASE)
    run = generating.run(database, run_id, Clock(noon + LEASE), fake(tmp_path, "5"))
    assert run.state == "lost"
    assert candidates(database) == []
    assert latest(database, noon + LEASE).id == following
    assert latest(database, noon + LEASE).state == "running"


def test_a_run_that_is_stopped_keeps_what_it_has_found(
    database: Database, records: list[Record], tmp_path: Path, noon: datetime
) -> None:
    run_id = start(database, noon)
    with ThreadPoolExecutor(1) as beside:
        ended = beside.submit(generating.run, database, run_id, Clock(noon), fake(tmp_path, "waits"))
        _until(lambda: latest(database, noon).accepted > 0, "it has not begun")
        assert latest(database, noon).state == "running"
        with database.write.begin() as session:
            generation.ask_to_stop(session, run_id, noon)
        run = ended.result(PATIENCE)
    assert (run.state, run.added, run.error) == ("stopped", 2, None)
    assert candidates(database) == sorted(one.id for one in records[:2])
    with database.write.begin() as session, pytest.raises(ServiceError, match="is over"):
        generation.ask_to_stop(session, run_id, noon)
    with database.write.begin() as session, pytest.raises(ServiceError, match="is over"):
        generation.ask_to_stop(session, 99, noon)


def test_an_import_that_is_stopped_keeps_what_is_in_by_then(
    database: Database,
    records: list[Record],
    tmp_path: Path,
    noon: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run_id, bring_in = start(database, noon), intake.bring_in

    def stopped(*arguments: Any, goes_on: Callable[[intake.Import], bool], **named: Any) -> intake.Import:
        def asked(done: intake.Import) -> bool:
            if done.checked == 2:
                with database.write.begin() as session:
                    generation.ask_to_stop(session, run_id, noon)
            return goes_on(done)

        return bring_in(*arguments, goes_on=asked, **named)

    monkeypatch.setattr(intake, "bring_in", stopped)
    run = generating.run(database, run_id, Clock(noon), fake(tmp_path, "4"))
    assert (run.state, run.checked, run.added, run.error) == ("stopped", 2, 2, None)
    assert candidates(database) == sorted(one.id for one in records[:2])


def test_a_generator_that_does_not_stop_is_ended_by_force(
    database: Database, tmp_path: Path, noon: datetime
) -> None:
    run_id = start(database, noon)
    with database.write.begin() as session:
        generation.ask_to_stop(session, run_id, noon)
    assert latest(database, noon).state == "stopping"
    timer = count().__next__
    run = generating.run(database, run_id, Clock(noon), fake(tmp_path, "is deaf"), timer)
    assert (run.state, run.added) == ("stopped", 0)


def test_a_generator_that_goes_on_far_too_long_is_ended_by_force(
    database: Database, tmp_path: Path, noon: datetime
) -> None:
    run = generating.run(
        database, start(database, noon), Clock(noon), fake(tmp_path, "waits"), count(step=20).__next__
    )
    assert (run.state, run.added) == ("failed", 0)


def test_a_clock_that_is_put_forward_ends_no_run(database: Database, tmp_path: Path, noon: datetime) -> None:
    run = carry_out(database, noon, fake(tmp_path, "2"), step=timedelta(hours=1))
    assert (run.state, run.added, run.error) == ("done", 2, None)


def test_folders_of_killed_runs_are_taken_away_and_those_of_others_left(
    database: Database, tmp_path: Path, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = tmp_path / "folders"
    monkeypatch.setattr("tempfile.tempdir", str(folders))
    killed, held, new, elsewhere = (folders / name for name in FOLDERS)
    for folder in (killed, held, new, elsewhere):
        folder.mkdir(parents=True)
        if folder is not new:
            (folder / "known.jsonl").touch()
    link = folders / "dama-generate-link"
    link.symlink_to(elsewhere)
    descriptor = os.open(held, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    assert carry_out(database, noon, fake(tmp_path, "1")).state == "done"
    os.close(descriptor)
    assert set(folders.iterdir()) == {held, new, elsewhere, link}
    assert (elsewhere / "known.jsonl").exists()


@pytest.mark.parametrize(
    ("what", "error", "added"),
    [
        ("fails", "dama-generate: no puzzle found; found.jsonl is left as it was", 0),
        ("dies", "10%| 12 candidates, 1,002 accepted", 2),
    ],
)
def test_a_failure_is_told_and_what_was_found_before_it_kept(
    database: Database, tmp_path: Path, noon: datetime, what: str, error: str, added: int
) -> None:
    run = carry_out(database, noon, fake(tmp_path, what))
    assert (run.state, run.error, run.added) == ("failed", error, added)
    assert start(database, noon) > run.id, "the next one need not wait"


def test_a_generator_that_is_not_there_is_told(database: Database, tmp_path: Path, noon: datetime) -> None:
    run = carry_out(database, noon, [str(tmp_path / "nothing")])
    assert (run.state, run.error) == ("failed", "there is no dama-generate beside this site's Python")


def test_what_is_no_sound_puzzle_is_refused_and_told(
    database: Database, record_lines: list[str], tmp_path: Path, noon: datetime
) -> None:
    wrong = tmp_path / "wrong.jsonl"
    false = json.loads(record_lines[1]) | {"key": "a1-a2"}
    wrong.write_text("\n".join((record_lines[0], json.dumps(false), record_lines[2])))
    run = carry_out(database, noon, fake(tmp_path, "3", wrong))
    assert (run.state, run.checked, run.added) == ("failed", 3, 2)
    assert run.error is not None
    assert run.error.startswith("line 2: key: 'a1-a2'; the proof has ")


RACE = """
import datetime
from puzzle_service import db
from puzzle_service.services import generation
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings

def race(number, wait, say, url, now):
    database = db.connect(Settings(url))
    wait()
    try:
        with database.write.begin() as session:
            say(generation.start(session, "ayşe", datetime.datetime.fromisoformat(now), 10))
    except ServiceError as error:
        say(error.code)
    database.close()
"""


def test_of_workers_that_start_at_once_exactly_one_does(
    database: Database, settings: Settings, noon: datetime
) -> None:
    first, *others = race(RACE, 4, settings.database_url, noon.isoformat())
    assert first.isdecimal()
    assert others == ["running"] * 3
    assert len(done(database, noon)) == 1


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_the_installed_generator_finds_what_the_site_imports(
    database: Database, settings: Settings, records: list[Record], noon: datetime
) -> None:
    """The real programs, started as a worker starts them, and told to stop once they have found something."""
    from puzzle_service.clock import utc_now

    with database.write.begin() as session:
        for one in records:
            intake.add(session, one, noon, Status.APPROVED)
        run_id = generation.start(session, BY, utc_now(), 10)
    generating.spawn(settings, run_id)
    _until(lambda: latest(database, utc_now()).accepted > 0, "it has found nothing")
    with database.write.begin() as session:
        generation.ask_to_stop(session, run_id, utc_now())
    _until(lambda: not latest(database, utc_now()).goes_on, "it does not end")
    run = latest(database, utc_now())
    assert (run.state, run.error) == ("stopped", None)
    assert 0 < run.added == len(candidates(database)) <= run.accepted


def test_a_run_that_is_ended_from_outside_says_so(
    database: Database, settings: Settings, tmp_path: Path, noon: datetime
) -> None:
    run_id = start(database, noon)
    code = (
        "import signal, sys; from datetime import datetime; from puzzle_service import db, generating;"
        "from puzzle_service.settings import Settings;"
        "signal.signal(signal.SIGTERM, signal.default_int_handler);"
        "generating.run(db.connect(Settings(sys.argv[1])), int(sys.argv[2]),"
        " lambda: datetime.fromisoformat(sys.argv[3]), sys.argv[4:])"
    )
    given = (settings.database_url, str(run_id), noon.isoformat(), *fake(tmp_path, "waits"))
    process = subprocess.Popen([sys.executable, "-c", code, *given])
    _until(lambda: latest(database, noon).accepted > 0, "it has not begun")
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    run = latest(database, noon)
    assert (run.state, run.error) == ("failed", "ended from outside")


def test_an_export_holds_every_puzzle_as_it_came_in(
    database: Database, record_lines: list[str], records: list[Record], noon: datetime
) -> None:
    with database.write.begin() as session:
        for number, one in enumerate(records):
            intake.add(session, one, noon, Status.REJECTED if number % 2 else Status.APPROVED)
    with database.read() as session:
        exported = list(intake.export(session))
    assert sorted(record.parse(line).id for line in exported) == sorted(one.id for one in records)
    by_id = {json.loads(line)["id"]: json.loads(line) for line in record_lines}
    for line in exported:
        fields = json.loads(line)
        assert list(fields) == list(by_id[fields["id"]]), "in the same order"
        assert fields | {"seed": ""} == by_id[fields["id"]] | {"seed": ""}


def test_a_puzzle_without_findings_is_exported_and_no_import_takes_it(
    database: Database, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(1, findings=NONE.json())
    with database.read() as session:
        (line,) = intake.export(session)
    assert json.loads(line)["skeleton"] == ""
    with pytest.raises(RecordError, match="features: 'first_moves' is missing"):
        record.parse(line)
