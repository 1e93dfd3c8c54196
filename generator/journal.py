"""The journal of a run: what its chunks brought, so that a run cut short goes on where it stopped.

It lies beside the output and has a line for the run and one for each chunk that is in, in the order in which
they came. Each line begins with a checksum of the rest.
"""

import fcntl
import json
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from generator.chunk import ChunkResult
from generator.record import GENERATOR, Record

_DIGITS: Final = 8
"""Hexadecimal digits of a checksum."""


class JournalError(ValueError):
    """A journal that a run cannot go on with; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class RunKey:
    """What chunks depend on: only runs that agree in all of it can go on for one another."""

    seed: int
    mix: str
    generator: str = GENERATOR


@dataclass(frozen=True, slots=True)
class Past:
    """What a run has brought before it was cut short."""

    key: RunKey
    results: tuple[ChunkResult, ...] = ()
    """What its chunks brought, in the order in which they came."""
    seconds: float = 0.0
    """How long it had taken when the last of them came."""


class Journal:
    """An open journal, held by one process at a time."""

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self.path = path
        self._stream = stream

    def begin(self, key: RunKey) -> None:
        """Forget what the journal holds and begin that of another run. Raises OSError."""
        self._stream.truncate(0)
        self._write({"seed": key.seed, "mix": key.mix, "generator": key.generator})

    def past(self) -> Past | None:
        """Return what the run has brought so far, or None when none has begun.

        A line that was being written when the power went is cut off. Raises JournalError when the rest is
        damaged or no journal of this program, and OSError.
        """
        self._stream.seek(0)
        *lines, _torn = self._stream.read().split(b"\n")
        if not lines:
            return None
        try:
            fields = [_checked(line) for line in lines]
            while fields and fields[-1] is None:
                fields.pop()
            past = _past(fields)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise JournalError(f"{self.path} is damaged, or no journal of this program") from error
        self._stream.truncate(sum(len(line) + 1 for line in lines[: len(fields)]))
        return past

    def add(self, result: ChunkResult, seconds: float) -> None:
        """Write down what a chunk brought, so many seconds after the run began. Raises OSError."""
        self._write(
            {
                "number": result.number,
                "source": result.source,
                "candidates": result.candidates,
                "refused": result.refused,
                "found": [record.line for record in result.found],
                "busy": result.seconds,
                "at": seconds,
            }
        )

    def remove(self) -> None:
        """Take the journal away: the run is complete."""
        self.path.unlink(missing_ok=True)

    def _write(self, fields: dict[str, Any]) -> None:
        text = json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()
        self._stream.seek(0, os.SEEK_END)
        self._stream.write(_checksum(text) + b" " + text + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())


@contextmanager
def opened(out: Path) -> Iterator[Journal]:
    """Open the journal of the run that writes ``out``; raises OSError, also when another run has it open."""
    place = out.resolve()
    path = place.with_name(f".{place.name}.journal")
    with path.open("a+b") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BlockingIOError(f"another run is writing {out}") from error
        yield Journal(path, stream)


def _checksum(text: bytes) -> bytes:
    return b"%0*x" % (_DIGITS, zlib.crc32(text))


def _checked(line: bytes) -> dict[str, Any] | None:
    """Return what a line holds, or None when it is not as it was written."""
    checksum, _, text = line.partition(b" ")
    if checksum != _checksum(text):
        return None
    fields: dict[str, Any] = json.loads(text)
    return fields


def _past(lines: list[dict[str, Any] | None]) -> Past:
    """Return what the lines of a journal say; raises any of the errors of a missing or wrong value."""
    head, *chunks = (line or {} for line in lines)
    key = RunKey(head["seed"], head["mix"], head["generator"])
    seconds = max((float(chunk["at"]) for chunk in chunks), default=0.0)
    return Past(key, tuple(map(_result, chunks)), seconds)


def _result(chunk: dict[str, Any]) -> ChunkResult:
    return ChunkResult(
        number=chunk["number"],
        source=chunk["source"],
        candidates=chunk["candidates"],
        found=tuple(map(_record, chunk["found"])),
        refused=Counter(chunk["refused"]),
        seconds=chunk["busy"],
    )


def _record(line: str) -> Record:
    fields = json.loads(line)
    return Record(fields["id"], fields["moves"], line)
