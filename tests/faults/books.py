"""What must hold in the tables after whatever has happened."""

from collections import Counter
from itertools import groupby

from sqlalchemy import select

from puzzle_service.db import Database
from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.domain.review import Status
from puzzle_service.models import Attempt, Publication, Puzzle, Tally
from puzzle_service.services.tallies import OUTCOMES


def check(database: Database) -> None:
    """Check attempts, figures and publications against each other."""
    _check_publications(database)
    ended: Counter[tuple[str, str]] = Counter()
    with database.read() as session:
        order = (Attempt.player_id, Attempt.puzzle_id, Attempt.ordinal)
        rows = session.execute(select(*order, Attempt.result).order_by(*order)).all()
        tallies = session.scalars(select(Tally)).all()
    for (_, puzzle_id), tries in groupby(rows, key=lambda row: (row.player_id, row.puzzle_id)):
        results = []
        for place, row in enumerate(tries, 1):
            assert row.ordinal == place <= MAX_ATTEMPTS
            results.append(row.result)
        assert set(results[:-1]) <= {"wrong"}, "nothing follows an attempt that is open or has solved"
        if results[-1] == "solved":
            ended[puzzle_id, OUTCOMES[len(results) - 1]] += 1
        elif results == ["wrong"] * MAX_ATTEMPTS:
            ended[puzzle_id, "failed"] += 1
    counted = {(one.puzzle_id, name): getattr(one, name) for one in tallies for name in OUTCOMES}
    assert {place: count for place, count in counted.items() if count} == ended


def _check_publications(database: Database) -> None:
    with database.read() as session:
        out = session.scalars(select(Publication).order_by(Publication.day)).all()
        published = session.scalars(select(Puzzle.id).where(Puzzle.status == Status.PUBLISHED)).all()
    assert [one.number for one in out] == list(range(1, len(out) + 1))
    assert sorted(one.puzzle_id for one in out) == sorted(published)
