"""Measures the puzzle page while visitors ask the engine for moves, beside the page alone, in one run.

    python bench/engine_load.py [--rounds 5] [--seconds 4] [--requests 16] [--searches 2] [--workers 2]

Starts a real server on SQLite. 64 clients load today's page for the first time, as in `load.py`; in every
other turn so many others ask at once for moves of the level *hard*, and go on asking: the next when one was
played, again after the time that a refusal names. What counts is the median of the ratios of the page's rate
within a round, and that no page fails. Exit code 1 when that rate falls below half, when an answer of the
engine is neither a move nor a refusal that says when to come back, when nobody was served, or nobody refused.
"""

import argparse
import json
import multiprocessing
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from http.client import HTTPConnection
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any, Final

import history
import visitors
from crowd import Figures, run
from load import WARM_UP, site
from visitors import TOKEN, Visitor

OF_THE_PAGE_ALONE: Final = 0.5
ATTEMPTS: Final = 1000
PATIENCE: Final = 60.0
"""Seconds without any answer before the server is given up."""
STARTING: Final = 300.0
"""Seconds in which the engine must be ready: with nothing in its cache it is compiled first."""
PLAYED: Final = "played"
FAILED: Final = "failed with "
BODY: Final = json.dumps({"level": "hard", "moves": ["c3-c4"]})

Player = tuple[int, dict[str, str]]
"""The server's port, and the headers of this player's requests."""


def player(port: int, visitor: Visitor) -> Player:
    """Return a visitor who plays against the computer with what the page has given him."""
    token = TOKEN.search(visitor.page.decode())
    if token is None:
        raise SystemExit("the page has no token")
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    return port, {"Content-Type": "application/json", "X-CSRFToken": token[1], "Cookie": cookies}


def ask(asking: Player) -> tuple[str, float]:
    """Ask for a move: what came of it, and the seconds to wait before asking again."""
    port, headers = asking
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("POST", "/api/v1/games/engine", BODY, headers)
        answer = connection.getresponse()
        text = answer.read()
        wait = answer.headers.get("Retry-After")
    if answer.status == 200 and "move" in json.loads(text):
        return PLAYED, 0.0
    if answer.status == 503 and wait is not None:
        return str(json.loads(text)["error"]["code"]), float(wait)
    return f"{FAILED}{answer.status}", 1.0


def play(asking: Sequence[Player], ends: Event, answers: "multiprocessing.Queue[list[Any]]") -> None:
    """Let all of them play until the end, and tell what came of each request, and how long moves took."""
    said: list[tuple[str, float]] = []

    def one(somebody: Player) -> None:
        while not ends.is_set():
            begun = time.perf_counter()
            came, wait = ask(somebody)
            said.append((came, time.perf_counter() - begun))
            ends.wait(wait)

    threads = [Thread(target=one, args=(somebody,)) for somebody in asking]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers.put(said)


def measure_both(
    asking: Sequence[Player], pages: list[Visitor], port: int, seconds: float
) -> tuple[Figures, list[tuple[str, float]]]:
    """Load pages while they play; returns the pages' figures and what came of the requests for moves."""
    ends = multiprocessing.Event()
    answers: multiprocessing.Queue[list[Any]] = multiprocessing.Queue()
    playing = multiprocessing.Process(target=play, args=(asking, ends, answers))
    playing.start()
    # So long that all have asked, and those who were refused ask again now and then.
    time.sleep(WARM_UP)
    figures = run(port, visitors.views(pages, seconds))
    ends.set()
    try:
        said = answers.get(timeout=PATIENCE)
    finally:
        playing.kill()
        playing.join()
    return figures, said


def wait_for_engine(asking: Player) -> None:
    """Ask for a move until there is one."""
    end = time.monotonic() + STARTING
    while (came := ask(asking)[0]) != PLAYED:
        if time.monotonic() > end:
            raise SystemExit(f"the engine does not start: {came}")
        time.sleep(1)


def measure(options: argparse.Namespace, folder: Path) -> bool:
    """Measure, show what was found, and tell whether the bounds are kept."""
    past = history.make(folder / "site.sqlite3", ATTEMPTS, seed=1)
    settings = {"DAMA_SEARCHES": str(options.searches), "DAMA_LIMIT_ENGINE": "1000000 per hour"}
    alone, together, said = list[Figures](), list[Figures](), list[tuple[str, float]]()
    with site(past, options.workers, **settings) as (port, _):
        pages = visitors.strangers(port, 1)
        asking = [player(port, one) for one in visitors.newcomers(port, options.requests)]
        wait_for_engine(asking[0])
        run(port, visitors.views(pages, WARM_UP))
        for _ in range(options.rounds):
            alone.append(run(port, visitors.views(pages, options.seconds)))
            figures, came = measure_both(asking, pages, port, options.seconds)
            together.append(figures)
            said += came
    show("alone", alone)
    show("beside the engine", together)
    return judge(alone, together, said)


def show(name: str, figures: list[Figures]) -> None:
    rate, half, most = (
        median(found)
        for found in zip(*((one.rate, one.wait(0.5), one.wait(0.99)) for one in figures), strict=True)
    )
    print(f"puzzle pages {name:18} {rate:8.0f}/s, half within {half:.0f} ms, 99 % within {most:.0f} ms")


def judge(alone: list[Figures], together: list[Figures], said: list[tuple[str, float]]) -> bool:
    """Show what the engine answered and what it left of the page's rate; tell whether that is enough."""
    counts = Counter(came for came, _ in said)
    took = sorted(seconds for came, seconds in said if came == PLAYED)
    refused = sorted(seconds for came, seconds in said if came != PLAYED)
    print("asked for moves: " + ", ".join(f"{count} {came}" for came, count in counts.most_common()))
    if not took or not refused or any(came.startswith(FAILED) for came in counts):
        print("expected moves and refusals, and nothing else — MISSED")
        return False
    print(f"a move took {median(took):.1f} s, {took[-1]:.1f} s at most; a refusal {median(refused):.2f} s")
    kept = median(some.rate / all_.rate for some, all_ in zip(together, alone, strict=True))
    is_enough = kept >= OF_THE_PAGE_ALONE
    wanted = f"at least {OF_THE_PAGE_ALONE:.0%} wanted{'' if is_enough else ' — MISSED'}"
    print(f"of the page's rate {kept:.0%} are left beside the engine, {wanted}; no page failed")
    return is_enough


def main() -> None:
    parser = argparse.ArgumentParser(description="the puzzle page beside the engine")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--requests", type=int, default=16, help="players who ask at once")
    parser.add_argument("--searches", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    # Whoever ends this early is not to find the server still running.
    signal.signal(signal.SIGTERM, lambda *_told: sys.exit(1))
    with tempfile.TemporaryDirectory() as folder:
        is_enough = measure(options, Path(folder))
    if not is_enough:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
