"""The process that searches for games of visitors: at low priority, so many searches at once and no more.

    python -m puzzle_service.searcher FOLDER --most N --parent PID

It listens in the folder once the engine is loaded, or compiled, which the first time takes a minute or more.
A request is a line of JSON, and so is each of its two answers: that there is a place, and what was found.
"""

import argparse
import asyncio
import json
import logging
import os
import signal
from asyncio import Future, StreamReader, StreamWriter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import Any, Final

from dama import Color, Game, Move, Position, engine, hint
from dama.rulesets import RULESETS
from puzzle_service import logs, searching
from puzzle_service.searching import Answer, Searches
from puzzle_service.services import games
from puzzle_service.services.games import Sent

NICENESS: Final = 10
"""Players at puzzles come first."""
PARENT_SECONDS: Final = 1.0
"""How often it looks whether the server that started it is still there."""
OBEDIENCE_SECONDS: Final = 5.0
"""How long a search may go on after it was told to stop."""

Search = Callable[[Game, Answer, Event], Answer]
"""Searches in a game, as a request asks, until it is told to stop."""

log = logging.getLogger(__name__)


class Searcher:
    """What answers requests: ``searches`` by their kind, at most ``most`` of them at once."""

    def __init__(
        self,
        searches: Mapping[str, Search],
        most: int,
        *,
        seconds: float = searching.SEARCH_SECONDS,
        obedience: float = OBEDIENCE_SECONDS,
    ) -> None:
        self._searches, self._most = searches, most
        self._seconds, self._obedience = seconds, obedience
        self._pool = ThreadPoolExecutor(most, "search")
        self._running: set[Event] = set()

    async def serve(self, where: Searches, parent: int | None) -> None:
        """Answer until SIGTERM or SIGINT, or until the process ``parent`` that started this one is gone."""
        told = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, told.set)
        server = await asyncio.start_unix_server(
            self._answer, where.socket_file, limit=searching.LONGEST_LINE
        )
        while not told.is_set() and parent in (None, os.getppid()):
            with suppress(TimeoutError):
                await asyncio.wait_for(told.wait(), PARENT_SECONDS)
        # Whoever still waits is told by the end of the connection; nothing here waits for them.
        server.close()
        for stop in self._running:
            stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(ConnectionError, ValueError):
            request = json.loads(await reader.readline())
            if request["kind"] == "running":
                _say(writer, {})
                _say(writer, {"found": {"running": len(self._running)}})
            elif len(self._running) >= self._most:
                _say(writer, {"refused": "busy"})
            else:
                await self._search(request, reader, writer)
            await writer.drain()
        writer.close()

    async def _search(self, request: Answer, reader: StreamReader, writer: StreamWriter) -> None:
        """Search in a thread, whose place is free again when it has ended and not before."""
        stop, loop = Event(), asyncio.get_running_loop()
        self._running.add(stop)
        search = loop.run_in_executor(self._pool, self._found, request, stop)
        search.add_done_callback(lambda _: self._running.discard(stop))
        _say(writer, {})
        hung_up = asyncio.ensure_future(reader.read(1))
        either: set[Future[Any]] = {search, hung_up}
        await asyncio.wait(either, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
        if search.done():
            _say(writer, search.result())
        else:
            stop.set()
            if not hung_up.done():
                _say(writer, {"refused": "late"})
            await self._see_it_end(search)
        hung_up.cancel()

    async def _see_it_end(self, search: "Future[Answer]") -> None:
        await asyncio.wait({search}, timeout=self._obedience)
        if not search.done():
            # A thread cannot be ended by force, but the process can, and it is started again.
            log.error("a search does not end when told to, so its process does")
            os._exit(1)

    def _found(self, request: Answer, stop: Event) -> Answer:
        began = perf_counter()
        try:
            game = games.replay(Sent(request["rules"], request["start"], tuple(request["moves"])))
            found = self._searches[request["kind"]](game, request, stop)
        except Exception as error:
            log.exception("a fault while searching")
            return {"fault": repr(error)}
        return {"found": found | {"took": round(1000 * (perf_counter() - began))}}


def _say(writer: StreamWriter, answer: Answer) -> None:
    writer.write(json.dumps(answer).encode() + b"\n")


def _move(game: Game, request: Answer, stop: Event) -> Answer:
    choice = engine.best_move(game, level=request["level"], seed=request["seed"], stop=stop)
    return {
        "move": choice.move.json(),
        "score": choice.score,
        "line": _texts(choice.line),
        "mate": choice.mate,
    }


def _hint(game: Game, _request: Answer, stop: Event) -> Answer:
    found = hint.hint(game, stop=stop)
    reason = {"code": found.reason.code, "values": dict(found.reason.values)}
    return {"move": found.move.json(), "line": _texts(found.line), "reason": reason}


def _draw(game: Game, request: Answer, stop: Event) -> Answer:
    side = None if request["side"] is None else Color(request["side"])
    return {"accepted": engine.accepts_draw(game, side, stop=stop)}


def _texts(line: Iterable[Move]) -> list[str]:
    return [str(move) for move in line]


SEARCHES: Final[Mapping[str, Search]] = {"engine": _move, "hint": _hint, "draw": _draw}


def warm_up() -> None:
    """Load what searches need, or compile it, for every ruleset."""
    for name in RULESETS:
        engine.best_move(Position.start(name), nodes=1)


def main() -> None:
    """Run as a program."""
    parser = argparse.ArgumentParser(description="the process that searches for games of visitors")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, required=True, help="searches at once")
    parser.add_argument("--parent", type=int, help="the process without which there is nothing to do")
    options = parser.parse_args()
    logs.set_up("json" if os.environ.get("DAMA_LOG_FORMAT") == "json" else "text")
    os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    warm_up()
    log.info("searches can begin, %d at once", options.most)
    asyncio.run(Searcher(SEARCHES, options.most).serve(Searches(options.folder), options.parent))


if __name__ == "__main__":
    main()
