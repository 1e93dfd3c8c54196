"""The output file: written beside its place and moved there whole, so that no run leaves half a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import TextIO


class LineFile:
    """A text file under way; lines are out of the program's hands as soon as they are written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.lines = 0

    def write(self, line: str) -> None:
        """Add a line."""
        self._stream.write(line + "\n")
        self._stream.flush()
        self.lines += 1


@contextmanager
def replacing(path: Path) -> Iterator[LineFile]:
    """Open a file that takes the place of ``path`` at the end, if it has a line by then.

    After an exception ``path`` is left as it was. Raises OSError when the folder cannot be written to.
    """
    place = path.resolve()
    temporary = _part(place, str(os.getpid()))
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as stream:
            file = LineFile(stream)
            yield file
            os.fsync(stream.fileno())
        if file.lines:
            temporary.replace(place)
    finally:
        temporary.unlink(missing_ok=True)


def sweep(path: Path) -> None:
    """Take away what killed programs have left of ``path``; only for who knows that none is writing it."""
    place = path.resolve()
    for left in place.parent.glob(_part(Path(escape(place.name)), "*").name):
        left.unlink(missing_ok=True)


def _part(place: Path, process: str) -> Path:
    return place.with_name(f".{place.name}.{process}.part")
