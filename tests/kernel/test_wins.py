"""Forced wins and soundness: examples with their answers, and what is refused."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from dama import RULESETS, Position, kernel
from dama.kernel import Soundness, wins
from dama.kernel.workspace import OVERFLOW, Work
from dama.search import Search

TWO = "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"
THREE = "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5"


@pytest.mark.parametrize(("fen", "n", "key"), [(TWO, 2, "b7-b8"), (THREE, 3, "g4-f4")])
def test_known_puzzles(fen: str, n: int, key: str) -> None:
    position = Position.from_fen(fen)
    assert kernel.wins_in(position, n - 1) is None
    assert kernel.wins_in(position, n) == n
    assert kernel.wins_in(position, 5) == n
    assert [str(move) for move in kernel.winning_moves(position, n)] == [key]
    assert kernel.winning_moves(position, n - 1) == []
    assert kernel.distances(position, n)[position.parse_move(key)] == n
    assert kernel.soundness(position, n) is Soundness.SOUND
    assert kernel.soundness(position, n + 1) is Soundness.SOONER
    assert kernel.soundness(position, n - 1) is Soundness.NO_WIN


def test_turning_back_refutes_the_trap() -> None:
    """A 180° trap: with one rule changed the same key no longer works."""
    turning = replace(RULESETS["turkish"], name="turning back", turning_back=True)
    assert kernel.wins_in(Position.from_fen(THREE, turning), 3) is None


def test_a_win_by_blocking() -> None:
    position = Position.from_fen("W:WKb1,Kc1,a2,Kh3:BKa1")
    assert kernel.standing(position) is kernel.Standing.OPEN
    assert [str(move) for move in kernel.winning_moves(position, 1)] == ["h3-a3"]
    blocked = position.play("h3-a3")
    assert kernel.standing(blocked) is kernel.Standing.LOST
    assert kernel.standing(position.play("h3-b3")) is kernel.Standing.OPEN


@pytest.mark.parametrize(
    "fen",
    [
        "W:Wb1,c2:Ba2,a3",  # the key takes the square of the defender's only step that would refute another
        "W:WKb1,c1,a2,b2,c2,Kd2,a4,b4,c4:Bb3,c3",
        "W:Wb1,Kc1,Kc2,e4:Ba3",  # the key leaves the defender one free square of two, and the last move none
        "W:Wc1,d1,Kc2,d2,Kf2,a3,Kb3,d3,f3,a4,c4,Kd4:Ba2",
    ],
)
def test_a_key_that_takes_a_square_from_the_defender_is_not_ruled_out(fen: str) -> None:
    position = Position.from_fen(fen)
    for seen in (position, position.mirrored(), position.swapped()):
        assert kernel.wins_in(seen, 2) == Search().wins_in(seen, 2) == 2


@pytest.mark.parametrize("fen", ["W:Wa1,Kc1,a2,Kd2,d4,Kf5,Kc7:BKc2,a3", "W:Wa1,Kc1,a2,Kc2,e6,Kb7:BKb2,a3"])
def test_a_step_back_that_a_king_has_made_elsewhere_is_not_expected_of_a_man(fen: str) -> None:
    position = Position.from_fen(fen)
    assert kernel.wins_in(position, 3) == Search().wins_in(position, 3) == 2


def test_ended_games_have_no_win() -> None:
    one_king_each = "W:WKa1:BKa4"
    assert kernel.wins_in(Position.from_fen(one_king_each), 3) is None
    assert kernel.distances(Position.from_fen(one_king_each), 3) == {}
    assert kernel.wins_in(Position.from_fen(one_king_each, "turkish-yoz"), 3) == 1
    assert kernel.wins_in(Position.from_fen("W:Wa4:B"), 3) is None
    assert kernel.wins_in(Position.from_fen("W:Wa4,b4:Bh7", "turkish-classic"), 3) is None


def test_one_king_each_is_no_puzzle_even_where_it_is_played_on() -> None:
    assert kernel.soundness(Position.from_fen("W:WKa1:BKa4", "turkish-yoz"), 1) is Soundness.ONE_KING_EACH


def test_two_keys() -> None:
    position = Position.from_fen("W:Wa3,Kd1:Ba5")
    assert [str(move) for move in kernel.winning_moves(position, 2)] == ["d1-b1", "d1-d5"]
    assert kernel.soundness(position, 2) is Soundness.SECOND_KEY


def test_both_colours_get_the_same_answers() -> None:
    position = Position.from_fen(THREE)
    swapped = position.swapped()
    expected = {move.swapped(): n for move, n in kernel.distances(position, 4).items()}
    assert kernel.distances(swapped, 4) == expected
    assert kernel.moves(swapped) == sorted(
        (move.origin, move.target, 0) for move in (quiet.swapped() for quiet in position.legal_moves)
    )


def test_nodes_do_not_depend_on_earlier_searches() -> None:
    position = Position.from_fen(THREE)
    nodes = kernel.search_nodes(position, 3)
    kernel.wins_in(Position.start(), 3)
    assert kernel.search_nodes(position, 3) == nodes > 0


def test_threads_do_not_share_anything() -> None:
    positions = [Position.from_fen(TWO), Position.from_fen(THREE), Position.start()] * 40
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda position: kernel.wins_in(position, 3), positions)) == [2, 3, None] * 40


@pytest.mark.parametrize("limit", [0, -1, 13])
def test_limits_out_of_range(limit: int) -> None:
    position = Position.from_fen(TWO)
    for ask in (
        kernel.wins_in,
        kernel.winning_moves,
        kernel.distances,
        kernel.soundness,
        kernel.search_nodes,
    ):
        with pytest.raises(ValueError, match=f"{limit} moves"):
            ask(position, limit)


def test_more_moves_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """No position is known that fills the workspace; one that does is refused, not answered wrongly."""

    def overflowing(work: Work) -> int:
        work[OVERFLOW] = 1
        return 0

    monkeypatch.setattr(wins, "shortest_win", overflowing)
    with pytest.raises(OverflowError, match="g4"):
        kernel.wins_in(Position.from_fen(THREE), 3)
    monkeypatch.undo()
    assert kernel.wins_in(Position.from_fen(THREE), 3) == 3


def test_long_king_series_of_a_crowded_board() -> None:
    """Twenty-four men in a lattice: every street between them is a jump, and the king takes them all."""
    men = "b1,d1,f1,a2,c2,e2,g2,b3,d3,f3,a4,c4,e4,g4,b5,d5,f5,a6,c6,e6,g6,b7,d7,f7"
    moves = kernel.moves(Position.from_fen(f"W:WKa1:B{men}"))
    assert {captured.bit_count() for _, _, captured in moves} == {24}
