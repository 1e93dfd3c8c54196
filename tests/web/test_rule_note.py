"""A solution that depends on when captured pieces leave says so, and nothing does before the end."""

import pytest
from sqlalchemy import update

from puzzle_service.db import Database
from puzzle_service.models import Puzzle
from tests.web.conftest import Publish, Visitor, wrong_moves

NOTE = "Captured pieces leave the board at once here"


@pytest.fixture
def depends(database: Database, stock: object) -> None:
    """Every puzzle of the stock depends on it."""
    with database.write.begin() as session:
        session.execute(update(Puzzle).values(themes=["sacrifice", "instant removal"]))


@pytest.mark.usefixtures("depends")
def test_the_note_comes_with_the_solution_and_not_a_move_before(visitor: Visitor, publish: Publish) -> None:
    today = publish()
    line = today.proof.main_line()
    for ply in range(0, len(line), 2):
        assert NOTE not in visitor.open()
        assert visitor.puzzle()["note"] is None
        answer = visitor.play(visitor.puzzle(), line[ply]).json
        assert answer is not None
        assert (answer["note"] is not None) is (answer["state"] == "solved")
    assert answer is not None
    assert NOTE in answer["note"]
    assert NOTE in visitor.open()
    assert NOTE in visitor.puzzle()["note"]


@pytest.mark.usefixtures("depends")
def test_the_note_comes_after_three_wrong_attempts_as_well(visitor: Visitor, publish: Publish) -> None:
    wrong = wrong_moves(publish().proof.root)[0]
    notes = [visitor.play(visitor.puzzle(), wrong).json["note"] for _ in range(3)]  # type: ignore[index]
    assert notes[:2] == [None, None]
    assert NOTE in notes[2]
    assert NOTE in visitor.open()


def test_other_solutions_have_no_note(visitor: Visitor, database: Database, publish: Publish) -> None:
    with database.write.begin() as session:
        session.execute(update(Puzzle).values(themes=["sacrifice", "majority", "180° trap"]))
    line = publish().proof.main_line()
    for ply in range(0, len(line), 2):
        answer = visitor.play(visitor.puzzle(), line[ply]).json
        assert answer is not None
        assert answer["note"] is None
    page = visitor.open()
    assert NOTE not in page
    assert '<p class="rule-note" id="rule-note" hidden></p>' in page
