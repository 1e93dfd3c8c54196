"""Rulesets as data: a mix of fields is a game of its own, and every field makes a difference."""

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dama import RULESETS, Color, Position, Ruleset
from dama.movegen.priorities import MERITS
from dama.squares import DIAGONAL, bit
from tests.dama import oracle
from tests.positions import placed

TURKISH, ITALIAN = RULESETS["turkish"], RULESETS["italian"]
ORDERS = [order for length in range(5) for order in permutations(MERITS, length)]


def scattered(rng: random.Random, rules: Ruleset) -> Position:
    """Put up to eight pieces of each side on random squares."""
    return placed(rng, rules, 8)


def tangled(rng: random.Random, rules: Ruleset) -> Position:
    """Put enemies on every other rank, with gaps behind them, and a few pieces between that can jump them."""
    own_ranks = rng.randrange(2)
    mover = rng.choice(list(Color))
    men, kings = dict.fromkeys(Color, 0), dict.fromkeys(Color, 0)
    for square in range(rules.grid.count):
        is_own = rules.grid.place(square)[1] % 2 == own_ranks
        color = mover if is_own else mover.other
        if rng.random() < (0.15 if is_own else 0.5):
            is_king = rules.grid.crowning(color) >> square & 1 or rng.random() < 0.4
            (kings if is_king else men)[color] |= bit(square)
    white, black = Color
    return Position(men[white], kings[white], men[black], kings[black], mover, rules)


def triples(position: Position) -> set[oracle.Triple]:
    """Return the moves by what makes two of them the same; each is listed once."""
    moves = {(move.origin, move.target, move.captured) for move in position.legal_moves}
    assert len(moves) == len(position.legal_moves)
    return moves


@st.composite
def mixes(draw: st.DrawFn) -> Ruleset:
    """Draw a ruleset of any board, gaits, captures and priorities."""
    flag = st.booleans()
    return replace(
        draw(st.sampled_from((TURKISH, ITALIAN))),
        name="mix",
        removal_at_once=draw(flag),
        turning_back=draw(flag),
        flying_kings=draw(flag),
        men_capture_kings=draw(flag),
        crowning_ends_series=draw(flag),
        priorities=draw(st.sampled_from(ORDERS)),
    )


@given(mixes(), st.sampled_from((scattered, tangled)), st.integers(0, 2**32))
def test_every_mix_has_the_moves_that_brute_force_finds(
    rules: Ruleset, put: Callable[[random.Random, Ruleset], Position], seed: int
) -> None:
    position = put(random.Random(seed), rules)
    moves = triples(position)
    assert moves == oracle.legal(position)
    outcome = position.outcome()
    if outcome is None or outcome.reason != "no_pieces":
        assert (outcome is not None and outcome.reason == "no_legal_move") is (not moves)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.name)
def test_the_presets_have_the_moves_that_brute_force_finds(rules: Ruleset) -> None:
    """On some of the boards each priority sets moves aside, so that none is there for show."""
    rng = random.Random(rules.name)
    decided: Counter[str] = Counter()
    for number in range(400):
        position = (tangled if number % 4 else scattered)(rng, rules)
        assert triples(position) == oracle.legal(position), position.fen()
        left = [
            len(replace(position, rules=replace(rules, priorities=rules.priorities[:length])).legal_moves)
            for length in range(len(rules.priorities) + 1)
        ]
        for priority, (before, after) in zip(rules.priorities, pairwise(left), strict=True):
            decided[priority] += before > after
    assert min(decided.values()) >= 3


@pytest.mark.parametrize(
    ("rules", "changed", "fen", "before", "after"),
    [
        (ITALIAN, replace(ITALIAN, men_capture_kings=True), "W:W22:BK18", ["22-19"], ["22x13"]),
        (ITALIAN, replace(ITALIAN, flying_kings=True), "W:WK32:B10", ["32-28"], ["32x1", "32x5"]),
        (
            ITALIAN,
            replace(ITALIAN, priorities=()),
            "W:W21,24:B10,18,20",
            ["21x14x5"],
            ["21x14x5", "24x15"],
        ),
        (
            ITALIAN,
            replace(ITALIAN, priorities=("most pieces",)),
            "W:WK12,22:B15,18",
            ["12x19"],
            ["12x19", "22x13"],
        ),
        (
            TURKISH,
            replace(TURKISH, crowning_ends_series=True),
            "W:Wc6:Bc7,b8,e8",
            ["c6xc8xa8"],
            ["c6xc8"],
        ),
        (
            # No game brings a man there, but it can be loaded, and then it can capture.
            TURKISH,
            replace(TURKISH, crowning_ends_series=True),
            "W:Wa8:Bb8,d8",
            ["a8xc8xe8"],
            ["a8xc8"],
        ),
        (
            TURKISH,
            replace(TURKISH, flying_kings=False),
            "W:WKd4:Bd7",
            ["d4xd8"],
            ["d4-d3", "d4-c4", "d4-e4", "d4-d5"],
        ),
        (TURKISH, replace(TURKISH, men_capture_kings=False), "W:Wb3:BKb4", ["b3xb5"], ["b3-a3", "b3-c3"]),
        (
            TURKISH,
            replace(TURKISH, turning_back=True),
            "W:WKd4:Bf4,b4",
            ["d4xa4", "d4xg4", "d4xh4"],
            ["d4xg4xa4", "d4xa4xg4", "d4xa4xh4"],
        ),
        (
            TURKISH,
            replace(TURKISH, removal_at_once=False),
            "W:Wf3,Kf5,c7:Bc3,Kb4,d5,d7",
            ["f5xb5xb3xd3xd8"],
            ["f5xb5xb3xd3", "f5xb5xb3xe3"],
        ),
    ],
)
def test_a_field_makes_a_difference(
    rules: Ruleset, changed: Ruleset, fen: str, before: list[str], after: list[str]
) -> None:
    assert [str(move) for move in Position.from_fen(fen, rules).legal_moves] == before
    assert [str(move) for move in Position.from_fen(fen, changed).legal_moves] == after


def test_a_mix_is_played_from_its_own_start_by_its_own_number_of_pieces() -> None:
    short = replace(TURKISH, name="short", start="W:Wa2,b2:Ba7,b7", pieces_a_side=2)
    assert Position.start(short).fen() == "W:Wa2,b2:Ba7,b7"
    assert Position.from_fen("W:Wa2,b2,c2:Bh7", short).status() == ["white has 3 pieces, more than 2"]


def test_what_no_rule_is_called_is_refused() -> None:
    words = "ours: 'most men' is none of most pieces, with a king, most kings, king first"
    with pytest.raises(ValueError, match=words):
        replace(TURKISH, name="ours", priorities=("most pieces", "most men"))  # type: ignore[arg-type]
    words = "ours: 'time' is none of man steps forward, promotion, man moves"
    with pytest.raises(ValueError, match=words):
        replace(TURKISH, name="ours", clock_progress="time")  # type: ignore[arg-type]


def test_presets_are_the_same_after_a_journey_to_another_process() -> None:
    for rules in RULESETS.values():
        travelled = pickle.loads(pickle.dumps(Position.start(rules)))  # noqa: S301  (our own bytes)
        assert travelled == Position.start(rules)
        assert travelled.rules.grid is rules.grid
    assert copy.deepcopy(ITALIAN).grid is DIAGONAL
