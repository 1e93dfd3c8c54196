"""The search for a move to play: what positions are worth, and that nothing of it is compiled twice."""

import random

import pytest

from dama import RULESETS, Position, kernel
from dama.kernel import evaluation, play, play_search

FEN = "W:Wa2,c3,d4,Kf1:Ba6,c7,e7,Kh8"


@pytest.mark.parametrize("rules", RULESETS)
def test_a_position_is_worth_the_same_from_either_side(rules: str) -> None:
    chance = random.Random(rules)
    position = Position.start(rules)
    assert play.value(position) == play.value(position.swapped())
    while position.outcome() is None:
        position = position.after(chance.choice(position.legal_moves))
        assert play.value(position) == play.value(position.swapped()), position.fen()
        if position.rules.grid.is_full:
            assert play.value(position) == play.value(position.mirrored()), position.fen()


def test_more_pieces_and_kings_are_worth_more() -> None:
    fens = ("W:Wa3:Bh6,g6", "W:Wa3:Bh6", "W:Wa3,b3:Bh6", "W:Wa3,Kb3:Bh6")
    values = [play.value(Position.from_fen(fen)) for fen in fens]
    assert values == sorted(values)
    assert values[-1] > values[-2] + 50
    men = [
        play.value(Position.from_fen(fen, "italian")) for fen in ("W:W32:B1", "W:W32,31:B1", "W:W32,K31:B1")
    ]
    assert men == sorted(men)
    assert len(set(men)) == 3


def test_a_man_near_crowning_is_worth_more_than_one_at_home() -> None:
    for rules, home, far in (
        ("turkish", "W:Wa2,h2:Bh7", "W:Wa6,h2:Bh7"),
        ("italian", "W:W29:B1", "W:W12:B1"),
    ):
        assert play.value(Position.from_fen(far, rules)) > play.value(Position.from_fen(home, rules))


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_every_weight_has_a_name_of_its_own(rules: object) -> None:
    weights = evaluation.weights_of(rules)  # type: ignore[arg-type]
    assert len({name for name, _, _ in weights}) == len(weights)


def test_a_choice_may_be_among_some_of_the_moves_only() -> None:
    position = Position.from_fen(FEN)
    moves = kernel.moves(position)
    best = play.think(position, moves, nodes=2_000)
    others = [move for move in moves if move != best.line[0]]
    second = play.think(position, others, nodes=2_000)
    assert second.line[0] in others
    assert second.score <= best.score + 20


def test_a_position_of_the_past_counts_for_repetition() -> None:
    position = Position.from_fen("W:WKh1:Ba7,b7,c7,Ka8").play("h1-h2")
    moves = [(56, 57, 0)]  # a8-b8, after which White can bring about what has been there twice
    free = play.think(position, moves, nodes=2_000, depth=3)
    back = position.play("a8-b8").play("h2-h1")
    other = Position.from_fen(FEN)
    seen = play.think(position, moves, nodes=2_000, depth=3, past=[back, other] * 2)
    once = play.think(position, moves, nodes=2_000, depth=3, past=[back, other])
    assert free.score > 0
    assert once.score > 0
    assert seen.score == 0


def test_nothing_is_compiled_for_more_than_one_kind_of_number() -> None:
    compiled = [thing for thing in vars(play_search).values() if hasattr(thing, "signatures")]
    assert compiled
    assert {len(thing.signatures) for thing in compiled} <= {0, 1}  # none: its caller came from the cache
