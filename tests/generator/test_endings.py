"""Endings that retrograde sources begin with: one capture takes all, or one quiet move locks all in."""

from random import Random

from dama import RULESETS, Color, Position, kernel
from dama.squares import LAST_RANK, bit
from generator.predecessors import capturing_ways, quiet_ways, taken_back
from generator.sources.blocked import draw_lock
from generator.sources.blows import VICTIMS, draw_blow
from generator.sources.choice import is_siege, lead

RULES = RULESETS["turkish"]


def blows(number: int) -> list[Position]:
    rng = Random(1)
    return [position for _ in range(number) if (position := draw_blow(rng, RULES))]


def locks(number: int) -> list[Position]:
    rng = Random(1)
    return [position for _ in range(number) if (position := draw_lock(rng, RULES))]


def test_a_blow_takes_everything_at_once() -> None:
    found = blows(400)
    assert len(found) > 200
    for position in found:
        assert position.turn is Color.WHITE
        assert position.status() == []
        assert kernel.wins_in(position, 1) == 1
        black = position.black_men | position.black_kings
        assert VICTIMS[0] <= black.bit_count() <= VICTIMS[1]
        assert {captured for _, _, captured in kernel.moves(position)} == {black}


def test_a_blow_leaves_room_for_what_is_given_before() -> None:
    assert max(map(lead, blows(400))) <= 0


def test_some_blows_of_men_cross_the_last_row_and_most_do_not() -> None:
    crossing = [
        position
        for position in blows(1000)
        for origin, _, captured in kernel.moves(position)
        if position.white_men & bit(origin) and captured & LAST_RANK
    ]
    assert 10 < len(crossing) < 200


def test_a_lock_takes_nothing_and_leaves_no_move() -> None:
    found = locks(1500)
    assert len(found) > 20
    for position in found:
        assert position.status() == []
        assert is_siege(position)
        assert kernel.wins_in(position, 1) == 1
        for winner in kernel.winning_moves(position, 1):
            assert not winner.captured
            assert position.after(winner).pieces(Color.BLACK).all
            assert position.after(winner).legal_moves == ()


def test_a_man_is_not_taken_back_from_where_no_man_can_come() -> None:
    position = Position.from_fen("W:Wg2:Bd7,f5")
    assert {way.origin for way in quiet_ways(position, 51)} == {50, 52}  # c7 and e7, not d8
    assert 59 not in {way.origin for way in capturing_ways(Position.from_fen("W:Wg2:Bd6,f5"), 43)}


def test_a_captured_piece_is_put_back_as_what_it_was() -> None:
    position = Position.from_fen("W:Wg2:Bd3,f5")
    way = next(way for way in capturing_ways(position, 19) if way.origin == 35)
    assert taken_back(position, way).fen() == "B:Wg2,d4:Bd5,f5"
    assert taken_back(position, way, victim_is_king=True).fen() == "B:Wg2,Kd4:Bd5,f5"
    assert taken_back(position, way).play("d5xd3") == position
