"""Games: every end with its reason, repetition and the clock, taking back, and what a game refuses."""

import json
import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dama import RULESETS, Color, Game, GameOver, IllegalMove, InvalidNotation, Position, UnsoundPosition
from dama.game import makes_progress
from dama.move import Move
from tests.dama.cases import CASES_FOLDER

WINNERS = {"white_wins": Color.WHITE, "black_wins": Color.BLACK, "draw": None}
AROUND = ("a1-a2", "h8-h7", "a2-a1", "h7-h8")
"""Four plies of kings after which everything stands where it stood."""
TWO_KINGS_EACH = "W:WKa1,Kb1:BKg8,Kh8"
ALMOST_LOCKED = "B:WKa1:BKb1,Kd1,a2,a3"
"""Black locks the white king in by d1-c1."""


def _cases_with_an_outcome() -> list[dict[str, Any]]:
    cases = [
        case
        for path in sorted(CASES_FOLDER.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]
    return [case for case in cases if "outcome" in case["expect"]]


def _game(fen: str, *moves: str, rules: str = "turkish") -> Game:
    game = Game.from_fen(fen, rules)
    for move in moves:
        game.play(move)
    return game


def _ending(game: Game) -> tuple[Color | None, str] | None:
    return (game.result.winner, game.result.reason) if game.result else None


@pytest.mark.parametrize("case", _cases_with_an_outcome(), ids=lambda case: case["id"])
def test_every_case_ends_as_it_says_or_goes_on(case: dict[str, Any]) -> None:
    expect = case["expect"]
    game = _game(case["position"], *case.get("play", ()), rules=case["rules"])
    if expect["outcome"] == "ongoing":
        assert game.result is None
    else:
        assert _ending(game) == (WINNERS[expect["outcome"]], expect["reason"])
    if "position_after" in expect:
        assert game.position == Position.from_fen(expect["position_after"], case["rules"])


def test_a_game_begins_with_nothing_played() -> None:
    game = Game(Position.start())
    assert (game.moves, game.positions) == ((), (game.start,))
    assert game.position == game.start == Position.start()
    assert (game.quiet_plies, game.occurrences(), game.result) == (0, 1, None)
    assert not game.can_undo
    assert not game.can_redo
    assert repr(game).endswith(": no move yet>")


def test_a_game_holds_its_moves_and_positions() -> None:
    game = _game(Position.start().fen(), "c3-c4", "d6d5", "c4-c5")
    assert [str(move) for move in game.moves] == ["c3-c4", "d6-d5", "c4-c5"]
    assert len(game.positions) == 4
    assert game.positions[-1] == game.position
    for (before, after), move in zip(pairwise(game.positions), game.moves, strict=True):
        assert before.play(move) == after
    assert repr(game).endswith(": c3-c4 d6-d5 c4-c5>")


def test_the_move_kept_is_the_games_own() -> None:
    fen = "W:WKa1:BKc1,Kh8,a3,c5,e3"
    own = Position.from_fen(fen).parse_move("a1xa5xe5xe1xa1")
    assert len(own.paths) > 1
    poorer = Move(own.paths[1:], own.captured, promotes=True)
    assert _game(fen).play(poorer).paths == own.paths


def test_an_illegal_move_changes_nothing() -> None:
    game = _game("W:Wb3,h2:Bb4,c5,h7")
    with pytest.raises(IllegalMove, match=r"'h2-h3' is not legal in W:Wh2,b3:Bb4,c5,h7: b3 must capture"):
        game.play("h2-h3")
    with pytest.raises(InvalidNotation, match="'rubbish' is not a move"):
        game.play("rubbish")
    with pytest.raises(IllegalMove):
        game.play(Position.start().legal_moves[0])
    assert (game.moves, game.quiet_plies, game.result) == ((), 0, None)


# The ends by the position alone


def test_who_has_no_piece_left_has_lost() -> None:
    assert _ending(_game("W:Wb3:Bb4", "b3xb5")) == (Color.WHITE, "no_pieces")
    assert _game("W:Wb3:Bb4,h7", "b3xb5").result is None


def test_who_is_to_move_and_cannot_has_lost() -> None:
    assert _ending(_game(ALMOST_LOCKED, "d1-c1")) == (Color.BLACK, "no_legal_move")
    assert _game(ALMOST_LOCKED, "d1-e1").result is None


@pytest.mark.parametrize("turn", list(Color))
def test_where_both_are_blocked_only_who_is_to_move_has_lost(turn: Color) -> None:
    white, black = (",".join(file + rank for rank in ranks for file in "abcdefgh") for ranks in ("34", "56"))
    assert _ending(_game(f"{turn}:W{white}:B{black}")) == (turn.other, "no_legal_move")


def test_one_king_each_is_a_draw_where_the_rules_say_so() -> None:
    capture = "W:WKa1:BKh8,a3"
    assert _ending(_game(capture, "a1xa4")) == (None, "king_vs_king")
    assert _game(capture, "a1xa4", rules="turkish-yoz").result is None
    assert _game("W:WKa1:Bh7").result is None


def test_several_men_beat_a_single_one_where_the_rules_say_so() -> None:
    capture = "W:Wb3,h2:Bb4,g7"
    assert _ending(_game(capture, "b3xb5", rules="turkish-classic")) == (
        Color.WHITE,
        "several_men_vs_single_man",
    )
    assert _game(capture, "b3xb5").result is None
    assert _game("W:Wa4,Kb4:Bh7", rules="turkish-classic").result is None
    assert _game("W:Wa4:Bh7", rules="turkish-classic").result is None


# Repetition


def test_the_third_occurrence_draws_and_the_start_counts() -> None:
    game = _game(TWO_KINGS_EACH, *AROUND)
    assert (game.occurrences(), game.result) == (2, None)
    for move in AROUND[:3]:
        game.play(move)
        assert game.result is None
    game.play(AROUND[3])
    assert (game.occurrences(), _ending(game)) == (3, (None, "threefold"))


def test_another_side_to_move_is_another_position() -> None:
    game = _game(TWO_KINGS_EACH, *AROUND)
    others = replace(game.start, turn=Color.BLACK)
    assert (game.occurrences(game.start), game.occurrences(others)) == (2, 0)
    assert game.occurrences(Position.start()) == 0


def test_without_a_rule_a_position_may_come_again() -> None:
    game = _game(TWO_KINGS_EACH, *AROUND * 2, rules="turkish-yoz")
    assert (game.occurrences(), game.result) == (3, None)


# The clock


@pytest.mark.parametrize(
    ("rules", "fen", "move", "progress"),
    [
        ("turkish", "W:Wd4:Bh7", "d4-d5", True),
        ("turkish", "W:Wd4:Bh7", "d4-c4", False),
        ("turkish", "B:Wd4:Bh7", "h7-h6", True),
        ("turkish", "W:Wd7:Bh7", "d7-d8", True),
        ("turkish", "W:WKd4:Bh7", "d4-d5", False),
        ("turkish", "W:WKd4:Bh7,d5", "d4xd8", True),
        ("turkish-yoz", "W:Wd4:Bh7", "d4-d5", False),
        ("turkish-yoz", "W:Wd7:Bh7", "d7-d8", True),
        ("turkish-yoz", "W:Wd4:Bh7,d5", "d4xd6", True),
        ("italian", "W:W22,K31:B1", "22-18", True),
        ("italian", "W:W22,K31:B1", "31-28", False),
        ("italian", "W:W22:B18,1", "22x13", True),
    ],
)
def test_the_clock_starts_again_after_progress(rules: str, fen: str, move: str, progress: bool) -> None:
    game = Game.from_fen(f"{fen}:H7", rules)
    assert makes_progress(game.position, game.play(move)) == progress
    assert game.quiet_plies == (0 if progress else 8)


@pytest.mark.parametrize(("rules", "plies"), [("turkish", 50), ("turkish-yoz", 40)])
def test_the_clock_draws_when_it_has_run_out(rules: str, plies: int) -> None:
    almost = _game(f"{TWO_KINGS_EACH}:H{plies - 2}", "a1-a2", rules=rules)
    assert (almost.quiet_plies, almost.result) == (plies - 1, None)
    almost.play("h8-h7")
    assert _ending(almost) == (None, "no_progress")


def test_the_italian_clock_runs_for_eighty_plies_of_kings() -> None:
    game = _game("W:WK31,K30:BK1,K2:H78", "31-28", rules="italian")
    assert game.result is None
    game.play("1-5")
    assert _ending(game) == (None, "no_progress")


def test_without_a_clock_plies_are_counted_and_nothing_follows() -> None:
    game = _game(f"{TWO_KINGS_EACH}:H500", "a1-a2", rules="turkish-classic")
    assert (game.quiet_plies, game.result) == (501, None)
    assert game.fen() == game.position.fen()


# The order of the ends


def test_a_win_on_the_last_ply_beats_the_clock() -> None:
    won = _game(f"{ALMOST_LOCKED}:H49", "d1-c1")
    assert (won.quiet_plies, _ending(won)) == (50, (Color.BLACK, "no_legal_move"))
    assert _ending(_game(f"{ALMOST_LOCKED}:H49", "d1-e1")) == (None, "no_progress")


def test_repetition_goes_before_the_clock() -> None:
    assert _ending(_game(f"{TWO_KINGS_EACH}:H42", *AROUND * 2)) == (None, "threefold")
    assert _ending(_game(f"{TWO_KINGS_EACH}:H43", *AROUND, *AROUND[:3])) == (None, "no_progress")


def test_one_king_each_goes_before_repetition_and_the_clock() -> None:
    assert _ending(_game("W:WKa1:BKh8:H50")) == (None, "king_vs_king")


def test_several_men_against_one_go_before_the_clock() -> None:
    rules = replace(RULESETS["turkish-classic"], clock_plies=50)
    assert _ending(Game.from_fen("W:Wa4,b4:Bh7:H50", rules)) == (Color.WHITE, "several_men_vs_single_man")


# Resignation and agreement


@pytest.mark.parametrize("color", list(Color))
def test_either_side_may_resign_whoever_is_to_move(color: Color) -> None:
    game = Game(Position.start())
    game.resign(color)
    assert _ending(game) == (color.other, "resignation")
    assert game.position == game.start


def test_both_sides_may_agree_on_a_draw() -> None:
    game = Game(Position.start())
    game.agree_draw()
    assert _ending(game) == (None, "agreement")
    assert str(game.result) == "a draw: agreement"


@pytest.mark.parametrize("fen", ["B:Wa3,a4,b5,c5:Ba5", "W:WKa1:BKh8"])
def test_after_the_end_nothing_more_happens(fen: str) -> None:
    game = Game.from_fen(fen)
    result = game.result
    with pytest.raises(GameOver, match=r"'a5-a4' cannot be played in .*: the game has ended, "):
        game.play("a5-a4")
    with pytest.raises(GameOver, match=f"black cannot resign in {fen}: the game has ended"):
        game.resign(Color.BLACK)
    with pytest.raises(GameOver, match=f"no draw can be agreed in {fen}: the game has ended"):
        game.agree_draw()
    assert game.result == result


# Taking back


def test_undo_and_redo_walk_along_the_game() -> None:
    game = _game(Position.start().fen(), "c3-c4", "d6-d5")
    assert str(game.undo()) == "d6-d5"
    assert (game.can_undo, game.can_redo) == (True, True)
    assert str(game.undo()) == "c3-c4"
    assert (game.position, game.can_undo) == (game.start, False)
    assert [str(game.redo()), str(game.redo())] == ["c3-c4", "d6-d5"]
    assert not game.can_redo


def test_a_new_move_forgets_what_was_taken_back() -> None:
    game = _game(Position.start().fen(), "c3-c4")
    game.undo()
    game.play("c3-c4")
    assert not game.can_redo


def test_there_must_be_a_move_to_take_back_or_to_play_again() -> None:
    game = Game(Position.start())
    with pytest.raises(ValueError, match="no move to take back: none has been played from W:Wa2"):
        game.undo()
    with pytest.raises(ValueError, match="no move to play again: none has been taken back to W:Wa2"):
        game.redo()


def test_taking_back_the_last_move_opens_the_game_again() -> None:
    game = _game(TWO_KINGS_EACH, *AROUND * 2)
    game.undo()
    assert (game.result, game.occurrences(game.start)) == (None, 2)
    game.redo()
    assert _ending(game) == (None, "threefold")


def test_a_resignation_is_taken_back_with_the_last_move() -> None:
    game = _game(Position.start().fen(), "c3-c4")
    game.undo()
    game.resign(Color.WHITE)
    with pytest.raises(GameOver, match="'c3-c4' cannot be played again"):
        game.redo()
    played = _game(Position.start().fen(), "c3-c4")
    played.resign(Color.WHITE)
    played.undo()
    assert played.result is None
    played.redo()
    assert played.result is None


@settings(max_examples=30)
@given(st.sampled_from(sorted(RULESETS)), st.integers(0, 2**32), st.lists(st.integers(-3, 9), max_size=60))
def test_a_game_walked_to_and_fro_is_as_if_played_straight(rules: str, seed: int, steps: list[int]) -> None:
    rng = random.Random(seed)
    game = Game(Position.start(rules))
    for step in steps:
        if step < 0 and game.can_undo:
            game.undo()
        elif step == 0 and game.can_redo and game.result is None:
            game.redo()
        elif game.result is None:
            game.play(rng.choice(game.position.legal_moves))
    straight = Game(game.start)
    for move in game.moves:
        straight.play(move)
    assert straight.positions == game.positions
    assert (straight.quiet_plies, straight.occurrences()) == (game.quiet_plies, game.occurrences())
    assert straight.result == game.result


# What a game begins with


@pytest.mark.parametrize(
    ("fen", "rules", "defects"),
    [
        ("W:Wa8:B", "turkish", ("white man on its last rank: a8", "black has no piece")),
        ("W:W1,22:B5", "italian", ("white man on its last rank: 1",)),
    ],
)
def test_a_game_refuses_a_start_with_defects(fen: str, rules: str, defects: tuple[str, ...]) -> None:
    with pytest.raises(UnsoundPosition, match=f"is no position of a game: {', '.join(defects)}") as error:
        Game.from_fen(fen, rules)
    assert error.value.defects == defects


def test_the_fen_carries_the_clock_both_ways() -> None:
    game = Game.from_fen("W:WKa1,b2:BKh8:H48")
    assert (game.quiet_plies, game.fen()) == (48, "W:WKa1,b2:BKh8:H48")
    assert Game.from_fen("W:WKa1,b2:BKh8: H48 .").quiet_plies == 48
    game.play("b2-b3")
    assert game.fen() == "B:WKa1,b3:BKh8"
    assert Game.from_fen(game.fen()).quiet_plies == 0


def test_a_clock_beyond_all_games_is_refused() -> None:
    with pytest.raises(InvalidNotation, match="its clock is beyond 9999 plies"):
        Game.from_fen(f"W:WKa1,b2:BKh8:H{'9' * 5000}")
    with pytest.raises(InvalidNotation, match="is not a position"):
        Game.from_fen("W:WKa1,b2:BKh8:H1:H2")
