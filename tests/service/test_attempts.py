"""Attempts: what each request costs, and that nothing costs twice."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from dama import Position
from puzzle_service.db import Database
from puzzle_service.domain.attempts import node_after
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.models import Attempt, MoveRequest
from puzzle_service.services import attempts, intake, players, publication, records
from puzzle_service.services.attempts import MoveResult, PlayerView
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.illegal import Code, Illegal
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings

DAY = timedelta(days=1)


class Table:
    """One player at one published puzzle."""

    def __init__(
        self, database: Database, settings: Settings, published: PublishedPuzzle, now: datetime
    ) -> None:
        self.database, self.settings, self.published = database, settings, published
        self.now = now
        self.served_at: datetime | None = now
        with database.write.begin() as session:
            self.player, self.token = players.create_guest(session, now)

    def view(self) -> PlayerView:
        with self.database.read() as session:
            return attempts.view(session, self.published, self.player, self.now, self.settings)

    def send(self, move: str, **changes: Any) -> MoveResult:
        """Send a move at the place where the player stands, or as changed."""
        stands = self.view()
        sent: dict[str, Any] = {
            "attempt": stands.attempt,
            "ply": stands.ply,
            "request_id": uuid4().hex,
            "served_at": self.served_at,
        } | changes
        with self.database.write.begin() as session:
            return attempts.submit(
                session, self.published, self.player, self.now, self.settings, move=move, **sent
            )

    def practise(self, line: list[str], move: str) -> MoveResult:
        return attempts.practice(self.published, self.view(), line, move)

    @property
    def wrong(self) -> str:
        return next(iter(self.published.proof.root["refuted"]))

    def solve(self) -> MoveResult:
        """Play the right moves from wherever the player stands to the end."""
        result = self.send(self.right())
        return result if result.verdict != "continue" else self.solve()

    def right(self) -> str:
        line = [str(move) for move in self.view().line]
        return next(iter(node_after(self.published.proof.root, line)["wins"]))

    def rows(self) -> list[tuple[int, str | None, int]]:
        with self.database.read() as session:
            wanted = select(Attempt.ordinal, Attempt.result, Attempt.slow).order_by(Attempt.ordinal)
            return [(*row,) for row in session.execute(wanted.where(Attempt.player_id == self.player))]


def puzzle_with_a_slow_move(records: list[Record]) -> Record:
    return next(one for one in records if one.proof.root["slow"])


@pytest.fixture
def published(
    database: Database, settings: Settings, records: list[Record], noon: datetime
) -> PublishedPuzzle:
    """A win in three with a slow first move, out today."""
    with database.write.begin() as session:
        intake.add(session, puzzle_with_a_slow_move(records), noon, Status.APPROVED)
    found = publication.ensure_published(database.write, noon, settings)
    assert found is not None
    return found


@pytest.fixture
def table(database: Database, settings: Settings, published: PublishedPuzzle, noon: datetime) -> Table:
    return Table(database, settings, published, noon)


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


@pytest.mark.parametrize("end", ["won", "lost", "drawn", "the defender's turn", "too long"])
def test_a_practised_line_ends_in_solved_only_when_the_solver_has_won(table: Table, end: str) -> None:
    fen, line, state = {
        "won": ("W:Wb3:Bb4", ["b3xb5"], "solved"),
        "lost": ("W:Wd2:Bd4", ["d2-d3", "d4xd2"], "open"),
        "drawn": ("W:WKb3:Bb4,Kh8", ["b3xb5"], "open"),
        "the defender's turn": ("W:Wa2,b2:Bh7,g7", ["a2-a3"], "open"),
        "too long": ("W:WKa1,b2:BKh8,g7", ["a1-a2", "h8-h7", "a2-a1", "h7-h8"] * 3, "open"),
    }[end]
    published = replace(table.published, position=Position.from_fen(fen))
    view = attempts.practice_view(published, table.view(), line)
    assert (view.state, view.solution) == (state, None)
    assert (view.ply, view.position == published.position) == ((1, False) if end == "won" else (0, True))


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


def test_the_same_request_twice_costs_one(table: Table) -> None:
    first = table.send(table.wrong, request_id="once")
    again = table.send(table.wrong, request_id="once", attempt=1)
    assert again == first
    assert table.rows() == [(1, "wrong", 0)]


def test_the_same_request_is_answered_alike_after_the_end(table: Table) -> None:
    right = table.send(table.published.proof.key, request_id="once")
    table.solve()
    assert table.send(table.published.proof.key, request_id="once") == right


def test_a_request_belongs_to_one_puzzle(
    table: Table, database: Database, settings: Settings, records: list[Record], noon: datetime
) -> None:
    table.send(table.wrong, request_id="once")
    with database.write.begin() as session:
        for one in records:
            intake.add(session, one, noon, Status.APPROVED)
    table.now = table.served_at = noon + DAY
    tomorrow = publication.ensure_published(database.write, table.now, settings)
    assert tomorrow is not None
    table.published = tomorrow
    with pytest.raises(ServiceError, match="used for another puzzle"):
        table.send(table.wrong, request_id="once")
    assert table.send(table.wrong, request_id="twice").verdict == "wrong"


@pytest.mark.parametrize("request_id", ["", "x" * 65])
def test_a_request_needs_an_id(table: Table, request_id: str) -> None:
    with pytest.raises(ServiceError) as refused:
        table.send(table.wrong, request_id=request_id)
    assert refused.value.code == "bad_request"


@pytest.mark.parametrize(("attempt", "ply"), [(2, 0), (1, 2), (0, 0)])
def test_a_move_for_another_place_is_stale(table: Table, attempt: int, ply: int) -> None:
    with pytest.raises(ServiceError) as refused:
        table.send(table.wrong, attempt=attempt, ply=ply)
    assert (refused.value.code, table.rows()) == ("stale", [])


def test_two_tabs_spend_one_attempt(table: Table) -> None:
    table.send(table.wrong, attempt=1, ply=0)
    with pytest.raises(ServiceError, match="expected 2, 0"):
        table.send(table.wrong, attempt=1, ply=0)
    assert table.rows() == [(1, "wrong", 0)]


POSTER = """
import sys, datetime
from puzzle_service import db
from puzzle_service.services import attempts, publication
from puzzle_service.services.errors import ServiceError
from puzzle_service.settings import Settings
url, now, player, move, name = sys.argv[1:]
settings, now = Settings(url, secret_key="x"), datetime.datetime.fromisoformat(now)
database = db.connect(settings)
with database.read() as session:
    published = publication.today(session, now, settings)
print("ready", flush=True)
sys.stdin.readline()
for post in range(5):
    try:
        with database.write.begin() as session:
            result = attempts.submit(
                session, published, int(player), now, settings,
                attempt=1 + post % 3, ply=0, move=move, request_id=f"{name}-{post}", served_at=now,
            )
        print(result.verdict)
    except ServiceError as error:
        print(error.code)
"""


def test_twenty_parallel_wrong_posts_spend_three(table: Table) -> None:
    settings = table.settings
    command = [sys.executable, "-c", POSTER, settings.database_url, table.now.isoformat(), str(table.player)]
    posters = [
        subprocess.Popen(
            [*command, table.wrong, str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for n in range(4)
    ]
    for poster in posters:
        assert poster.stdout is not None
        assert poster.stdout.readline() == "ready\n"
    for poster in posters:
        assert poster.stdin is not None
        poster.stdin.write("go\n")
        poster.stdin.flush()
    answers = [line for poster in posters for line in poster.communicate()[0].splitlines()]
    assert len(answers) == 20
    assert set(answers) <= {"wrong", "over", "stale"}
    assert answers.count("wrong") == 3
    assert table.rows() == [(ordinal, "wrong", 0) for ordinal in (1, 2, 3)]


def test_old_requests_are_forgotten_and_new_ones_kept(table: Table, database: Database) -> None:
    table.send(table.wrong)
    for later, left in ((DAY, 1), (3 * DAY, 0)):
        with database.write.begin() as session:
            attempts.forget_requests(session, table.now + later)
            assert session.scalar(select(func.count()).select_from(MoveRequest)) == left


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


def test_practice_judges_and_keeps_nothing(table: Table) -> None:
    table.now += DAY
    proof = table.published.proof
    first = table.practise([], proof.key)
    assert (first.verdict, str(first.reply), first.ply) == ("continue", proof.main_line()[1], 2)
    line = proof.main_line()
    assert table.practise(line[:-1], line[-1]).verdict == "solved"
    wrong = table.practise([], table.wrong)
    assert (wrong.verdict, wrong.state, wrong.attempts_left) == ("wrong", "open", 3)
    assert len(wrong.refutation or []) == 1
    slow = table.practise([], proof.root["slow"][0])
    assert (slow.verdict, slow.slow_left) == ("slow", 3)
    assert table.rows() == []


@pytest.mark.parametrize("after", [timedelta(0), timedelta(hours=12), timedelta(hours=15)])
@pytest.mark.parametrize("begun", [True, False], ids=["begun", "untouched"])
def test_practice_waits_while_an_attempt_can_still_count(
    table: Table, after: timedelta, *, begun: bool
) -> None:
    """On the day and in the hours of grace after it, from noon; whoever asks, for a second cookie is free."""
    if begun:
        table.send(table.right())
    table.now += after
    for move in (table.wrong, table.published.proof.key):
        with pytest.raises(ServiceError) as refused:
            table.practise([], move)
        assert refused.value.code == "not_yet"
    table.now += timedelta(hours=15, seconds=1) - after
    assert table.practise([], table.published.proof.key).verdict == "continue"


def test_practice_is_open_at_once_to_who_is_done_and_shows_whole_refutations(table: Table) -> None:
    table.solve()
    result = table.practise([], table.wrong)
    assert [str(move) for move in result.refutation or []] == table.published.proof.root["refuted"][
        table.wrong
    ]


@pytest.mark.parametrize("line", [["a1-a2", "b3-b4"], ["x"], ["a1-a2"] * 9])
def test_practice_refuses_a_line_that_is_not_of_the_proof(table: Table, line: list[str]) -> None:
    table.now += DAY
    with pytest.raises(ServiceError) as refused:
        table.practise(line, table.wrong)
    assert refused.value.code == "bad_line"


def test_guests_are_told_apart_by_their_tokens(table: Table, database: Database) -> None:
    with database.read() as session:
        assert players.find(session, table.token) == table.player
        assert players.find(session, table.token + "x") is None
