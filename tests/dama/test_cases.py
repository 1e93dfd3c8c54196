"""Every rule case with its right answer, by the plain rules."""

from typing import Any

import pytest

from dama import Position
from tests.dama.cases import position_cases

WINNERS = {"white_wins": "W", "black_wins": "B"}


def _played(case: dict[str, Any]) -> Position:
    position = Position.from_fen(case["position"], case["rules"])
    for move in case.get("play", ()):
        position = position.play(move)
    return position


@pytest.mark.parametrize("case", position_cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    position, expect = _played(case), case["expect"]
    if "moves" in expect:
        assert sorted(map(str, position.legal_moves)) == sorted(expect["moves"])
    if "results" in expect:
        # Italian squares are written as numbers.
        name = position.rules.grid.name
        played = {
            (name(move.origin), name(move.target), frozenset(map(name, move.captured)))
            for move in position.legal_moves
        }
        assert len(played) == len(position.legal_moves)
        assert played == {
            (str(result["from"]), str(result["to"]), frozenset(map(str, result["captured"])))
            for result in expect["results"]
        }
    for path in expect.get("equivalent_paths", ()):
        assert position.parse_move(path) in position.legal_moves
    if "outcome" in expect:
        outcome = position.outcome()
        if expect["outcome"] == "ongoing":
            assert outcome is None
        else:
            assert outcome is not None
            assert outcome.winner == WINNERS.get(expect["outcome"])
            assert outcome.reason == expect["reason"]
    if "position_after" in expect:
        assert position == Position.from_fen(expect["position_after"], case["rules"])
