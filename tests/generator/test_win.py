"""Forced wins under examination: the same whoever is asked, from whichever side one looks."""

import random

import pytest

from dama import Position, kernel
from dama.prove import prove
from dama.rulesets import find_ruleset
from generator.plain import PlainSolver
from generator.quality import TREE_FILTERS, WIN_FILTERS
from generator.themes import themes_of
from generator.tries import tries
from generator.win import LEAD, Win
from tests.generator.wins import BLOCKADE, IN_THREE, IN_TWO, KING_HUNT, ZUGZWANG, forms_of
from tests.positions import placed

WINS = (IN_TWO, IN_THREE, KING_HUNT, BLOCKADE, ZUGZWANG, "W:Wg5,Ke7:Bf2,g3,e4,e5", "W:WKb7,f7,h7:Ba2,Kf2,c6")


@pytest.mark.parametrize("fen", WINS)
def test_the_tree_of_winning_moves_is_the_proof_s(fen: str) -> None:
    for whole in forms_of(fen):
        bare = Win(whole.position, whole.moves)
        assert [(position, left, list(node["wins"])) for position, left, node in bare.nodes] == [
            (position, left, list(node["wins"])) for position, left, node in whole.nodes
        ]
        assert bare.main_line == whole.main_line
        assert bare.key == whole.key
        for each in (*WIN_FILTERS, *TREE_FILTERS):
            assert each.check(bare) == each.check(whole)


@pytest.mark.parametrize("fen", WINS)
def test_mirrored_and_swapped_wins_have_the_mirrored_and_swapped_main_line(fen: str) -> None:
    seen, mirrored, swapped, both = ([move for _, move in win.main_line] for win in forms_of(fen))
    assert mirrored == [move.mirrored() for move in seen]
    assert swapped == [move.swapped() for move in seen]
    assert both == [move.mirrored().swapped() for move in seen]


@pytest.mark.parametrize("fen", [IN_TWO, KING_HUNT, ZUGZWANG, "W:WKb1,Ke1,f3,f5:Bd3,f4,f7"])
def test_the_plain_rules_say_the_same(fen: str) -> None:
    kernel_win = forms_of(fen)[0]
    solver = PlainSolver()
    proof = prove(kernel_win.position, kernel_win.moves, solver)
    assert proof is not None
    plain_win = Win.of(proof, solver)
    assert themes_of(plain_win) == themes_of(kernel_win)
    assert tries(plain_win) == tries(kernel_win)
    for each in (*WIN_FILTERS, *TREE_FILTERS):
        assert each.passes(plain_win) == each.passes(kernel_win)
        if each.name != "material":
            assert each.check(plain_win) == each.check(kernel_win)


def test_plain_and_compiled_balance_lie_on_the_same_side_of_a_lead() -> None:
    rng = random.Random("a lead of the opponent's")
    rules = find_ruleset("turkish")
    solver = PlainSolver()
    behind = 0
    for number in range(120):
        position = placed(rng, rules, 4)
        depth = number % 4
        expected = kernel.balance(position, depth) <= -LEAD
        assert (solver.balance(position, depth) <= -LEAD) is expected, position.fen()
        behind += expected
    assert 20 < behind < 100


def test_a_win_without_a_proof_says_so() -> None:
    win = Win(Position.from_fen(IN_TWO), 2)
    with pytest.raises(ValueError, match=r"W:Wc2.*not proved yet"):
        _ = win.whole_proof
