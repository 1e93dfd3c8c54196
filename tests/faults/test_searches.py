"""The process that searches beside a real server: started when wanted, killed, started again, and gone."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from puzzle_service.searcher import NICENESS
from puzzle_service.services.publication import PublishedPuzzle
from tests.faults.browser import Answer, Browser
from tests.faults.conftest import Server, StartServer
from tests.searches import compiled, until

GAME = {"moves": ["c3-c4"]}
SEARCHER = b"puzzle_service.searcher"


def engine(browser: Browser, level: str) -> Answer:
    return browser.post("/api/v1/games/engine", GAME | {"level": level})


def searchers(server: Server) -> list[int]:
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if SEARCHER in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_process_that_searches_is_started_when_wanted_and_again_when_killed_and_leaves_with_the_server(
    start: StartServer, today: PublishedPuzzle
) -> None:
    compiled()
    often = {"DAMA_LIMIT_ENGINE": "100000 per hour"}
    server = start("--workers", "2", "--no-scheduler", DAMA_SEARCHES="1", **often)
    browser = Browser(server.port)
    browser.open()
    assert searchers(server) == []
    first = engine(browser, "easy")
    assert (first.status, why(first)) == (503, "engine_starting")
    assert int(first.headers["Retry-After"]) > 0
    until(lambda: engine(browser, "easy").status == 200)
    (pid,) = searchers(server)
    assert os.getpriority(os.PRIO_PROCESS, pid) == NICENESS
    with ThreadPoolExecutor(1) as pool:
        until(lambda: killed_while_it_searches(server, browser, pool))
    assert browser.ask("GET", "/").status == 200
    until(lambda: engine(browser, "easy").status == 200)
    (again,) = searchers(server)
    assert again != pid
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(60) == 0
    assert not Path(f"/proc/{again}").exists()
    assert "Traceback" not in server.log.read_text()


def killed_while_it_searches(server: Server, browser: Browser, pool: ThreadPoolExecutor) -> bool:
    """Kill the process that searches; tell whether a search was lost by that, which may just have ended."""
    until(lambda: engine(browser, "easy").status == 200)
    asked = pool.submit(browser.post, "/api/v1/games/hint", GAME)
    until(lambda: asked.done() or why(engine(browser, "easy")) == "engine_busy")
    (pid,) = searchers(server)
    os.kill(pid, signal.SIGKILL)
    return why(asked.result()) == "engine_lost"


def why(answer: Answer) -> str | None:
    return None if answer.status == 200 else str(answer.json["error"]["code"])
