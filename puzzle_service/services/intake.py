"""Intake: puzzle records become candidates once they have been proved again."""

from datetime import datetime
from importlib.resources import files
from importlib.resources.abc import Traversable

from sqlalchemy import select
from sqlalchemy.orm import Session

from dama.proof import Proof
from puzzle_service.domain.fields import RecordError
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import Puzzle
from puzzle_service.services import audit


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
    session.add(
        Puzzle(
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
    )
    session.flush()
    return True


def finish(session: Session, by: str, now: datetime, count: int, status: Status) -> None:
    """Write down that an import has added so many puzzles with a status, unless it has added none."""
    if count:
        audit.write_import(session, by, now, count, status)
