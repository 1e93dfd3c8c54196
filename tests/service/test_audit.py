"""The audit log: what it holds, and what can be undone."""

import threading
from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from sqlalchemy import func, select

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import AuditEntry, Puzzle
from puzzle_service.services import amendments, audit, intake, publication, review, schedule
from puzzle_service.services.audit import Action, Entry
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings

DAY = timedelta(days=1)
MONDAY = date(2026, 11, 30)
FRIDAY = date(2026, 12, 4)
SUNDAY = date(2026, 12, 6)
AddPuzzles = Callable[..., list[str]]
Row = tuple[str, date | None, str | None, str | None, datetime | None]


class Office:
    """Somebody who decides at one instant."""

    def __init__(self, database: Database, settings: Settings, now: datetime) -> None:
        self.database, self.settings, self.now = database, settings, now

    def row(self, puzzle_id: str) -> Row:
        with self.database.read() as session:
            row = session.get_one(Puzzle, puzzle_id)
            return row.status, row.day, row.reason, row.reviewed_by, row.reviewed_at

    def approve(self, puzzle_id: str, day: date | None = None, by: str = "ayşe") -> int:
        with self.database.write.begin() as session:
            return review.approve(session, puzzle_id, by, self.now, self.now.date(), day)

    def reject(self, puzzle_id: str, reason: str = "dull", by: str = "ayşe") -> int:
        with self.database.write.begin() as session:
            return review.reject(session, puzzle_id, by, self.now, reason)

    def undo(self, entry: int, by: str = "mehmet") -> int:
        with self.database.write.begin() as session:
            return audit.undo(session, entry, by, self.now, self.now.date())

    def refusal(self, entry: int) -> str:
        with pytest.raises(ServiceError) as refused:
            self.undo(entry)
        return refused.value.code

    def log(self, after: int | None = None, **filters: object) -> list[Entry]:
        with self.database.read() as session:
            return audit.entries(session, self.now.date(), after=after, **filters)  # type: ignore[arg-type]


@pytest.fixture
def office(database: Database, settings: Settings, noon: datetime) -> Office:
    return Office(database, settings, noon)


def test_each_decision_is_written_down_with_what_was_before_and_after(
    office: Office, add_puzzles: AddPuzzles
) -> None:
    first, second = add_puzzles(2, Status.CANDIDATE)
    office.approve(first, FRIDAY)
    office.now += timedelta(hours=1)
    office.reject(second)
    rejected, approved = office.log()
    assert (approved.by, approved.action, approved.reason) == ("ayşe", Action.APPROVE, None)
    assert approved.at == office.now - timedelta(hours=1)
    (change,) = approved.changes
    assert change.puzzle_id == first
    assert (change.before.status, change.before.day, change.before.reviewed_by) == ("candidate", None, None)
    assert (change.after.status, change.after.day, change.after.reviewed_by) == ("approved", FRIDAY, "ayşe")
    assert change.after.reviewed_at == approved.at
    assert (rejected.action, rejected.reason) == (Action.REJECT, "dull")
    assert [entry.may_undo for entry in (rejected, approved)] == [True, True]


def test_the_log_is_read_page_by_page_and_by_who_what_and_which(
    office: Office, add_puzzles: AddPuzzles
) -> None:
    first, second = add_puzzles(2, Status.CANDIDATE)
    ids = [office.approve(first), office.reject(second, by="mehmet"), office.approve(second)]
    assert [entry.id for entry in office.log()] == ids[::-1]
    assert [entry.id for entry in office.log(limit=2)] == ids[:0:-1]
    assert [entry.id for entry in office.log(after=ids[1])] == [ids[0]]
    assert [entry.id for entry in office.log(after=10**30)] == ids[::-1]
    assert [entry.id for entry in office.log(by="mehmet")] == [ids[1]]
    assert [entry.id for entry in office.log(by="Mehmet")] == []
    assert [entry.id for entry in office.log(action=Action.APPROVE)] == [ids[2], ids[0]]
    assert [entry.id for entry in office.log(puzzle_id=second)] == [ids[2], ids[1]]
    assert [entry.id for entry in office.log(puzzle_id=second[:8])] == []
    assert [entry.id for entry in office.log(puzzle_id="%")] == []
    with office.database.read() as session:
        assert audit.names(session) == ["ayşe", "mehmet"]


@pytest.mark.parametrize("status", [Status.CANDIDATE, Status.REJECTED])
def test_undoing_a_decision_gives_everything_back(
    office: Office, add_puzzles: AddPuzzles, status: Status
) -> None:
    (puzzle_id,) = add_puzzles(
        1, status, reason="unclear", reviewed_by="zeynep", reviewed_at=office.now - DAY
    )
    before = office.row(puzzle_id)
    decided = office.approve(puzzle_id, FRIDAY)
    after = office.row(puzzle_id)
    assert after == (Status.APPROVED, FRIDAY, None, "ayşe", office.now)
    undone = office.undo(decided)
    assert office.row(puzzle_id) == before
    newest, oldest = office.log()
    assert (oldest.undone_by, oldest.may_undo) == (undone, False)
    assert (newest.id, newest.action, newest.by) == (undone, Action.UNDO, "mehmet")
    assert (newest.undoes, newest.may_undo) == (decided, True)
    office.undo(undone)
    assert office.row(puzzle_id) == after
    assert office.refusal(decided) == office.refusal(undone) == "undone"


def test_an_exchange_of_two_days_is_undone_in_one_go(office: Office, add_puzzles: AddPuzzles) -> None:
    first, second = add_puzzles(2)
    office.approve(first, FRIDAY)
    office.approve(second, SUNDAY)
    before = office.row(first), office.row(second)
    with office.database.write.begin() as session:
        moved = schedule.move(session, FRIDAY, SUNDAY, "ayşe", office.now, office.settings)
    assert (office.row(first)[1], office.row(second)[1]) == (SUNDAY, FRIDAY)
    office.undo(moved)
    assert (office.row(first), office.row(second)) == before


def test_a_filled_calendar_is_emptied_in_one_go(office: Office, add_puzzles: AddPuzzles) -> None:
    ids = add_puzzles(10)
    before = [office.row(one) for one in ids]
    with office.database.write.begin() as session:
        filled = schedule.fill(session, office.now, office.settings, "ayşe", 7)
    assert filled.entry is not None
    assert len(office.log()[0].changes) == 7
    office.undo(filled.entry)
    assert [office.row(one) for one in ids] == before


def test_what_has_changed_since_is_not_undone(office: Office, add_puzzles: AddPuzzles) -> None:
    first, second = add_puzzles(2, Status.CANDIDATE)
    approved, rejected = office.approve(first), office.reject(second)
    office.approve(first, FRIDAY)
    assert office.refusal(approved) == "changed"
    assert [entry.may_undo for entry in office.log()] == [True, True, False]
    office.undo(rejected)
    assert office.refusal(rejected) == "undone"
    assert office.row(first)[:2] == (Status.APPROVED, FRIDAY)


def test_what_went_out_is_not_undone(office: Office, add_puzzles: AddPuzzles) -> None:
    (puzzle_id,) = add_puzzles(1, Status.CANDIDATE)
    approved = office.approve(puzzle_id)
    publication.ensure_published(office.database.write, office.now, office.settings)
    assert office.refusal(approved) == "changed"
    assert office.row(puzzle_id)[0] == Status.PUBLISHED
    assert not office.log()[0].may_undo


def test_a_day_that_has_passed_or_is_taken_is_not_given_back(office: Office, add_puzzles: AddPuzzles) -> None:
    first, second = add_puzzles(2)
    office.approve(first, MONDAY + DAY)
    cleared = office.approve(first)
    other = office.approve(second, MONDAY + DAY)
    assert office.refusal(cleared) == "day_taken"
    office.undo(other)
    office.now += 2 * DAY
    assert office.refusal(cleared) == "day_passed"
    assert not next(entry for entry in office.log() if entry.id == cleared).may_undo
    assert office.row(first)[:2] == (Status.APPROVED, None)


def test_a_day_that_is_out_is_not_given_back(office: Office, add_puzzles: AddPuzzles) -> None:
    first, _ = add_puzzles(2)
    office.approve(first, MONDAY)
    rejected = office.reject(first)
    publication.ensure_published(office.database.write, office.now, office.settings)
    assert office.refusal(rejected) == "day_taken"


def test_what_players_have_seen_and_imports_stay(office: Office, add_puzzles: AddPuzzles) -> None:
    add_puzzles(4)
    for n in range(2):
        publication.ensure_published(office.database.write, office.now + n * DAY, office.settings)
    with office.database.write.begin() as session:
        amendments.replace(session, 1, "ayşe", office.now, " two keys ", office.settings)
        amendments.void(session, 1, "ayşe", office.now, "unclear", office.settings)
        publication.take_back(session, MONDAY + DAY, "ayşe", office.now, office.settings)
        intake.finish(session, "command line", office.now, 240, Status.APPROVED)
        intake.finish(session, "command line", office.now, 0, Status.APPROVED)
    imported, taken_back, void, replaced = office.log()
    assert [one.action for one in (replaced, void, taken_back, imported)] == [
        Action.REPLACE,
        Action.VOID,
        Action.TAKE_BACK,
        Action.IMPORT,
    ]
    assert (imported.count, imported.changes, imported.by) == (240, (), "command line")
    assert (replaced.reason, void.reason) == ("two keys", "unclear")
    changes = {change.before.status: change for change in replaced.changes}
    assert changes[Status.PUBLISHED].after.status == Status.WITHDRAWN
    assert (changes[Status.PUBLISHED].before.out, changes[Status.PUBLISHED].after.out) == (MONDAY, None)
    assert (changes[Status.APPROVED].before.out, changes[Status.APPROVED].after.out) == (None, MONDAY)
    assert void.changes[0].after.out == MONDAY
    assert taken_back.changes[0].before.out == MONDAY + DAY
    for entry in (imported, taken_back, void, replaced):
        assert not entry.may_undo
        assert office.refusal(entry.id) == "not_undoable"
    for missing in (0, -1, 10**9, 10**30):
        assert office.refusal(missing) == "not_found"


def test_a_decision_is_undone_once_however_many_try(office: Office, add_puzzles: AddPuzzles) -> None:
    (puzzle_id,) = add_puzzles(1, Status.CANDIDATE)
    approved = office.approve(puzzle_id)
    together, codes = threading.Barrier(8), []

    def attempt() -> None:
        together.wait()
        try:
            office.undo(approved)
            codes.append("done")
        except ServiceError as error:
            codes.append(error.code)

    threads = [threading.Thread(target=attempt) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == ["done", *["undone"] * 7]
    assert office.row(puzzle_id)[0] == Status.CANDIDATE
    with office.database.read() as session:
        assert session.scalar(select(func.count()).select_from(AuditEntry)) == 2


def test_two_who_decide_at_once_leave_one_puzzle_a_day(office: Office, add_puzzles: AddPuzzles) -> None:
    """Whoever comes second is refused, and what the log says adds up to what the tables hold."""
    ids = add_puzzles(6)
    together, codes = threading.Barrier(len(ids)), []

    def attempt(puzzle_id: str) -> None:
        together.wait()
        try:
            office.approve(puzzle_id, FRIDAY)
            codes.append("done")
        except ServiceError as error:
            codes.append(error.code)

    threads = [threading.Thread(target=attempt, args=(one,)) for one in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [*["day_taken"] * 5, "done"]
    (entry,) = office.log()
    assert office.row(entry.changes[0].puzzle_id)[1] == FRIDAY


def test_a_name_is_taken_off_the_whole_log(office: Office, add_puzzles: AddPuzzles) -> None:
    first, second = add_puzzles(2, Status.CANDIDATE)
    office.approve(first)
    office.reject(first, by="mehmet")
    kept = office.approve(second, by="ayş")
    with office.database.write.begin() as session:
        intake.finish(session, "ayşe", office.now, 3, Status.CANDIDATE)
        audit.rename(session, "ayşe", "deleted account")
    _imported, other, rejected, _approved = office.log()
    assert (other.id, other.by) == (kept, "ayş")
    assert rejected.changes[0].before.reviewed_by == "deleted account"
    with office.database.read() as session:
        assert audit.names(session) == ["ayş", "deleted account", "mehmet"]
        stored = session.execute(select(AuditEntry.before, AuditEntry.after)).all()
    assert "ayşe" not in str(stored)


def test_the_log_of_an_import_counts_what_came_in(
    office: Office, records: list[Record], noon: datetime
) -> None:
    with office.database.write.begin() as session:
        count = sum(intake.add(session, one, noon) for one in records)
        intake.finish(session, "ayşe", noon, count, Status.CANDIDATE)
    (entry,) = office.log()
    assert (entry.action, entry.count, entry.changes) == (Action.IMPORT, len(records), ())
