"""Searches of the engine as the web asks for them: of one process beside all workers, by a socket.

That process (`searcher`) is started by the server as soon as somebody has asked for it, runs so many searches
at once and refuses more. No worker ever loads the engine or waits for a turn, and none holds anything that
would have to be given back: whoever dies or hangs up has closed his connection.
"""

import json
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

SOCKET: Final = "socket"
WANTED: Final = "wanted"
"""The file whose being there says that the process is to run."""
ADMISSION_SECONDS: Final = 2.0
"""How long the process may take to say whether it has a place: it is busy when it has none, or cannot say."""
SEARCH_SECONDS: Final = 20.0
"""How long a search may take; on an idle machine the longest takes a second or two."""
OVERTIME_SECONDS: Final = 5.0
"""How much longer its end may take to be told."""
LONGEST_LINE: Final = 1 << 16

Kind = Literal["engine", "hint", "draw"]
Refusal = Literal["busy", "starting", "late", "lost"]
Answer = dict[str, Any]


class SearchRefused(Exception):  # noqa: N818
    """A search that has no result; why, in one word.

    *busy*: as many run as may; *starting*: the process is not ready yet; *late*: the search took too long;
    *lost*: the process has ended meanwhile.
    """

    def __init__(self, why: Refusal) -> None:
        super().__init__(f"no search: {why}")
        self.why = why


@dataclass(frozen=True)
class Searches:
    """The way to the process that searches, which shares a folder with all who ask."""

    folder: Path

    @property
    def socket_file(self) -> Path:
        """Where the process listens once it is ready."""
        return self.folder / SOCKET

    @property
    def is_wanted(self) -> bool:
        """Whether anybody has asked for the process."""
        return (self.folder / WANTED).exists()

    def want(self) -> None:
        """Have the process started, unless it has been: it will be ready when the first search comes."""
        if not self.is_wanted:
            # Whatever tidies up temporary files may have taken the folder, which was empty until now.
            self.folder.mkdir(mode=0o700, exist_ok=True)
            (self.folder / WANTED).touch()

    def ask(self, kind: Kind, **what: Any) -> Answer:
        """Search, and return what was found; raises SearchRefused, and RuntimeError for a fault in it."""
        self.want()
        try:
            return self._ask({"kind": kind, **what})
        except TimeoutError:
            raise SearchRefused("late") from None
        except OSError:
            raise SearchRefused("lost") from None

    def running(self) -> int:
        """Return how many searches run now."""
        try:
            return int(self._ask({"kind": "running"})["running"])
        except (OSError, SearchRefused):
            return 0

    def _ask(self, request: Answer) -> Answer:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ADMISSION_SECONDS)
            self._connect(connection)
            with connection.makefile("rwb") as stream:
                stream.write(json.dumps(request).encode() + b"\n")
                stream.flush()
                try:
                    admitted = _line(stream.readline(LONGEST_LINE))
                except TimeoutError:
                    raise SearchRefused("busy") from None
                if "refused" in admitted:
                    raise SearchRefused(admitted["refused"])
                connection.settimeout(SEARCH_SECONDS + OVERTIME_SECONDS)
                return _found(_line(stream.readline(LONGEST_LINE)))

    def _connect(self, connection: socket.socket) -> None:
        try:
            connection.connect(str(self.socket_file))
        except (FileNotFoundError, ConnectionRefusedError):
            raise SearchRefused("starting") from None
        except OSError:
            # Too many wait to be let in, or it has been too long in letting them.
            raise SearchRefused("busy") from None


@contextmanager
def shared() -> Iterator[Searches]:
    """Give server and workers a folder to meet in; it is gone with the process that has made it."""
    folder, owner = tempfile.mkdtemp(prefix="dama-search-"), os.getpid()
    try:
        yield Searches(Path(folder))
    finally:
        # Workers, which leave through here too, must not take what the others meet in.
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)


def _line(line: bytes) -> Answer:
    if not line.endswith(b"\n"):
        raise SearchRefused("lost")
    answer: Answer = json.loads(line)
    return answer


def _found(answer: Answer) -> Answer:
    if "refused" in answer:
        raise SearchRefused(answer["refused"])
    if "fault" in answer:
        raise RuntimeError(f"a fault while searching: {answer['fault']}")
    found: Answer = answer["found"]
    return found
