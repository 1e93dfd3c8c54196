"""World figures: each player's end is counted once, whatever happens at the same time."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest

from puzzle_service.db import Database
from puzzle_service.services import tallies
from puzzle_service.services.tallies import Tally
from tests.conftest import AddPuzzles
from tests.service.conftest import Table


def figures(database: Database, puzzle_id: str) -> Tally:
    with database.read() as session:
        return tallies.get(session, puzzle_id)


@pytest.mark.parametrize(
    ("wrong", "expected"), [(0, Tally(first=1)), (1, Tally(second=1)), (2, Tally(third=1))]
)
def test_a_solve_counts_under_its_attempt(table: Table, wrong: int, expected: Tally) -> None:
    for _ in range(wrong):
        table.send(table.wrong)
    assert figures(table.database, table.published.puzzle_id) == Tally()
    table.solve()
    assert figures(table.database, table.published.puzzle_id) == expected


def test_a_failure_counts_once_and_nothing_after_it(table: Table) -> None:
    for _ in range(3):
        table.send(table.wrong, request_id=f"{len(table.rows())}")
    table.send(table.wrong, request_id="2", attempt=3)
    table.send(table.wrong)
    assert figures(table.database, table.published.puzzle_id) == Tally(failed=1)


def test_the_same_solve_sent_again_counts_once(table: Table) -> None:
    while table.view().state == "open":
        stands = table.view()
        move = table.right()
        for _ in range(2):
            table.send(move, request_id=f"at {stands.ply}", ply=stands.ply)
    found = figures(table.database, table.published.puzzle_id)
    assert (found, found.total) == (Tally(first=1), 1)


def test_practice_counts_nothing(table: Table) -> None:
    table.solve()
    key = table.published.proof.key
    assert table.practise([], key).verdict in ("continue", "solved")
    assert table.practise([], table.wrong).verdict == "wrong"
    assert figures(table.database, table.published.puzzle_id).total == 1


def test_players_who_end_at_the_same_time_are_all_counted(
    database: Database, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    (puzzle_id,) = add_puzzles(1)

    def end(place: int) -> None:
        with database.write.begin() as session:
            tallies.add(session, puzzle_id, tallies.OUTCOMES[place % 4])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(end, range(40)))
    assert figures(database, puzzle_id) == Tally(10, 10, 10, 10)
    with database.write.begin() as session:
        tallies.take_off(session, puzzle_id, "second")
    assert figures(database, puzzle_id) == Tally(10, 9, 10, 10)
