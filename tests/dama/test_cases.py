"""Every rule case with its right answer, by the plain rules."""

from typing import Any

import pytest

from dama import Position
from dama.squares import square_name
from tests.dama.cases import turkish_cases

WINNERS = {"white_wins": "W", "black_wins": "B"}


def _played(case: dict[str, Any]) -> Position:
    position = Position.from_fen(case["position"], case["rules"])
    for move in case.get("play", ()):
        position = position.play(move)
    return position


@pytest.mark.parametrize("case", turkish_cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    position, expect = _played(case), case["expect"]
    if "moves" in expect:
        assert sorted(map(str, position.legal_moves)) == sorted(expect["moves"])
    if "results" in expect:
        results = [
            {
                "from": square_name(move.origin),
                "to": square_name(move.target),
                "captured": [square_name(square) for square in sorted(move.captured, key=square_name)],
            }
            for move in position.legal_moves
        ]
        for result in expect["results"]:
            result["captured"].sort()
        assert sorted(results, key=str) == sorted(expect["results"], key=str)
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
