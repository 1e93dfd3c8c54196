"""Measures the site under load: today's page beside a bare page, moves, a small and a large past, in one run.

    python bench/load.py [--rounds 5] [--seconds 2] [--attempts 1000 1000000] [--workers 2]

Starts real servers on SQLite: `dama-daily serve` on a database for each number of attempts, and `bare.py`
with the finished page of the first. 64 clients hold keep-alive connections and take turns at the servers,
round after round; what counts is the median of the ratios within a round. Measured are visitors who come for
the first time, whose page the bare one is, players who hold a cookie and have a past of months, and both
mixed. Exit code 1 when a bound is missed or an answer is not the one that was expected.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Final

import history
import visitors
from crowd import Figures, run
from history import Past
from visitors import Visitor

OF_THE_BARE_PAGE: Final = 0.40
"""What a first visit's rate must reach; a player's page holds more than the bare one, and is only shown."""
OF_THE_SMALL_PAST: Final = 0.80
THREADS: Final = "8"
"""How many threads each process of a server has; what `dama-daily serve` takes if it is not told."""
WARM_UP: Final = 1.0
PLAYERS: Final = 1000
"""How many of a past's players come back."""
SOLVERS: Final = 240
"""How many visitors solve the puzzle when moves are measured."""
FIRST: Final = "first visits"
KINDS: Final = (FIRST, "players", "mixed")


@dataclass
class Side:
    """A running server, who visits it, and its figures by what was measured."""

    name: str
    port: int
    session: int
    visitors: dict[str, list[Visitor]]
    figures: dict[str, list[Figures]] = field(
        default_factory=lambda: {kind: [] for kind in (*KINDS, "moves")}
    )


@contextmanager
def server(command: list[str], settings: dict[str, str], ready: str) -> Iterator[int]:
    """Run a server until the block ends and give its session; it must say that it is ready."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command,
            env=os.environ | settings,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
        try:
            if process.stdout is None or not process.stdout.readline().startswith(ready):
                log.seek(0)
                raise SystemExit(f"{' '.join(command)} did not start: {log.read()[-1000:]}")
            yield process.pid
        finally:
            process.terminate()
            process.wait()


@contextmanager
def site(past: Past, workers: int, **more: str) -> Iterator[tuple[int, int]]:
    """Run the site on a database, with these settings too, and give its port and its session."""
    port = free_port()
    settings = {
        "DAMA_DATABASE_URL": past.settings.database_url,
        "DAMA_SECRET_KEY": history.SECRET,
        # All the clients have one address here.
        "DAMA_LIMIT_GUESTS": "1000000 per hour",
    }
    serve = [sys.executable, "-m", "puzzle_service.cli", "serve"]
    options = ["--workers", str(workers), "--threads", THREADS, "--port", str(port)]
    with server([*serve, *options], settings | more, "Serving") as session:
        yield port, session


@contextmanager
def bare(page: bytes, folder: Path, workers: int) -> Iterator[tuple[int, int]]:
    """Serve a finished page and give the server's port and its session."""
    port, file = free_port(), folder / "page.html"
    file.write_bytes(b"{% raw %}" + page + b"{% endraw %}")
    script = str(Path(__file__).with_name("bare.py"))
    with server(
        [sys.executable, script, str(file), str(port), str(workers), THREADS], {}, "ready"
    ) as session:
        yield port, session


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def who_comes(port: int, past: Past) -> dict[str, list[Visitor]]:
    """Return the visitors of each kind."""
    first = visitors.strangers(port, 1)
    players = visitors.known(port, [{"dama_player": token} for token in past.tokens[-PLAYERS:]])
    mixed = list(chain.from_iterable((first[0], player) for player in players))
    return {FIRST: first, "players": players, "mixed": mixed}


def measure_views(sides: list[Side], rounds: int, seconds: float) -> None:
    for kind in KINDS:
        for side in sides:
            run(side.port, visitors.views(side.visitors[kind], WARM_UP))
        for turn in range(rounds):
            for side in sides if turn % 2 == 0 else sides[::-1]:
                found = run(side.port, visitors.views(side.visitors[kind], seconds), side.session)
                side.figures[kind].append(found)


def measure_moves(sides: list[Side], pasts: list[Past], rounds: int) -> None:
    """Let people who come for the first time solve today's puzzle: every one of them becomes a guest."""
    for turn in range(rounds):
        for side, past in list(zip(sides, pasts, strict=True))[:: 1 if turn % 2 == 0 else -1]:
            newcomers = visitors.newcomers(side.port, SOLVERS)
            side.figures["moves"].append(run(side.port, visitors.solves(newcomers, past.today), side.session))


def ratio(ones: list[Figures], others: list[Figures]) -> float:
    """Return the median of the ratios of two servers' rates within a round."""
    return median(one.rate / other.rate for one, other in zip(ones, others, strict=True))


def show(sides: list[Side]) -> None:
    print(f"{'':13}{'server':24}{'a second':>10}{'half within':>14}{'99 % within':>14}{'processor':>12}")
    for kind in (*KINDS, "moves"):
        for side in sides:
            if found := side.figures[kind]:
                figures = [(one.rate, one.wait(0.5), one.wait(0.99), one.cost) for one in found]
                rate, half, most, cost = (median(values) for values in zip(*figures, strict=True))
                print(f"{kind:13}{side.name:24}{rate:10,.0f}{half:11.1f} ms{most:11.1f} ms{cost:9.2f} ms")


def judge(peer: Side, sites: list[Side]) -> bool:
    """Print the ratios with their bounds and tell whether all are kept."""
    small, large = sites[0], sites[-1]
    kept = True
    for kind in KINDS:
        found = ratio(small.figures[kind], peer.figures[kind])
        kept &= _bound(f"{kind}: page / bare page", found, OF_THE_BARE_PAGE if kind == FIRST else 0)
        if small is not large:
            kept &= _bound(
                f"{kind}: {large.name} / {small.name}",
                ratio(large.figures[kind], small.figures[kind]),
                OF_THE_SMALL_PAST,
            )
    if small is not large:
        moves = ratio(large.figures["moves"], small.figures["moves"])
        kept &= _bound(f"moves: {large.name} / {small.name}", moves, OF_THE_SMALL_PAST)
    return kept


def _bound(what: str, found: float, least: float) -> bool:
    kept = found >= least
    wanted = f", at least {100 * least:.0f} % wanted{'' if kept else ' — MISSED'}" if least else ""
    print(f"{what}: {100 * found:.0f} %{wanted}")
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description="the site under load, beside a bare page")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--attempts", type=int, nargs="+", default=[1000, 1_000_000])
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    # Whoever ends this early is not to find the servers still running.
    signal.signal(signal.SIGTERM, lambda *_told: sys.exit(1))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        pasts = [history.make(folder / f"{count}.sqlite3", count, seed=1) for count in options.attempts]
        sites = []
        for count, past in zip(options.attempts, pasts, strict=True):
            port, session = stack.enter_context(site(past, options.workers))
            sites.append(Side(f"site, {count:,} attempts", port, session, who_comes(port, past)))
        first = sites[0].visitors[FIRST][0]
        port, session = stack.enter_context(bare(first.page, folder, options.workers))
        peer = Side("bare page", port, session, {kind: [first] for kind in KINDS})
        measure_views([peer, *sites], options.rounds, options.seconds)
        measure_moves(sites, pasts, options.rounds)
    show([peer, *sites])
    if not judge(peer, sites):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
