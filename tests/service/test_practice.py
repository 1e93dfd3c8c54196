"""Practice: the same judgement, and nothing kept."""

from dataclasses import replace
from datetime import timedelta

import pytest

from dama import Position
from puzzle_service.services import attempts
from puzzle_service.services.errors import ServiceError
from tests.service.conftest import Table

DAY = timedelta(days=1)


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
