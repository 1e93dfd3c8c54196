"""Likeness: which puzzles stand on nearly the same board."""

import json
from collections.abc import Callable
from datetime import datetime

import pytest

from dama import Position
from puzzle_service.db import Database
from puzzle_service.domain import record
from puzzle_service.domain.review import Status
from puzzle_service.services import intake, likeness, publication, review
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.likeness import Similar
from puzzle_service.settings import Settings

AddPuzzles = Callable[..., list[str]]
FEN = "W:Wa2,b3,c4,Kd1:Ba7,b6"


def found(database: Database, puzzle_id: str, limit: int = 5) -> list[Similar]:
    with database.read() as session:
        return likeness.similar(session, puzzle_id, limit)


def test_the_most_similar_come_first_with_their_figures(database: Database, add_puzzles: AddPuzzles) -> None:
    (own,) = add_puzzles(1, Status.CANDIDATE, fen=FEN)
    (half,) = add_puzzles(1, fen="W:Wa2,b3,c5,Kd2:Ba7,b7")
    (near,) = add_puzzles(1, fen="W:Wa2,b3,c4,Kd1:Ba7,b7")
    (crowned,) = add_puzzles(1, fen="W:Wa2,b3,Kc4,d1:Ba7,b6")
    add_puzzles(1, fen="W:Wa3,b4,c5,Kd2:Ba7,b6")
    similar = found(database, own)
    assert [(one.puzzle.id, round(one.likeness, 3)) for one in similar] == [
        (near, 0.833),
        (crowned, 0.667),
        (half, 0.5),
    ]
    assert not any(one.same_board for one in similar)
    assert [one.puzzle.id for one in found(database, own, limit=1)] == [near]


@pytest.mark.parametrize("turn", ["mirrored", "swapped"])
def test_a_board_turned_is_the_same_board(database: Database, add_puzzles: AddPuzzles, turn: str) -> None:
    (own,) = add_puzzles(1, Status.CANDIDATE, fen=FEN)
    turned = getattr(Position.from_fen("W:Wa2,b3,c4,Kd1:Ba7,b7"), turn)()
    (near,) = add_puzzles(1, fen=turned.fen())
    assert [(one.puzzle.id, round(one.likeness, 3)) for one in found(database, own)] == [(near, 0.833)]


def test_the_same_board_with_the_other_side_to_move_is_another_board(
    database: Database, add_puzzles: AddPuzzles
) -> None:
    (own,) = add_puzzles(1, Status.CANDIDATE, fen=FEN)
    add_puzzles(1, fen=FEN.replace("W:W", "B:W"))
    assert [round(one.likeness, 3) for one in found(database, own)] == [0.667]


def test_only_what_players_see_is_called_similar(
    database: Database, settings: Settings, add_puzzles: AddPuzzles, noon: datetime
) -> None:
    """A candidate need not differ from another one, or from what was rejected."""
    add_puzzles(1, fen=FEN.replace("b6", "b7"))
    publication.ensure_published(database.write, noon, settings)
    near = [add_puzzles(1, status, fen=FEN.replace("b6", "b7")) for status in Status]
    (own,) = add_puzzles(1, Status.CANDIDATE, fen=FEN)
    shown = found(database, own, limit=9)
    assert sorted(one.puzzle.status for one in shown) == ["approved", "published", "published", "withdrawn"]
    assert {one.puzzle.number for one in shown} == {1, None}
    assert len(near) == len(Status)


@pytest.mark.parametrize("turn", ["mirrored", "swapped"])
def test_the_same_board_by_another_ruleset_comes_in_and_is_told(
    database: Database, record_lines: list[str], noon: datetime, turn: str
) -> None:
    """An import refuses a puzzle's mirror image, but not the same board where other rules hold."""
    fields = json.loads(record_lines[0])
    first = record.parse(json.dumps(fields))
    board = getattr(Position.from_fen(first.fen), turn)()
    with database.write.begin() as session:
        intake.add(session, first, noon)
    other = _by_other_rules(first, board)
    with database.write.begin() as session:
        assert intake.add(session, other, noon)
        review.reject(session, other.id, "ayşe", noon, "the same again")
    (similar,) = found(database, first.id)
    assert (similar.puzzle.id, similar.likeness, similar.same_board) == (other.id, 1.0, True)
    assert similar.puzzle.rules == "turkish-yoz"


def _by_other_rules(first: record.Record, board: Position) -> record.Record:
    """Return a record of the same board, which is all that likeness looks at."""
    from dataclasses import replace

    from dama.symmetry import puzzle_id

    other = Position.from_fen(board.fen(), "turkish-yoz")
    return replace(first, id=puzzle_id(other), rules=other.rules.name, fen=other.fen())


def test_a_puzzle_that_is_not_there_is_not_found(database: Database) -> None:
    for puzzle_id in ("unknown", "", "\x00"):
        with pytest.raises(ServiceError, match="there is no puzzle"):
            found(database, puzzle_id)
