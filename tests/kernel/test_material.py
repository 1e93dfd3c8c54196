"""Material after best play, against a plain minimax by the plain rules."""

import random

import pytest

from dama import Position, Ruleset, kernel
from dama.pieces import worth
from tests.positions import RULES, placed, played

VICTORY = kernel.VICTORY


def _plain_balance(position: Position, depth: int) -> float:
    outcome = position.outcome()
    if outcome is not None:
        return 0.0 if outcome.winner is None else VICTORY if outcome.winner is position.turn else -VICTORY
    moves = position.legal_moves
    if depth == 0 and not moves[0].captured:
        own, enemy = position.pieces(position.turn), position.pieces(position.turn.other)
        return worth(own.men, own.kings) - worth(enemy.men, enemy.kings)
    return max(-_plain_balance(position.after(move), max(depth - 1, 0)) for move in moves)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_placed_and_played_positions_have_the_balance_that_plain_minimax_gives(rules: Ruleset) -> None:
    rng = random.Random(f"balance {rules.name}")
    found = set()
    for number in range(100):
        position = placed(rng, rules, 4) if number % 4 else rng.choice(list(played(rng, rules)))
        depth = number % 3 if number % 40 else 3
        expected = _plain_balance(position, depth)
        assert kernel.balance(position, depth) == expected, (position.fen(), depth)
        found.add(expected)
    assert {VICTORY, -VICTORY} < found


@pytest.mark.parametrize(
    ("fen", "depth", "balance"),
    [
        ("W:Wa2,h2:Ba7,h7", 0, 0.0),
        ("W:Wa2,Kh2:Ba7,b7,Kh7", 0, 3.5),  # the king takes the king
        ("W:WKa1:Ba8,h7,Kb8", 0, -5.5 + 4.5 - 1.0),
        ("W:Wa4,h2:Ba5,b7,h6", 0, 0.0),  # takes at once, beyond the depth
        ("W:Wa3,h2:Ba5,h6", 0, 0.0),
        ("W:Wa3,h2:Ba6,h6", 2, 0.0),  # whoever steps next to the other loses a man, so nobody does
        ("W:Wa7,h2:Bb6,h6", 1, 4.5 + 1.0 - 2.0),  # crowns
        ("W:Wa7,h2:Bb6,h6", 0, 0.0),
        ("W:WKa1,b1:Ba8", 1, 4.5),
        ("W:WKa1,b1:Ba6", 0, VICTORY),
        ("B:Wa1,b1:BKa8", 2, 2.5),
    ],
)
def test_known_balances(fen: str, depth: int, balance: float) -> None:
    assert kernel.balance(Position.from_fen(fen), depth) == balance


def test_one_king_each_counts_as_the_rules_say() -> None:
    assert kernel.balance(Position.from_fen("W:WKa1:BKa4"), 2) == 0.0
    assert kernel.balance(Position.from_fen("W:WKa1:BKa4", "turkish-yoz"), 2) == VICTORY


def test_a_forced_win_within_the_depth_is_a_victory_and_a_deeper_one_is_not() -> None:
    position = Position.from_fen("W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5")
    assert kernel.wins_in(position, 3) == 3
    assert kernel.balance(position, 5) == VICTORY
    assert kernel.balance(position, 1) < VICTORY
    after = position.play("g4-f4")
    assert kernel.balance(after, 4) == -VICTORY


def test_both_colours_have_the_same_balance() -> None:
    rng = random.Random("balance of both colours")
    for _ in range(100):
        position = placed(rng, RULES[0], 5)
        assert kernel.balance(position, 3) == kernel.balance(position.swapped(), 3)
        assert kernel.balance(position, 3) == kernel.balance(position.mirrored(), 3)


@pytest.mark.parametrize("depth", [-1, 61])
def test_depths_out_of_range(depth: int) -> None:
    with pytest.raises(ValueError, match=f"depth {depth}"):
        kernel.balance(Position.start(), depth)
