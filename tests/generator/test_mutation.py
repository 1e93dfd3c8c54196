"""Mutation: one change at a time, upwards only, and back to where men can stand."""

from random import Random

import pytest

from dama import Position, kernel
from dama.likeness import likeness, placement
from dama.squares import ORTHOGONAL, bit, squares_in
from generator.examination import sound_win
from generator.predecessors import occupied
from generator.quality import is_of_a_game, piece_counts
from generator.rule_themes import is_turning_back_trap
from generator.sources.baits import bait_squares
from generator.sources.mutation import climbed, promise, varied
from generator.win import Win

PUZZLES = (
    "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5",
    "W:WKb2,Kc2,d2,f2,g2:Be3",
)


def win(fen: str) -> Win:
    found = sound_win(Position.from_fen(fen))
    assert isinstance(found, Win)
    return found


@pytest.mark.parametrize("fen", PUZZLES)
def test_a_variation_changes_one_piece_and_stays_a_position_of_a_game(fen: str) -> None:
    start, rng = win(fen), Random(1)
    variations = {position for _ in range(300) if (position := varied(rng, start))}
    assert len(variations) > 100
    for position in variations - {start.position}:
        assert position.status() == []
        assert is_of_a_game(position) or position.outcome() is not None
        assert 5 <= sum(piece_counts(position)) <= 14
        squares = occupied(position) ^ occupied(start.position)
        assert squares.bit_count() <= 2
        assert likeness(placement(position), placement(start.position)) > 0.7
    assert {sum(piece_counts(position)) - sum(piece_counts(start.position)) for position in variations} == {
        -1, 0, 1,
    }  # fmt: skip


@pytest.mark.parametrize("fen", PUZZLES)
def test_a_climb_ends_no_lower_than_it_begins(fen: str) -> None:
    start = win(fen)
    end = climbed(Random(2), start)
    assert promise(end) >= promise(start)
    assert end is start or promise(end) > promise(start)
    assert isinstance(sound_win(end.position), Win)
    assert kernel.wins_in(end.position, 3) == end.moves


def test_a_climb_depends_on_the_seed_alone() -> None:
    start = win(PUZZLES[0])
    assert climbed(Random(3), start).position == climbed(Random(3), win(PUZZLES[0])).position


def test_rare_themes_promise_more_than_their_score() -> None:
    trap = win(PUZZLES[0])
    assert is_turning_back_trap(trap)
    assert promise(trap) > 3


def squares(*names: str) -> set[int | None]:
    return set(map(ORTHOGONAL.parse, names))


@pytest.mark.parametrize(
    ("start", "end", "pieces", "expected"),
    [
        ("f3", "h3", "a1", {"e3", "d3", "c3", "b3"}),  # not a3: there is nowhere to land
        ("f3", "h3", "c3", {"e3"}),  # a piece on c3 stands behind d3
        ("f3", "h3", "e3", set()),
        ("b3", "d3", "h8", set()),  # one square is left beyond
        ("d5", "d2", "h8", {"d6", "d7"}),
        ("a3", "c3", "h8", set()),
    ],
)
def test_baits_stand_beyond_the_last_jump_with_room_behind(
    start: str, end: str, pieces: str, expected: set[str]
) -> None:
    first, last, piece = (ORTHOGONAL.parse(name) for name in (start, end, pieces))
    assert first is not None
    assert last is not None
    assert piece is not None
    assert set(bait_squares(first, last, bit(piece))) == squares(*expected)


def test_a_bait_would_be_captured_by_a_king_that_may_turn_back() -> None:
    trap = win(PUZZLES[0])
    position, capture = next(
        (position, move)
        for position, move in trap.main_line
        if move.captured and position.black_kings & bit(move.origin)
    )
    start, end = capture.path[-2:]
    without = occupied(position.after(capture)) & ~bit(ORTHOGONAL.parse("d3") or 0)
    assert set(bait_squares(start, end, without)) & set(squares_in(position.white_men))
