"""Themes, each with puzzles that have it and more that do not: the sets are whole."""

from dataclasses import replace

import pytest

from dama import Position
from dama.prove import prove
from dama.rulesets import RULESETS
from generator.rule_themes import is_turning_back_trap, needs_instant_removal, needs_majority
from generator.score import THEME_POINTS
from generator.themes import RARE, THEMES, themes_of
from generator.win import Win
from tests.generator.wins import BLOCKADE, IN_THREE, IN_TWO, KING_HUNT, ZUGZWANG, forms_of, win_of

_PROMOTION = ("promotion", "multi-capture", "sacrifice")


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (IN_TWO, ("branching", "majority", "multi-sacrifice", *_PROMOTION, "instant removal")),
        (IN_THREE, ("180° trap", "branching", "majority", "multi-sacrifice", *_PROMOTION, "instant removal")),
        (KING_HUNT, ("king hunt", "sacrifice")),
        (BLOCKADE, ("zugzwang", "blockade", "quiet key")),
        (ZUGZWANG, ("zugzwang", "blockade", "quiet key")),
        ("W:WKc7,Kb8:Bd3,d5,Kg6", ("sacrifice",)),
        ("W:WKa4,Kb5:Bd2,e6,Kh6,f7", ("multi-capture", "sacrifice")),
        ("W:WKb7,f7,h7:Ba2,Kf2,c6", ("multi-sacrifice", "promotion", "sacrifice")),
        ("W:WKg2,f4,h6,Ka8:Bc3", ("quiet key", "branching")),
        ("W:We5,Kf5:Be2,a6,d7", ("quiet key", "sacrifice")),
        ("W:WKd1,a2,c2,d2,a3:Bb4", ("blockade", "sacrifice")),
        ("W:Wb2,c2,e2,f2,Kh2:Bd3", ("zugzwang", "blockade", "quiet key", "branching")),
        ("W:WKb4,c5,c6,e7:BKf1,a7,Kd8", ("last-row pass", "multi-sacrifice", "promotion", "sacrifice")),
        ("W:WKa1,Ke1,Kg1,g2:Bh3,g4,Kf8", ("last-row pass", "multi-sacrifice", "sacrifice")),  # Black's man
        (
            "W:WKa1,a3,c7:Bd4,h5,Kh8",
            ("promote-and-give", "majority", "multi-sacrifice", "promotion", "sacrifice"),
        ),
        ("W:WKd4,h7,Ka8:Bc3,Kh3,c5", ("180° trap", "multi-sacrifice", "sacrifice")),
        ("W:Wa2,f2,b3,b4:Bd2,g3,d4", ("men only", "multi-sacrifice", "sacrifice")),
        ("W:WKe5,f6:BKf1,c2,b3,a4,h4,g7", ("sweep", "multi-capture", "sacrifice")),
        ("W:Wd3,e6,Kd8:Bb5,a6,c7,f7", ("multi-capture", "sacrifice", "instant removal")),
        ("W:WKg2,e5,f5:Ba4,c5,d6", ("majority", "multi-sacrifice", "sacrifice")),
    ],
)
def test_a_win_has_these_themes_and_no_others(fen: str, expected: tuple[str, ...]) -> None:
    for win in forms_of(fen):
        assert themes_of(win) == expected


def test_the_rare_lead_and_every_theme_has_its_points() -> None:
    assert set(list(THEMES)[: len(RARE)]) == RARE
    assert set(THEME_POINTS) == set(THEMES)


def test_a_king_that_could_turn_back_would_refute_the_key() -> None:
    """As the description of this puzzle says: it would take f5xf3xh3xc3."""
    win = win_of(IN_THREE)
    turning = replace(win.position, rules=replace(win.position.rules, turning_back=True))
    after = turning.play("g4-f4")
    reply = after.parse_move("f5xf3xh3xc3")
    assert reply not in win.position.play("g4-f4").legal_moves
    assert win.solver.wins_in(after.after(reply), 2) is None
    assert is_turning_back_trap(win)
    assert not is_turning_back_trap(win_of(IN_TWO))


def test_a_rule_that_does_not_hold_is_no_theme() -> None:
    """Where captured pieces leave when the move ends, nothing depends on their leaving at once."""
    position = Position.from_fen("W:WKg2,e5,f5:Ba4,c5,d6", "turkish-yoz")
    assert not RULESETS["turkish-yoz"].removal_at_once
    proof = prove(position)
    assert proof is not None
    win = Win.of(proof)
    assert not needs_instant_removal(win)
    assert needs_majority(win)


def test_zugzwang_needs_a_quiet_key_and_a_defender_who_had_better_pass() -> None:
    quiet = win_of("W:WKg2,f4,h6,Ka8:Bc3")
    assert "quiet key" in themes_of(quiet)
    passed = replace(quiet.after_key, turn=quiet.position.turn)
    assert quiet.solver.wins_in(passed, 1) == 1
    assert "zugzwang" not in themes_of(quiet)
    zugzwang = win_of(ZUGZWANG)
    passed = replace(zugzwang.after_key, turn=zugzwang.position.turn)
    assert zugzwang.solver.wins_in(passed, 1) is None
