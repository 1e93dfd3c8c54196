"""The process that searches beside the workers: its places, its end, and that nobody waits in vain."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from puzzle_service import searching
from puzzle_service.searching import Answer, Searches, SearchRefused
from tests.searches import OBEDIENT, PATIENCE, Process, obedient, until

GAME = {"rules": "turkish", "start": None, "moves": ["c3-c4"]}
Asked = Future[Answer]


class Table:
    """Somebody who asks for searches that wait, and lets them end."""

    def __init__(self, process: Process, folder: Path, pool: ThreadPoolExecutor) -> None:
        self.process, self._folder, self._pool = process, folder, pool
        self._count = 0

    def files(self) -> dict[str, str]:
        """Return the names of the files by which a search tells that it has begun, may end, and has ended."""
        self._count += 1
        return {name: str(self._folder / f"{name}-{self._count}") for name in ("began", "until", "ended")}

    def ask(self, kind: Any = "wait", **files: str) -> Asked:
        """Ask for a search, and return when it has begun or been refused."""
        asked = self._pool.submit(self.process.searches.ask, kind, **GAME, **files)
        until(lambda: asked.done() or Path(files["began"]).exists())
        return asked


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """A function that starts a process that searches, and returns who asks it."""
    with ThreadPoolExecutor(16) as pool, ExitStack() as running:

        def table(most: int = 2, **environ: str) -> Table:
            return Table(running.enter_context(obedient(most, **environ)), tmp_path, pool)

        yield table


def why(asked: Asked) -> str:
    with pytest.raises(SearchRefused) as refused:
        asked.result(PATIENCE)
    return refused.value.why


Tables = Callable[..., Table]


def test_so_many_search_at_once_and_the_next_is_refused_until_a_place_is_free(tables: Tables) -> None:
    table = tables(most=2)
    first, second, third, fourth = (table.files() for _ in range(4))
    running = [table.ask(**first), table.ask(**second)]
    assert table.process.searches.running() == 2
    assert why(table.ask(**third)) == "busy"
    Path(first["until"]).touch()
    assert running[0].result(PATIENCE)["stopped"] is False
    until(lambda: table.process.searches.running() == 1)
    again = table.ask(**fourth)
    assert not again.done()
    for files in (second, fourth):
        Path(files["until"]).touch()
    assert [asked.result(PATIENCE)["stopped"] for asked in (running[1], again)] == [False, False]


CLIENT = """
import sys
from pathlib import Path
from puzzle_service.searching import Searches, SearchRefused
folder, *files = sys.argv[1:]
names = dict(zip(("began", "until", "ended"), files))
try:
    Searches(Path(folder)).ask("wait", rules="turkish", start=None, moves=[], **names)
    print("found")
except SearchRefused as refused:
    print(refused.why)
"""


def test_workers_that_race_get_the_places_there_are_and_one_that_is_killed_gives_his_back(
    tables: Tables,
) -> None:
    table = tables(most=2)
    asked = [table.files() for _ in range(6)]
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", CLIENT, str(table.process.searches.folder), *files.values()],
            stdout=subprocess.PIPE,
            text=True,
        )
        for files in asked
    ]
    until(lambda: sum(worker.poll() is not None for worker in workers) == 4)
    searching = [number for number, worker in enumerate(workers) if worker.poll() is None]
    assert [Path(asked[number]["began"]).exists() for number in searching] == [True, True]
    killed, other = searching
    workers[killed].kill()
    until(lambda: Path(asked[killed]["ended"]).exists())
    until(lambda: table.process.searches.running() == 1)
    after = table.files()
    next_one = table.ask(**after)
    for files in (asked[other], after):
        Path(files["until"]).touch()
    assert next_one.result(PATIENCE)["stopped"] is False
    said = [worker.communicate(timeout=PATIENCE)[0].strip() for worker in workers]
    assert sorted(said) == ["", *["busy"] * 4, "found"]


def test_a_search_that_takes_too_long_is_stopped_and_told(tables: Tables) -> None:
    table = tables(SECONDS="0.1")
    files = table.files()
    assert why(table.ask(**files)) == "late"
    until(lambda: Path(files["ended"]).exists())
    until(lambda: table.process.searches.running() == 0)
    assert table.process.process.poll() is None


def test_a_search_that_does_not_listen_takes_its_process_along_and_nobody_waits(tables: Tables) -> None:
    table = tables(SECONDS="0.1")
    assert why(table.ask("deaf", **table.files())) == "late"
    assert table.process.process.wait(PATIENCE) == 1
    assert why(table.ask(**table.files())) == "starting"


def test_the_end_of_the_process_is_told_to_all_who_wait(tables: Tables) -> None:
    table = tables()
    asked = [table.ask(**table.files()) for _ in range(2)]
    os.kill(table.process.process.pid, signal.SIGKILL)
    assert [why(one) for one in asked] == ["lost", "lost"]
    table.process.process.wait()
    assert why(table.ask(**table.files())) == "starting"
    assert table.process.searches.running() == 0


def test_a_process_that_is_told_to_end_stops_its_searches(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a machine that is busy with other tests the process may take longer to say that it has a place.
    monkeypatch.setattr(searching, "ADMISSION_SECONDS", PATIENCE)
    table = tables()
    files = table.files()
    asked = table.ask(**files)
    table.process.process.send_signal(signal.SIGTERM)
    assert table.process.process.wait(PATIENCE) == 0
    assert Path(files["ended"]).exists()
    assert why(asked) == "lost"


STARTER = """
import os, subprocess, sys
child = subprocess.Popen([*sys.argv[1:], "--parent", str(os.getpid())])
print(child.pid, flush=True)
sys.stdin.readline()
"""


def test_a_process_that_searches_leaves_with_the_server_that_started_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OBEDIENT, str(tmp_path), "--most", "1"]
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert starter.stdout is not None
    child = Path("/proc") / starter.stdout.readline().decode().strip()
    until(Searches(tmp_path).socket_file.exists)
    assert child.exists()
    starter.kill()
    starter.communicate()
    until(lambda: not child.exists())


def test_a_process_that_does_not_answer_counts_as_busy(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "ADMISSION_SECONDS", 0.1)
    table = tables()
    os.kill(table.process.process.pid, signal.SIGSTOP)
    assert why(table.ask(**table.files())) == "busy"
    os.kill(table.process.process.pid, signal.SIGCONT)


def test_a_fault_in_a_search_is_one_of_the_site_and_the_next_search_goes_on(
    tables: Tables, capfd: pytest.CaptureFixture[str]
) -> None:
    table = tables(most=1)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        table.ask("fail", **table.files()).result(PATIENCE)
    files = table.files()
    Path(files["until"]).touch()
    assert table.ask(**files).result(PATIENCE)["stopped"] is False
    assert "a fault while searching" in capfd.readouterr().err


def test_who_asks_before_there_is_a_process_has_it_started(tmp_path: Path) -> None:
    found = Searches(tmp_path)
    assert not found.is_wanted
    assert found.running() == 0
    assert not found.is_wanted
    with pytest.raises(SearchRefused, match="starting"):
        found.ask("draw", **GAME)
    assert found.is_wanted


def test_a_folder_that_was_tidied_away_is_made_again(tmp_path: Path) -> None:
    with searching.shared() as found:
        found.folder.rmdir()
        assert found.running() == 0
        found.want()
        assert found.is_wanted
        assert found.folder.stat().st_mode & 0o777 == 0o700
    assert not found.folder.exists()


def test_the_folder_to_meet_in_is_nobody_elses_and_goes_with_who_made_it() -> None:
    with searching.shared() as found:
        assert found.folder.stat().st_mode & 0o777 == 0o700
    assert not found.folder.exists()
