"""The weekly rhythm: which puzzle of a pool a day gets, and in which colours."""

import random
from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from puzzle_service.domain import rhythm
from puzzle_service.domain.rhythm import LENGTHS, NATURAL_SOURCES, RARE_THEMES, Bands, Neighbour, Offer

MONDAY = date(2026, 11, 30)
PLACED = "random placement"


def offer(
    name: str,
    moves: int = 2,
    difficulty: float = 5.0,
    themes: tuple[str, ...] = (),
    source: str = PLACED,
    score: float = 0.0,
) -> Offer:
    return Offer(name, moves, difficulty, themes, source, "W", score)


def neighbour(days_before: int, themes: tuple[str, ...] = (), source: str = PLACED) -> Neighbour:
    """What is out so many days before Monday, or after it when the number is negative."""
    return Neighbour(MONDAY - timedelta(days=days_before), themes, source)


def bands(pool: Sequence[Offer]) -> Bands:
    return Bands.of([one.difficulty for one in pool])


def chosen(pool: Sequence[Offer], day: date = MONDAY, neighbours: Sequence[Neighbour] = ()) -> str:
    return rhythm.choose(day, pool, neighbours, bands(pool)).id


@pytest.mark.parametrize(("offset", "moves"), [(0, 2), (1, 2), (4, 3), (5, 3), (6, 3)])
def test_the_length_fits_the_weekday(offset: int, moves: int) -> None:
    pool = [offer("two", 2), offer("three", 3)]
    assert chosen(pool, MONDAY + timedelta(days=offset)) == {2: "two", 3: "three"}[moves]


def test_a_pool_without_the_right_length_gives_another_rather_than_none() -> None:
    assert chosen([offer("three", 3)]) == "three"


def test_days_grow_harder_from_monday_to_sunday() -> None:
    pool = [offer(f"{n:03}-{moves}", moves, float(n)) for n in range(100) for moves in (2, 3)]
    difficulties = []
    for offset in range(7):
        found = rhythm.choose(MONDAY + timedelta(days=offset), pool, [], bands(pool))
        difficulties.append(found.difficulty)
    assert difficulties == sorted(difficulties)
    assert [bands(pool).weekday(value) for value in difficulties] == list(range(7))


def test_bands_are_quantiles_of_the_pool_at_hand() -> None:
    assert Bands.of([float(n) for n in range(101)]).cuts == pytest.approx((15, 30, 45, 60, 75, 90))
    assert Bands.of([4.0]).cuts == (4.0,) * 6


@pytest.mark.parametrize(
    ("difficulty", "weekday", "distance"),
    [(0.0, 0, 0.0), (29.0, 1, 0.0), (5.0, 1, 10.0), (31.0, 1, 1.0), (99.0, 6, 0.0), (80.0, 6, 10.0)],
)
def test_a_difficulty_has_a_distance_from_the_bands_it_is_not_in(
    difficulty: float, weekday: int, distance: float
) -> None:
    assert Bands.of([float(n) for n in range(101)]).distance(difficulty, weekday) == pytest.approx(distance)


def test_a_score_decides_between_equals_only() -> None:
    low, high = offer("a", score=1.0), offer("b", score=2.0)
    assert chosen([low, high]) == "b"
    assert chosen([offer("a", score=1.0, themes=("sacrifice",)), high]) == "a"


@pytest.mark.parametrize(
    ("days_before", "expected"), [(1, "b"), (2, "b"), (3, "a"), (0, "a"), (-1, "b"), (-2, "b"), (-3, "a")]
)
def test_a_leading_theme_comes_once_in_three_days_before_and_after(days_before: int, expected: str) -> None:
    pool = [offer("a", themes=("sacrifice",)), offer("b", themes=("promotion", "sacrifice"))]
    neighbours = [neighbour(days_before, ("sacrifice", "promotion"))]
    assert chosen(pool, neighbours=neighbours) == expected


def test_a_flavour_decides_between_equals_only() -> None:
    pool = [offer("a", themes=("branching",)), offer("b", themes=("sacrifice",))]
    assert chosen(pool) == "b"
    assert chosen([*pool, offer("c", difficulty=1.0)]) == "c"


def test_a_natural_position_and_a_rare_theme_come_within_seven_days() -> None:
    pool = [offer("a"), offer("b", source="self-play"), offer("c", themes=("zugzwang",))]
    week = [neighbour(days) for days in range(1, 7)]
    with_rare = [*week[1:], neighbour(1, ("blockade",))]
    with_natural = [*week[1:], neighbour(1, source="self-play")]
    assert chosen(pool, neighbours=week[:5]) == "a"
    assert chosen(pool, neighbours=with_rare) == "b"
    assert chosen(pool, neighbours=with_natural) == "c"


def test_a_day_that_closes_a_gap_owes_something_to_the_weeks_on_both_sides() -> None:
    pool = [offer("a"), offer("b", source="self-play"), offer("c", themes=("zugzwang",))]
    before = [neighbour(days, ("blockade",), "self-play") for days in range(4, 7)]
    after = [neighbour(-days) for days in range(1, 4)]
    middle = [neighbour(days) for days in range(1, 4)]
    assert chosen(pool, neighbours=[*middle, *before]) == "a"
    assert chosen(pool, neighbours=[*middle, *after[:2], neighbour(-3, ("blockade",))]) == "b"
    assert chosen(pool, neighbours=[*middle, *after[:2], neighbour(-3, source="self-play")]) == "c"


def test_the_same_pool_gives_the_same_puzzle_in_any_order() -> None:
    pool = [offer(f"{n}", 2 + n % 2, n / 3, source=("self-play", PLACED)[n % 2]) for n in range(30)]
    shuffled = random.Random(1).sample(pool, len(pool))
    assert chosen(pool) == chosen(shuffled)


def test_half_a_year_from_a_good_stock_keeps_every_rule() -> None:
    numbers = random.Random(3)
    themes = ["sacrifice", "promotion", "multi-capture", *sorted(RARE_THEMES)]
    pool = [
        offer(
            f"{n:04}",
            2 + n % 2,
            numbers.gauss(11, 3) + 1.5 * (n % 2),
            tuple(numbers.sample(themes, 2)),
            numbers.choice(["self-play", PLACED]),
        )
        for n in range(500)
    ]
    history: list[Neighbour] = []
    for offset in range(180):
        day = MONDAY + timedelta(days=offset)
        found = rhythm.choose(day, pool, history[-8:], bands(pool))
        assert found.moves in LENGTHS[day.weekday()]
        assert found.themes[0] not in {one.themes[0] for one in history[-2:]}
        pool.remove(found)
        history.append(Neighbour(day, found.themes, found.source))
    for start in range(len(history) - 7):
        week = history[start : start + 7]
        assert any(one.source in NATURAL_SOURCES for one in week)
        assert any(RARE_THEMES.intersection(one.themes) for one in week)
