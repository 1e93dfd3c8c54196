"""Every rule case with its right answer, by the kernel."""

from typing import Any

import pytest

from dama import Color, Position, kernel
from dama.squares import Grid, bit
from tests.dama.cases import position_cases

WINNERS = {"white_wins": Color.WHITE, "black_wins": Color.BLACK}


def _square(name: str | int, grid: Grid) -> int:
    square = grid.parse(str(name))
    assert square is not None
    return square


@pytest.mark.parametrize("case", position_cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    position, expect = Position.from_fen(case["position"], case["rules"]), case["expect"]
    grid = position.rules.grid
    for move in case.get("play", ()):
        chosen = position.parse_move(move)
        assert (chosen.origin, chosen.target, sum(map(bit, chosen.captured))) in kernel.moves(position)
        position = position.after(chosen)
    if "results" in expect:
        assert kernel.moves(position) == sorted(
            (
                _square(move["from"], grid),
                _square(move["to"], grid),
                sum(bit(_square(name, grid)) for name in move["captured"]),
            )
            for move in expect["results"]
        )
    if "outcome" in expect:
        winner = WINNERS.get(expect["outcome"])
        standing = {
            "ongoing": kernel.Standing.OPEN,
            "draw": kernel.Standing.DRAWN,
        }.get(
            expect["outcome"],
            kernel.Standing.WON if winner is position.turn else kernel.Standing.LOST,
        )
        assert kernel.standing(position) is standing
