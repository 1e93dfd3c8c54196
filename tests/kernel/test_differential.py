"""Kernel and plain rules, each the other's oracle: they share no move generation and must never differ."""

import random
from dataclasses import replace

import pytest

from dama import Color, Position, Ruleset, kernel
from dama.search import Search
from dama.squares import ORTHOGONAL, bit
from tests.kernel.agreement import differences, differs_further_on, mixed_rules
from tests.positions import RULES, placed, played

EACH_WAY = 400
"""Positions from random play, and as many from random placement, for each ruleset."""
ORTHOGONAL_RULES = [rules for rules in RULES if rules.grid is ORTHOGONAL]


def _assert_agreement(position: Position) -> None:
    assert not list(differences(position)), (position.fen(), position.rules)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_moves_and_standing_in_random_play(rules: Ruleset) -> None:
    """Of each game only the positions with captures are asked about, and a few more."""
    rng = random.Random(f"play {rules.name}")
    seen = 0
    while seen < EACH_WAY:
        for position in played(rng, rules):
            if rng.random() < 0.2 or any(move.captured for move in position.legal_moves):
                _assert_agreement(position)
                seen += 1


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_moves_and_standing_of_random_placements(rules: Ruleset) -> None:
    rng = random.Random(f"placement {rules.name}")
    for _ in range(EACH_WAY):
        _assert_agreement(placed(rng, rules, rng.choice((1, 3, 8, 12))))


def test_moves_and_standing_by_mixes_of_rules() -> None:
    rng = random.Random("mixes")
    captures = 0
    for _ in range(3 * EACH_WAY):
        position = placed(rng, mixed_rules(rng), rng.choice((1, 4, 8)))
        _assert_agreement(position)
        captures += any(move.captured for move in position.legal_moves)
    assert captures > 300


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_positions_after_moves(rules: Ruleset) -> None:
    """A ply further on the counts still agree, so the kernel also plays moves as the plain rules do."""
    rng = random.Random(f"after {rules.name}")
    for _ in range(60):
        position = placed(rng, rules, 6)
        assert not differs_further_on(position), position.fen()


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_forced_wins(rules: Ruleset) -> None:
    rng = random.Random(f"wins {rules.name}")
    found = set()
    for number in range(180):
        position = placed(rng, rules, 3)
        limit = 3 if number % 20 == 0 else 2
        search = Search()
        plain = search.distances(position, limit) if position.outcome() is None else {}
        assert kernel.distances(position, limit) == plain, position.fen()
        wins_in = min(plain.values(), default=None)
        assert kernel.wins_in(position, limit) == wins_in, position.fen()
        assert kernel.winning_moves(position, limit) == list(plain), position.fen()
        found.add(wins_in)
    assert found >= {None, 1}


@pytest.mark.parametrize("rules", ORTHOGONAL_RULES, ids=lambda rules: rules.name)
def test_wins_of_crowded_boards_where_steps_are_few(rules: Ruleset) -> None:
    """What the kernel rules out without moves depends on free squares, so they are made rare here."""
    rng = random.Random(f"crowd {rules.name}")
    found = set()
    for number in range(120):
        position = _crowded(rng, rules)
        limit = 3 if number % 20 == 0 else 2
        wins_in = Search().wins_in(position, limit)
        assert kernel.wins_in(position, limit) == wins_in, position.fen()
        found.add(wins_in)
    assert found >= {None, 1, 2}


def _crowded(rng: random.Random, rules: Ruleset) -> Position:
    """Put a few defenders into a corner, and the solver's pieces around them."""
    corner = [rank * 8 + file for rank in range(4) for file in range(4)]
    squares = rng.sample(corner, rng.randint(4, 9)) + rng.sample(sorted(set(range(64)) - set(corner)), 2)
    defenders = rng.randint(1, 3)
    men = kings = own_men = own_kings = 0
    for place, square in enumerate(squares):
        is_king = rng.random() < 0.4 or square < 8
        if place < defenders:
            men, kings = (men, kings | bit(square)) if is_king else (men | bit(square), kings)
        else:
            own_men, own_kings = (
                (own_men, own_kings | bit(square)) if is_king else (own_men | bit(square), own_kings)
            )
    position = Position(own_men, own_kings, men, kings, Color.WHITE, rules)
    return rng.choice((position, position.swapped(), position.mirrored()))


@pytest.mark.parametrize("rules", ORTHOGONAL_RULES, ids=lambda rules: rules.name)
def test_wins_found_with_and_without_leaving_moves_out_are_the_same(rules: Ruleset) -> None:
    """Asked for every move's distance, the kernel leaves out none of the first moves."""
    rng = random.Random(f"left out {rules.name}")
    found = set()
    for number in range(EACH_WAY):
        position = _crowded(rng, rules) if number % 2 else placed(rng, rules, 5)
        for limit in (2, 3):
            needed = min(filter(None, kernel.judged_moves(position, limit).values()), default=None)
            assert kernel.wins_in(position, limit) == needed, position.fen()
        found.add(needed)
    assert found == {None, 1, 2, 3}


def _plain_soundness(position: Position, n: int) -> kernel.Soundness:
    played_on = replace(position, rules=replace(position.rules, one_king_each_draws=False))
    if _one_king_each(played_on):
        return kernel.Soundness.ONE_KING_EACH
    search = Search()
    wins = search.distances(played_on, n) if played_on.outcome() is None else {}
    if not wins:
        return kernel.Soundness.NO_WIN
    if min(wins.values()) < n:
        return kernel.Soundness.SOONER
    if len(wins) > 1:
        return kernel.Soundness.SECOND_KEY
    return _plain_duals(search, played_on, n)


def _one_king_each(position: Position) -> bool:
    kings = position.white_kings.bit_count(), position.black_kings.bit_count()
    return kings == (1, 1) and not position.white_men | position.black_men


def _plain_duals(search: Search, position: Position, n: int) -> kernel.Soundness:
    wins = search.distances(position, n)
    if n == 1 or set(wins.values()) == {1}:
        return kernel.Soundness.SOUND
    if len(wins) > 1:
        return kernel.Soundness.DUAL
    after = position.after(next(iter(wins)))
    if _one_king_each(after):
        return kernel.Soundness.ONE_KING_EACH
    for defence in after.legal_moves:
        reached = after.after(defence)
        if _one_king_each(reached):
            return kernel.Soundness.ONE_KING_EACH
        if reached.outcome() is None:
            fault = _plain_duals(search, reached, n - 1)
            if fault is not kernel.Soundness.SOUND:
                return fault
    return kernel.Soundness.SOUND


@pytest.mark.parametrize("rules", RULES[::2], ids=lambda rules: rules.name)
def test_soundness(rules: Ruleset) -> None:
    rng = random.Random(f"soundness {rules.name}")
    wanted = dict.fromkeys(kernel.Soundness, 5)
    tried = 0
    while any(wanted.values()) and tried < 200_000:
        tried += 1
        position = placed(rng, rules, 4)
        n = 3 if tried % 4 == 0 else 2
        fault = kernel.soundness(position, n)
        if wanted[fault]:
            wanted[fault] -= 1
            assert fault is _plain_soundness(position, n), (position.fen(), n)
    assert not any(wanted.values()), wanted
