"""The server as an operator starts it: prepared, answering, with one scheduler, and gone when told."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from sqlalchemy import func, select, text

from puzzle_service import db, serve
from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.models import Publication
from puzzle_service.services import intake, review
from puzzle_service.settings import Settings
from tests.service.programs import Run, failed

PATIENCE = 180.0
AddPuzzles = Callable[..., list[str]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


PROGRAM = [sys.executable, "-m", "puzzle_service.cli", "serve"]
HAND_OVER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""
"""Starts a program with a socket as systemd does: as the file number 3, announced in the environment."""


@contextmanager
def serving(
    settings: Settings, *options: str, held: socket.socket | None = None, **environ: str
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run the server on a free port, or on a socket that is held for it, until the block ends."""
    port = held.getsockname()[1] if held else free_port()
    command, passed = [*PROGRAM, "--port", str(port), *options], list[int]()
    if held:
        command, passed = [sys.executable, "-c", HAND_OVER, str(held.fileno()), *command[1:]], [held.fileno()]
    server = subprocess.Popen(
        command,
        env=os.environ
        | {"DAMA_DATABASE_URL": settings.database_url, "DAMA_SECRET_KEY": settings.secret_key or ""}
        | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=passed,
    )
    try:
        yield server, port
    finally:
        if server.poll() is None:
            server.kill()
        server.communicate()


def answer(port: int, path: str = "/") -> int:
    """Return the status of a page, the first one unless told, once there is one."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}{path}") as response:
                status: int = response.status
                return status
        except URLError:
            assert time.monotonic() < deadline, "no answer"
            time.sleep(0.1)


def test_a_fresh_folder_is_prepared_and_served(tmp_path: Path) -> None:
    settings = Settings(f"sqlite:///{tmp_path}/var/dama.sqlite3")
    with serving(settings, "--prepare", "--workers", "1", "--no-scheduler") as (server, port):
        assert answer(port) == 200
        server.send_signal(signal.SIGTERM)
        out, _ = server.communicate(timeout=PATIENCE)
        assert server.returncode == 0
    assert f"Imported {_in_the_package()} puzzles from the packaged stock." in out
    assert f"Serving on http://127.0.0.1:{port}" in out
    assert "password (shown once): " in out
    assert f"http://127.0.0.1:{port}/sign-in" in out
    with serving(settings, "--prepare", "--workers", "1", "--no-scheduler") as (server, port):
        assert answer(port) == 200
        server.send_signal(signal.SIGINT)
        out, error = server.communicate(timeout=PATIENCE)
        assert server.returncode == 0
    assert "password" not in out
    assert "Traceback" not in error


def _in_the_package() -> int:
    return len(intake.packaged_stock().read_bytes().splitlines())


class Crowd:
    """Visitors who open the first page again and again, each time on a new connection."""

    def __init__(self, port: int) -> None:
        self._port, self._leaves = port, threading.Event()
        self.answers, self.faults = 0, list[Exception]()

    def visit(self) -> None:
        while not self._leaves.is_set():
            try:
                with urlopen(f"http://127.0.0.1:{self._port}/", timeout=PATIENCE) as response:
                    assert b"</html>" in response.read()
                self.answers += 1
            except OSError as fault:
                self.faults.append(fault)

    def wait_for_answers(self, count: int) -> None:
        """Wait until so many more answers have come."""
        wanted, deadline = self.answers + count, time.monotonic() + PATIENCE
        while self.answers < wanted:
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.02)

    def leave(self) -> None:
        self._leaves.set()


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_restart_on_a_socket_that_is_held_refuses_nobody(
    settings: Settings, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(1)
    alone = ("--workers", "1", "--no-scheduler")
    with socket.create_server(("127.0.0.1", 0), backlog=128) as held, ThreadPoolExecutor(4) as pool:
        crowd = Crowd(held.getsockname()[1])
        visits = [pool.submit(crowd.visit) for _ in range(4)]
        try:
            for _ in range(2):
                with serving(settings, *alone, held=held) as (server, _):
                    crowd.wait_for_answers(20)
                    server.send_signal(signal.SIGTERM)
                    out, error = server.communicate(timeout=PATIENCE)
                    assert server.returncode == 0
                assert "Serving on the socket that was handed over" in out
                assert "Traceback" not in error
            with serving(settings, *alone, held=held):
                crowd.wait_for_answers(4)
                crowd.leave()
                for visit in visits:
                    visit.result(PATIENCE)
        finally:
            crowd.leave()
    assert crowd.faults == []


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_request_that_is_being_answered_when_the_server_is_told_to_stop_is_answered(
    database: Database, settings: Settings, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(1)
    with serving(settings, "--workers", "1", "--no-scheduler") as (server, port):
        assert answer(port, "/readyz") == 200
        first_page = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        with database.write.begin() as session:
            session.connection()  # begins, and nobody else can write now
            first_page.request("GET", "/")
            assert answer(port, "/readyz") == 200  # which was sent later, so that the page is being made
            server.send_signal(signal.SIGTERM)
            assert server.poll() is None
        assert first_page.getresponse().status == 200
        first_page.close()
        _, error = server.communicate(timeout=PATIENCE)
        assert server.returncode == 0
    assert "Traceback" not in error


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_workers_without_a_scheduler_count_together_and_log_nothing_of_what_is_no_http(
    settings: Settings, add_puzzles: AddPuzzles, tmp_path: Path
) -> None:
    """Any worker answers for what all of them counted, also such as are gone."""
    add_puzzles(1)
    token = "for those who collect: 32 characters"  # noqa: S105
    ask = {"Authorization": f"Bearer {token}"}
    with_counts = serving(
        settings, "--no-scheduler", DAMA_METRICS_TOKEN=token, DAMA_LOG_FORMAT="json", TMPDIR=str(tmp_path)
    )
    with with_counts as (server, port):
        for _ in range(10):
            assert answer(port) == 200
        _send_no_http(port)
        first, second = _family(server.pid, 2)
        os.kill(first, signal.SIGKILL)
        while first in _children(server.pid):
            time.sleep(0.02)
        with urlopen(Request(f"http://127.0.0.1:{port}/metrics", headers=ask)) as response:
            counted = response.read().decode()
        # The server comes round to see what is missing: it is a worker, and no scheduler.
        family = _family(server.pid, 2)
        assert (len(family), second in family, _schedulers(server.pid)) == (2, True, [])
        (folder,) = tmp_path.glob("dama-metrics-*")
        server.send_signal(signal.SIGTERM)
        _, error = server.communicate(timeout=PATIENCE)
    assert 'dama_request_seconds_count{route="/",status="2xx"} 10.0\n' in counted
    assert not folder.exists()
    lines = [json.loads(line) for line in error.splitlines()]
    assert "a request that is no HTTP was refused" in [line["message"] for line in lines]
    assert not any(word in error for word in ("127.0.0.1", "SECRET", "ay\\u015fe"))


def _send_no_http(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /ay\xc5\x9fe SECRET/9\r\n\r\n")
        assert b" 400 " in connection.recv(1000)


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_server_whose_workers_cannot_start_any_more_leaves_with_a_failure(
    database: Database, settings: Settings, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(1)
    with serving(settings, "--workers", "1", "--no-scheduler") as (server, port):
        assert answer(port, "/readyz") == 200
        (worker,) = _family(server.pid, 1)
        with database.write.begin() as session:
            session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        os.kill(worker, signal.SIGKILL)
        _, error = server.communicate(timeout=PATIENCE)
        assert server.returncode == 1
    assert "the database is at revision 9999 and this version works with" in error


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_four_workers_have_one_scheduler_which_is_followed_by_another_when_it_dies(
    database: Database, settings: Settings, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(4)
    with serving(settings, "--workers", "4") as (server, port):
        assert answer(port) == 200
        children = _family(server.pid, 5)  # the first worker answers before the last one is there
        assert len(children) == 5
        first = _scheduler(server.pid, None)
        assert _schedulers(server.pid) == [first]
        os.kill(first, signal.SIGKILL)
        second = _scheduler(server.pid, first)
        assert _schedulers(server.pid) == [second]
        assert answer(port) == 200
        server.send_signal(signal.SIGTERM)
        _, error = server.communicate(timeout=PATIENCE)
        assert server.returncode == 0
    assert error.count("the scheduler has ended by itself and is started again") == 1
    assert "Traceback" not in error
    assert not any(Path(f"/proc/{pid}").exists() for pid in (*children, second))
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(Publication)) == 1


def _family(server: int, size: int) -> list[int]:
    """Return the server's children once there are so many."""
    deadline = time.monotonic() + PATIENCE
    while len(children := _children(server)) < size:
        assert time.monotonic() < deadline, f"{len(children)} processes, not {size}"
        time.sleep(0.1)
    return children


def _scheduler(server: int, but_not: int | None) -> int:
    """Return the server's scheduler, once there is one and it is another one."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = _schedulers(server)
        if found and found != [but_not]:
            return found[0]
        assert time.monotonic() < deadline, "no scheduler"
        time.sleep(0.1)


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
@pytest.mark.parametrize("host", ["x" * 70, "no.such.host.invalid", "256.0.0.1"])
def test_a_host_that_is_no_address_of_this_machine_is_one_line(run: Run, host: str) -> None:
    result = run("serve", "--host", host, DAMA_SECRET_KEY="k" * 32)
    assert failed(result, 1, f"cannot serve on {host}:8000: ")
    assert result.stderr.count("\n") == 1


def _schedulers(server: int) -> list[int]:
    return [pid for pid in _children(server) if b"\0scheduler\0" in _command(pid)]


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _command(pid: int) -> bytes:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_port_that_is_taken_is_one_line(settings: Settings) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        command = [sys.executable, "-m", "puzzle_service.cli", "serve", "--port", str(port)]
        environ = os.environ | {"DAMA_DATABASE_URL": settings.database_url}
        result = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == f"Error: cannot serve on 127.0.0.1:{port}: Address already in use\n"


def test_preparing_twice_does_everything_once(empty_url: str, small_stock: int, noon: datetime) -> None:
    settings = Settings(empty_url)
    first = serve.prepare(settings, noon)
    assert first.password is not None
    assert first.imported == small_stock
    assert serve.prepare(settings, noon) == serve.Prepared(0, None)
    database = db.connect(settings)
    with database.read() as session:
        assert len(review.queue(session, Status.APPROVED, limit=10_000)) == first.imported
        assert review.queue(session, Status.CANDIDATE) == []
    database.close()


def test_preparing_leaves_an_existing_stock_alone(
    database: Database, settings: Settings, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(1, Status.REJECTED)
    assert serve.prepare(settings, datetime.now(UTC)).imported == 0


PLAYED = """
import re, sys
import puzzle_service.serve
from puzzle_service.settings import Settings
from puzzle_service.web import create_app
client = create_app(Settings(sys.argv[1], secret_key="k" * 32)).test_client()
page = client.get("/").text
token = re.search(r'name="csrf-token" content="([^"]+)"', page)[1]
puzzle = client.get("/api/v1/puzzles/today").json
sent = {"attempt": 1, "ply": 0, "request_id": "a-request", "move": puzzle["legal"][0]["move"]}
answer = client.post("/api/v1/puzzles/1/moves", json=sent, headers={"X-CSRFToken": token})
print(answer.status_code, answer.json["verdict"] in ("continue", "slow", "wrong"), "numba" in sys.modules)
"""


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_page_and_a_move_are_served_without_the_compiler(
    settings: Settings, add_puzzles: AddPuzzles
) -> None:
    add_puzzles(1)
    command = [sys.executable, "-c", PLAYED, settings.database_url]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("200 True False\n", "")
