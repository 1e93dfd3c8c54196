"""Many browsers in one process: keep-alive connections that each wait for an answer before they go on."""

import os
import selectors
import socket
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Final

CLIENTS: Final = 64
LARGEST_READ: Final = 1 << 18
PATIENCE: Final = 60.0
"""Seconds without any answer before the server is given up."""


@dataclass(frozen=True)
class Answer:
    """An answer as it came: status, header lines, body."""

    status: int
    head: bytes
    body: bytes

    def cookies(self) -> dict[str, str]:
        """Return the cookies it sets."""
        found: SimpleCookie = SimpleCookie()
        for line in self.head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"set-cookie":
                found.load(value.strip().decode())
        return {name: morsel.value for name, morsel in found.items()}


Visit = Generator[bytes, Answer, None]
"""Yields requests and is sent their answers."""


@dataclass(frozen=True)
class Figures:
    """How many answers came in how many seconds, how long each took, sorted, and the server's own time.

    All of them in seconds; `busy` is processor time, which other work on the machine does not lengthen much.
    """

    answers: int
    seconds: float
    waits: list[float]
    busy: float

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds

    @property
    def cost(self) -> float:
        """The server's processor time for an answer, in milliseconds."""
        return 1000 * self.busy / self.answers

    def wait(self, share: float) -> float:
        """Return within how many milliseconds such a share of the answers came."""
        return 1000 * self.waits[min(len(self.waits) - 1, int(share * len(self.waits)))]


class _Browser:
    """One connection and the visit it makes."""

    def __init__(self, port: int, visit: Visit) -> None:
        self.visit = visit
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""
        self.expected = 0
        self.sent_at = 0.0

    def send(self, request: bytes) -> None:
        self.received, self.expected = b"", 0
        self.sent_at = time.perf_counter()
        self.socket.sendall(request)

    def read(self) -> Answer | None:
        """Read what has come and return the answer if it is complete."""
        part = self.socket.recv(LARGEST_READ)
        if not part:
            raise SystemExit("the server closed a connection in the middle of an answer")
        self.received += part
        if not self.expected:
            end = self.received.find(b"\r\n\r\n")
            if end < 0:
                return None
            start = self.received.lower().index(b"content-length:", 0, end) + len(b"content-length:")
            self.expected = end + 4 + int(self.received[start : self.received.index(b"\r", start)])
        if len(self.received) < self.expected:
            return None
        head, _, body = self.received.partition(b"\r\n\r\n")
        return Answer(int(head[9:12]), head, body)


def run(port: int, visit: Callable[[], Visit], server: int | None = None) -> Figures:
    """Let so many browsers visit a server of this host at once until each visit is over.

    `server` is the session that its processes belong to, if their time is to be taken.
    """
    waits: list[float] = []
    busy = processor_seconds(server)
    with selectors.DefaultSelector() as ready:
        begun = time.perf_counter()
        open_ones = 0
        for _ in range(CLIENTS):
            browser = _Browser(port, visit())
            if _go_on(browser, None):
                ready.register(browser.socket, selectors.EVENT_READ, browser)
                open_ones += 1
        while open_ones:
            events = ready.select(PATIENCE)
            if not events:
                raise SystemExit(f"no answer within {PATIENCE:.0f} seconds")
            for key, _ in events:
                browser = key.data
                answer = browser.read()
                if answer is None:
                    continue
                waits.append(time.perf_counter() - browser.sent_at)
                if not _go_on(browser, answer):
                    ready.unregister(browser.socket)
                    open_ones -= 1
        seconds = time.perf_counter() - begun
    return Figures(len(waits), seconds, sorted(waits), processor_seconds(server) - busy)


def processor_seconds(session: int | None) -> float:
    """Return the processor time that the processes of a session have taken so far."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat") if session is not None else ():
        with suppress(OSError):
            # The name of the program, in brackets, may hold anything.
            fields = file.read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _go_on(browser: _Browser, answer: Answer | None) -> bool:
    """Send the next request of a visit; False when the visit is over."""
    try:
        request = next(browser.visit) if answer is None else browser.visit.send(answer)
    except StopIteration:
        browser.socket.close()
        return False
    browser.send(request)
    return True


def request(
    method: str, path: str, cookies: dict[str, str], body: bytes = b"", headers: dict[str, str] | None = None
) -> bytes:
    """Return a request as it goes over the wire."""
    fields = {"Host": "localhost", "Accept-Language": "en", **(headers or {})}
    if cookies:
        fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    if body:
        fields["Content-Length"] = str(len(body))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
