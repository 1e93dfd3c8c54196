"""Intake: puzzle records become candidates once they have been proved again, and go out as records again."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import IO, Final

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from dama import symmetry
from dama.proof import Proof
from puzzle_service.clock import Clock
from puzzle_service.db import Database
from puzzle_service.domain import record
from puzzle_service.domain.fields import RecordError
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import Puzzle
from puzzle_service.services import audit
from puzzle_service.services.errors import ServiceError

EXPORTED: Final = 50
"""How many puzzles with their proofs are in memory at a time."""


LONGEST: Final = 2**20
"""Bytes of the longest line that may be a record, with much to spare. A file may be one without an end."""


@dataclass
class Import:
    """What an import has come to so far; ``added`` holds the ids of the new puzzles."""

    added: list[str] = field(default_factory=list)
    known: int = 0
    refused: int = 0

    @property
    def checked(self) -> int:
        """How many records have been looked at."""
        return len(self.added) + self.known + self.refused


def bring_in(
    database: Database,
    lines: IO[bytes],
    status: Status,
    clock: Clock,
    by: str,
    *,
    search: bool = True,
    prove: bool = False,
    on_refusal: Callable[[int, str], None],
    goes_on: Callable[[Import], bool] = lambda _: True,
) -> Import:
    """Import records, one a line and a transaction, and return what came of them.

    Each is walked and, if ``search`` is set, searched again by the plain rules unless it is known; ``prove``
    asks the kernel too. What is refused is told with its line's number and why; after each record
    ``goes_on`` says whether to take the next. However it ends, the log says how many puzzles came in. Raises
    ServiceError at a line that is too long to be a record.
    """
    done = Import()
    try:
        for number, line in enumerate(iter(lambda: lines.readline(LONGEST), b""), 1):
            if len(line) == LONGEST:
                raise ServiceError(
                    "bad_request", f"line {number}: longer than {LONGEST:,} bytes; expected a record"
                )
            if not line.strip():
                continue
            try:
                one = record.parse(line, _check(database, search=search, prove=prove))
            except ValueError as error:
                on_refusal(number, str(error))
                done.refused += 1
            else:
                with database.write.begin() as session:
                    is_new = add(session, one, clock(), status)
                if is_new:
                    done.added.append(one.id)
                else:
                    done.known += 1
            if not goes_on(done):
                break
    finally:
        with database.write.begin() as session:
            finish(session, by, clock(), len(done.added), status)
    return done


def _check(database: Database, *, search: bool, prove: bool) -> record.Check:
    def check(proof: Proof) -> None:
        with database.read() as session:
            known = is_known(session, symmetry.puzzle_id(proof.position))
        # A search can take seconds; it must not hold up whoever else writes.
        if search and not known:
            proof.search_again()
        else:
            proof.walk()
        if prove:
            proved_by_kernel(proof)

    return check


def proved_by_kernel(proof: Proof) -> None:
    """Prove a puzzle again by the kernel; raises RecordError when it finds another tree."""
    # The kernel takes a third of a second and 140 MB: only who asks for it pays.
    from dama.prove import prove

    again = prove(proof.position, proof.moves)
    if again is None or not again.same_tree(proof):
        raise RecordError(f"{proof.position.fen()}: the kernel proves something else")


def packaged_stock() -> Traversable:
    """Return the stock of puzzles in the package."""
    return files("puzzle_service") / "stock" / "stock.jsonl"


def is_known(session: Session, puzzle_id: str) -> bool:
    """Tell whether a puzzle is in the tables, in whatever state."""
    return session.scalar(select(Puzzle.id).where(Puzzle.id == puzzle_id)) is not None


def add(session: Session, record: Record, now: datetime, status: Status = Status.CANDIDATE) -> bool:
    """Add a record unless its puzzle is there, be it mirrored or swapped, and tell whether it was new."""
    if is_known(session, record.id):
        return False
    session.add(_row(record, now, status))
    session.flush()
    return True


def add_all(session: Session, records: Iterable[Record], now: datetime, status: Status) -> int:
    """Add those of many records whose puzzles are not there, and return how many were new."""
    known = set(session.scalars(select(Puzzle.id)))
    new = {one.id: one for one in records if one.id not in known}
    session.add_all(_row(one, now, status) for one in new.values())
    session.flush()
    return len(new)


def _row(record: Record, now: datetime, status: Status) -> Puzzle:
    return Puzzle(
        id=record.id,
        rules=record.rules,
        fen=record.fen,
        previous_fen=record.previous_fen,
        previous_move=record.previous_move,
        moves=record.moves,
        key=record.key,
        proof=record.proof.root,
        first_moves=record.first_moves,
        difficulty=record.difficulty,
        score=record.score,
        findings=record.findings.json(),
        themes=list(record.themes),
        source=record.source,
        generator=record.generator,
        seed=record.seed,
        status=status,
        imported_at=now,
    )


def finish(session: Session, by: str, now: datetime, count: int, status: Status) -> None:
    """Write down that an import has added so many puzzles with a status, unless it has added none."""
    if count:
        audit.write_import(session, by, now, count, status)


def export(session: Session) -> Iterator[str]:
    """Yield every puzzle there is, in whatever state, as a record in a line of JSON, in the order of ids.

    Those that came in before findings were kept have none, so that no import takes them.
    """
    wanted = select(Puzzle).options(undefer(Puzzle.proof), undefer(Puzzle.findings)).order_by(Puzzle.id)
    for row in session.scalars(wanted.execution_options(yield_per=EXPORTED)):
        yield json.dumps(_fields(row), separators=(",", ":"), ensure_ascii=False)
        session.expunge(row)


def _fields(row: Puzzle) -> dict[str, object]:
    found = row.findings
    return {
        "schema": record.SCHEMA,
        "id": row.id,
        "rules": row.rules,
        "fen": row.fen,
        "previous": {"fen": row.previous_fen, "move": row.previous_move},
        "moves": row.moves,
        "key": row.key,
        "proof": row.proof,
        "first_moves": row.first_moves,
        "difficulty": row.difficulty,
        "features": found["features"],
        "score": row.score,
        "themes": row.themes,
        "tries": found["tries"],
        "checks": found["checks"],
        "skeleton": found["skeleton"],
        "source": row.source,
        "game": found["game"],
        "generator": row.generator,
        "seed": row.seed,
    }
