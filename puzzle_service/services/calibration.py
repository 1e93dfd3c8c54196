"""Calibration: how hard the puzzles that are out have proved to be, and new difficulties for the others."""

from array import array
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.domain import calibration, weights
from puzzle_service.domain.calibration import Results
from puzzle_service.domain.ratings import Places
from puzzle_service.domain.review import Status
from puzzle_service.domain.weights import PRESENT, Refit, Weights
from puzzle_service.models import Attempt, Publication, Puzzle
from puzzle_service.services import audit, puzzles

UNPUBLISHED: Final = (Status.CANDIDATE, Status.APPROVED, Status.REJECTED)
CHUNK: Final = 10_000
"""Rows that are fetched at once."""


@dataclass(frozen=True)
class PuzzleResult:
    """How one published puzzle went at first attempts.

    ``difficulty`` is what was reckoned beforehand, ``measured`` and its ``deviation`` what came out, on the
    same scale. ``rate`` is the share of first attempts that solved it, ``predicted`` what it should be by the
    difficulty and ``fitted`` by what was measured, given the players who tried.
    """

    number: int
    day: date
    puzzle_id: str
    attempts: int
    rate: float
    predicted: float
    fitted: float
    difficulty: float
    measured: float
    deviation: float


@dataclass(frozen=True)
class Calibration:
    """What first attempts say: of each puzzle that has some, of their order, and of the weights.

    ``correlation`` is Spearman's between difficulty beforehand and measured, over the ``sure`` puzzles, whose
    deviation is small enough; ``refit`` is None while they are too few.
    """

    puzzles: tuple[PuzzleResult, ...]
    attempts: int
    players: int
    sure: int
    correlation: float
    refit: Refit | None


@dataclass(frozen=True)
class Applied:
    """How many puzzles got a new difficulty, how many have no features to reckon it by, and the entry."""

    changed: int
    without: int
    entry: int | None


def calibrate(session: Session) -> Calibration:
    """Return what all first attempts at published puzzles say, those of voided days left out."""
    columns = (Publication.number, Publication.day, Puzzle.id, Puzzle.difficulty, Puzzle.findings)
    out = session.execute(
        select(*columns)
        .join(Publication.puzzle)
        .where(Puzzle.status == Status.PUBLISHED)
        .order_by(Publication.number)
    ).all()
    results = _first_attempts(session, np.array([row.number for row in out], np.int64))
    difficulties = np.array([row.difficulty for row in out], np.float64)
    found = calibration.measure(results, difficulties)
    measured = calibration.difficulty_of(found.puzzles.rating)
    deviations = found.puzzles.deviation / calibration.POINTS
    lines = tuple(
        PuzzleResult(
            number=row.number,
            day=row.day,
            puzzle_id=row.id,
            attempts=int(found.attempts[place]),
            rate=float(found.rate[place]),
            predicted=float(found.predicted[place]),
            fitted=float(found.fitted[place]),
            difficulty=row.difficulty,
            measured=float(measured[place]),
            deviation=float(deviations[place]),
        )
        for place, row in enumerate(out)
        if found.attempts[place]
    )
    sure = deviations <= weights.MEASURED
    told = [place for place, row in enumerate(out) if row.findings.get("features")]
    features = [out[place].findings["features"] for place in told]
    return Calibration(
        puzzles=lines,
        attempts=results.solved.size,
        players=np.unique(results.player).size,
        sure=int(sure.sum()),
        correlation=calibration.rank_correlation(difficulties[sure], measured[sure]),
        refit=weights.refit(features, measured[told], deviations[told]),
    )


def apply(session: Session, found: Weights, by: str, now: datetime) -> Applied:
    """Give every puzzle that was never out the difficulty that these weights say, and write that down.

    A day that a puzzle waits for stays its own.
    """
    condition = Puzzle.status.in_(UNPUBLISHED)
    rows = puzzles.locked(session, condition)
    stored = session.execute(select(Puzzle.id, Puzzle.findings).where(condition))
    changed = without = 0
    for puzzle_id, findings in stored:
        features = findings.get("features")
        if not features:
            without += 1
            continue
        difficulty = found.difficulty(features)
        if difficulty != rows[puzzle_id].difficulty:
            rows[puzzle_id].difficulty = difficulty
            changed += 1
    session.flush()
    entry = audit.write_calibration(session, by, now, changed, _described(found)) if changed else None
    return Applied(changed, without, entry)


def _first_attempts(session: Session, numbers: Places) -> Results:
    """Return the first attempts that have ended, in the order of the puzzles, which have these numbers."""
    wanted = (
        select(Publication.number, Attempt.player_id, Attempt.result)
        .join_from(Publication, Puzzle)
        .join(Attempt, Attempt.puzzle_id == Puzzle.id)
        .where(Puzzle.status == Status.PUBLISHED, Attempt.ordinal == 1, Attempt.result.is_not(None))
        .order_by(Publication.number, Attempt.player_id)
    )
    # There may be millions: as numbers they take little room.
    number, player, solved = array("q"), array("q"), array("b")
    for row in session.execute(wanted, execution_options={"yield_per": CHUNK}):
        number.append(row.number)
        player.append(row.player_id)
        solved.append(row.result == "solved")
    return Results(
        player=np.unique(np.array(player, np.int64), return_inverse=True)[1].astype(np.int64),
        puzzle=np.searchsorted(numbers, np.array(number, np.int64)).astype(np.int64),
        solved=np.array(solved, np.bool_),
    )


def _described(found: Weights) -> str:
    """Return in which weights these differ from what generators use, and by which offset."""
    changes = [
        f"{name} {PRESENT.weights[name]:.2f} → {weight:.2f}"
        for name, weight in found.weights.items()
        if round(weight, 2) != round(PRESENT.weights[name], 2)
    ]
    return "; ".join([f"offset {found.offset:+.2f}", *changes])
