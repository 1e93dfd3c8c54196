"""The computer's play: legal always, right where it is known, the same each time, and aware of draws."""

import json
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import pytest

from dama import RULESETS, Color, Game, Position
from dama.engine import accepts_draw, best_move
from dama.levels import LEVELS

TWO = "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"
RANDOM_POSITIONS = 10_000
ENDLESS = 1 << 50


@pytest.mark.parametrize("rules", RULESETS)
def test_no_move_is_illegal_in_random_positions_however_little_is_looked_at(rules: str) -> None:
    chance = random.Random(rules)
    looked_at = 0
    while looked_at < RANDOM_POSITIONS // len(RULESETS):
        position = Position.start(rules)
        while position.outcome() is None and looked_at < RANDOM_POSITIONS // len(RULESETS):
            choice = best_move(position, nodes=chance.choice((1, 2, 10, 60)))
            assert choice.move in position.legal_moves
            looked_at += 1
            position = position.after(chance.choice(position.legal_moves))


def _stock() -> list[dict[str, object]]:
    lines = files("puzzle_service").joinpath("stock", "stock.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[::5]]


def test_the_wins_of_the_stock_are_found() -> None:
    for puzzle in _stock():
        choice = best_move(Position.from_fen(str(puzzle["fen"])), nodes=50_000)
        assert (str(choice.move), choice.mate) == (puzzle["key"], puzzle["moves"]), puzzle["fen"]


def test_a_position_without_a_forced_win_has_none() -> None:
    assert best_move(Position.start(), nodes=5_000).mate is None


def test_a_lost_position_is_held_as_long_as_can_be() -> None:
    lost = Position.from_fen(TWO).play("b7-b8")
    assert best_move(lost, nodes=5_000).mate == -1


def test_three_kings_beat_one_within_fifteen_plies() -> None:
    chance = random.Random(15)
    for _ in range(8):
        while True:
            *three, one = chance.sample(range(64), 4)
            kings = sum(1 << square for square in three)
            position = Position(0, kings, 0, 1 << one, Color.WHITE, RULESETS["turkish"])
            if not any(move.captured for move in position.legal_moves):
                break
        game = Game(position)
        while game.result is None:
            game.play(best_move(game, nodes=60_000).move)
        assert game.result.winner is Color.WHITE, position.fen()
        assert len(game.moves) <= 15, position.fen()


def test_two_kings_do_not_beat_one_by_force() -> None:
    choice = best_move(Position.from_fen("W:WKa1,Kb1:BKd6"), nodes=20_000)
    assert choice.mate is None


def test_the_same_limit_and_seed_give_the_same_answer() -> None:
    position = Position.from_fen(TWO).swapped()
    assert best_move(position, nodes=3_000, seed=4) == best_move(position, nodes=3_000, seed=4)
    first = {best_move(Position.start(), nodes=300, seed=seed).move for seed in range(12)}
    assert len(first) > 1  # equals are chosen between by the seed


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_plays_the_same_each_time(level: str) -> None:
    game = Game(Position.from_fen("W:Wa2,c3,d4,Kf1:Ba6,c7,e7,Kh8"))
    assert best_move(game, level=level, seed=1) == best_move(game, level=level, seed=1)


def test_searches_side_by_side_do_not_disturb_each_other() -> None:
    positions = [Position.start(name) for name in RULESETS] * 2
    alone = [best_move(position, nodes=3_000) for position in positions]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda position: best_move(position, nodes=3_000), positions)) == alone


def test_a_search_ends_when_it_is_told_to() -> None:
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    choice = best_move(Position.start(), nodes=ENDLESS, stop=stop)
    assert choice.move in Position.start().legal_moves
    assert 0 < choice.nodes < ENDLESS
    assert best_move(Position.start(), seconds=0.05).depth > 0
    assert best_move(Position.start(), depth=3).depth == 3


def _shuffled(fen: str, *cycle: str) -> Game:
    """Return a game in which a cycle has been played once, and again but for its last move."""
    game = Game.from_fen(fen)
    for move in (*cycle, *cycle[:-1]):
        game.play(move)
    return game


def test_who_is_losing_repeats_the_position_and_who_is_winning_does_not() -> None:
    losing = _shuffled("W:Wa2,b2,c2,d2,Ka1:BKh8", "a1-b1", "h8-h7", "b1-a1", "h7-h8")
    assert str(best_move(losing, nodes=20_000).move) == "h7-h8"
    ahead = _shuffled("W:WKh1:Ba7,b7,c7,d7,Ka8", "h1-h2", "a8-b8", "h2-h1", "b8-a8")
    choice = best_move(ahead, nodes=20_000)
    assert str(choice.move) != "b8-a8"
    assert choice.score > 200


def test_the_clock_makes_a_move_that_resets_it_worth_more() -> None:
    fen = "W:Wa2,Kb1,Kc1:BKh8,g7"
    assert best_move(Game.from_fen(f"{fen}:H49"), depth=1).score != 0
    choice = best_move(Game.from_fen("W:Wa2,Kb1:BKh8:H49"), depth=5)
    assert str(choice.move) == "a2-a3"  # every other move ends the game as a draw
    assert best_move(Game.from_fen("W:Wa2,Kb1:BKh8"), depth=1).score > 0


def test_a_draw_is_accepted_by_who_stands_worse_and_declined_by_who_stands_better() -> None:
    ahead = Game.from_fen("W:Wa2,b2,c2,d2,e2:Ba7,b7")
    assert not accepts_draw(ahead)
    assert accepts_draw(ahead, Color.BLACK)
    assert not accepts_draw(Game(Position.start()))
    assert accepts_draw(Game.from_fen("W:WKa1,Kb1:BKh8,Kg8"))


def test_only_sensible_questions_are_answered() -> None:
    start = Position.start()
    with pytest.raises(ValueError, match="game has ended"):
        best_move(Game.from_fen("W:WKa1:BKh8"), nodes=1)
    with pytest.raises(ValueError, match="unknown level 'grand'"):
        best_move(start, level="grand")
    with pytest.raises(ValueError, match="one or the other"):
        best_move(start, level="easy", nodes=5)
    with pytest.raises(ValueError, match="no limit"):
        best_move(start)
    for limit in ({"nodes": 0}, {"depth": -1}, {"seconds": 0.0}, {"seconds": float("nan")}):
        with pytest.raises(ValueError, match="more than 0"):
            best_move(start, **limit)


def test_the_kernel_is_loaded_by_the_first_search_only() -> None:
    program = "import dama.engine, dama.hint, dama.match, sys; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_easy_errs_but_neither_gives_a_win_away_nor_plays_at_random() -> None:
    winning = Position.from_fen("W:Wd4,Ka1:Bd5")
    assert {best_move(winning, level="easy", seed=seed).mate for seed in range(20)} == {1}
    position = Position.from_fen("W:Wa2,b2,c3,d3,e3,f2,g3,h3:Ba6,b6,c7,d6,e7,f6,g6,h7")
    moves = [best_move(position, level="easy", seed=seed).move for seed in range(20)]
    assert 1 < len(set(moves)) < len(position.legal_moves)
