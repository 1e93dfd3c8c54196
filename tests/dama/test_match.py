"""Matches: openings in pairs, results to the end by the rules, and what they say."""

import random
from pathlib import Path

import pytest

from dama import Color, Game, Position
from dama.engine import search
from dama.match import (
    BALANCED,
    OPENING_NODES,
    OPENING_PLIES,
    PlayerError,
    Score,
    elo,
    find_player,
    opening,
    play_game,
)
from dama.move import Move

OWN = "def first(game, seed):\n    return game.position.legal_moves[0], 1\n"


def test_an_opening_is_balanced_and_the_same_for_a_seed() -> None:
    for rules in ("turkish", "italian"):
        game = opening(rules, 3)
        assert len(game.moves) == OPENING_PLIES
        assert game.moves == opening(rules, 3).moves != opening(rules, 4).moves
        assert abs(search(game, nodes=OPENING_NODES).score) <= BALANCED


def test_two_games_share_an_opening_and_change_the_colours() -> None:
    seen: list[tuple[Color, tuple[Move, ...]]] = []

    def first(game: Game, seed: int) -> tuple[Move, int]:
        seen.append((game.position.turn, game.moves[:OPENING_PLIES]))
        return random.Random(f"{seed} {len(game.moves)}").choice(game.position.legal_moves), 1

    games = []
    for number in range(2):
        seen.clear()
        games.append((play_game(first, find_player("random"), "turkish", number), seen[0]))
    (white, (white_turn, white_start)), (black, (black_turn, black_start)) = games
    assert (white.first_is, black.first_is) == (white_turn, black_turn) == (Color.WHITE, Color.BLACK)
    assert white_start == black_start
    assert white.plies > OPENING_PLIES


def test_a_stronger_player_wins_from_both_sides() -> None:
    games = [play_game(find_player("500"), find_player("random"), "turkish", number) for number in range(2)]
    assert [game.points for game in games] == [1, 1]
    assert [game.result.winner for game in games] == [Color.WHITE, Color.BLACK]
    assert all(game.nodes[0] > game.nodes[1] > 0 and game.seconds[0] > 0 for game in games)


def test_the_score_has_bounds_that_hold_for_all_and_for_nothing() -> None:
    assert Score(wins=80, draws=10, losses=10).share == 0.85
    lower, upper = Score(wins=100).bounds
    assert 0.95 < lower < 1
    assert upper == pytest.approx(1)
    assert Score(draws=100).bounds[0] == pytest.approx(0.404, abs=0.001)
    assert Score().plus(1).plus(0.5).plus(0) == Score(1, 1, 1)
    assert elo(0.5) == pytest.approx(0)
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(1.0) is elo(0.0) is None


def test_a_player_may_be_a_function_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    game = opening("turkish", 1)
    move, nodes = find_player(f"{tmp_path}/own.py:first")(game, 0)
    assert (move, nodes) == (game.position.legal_moves[0], 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def own(game, seed): raise SystemExit(3)", "SystemExit: 3"),
        ("def own(game, seed): return None", "TypeError"),
        ("def own(game, seed): return 'a1-a9', 1", "'a1-a9', 1"),
        ("def own(game, seed): return game.position.legal_moves[0], None", "None) is no legal move with"),
    ],
)
def test_what_a_player_does_wrong_is_told_with_its_name(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "own.py").write_text(text)
    player = find_player(f"{tmp_path}/own.py:own")
    with pytest.raises(PlayerError, match=r"own\.py:own has failed in W:W") as failure:
        player(Game(Position.start()), 0)
    assert why in str(failure.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"own = 3", "there is no such function"),
        (b"x = (", "cannot be run: SyntaxError"),
        (b"raise SystemExit(3)", "cannot be run: SystemExit: 3"),
        (b"\x00\xff", "cannot be run: "),
    ],
)
def test_a_file_that_holds_no_player_is_refused(tmp_path: Path, text: bytes, why: str) -> None:
    (tmp_path / "own.py").write_bytes(text)
    with pytest.raises(ValueError, match=r"no player '.*own\.py:own': ") as refusal:
        find_player(f"{tmp_path}/own.py:own")
    assert why in str(refusal.value)


@pytest.mark.parametrize("name", ["grandmaster", "0", "-5", "own.py", "missing.py:first", "other:thing"])
def test_an_unknown_player_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="player"):
        find_player(name)
