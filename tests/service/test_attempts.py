"""Attempts: what each move costs, on its day and around midnight."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dama import Position
from puzzle_service.db import Database
from puzzle_service.domain.attempts import node_after
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.services import attempts, devices, intake, publication, records
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.illegal import Code, Illegal
from puzzle_service.settings import Settings
from tests.service.conftest import Table

DAY = timedelta(days=1)


def test_a_page_view_begins_nothing(table: Table) -> None:
    view = table.view()
    assert (view.state, view.attempt, view.ply, view.attempts_left, view.slow_left) == ("open", 1, 0, 3, 3)
    assert (view.position, view.line, view.solution) == (table.published.position, [], None)
    assert table.rows() == []


def test_the_right_moves_solve(table: Table) -> None:
    proof = table.published.proof
    first = table.send(proof.key)
    assert (first.verdict, first.state, first.ply, first.illegal) == ("continue", "open", 2, None)
    assert str(first.reply) == proof.main_line()[1]
    assert first.position == proof.position.play(proof.key).play(proof.main_line()[1])
    assert (first.solution, first.refutation) == (None, None)
    view = table.view()
    assert (view.ply, view.position, [str(move) for move in view.line]) == (
        2,
        first.position,
        proof.main_line()[:2],
    )
    last = table.solve()
    assert (last.verdict, last.state, last.attempt, last.attempts_left) == ("solved", "solved", 1, 3)
    outcome = last.position.outcome()
    assert outcome is not None
    assert outcome.winner is proof.position.turn
    assert [str(move) for move in last.solution or []] == proof.main_line()
    assert table.rows() == [(1, "solved", 0)]
    assert table.view().solution == last.solution


def test_a_wrong_move_costs_an_attempt_and_shows_the_answer_alone(table: Table) -> None:
    result = table.send(table.wrong)
    assert (result.verdict, result.state, result.late) == ("wrong", "open", False)
    assert (result.attempt, result.ply, result.attempts_left) == (2, 0, 2)
    assert result.position == table.published.position
    line = table.published.proof.root["refuted"][table.wrong]
    assert [str(move) for move in result.refutation or []] == line[:1]
    assert result.solution is None
    assert table.rows() == [(1, "wrong", 0)]


def test_after_a_wrong_move_the_right_one_still_works(table: Table) -> None:
    table.send(table.wrong)
    result = table.solve()
    assert (result.verdict, result.attempt, result.attempts_left) == ("solved", 2, 2)
    assert table.view().attempts == ["wrong", "solved"]


def test_a_wrong_move_later_begins_at_the_start_again(table: Table) -> None:
    table.send(table.right())
    root = table.published.proof.root
    node = node_after(root, [str(move) for move in table.view().line])
    result = table.send(next(iter(node["refuted"])))
    assert (result.verdict, result.attempt, result.ply) == ("wrong", 2, 0)
    assert result.position == table.published.position
    assert table.view().line == []


def test_after_three_wrong_moves_the_solution_is_the_proofs(table: Table) -> None:
    results = [table.send(table.wrong) for _ in range(3)]
    assert [result.state for result in results] == ["open", "open", "failed"]
    last = results[-1]
    assert (last.attempt, last.attempts_left, last.late) == (3, 0, False)
    proof = table.published.proof
    assert [str(move) for move in last.solution or []] == proof.main_line()
    assert [str(move) for move in last.refutation or []] == proof.root["refuted"][table.wrong]
    assert table.view().solution == last.solution


@pytest.mark.parametrize("move", ["right", "wrong"])
def test_an_old_page_posts_after_the_end(table: Table, move: str) -> None:
    """The browser brings back an old page after a failure and posts a solution: over, result unchanged."""
    for _ in range(3):
        table.send(table.wrong)
    result = table.send(table.published.proof.key if move == "right" else table.wrong, attempt=1, ply=0)
    assert (result.verdict, result.state) == ("over", "failed")
    assert table.rows() == [(ordinal, "wrong", 0) for ordinal in (1, 2, 3)]


def test_a_solved_puzzle_is_over(table: Table) -> None:
    table.solve()
    result = table.send(table.wrong)
    assert (result.verdict, result.state) == ("over", "solved")
    assert result.position == table.published.position.play(table.published.proof.key) or result.ply > 1
    assert table.rows() == [(1, "solved", 0)]


def test_a_second_winning_move_is_accepted(
    database: Database, settings: Settings, records: list[Record], noon: datetime
) -> None:
    """Any of several last moves that end the game is right."""
    with database.write.begin() as session:
        for one in records:
            intake.add(session, one, noon, Status.APPROVED)
    tried = 0
    for offset in range(len(records)):
        now = noon + offset * DAY
        found = publication.ensure_published(database.write, now, settings)
        assert found is not None
        for _, left, node in found.proof.solver_nodes():
            if left > 1 or len(node["wins"]) < 2:
                continue
            table = Table(database, settings, found, now)
            for text in list(node["wins"]):
                tried += _solves_with(table, text)
    assert tried >= 2


def _solves_with(table: Table, last: str) -> int:
    """Play to the last move as a fresh player; count one if it was offered and solved the puzzle."""
    fresh = Table(table.database, table.settings, table.published, table.now)
    while True:
        line = [str(move) for move in fresh.view().line]
        wins = node_after(fresh.published.proof.root, line)["wins"]
        if last in wins and not wins[last]:
            assert fresh.send(last).verdict == "solved"
            return 1
        if fresh.send(next(iter(wins))).verdict != "continue":
            return 0


def test_a_move_that_wins_too_slowly_is_taken_back_three_times(table: Table) -> None:
    slow = table.published.proof.root["slow"][0]
    for left in (2, 1, 0):
        result = table.send(slow)
        assert (result.verdict, result.slow_left, result.attempts_left) == ("slow", left, 3)
        assert (result.position, result.ply, result.attempt) == (table.published.position, 0, 1)
        assert (str(result.move), result.late) == (slow, False)
    result = table.send(slow)
    assert (result.verdict, result.late, result.attempts_left) == ("wrong", True, 2)
    assert result.refutation is None
    assert table.rows() == [(1, "wrong", 3)]
    assert table.view().slow_left == 0


def test_slow_moves_are_counted_over_all_attempts(table: Table) -> None:
    slow = table.published.proof.root["slow"][0]
    table.send(slow)
    table.send(table.wrong)
    assert table.view().slow_left == 2
    assert table.send(slow).slow_left == 1
    assert table.rows() == [(1, "wrong", 1), (2, None, 1)]


@pytest.mark.parametrize(
    ("text", "code"),
    [("a1-a2", "not_legal"), ("nonsense", "notation"), ("", "notation")],
)
def test_an_illegal_move_costs_nothing(table: Table, text: str, code: Code) -> None:
    result = table.send(text)
    assert (result.verdict, result.illegal) == ("illegal", Illegal(code, {"text": text}))
    assert (result.position, result.ply, result.attempts_left) == (table.published.position, 0, 3)
    assert table.rows() == []


def test_an_illegal_move_names_the_pieces_that_must_capture(table: Table) -> None:
    def told(text: str) -> Illegal:
        result = table.send(text)
        assert result.illegal is not None
        return result.illegal

    while not (capturing := table.view().position.legal_moves)[0].captured:
        assert table.send(table.right()).verdict == "continue"
    moving = {str(move)[:2] for move in capturing}
    other = "a1-a2" if "a1" not in moving else "h1-h2"
    result = table.send(other)
    assert (result.verdict, result.illegal) == (
        "illegal",
        Illegal("must_capture", {"text": other, "pieces": sorted(moving)}),
    )
    quiet = f"{min(moving)}-{min(moving)[0]}{9 - int(min(moving)[1])}"
    assert told(quiet).code == "must_capture"
    for sign in "x×:":
        why = told(quiet.replace("-", sign))
        assert (why.code, why.params["count"]) == ("must_take_most", len(capturing[0].captured))
    assert told(other.replace("-", "x")).code == "must_capture"
    assert table.rows() == [(1, None, 0)]


def test_ends_that_fit_several_captures_are_told_which(table: Table) -> None:
    table.solve()
    two_ways = Position.from_fen("W:WKa8:Ba4,f3,g1,h6")
    published = replace(table.published, position=two_ways)
    result = attempts.practice(published, table.view(), [], "a8xh7")
    assert result.verdict == "illegal"
    assert result.illegal is not None
    assert result.illegal.code == "ambiguous"
    assert result.illegal.params == {
        "text": "a8xh7",
        "meanings": [
            ["a8xa1xh1xh7", ["g1", "a4", "h6"]],
            ["a8xa3xh3xh7", ["f3", "a4", "h6"]],
        ],
    }


def test_a_move_may_be_typed_in_other_ways(table: Table) -> None:
    assert table.send(table.published.proof.key.replace("-", "")).verdict == "continue"


def test_begun_before_midnight_and_finished_after(
    table: Table, database: Database, settings: Settings, records: list[Record]
) -> None:
    """Begun at 23:59, finished at 00:02: credited to the old day, and the new day is fresh."""
    with database.write.begin() as session:
        for one in records:
            intake.add(session, one, table.now, Status.APPROVED)
    table.now = table.served_at = datetime(2026, 11, 30, 20, 59, tzinfo=UTC)
    table.send(table.right())
    table.now = datetime(2026, 11, 30, 21, 2, tzinfo=UTC)
    assert table.solve().verdict == "solved"
    tomorrow = publication.ensure_published(database.write, table.now, settings)
    assert tomorrow is not None
    with database.read() as session:
        record = records_of(session, table)
        fresh = attempts.view(session, tomorrow, table.player, table.now, settings)
    assert [day.state for day in record.days] == ["solved", "open"]
    assert record.current == 1
    assert (fresh.attempt, fresh.attempts_left, fresh.ply) == (1, 3, 0)


def test_solved_on_both_sides_of_midnight_in_one_visit(
    table: Table, database: Database, settings: Settings, records: list[Record]
) -> None:
    """Solved at 23:58 and the next puzzle at 00:01: both count."""
    with database.write.begin() as session:
        for one in records:
            intake.add(session, one, table.now, Status.APPROVED)
    table.now = table.served_at = datetime(2026, 11, 30, 20, 58, tzinfo=UTC)
    table.solve()
    table.now = table.served_at = datetime(2026, 11, 30, 21, 1, tzinfo=UTC)
    tomorrow = publication.ensure_published(database.write, table.now, settings)
    assert tomorrow is not None
    table.published = tomorrow
    table.solve()
    with database.read() as session:
        record = records_of(session, table)
    assert (record.current, [day.state for day in record.days]) == (2, ["solved", "solved"])


def records_of(session: Any, table: Table) -> records.Record:
    return records.me(session, table.player, table.now, table.settings)


@pytest.mark.parametrize(
    ("now", "served_at"),
    [
        (datetime(2026, 12, 1, 0, 1, tzinfo=UTC), datetime(2026, 11, 30, 20, 0, tzinfo=UTC)),
        (datetime(2026, 11, 30, 21, 5, tzinfo=UTC), datetime(2026, 11, 30, 21, 1, tzinfo=UTC)),
        (datetime(2026, 11, 30, 21, 5, tzinfo=UTC), None),
    ],
    ids=["grace over", "served after the change of day", "not served"],
)
def test_a_day_that_is_over_is_closed(table: Table, now: datetime, served_at: datetime | None) -> None:
    table.now, table.served_at = now, served_at
    with pytest.raises(ServiceError) as refused:
        table.send(table.right())
    assert (refused.value.code, table.rows()) == ("closed", [])


@pytest.mark.parametrize(
    ("hours", "closed"), [(0, False), (11, False), (14, False), (16, True), (24 * 9, True)]
)
def test_a_view_says_when_a_day_is_closed_for_everybody(table: Table, hours: int, closed: bool) -> None:
    table.now += timedelta(hours=hours)
    assert table.view().closed is closed


def test_guests_are_told_apart_by_their_tokens(table: Table, database: Database) -> None:
    with database.read() as session:
        assert devices.guest(session, table.token) == table.player
        assert devices.guest(session, table.token + "x") is None
