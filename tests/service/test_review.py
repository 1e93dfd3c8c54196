"""Review, admins, the stock's status, and intake."""

import json
from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from puzzle_service.db import Database
from puzzle_service.domain import record
from puzzle_service.domain.fields import RecordError
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.services import intake, publication, review, stock
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings

DAY = timedelta(days=1)
CHRISTMAS = date(2026, 12, 25)
AddPuzzles = Callable[..., list[str]]


def test_a_record_comes_in_once_as_a_candidate(
    database: Database, records: list[Record], noon: datetime
) -> None:
    with database.write.begin() as session:
        assert intake.add(session, records[0], noon)
        assert not intake.add(session, records[0], noon + DAY)
    with database.read() as session:
        found = review.get(session, records[0].id)
    assert (found.summary.status, found.summary.imported_at) == (Status.CANDIDATE, noon)
    assert found.proof == records[0].proof
    assert found.previous.play(found.previous_move) == found.position
    assert (found.key, found.seed) == (records[0].key, records[0].seed)


@pytest.mark.parametrize("turned", ["mirrored", "swapped"])
def test_the_same_puzzle_turned_is_known(
    database: Database, record_lines: list[str], records: list[Record], noon: datetime, turned: str
) -> None:
    fields = json.loads(record_lines[0])
    board = review_board(records[0], turned)
    fields |= board
    other = record.parse(json.dumps(fields))
    assert other.fen != records[0].fen
    with database.write.begin() as session:
        assert intake.add(session, records[0], noon)
        assert not intake.add(session, other, noon)


def review_board(one: Record, turned: str) -> dict[str, object]:
    from dama import Position

    before = Position.from_fen(one.previous_fen)
    move = before.parse_move(one.previous_move)
    proof = getattr(one.proof, turned)()
    return {
        "fen": proof.position.fen(),
        "key": proof.key,
        "proof": proof.root,
        "tries": {},
        "previous": {"fen": getattr(before, turned)().fen(), "move": str(getattr(move, turned)())},
    }


def test_the_kernel_confirms_a_proof_and_catches_a_false_one(records: list[Record]) -> None:
    intake.proved_by_kernel(records[0].proof)
    false = json.loads(json.dumps(records[0].proof.root))
    text = next(iter(false["refuted"]))
    false["slow"].append(text)
    del false["refuted"][text]
    proof = type(records[0].proof)(records[0].proof.position, records[0].moves, false)
    with pytest.raises(RecordError, match="the kernel proves something else"):
        intake.proved_by_kernel(proof)


def test_the_queue_goes_on_after_a_decision(
    database: Database, records: list[Record], noon: datetime
) -> None:
    with database.write.begin() as session:
        for number, one in enumerate(records):
            intake.add(session, one, noon + number // 3 * DAY)
    with database.read() as session:
        ids = [one.id for one in review.queue(session)]
        assert sorted(ids) == sorted(one.id for one in records)
        assert [one.id for one in review.queue(session, limit=2)] == ids[:2]
        assert [one.id for one in review.queue(session, after=ids[1])] == ids[2:]
        assert review.queue(session, after=ids[-1]) == []
        assert [one.id for one in review.queue(session, after="unknown")] == ids
    with database.write.begin() as session:
        review.approve(session, ids[1], "ayşe", noon, noon.date())
    with database.read() as session:
        assert [one.id for one in review.queue(session, after=ids[1])] == ids[2:]
        assert [one.id for one in review.queue(session, Status.APPROVED)] == [ids[1]]


def test_approving_and_rejecting_are_kept_with_name_time_and_reason(
    database: Database, records: list[Record], noon: datetime
) -> None:
    first, second = records[0].id, records[1].id
    with database.write.begin() as session:
        for one in records[:2]:
            intake.add(session, one, noon)
        review.approve(session, first, "ayşe", noon, noon.date(), CHRISTMAS)
        review.reject(session, second, "ayşe", noon, " dull ")
    with database.read() as session:
        approved, rejected = review.get(session, first), review.get(session, second)
    assert (approved.summary.status, approved.summary.day) == (Status.APPROVED, CHRISTMAS)
    assert (approved.reviewed_by, approved.reviewed_at, approved.reason) == ("ayşe", noon, None)
    assert (rejected.summary.status, rejected.reason) == (Status.REJECTED, "dull")
    with database.write.begin() as session:
        review.approve(session, first, "ayşe", noon, noon.date())
        review.approve(session, second, "ayşe", noon, noon.date(), CHRISTMAS)
    with database.read() as session:
        assert review.get(session, first).summary.day is None
        assert review.get(session, second).reason is None


@pytest.mark.parametrize(
    ("day", "code"),
    [
        (date(2026, 11, 29), "day_passed"),
        (date(2026, 11, 30), "day_taken"),
        (CHRISTMAS, "day_taken"),
    ],
    ids=["yesterday", "today, which is out", "another's day"],
)
def test_a_day_must_be_free_and_still_to_come(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime, day: date, code: str
) -> None:
    first, second, third = add_puzzles(3)
    with database.write.begin() as session:
        review.approve(session, first, "ayşe", noon, noon.date(), CHRISTMAS)
    published = publication.ensure_published(database.write, noon, settings)
    assert published is not None
    free = second if published.puzzle_id != second else third
    with pytest.raises(ServiceError) as refused, database.write.begin() as session:
        review.approve(session, free, "ayşe", noon, noon.date(), day)
    assert refused.value.code == code
    with database.read() as session:
        assert review.get(session, free).summary.day is None


def test_what_is_out_cannot_be_decided_again(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    (puzzle_id,) = add_puzzles(1)
    publication.ensure_published(database.write, noon, settings)
    with database.write.begin() as session:
        with pytest.raises(ServiceError) as refused:
            review.approve(session, puzzle_id, "ayşe", noon, noon.date())
        assert refused.value.code == "not_allowed"
        with pytest.raises(ServiceError) as refused:
            review.reject(session, puzzle_id, "ayşe", noon, "dull")
        assert refused.value.code == "not_allowed"


def test_a_decision_about_what_is_no_longer_as_seen_is_refused(
    database: Database, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    """Two look at the same candidate: whoever comes second decides about something that has been decided."""
    (puzzle_id,) = add_puzzles(1, Status.CANDIDATE)
    seen = (Status.CANDIDATE, None)
    with database.write.begin() as session:
        review.approve(session, puzzle_id, "ayşe", noon, noon.date(), CHRISTMAS, seen=seen)
    with pytest.raises(ServiceError) as refused, database.write.begin() as session:
        review.reject(session, puzzle_id, "mehmet", noon, "dull", seen=seen)
    assert refused.value.code == "changed"
    for day in (None, date(2026, 12, 24)):
        with pytest.raises(ServiceError) as refused, database.write.begin() as session:
            review.approve(session, puzzle_id, "mehmet", noon, noon.date(), seen=(Status.APPROVED, day))
        assert refused.value.code == "changed"
    with database.read() as session:
        found = review.get(session, puzzle_id)
    assert (found.summary.day, found.reviewed_by) == (CHRISTMAS, "ayşe")
    with database.write.begin() as session:
        review.reject(session, puzzle_id, "mehmet", noon, "dull", seen=(Status.APPROVED, CHRISTMAS))


def test_unknown_puzzles_and_empty_reasons_are_refused(
    database: Database, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    (puzzle_id,) = add_puzzles(1)
    with database.write.begin() as session:
        with pytest.raises(ServiceError, match="there is no puzzle 'unknown'"):
            review.get(session, "unknown")
        with pytest.raises(ServiceError, match="there is no puzzle 'unknown'"):
            review.approve(session, "unknown", "ayşe", noon, noon.date())
        with pytest.raises(ServiceError, match="is no reason; expected 1 to 200"):
            review.reject(session, puzzle_id, "ayşe", noon, " ")


def test_the_status_of_an_empty_house_is_an_alarm(
    database: Database, settings: Settings, noon: datetime
) -> None:
    with database.read() as session:
        assert stock.is_empty(session)
        found = stock.status(session, noon, settings)
    assert (found.days_covered, found.last_publication, found.alarms) == (0, None, ("nothing_left",))


def test_the_status_counts_states_and_days(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    approved = add_puzzles(4)
    add_puzzles(2, Status.CANDIDATE)
    add_puzzles(1, Status.REJECTED)
    publication.ensure_published(database.write, noon, settings)
    with database.write.begin() as session:
        left = [one.id for one in review.queue(session, Status.APPROVED)]
        assert set(left) < set(approved)
        # Three are left: one for tomorrow, one for the day after, and one kept for the day after that.
        review.approve(session, left[0], "ayşe", noon, noon.date(), date(2026, 12, 3))
        found = stock.status(session, noon, settings)
        assert not stock.is_empty(session)
    assert (found.candidates, found.approved, found.scheduled, found.published) == (2, 2, 1, 1)
    assert (found.rejected, found.withdrawn) == (1, 0)
    assert (found.days_covered, found.last_publication) == (3, date(2026, 11, 30))
    assert found.gaps == tuple(date(2026, 12, day) for day in (1, 2, 4, 5, 6, 7))
    assert found.alarms == ()


def test_a_gap_before_a_scheduled_puzzle_is_not_covered(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    (puzzle_id,) = add_puzzles(1)
    add_puzzles(1, Status.CANDIDATE)
    with database.write.begin() as session:
        review.approve(session, puzzle_id, "ayşe", noon, noon.date(), date(2026, 12, 3))
        found = stock.status(session, noon, settings)
    assert (found.scheduled, found.days_covered, found.alarms) == (1, 0, ("no_approved",))


def test_a_puzzle_from_the_reserve_is_an_alarm_until_the_next(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    add_puzzles(1, Status.CANDIDATE)
    publication.ensure_published(database.write, noon, settings)
    add_puzzles(2)
    with database.read() as session:
        assert stock.status(session, noon, settings).alarms == ("from_reserve",)
    publication.ensure_published(database.write, noon + DAY, settings)
    with database.read() as session:
        assert "from_reserve" not in stock.status(session, noon + DAY, settings).alarms
