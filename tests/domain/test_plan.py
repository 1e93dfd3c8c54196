"""The plan: many days filled at once, every rule checked by somebody who only reads the result."""

import random
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle_service.domain import plan, rhythm
from puzzle_service.domain.rhythm import Bands, Neighbour, Offer
from puzzle_service.domain.supply import Supply
from tests.domain import weeks
from tests.domain.weeks import DAY, MONDAY


def filled(offers: list[Offer], days: int, first: date = MONDAY) -> dict[date, Offer]:
    bands = Bands.of([one.difficulty for one in offers])
    return plan.fill([first + n * DAY for n in range(days)], offers, [], bands)


def test_two_years_of_weeks_keep_every_rule() -> None:
    stock = weeks.pool(1, 1100, rare=150, natural=150)
    days = filled(stock, 104 * 7)
    assert list(days) == [MONDAY + n * DAY for n in range(728)]
    assert len({one.id for one in days.values()}) == 728
    assert weeks.complaints(days, stock) == {}


@settings(max_examples=12)
@given(st.integers(0, 2**32), st.integers(0, 6), st.integers(28, 182))
def test_any_rich_pool_fills_its_weeks_by_every_rule(seed: int, weekday: int, count: int) -> None:
    """Rich: half as many puzzles more than days, and for three weeks five rare ones and five natural ones."""
    size = count * 3 // 2 + 35
    some = count // 7 * 5 // 3 + 7
    stock = weeks.pool(seed, size, rare=some, natural=some)
    days = filled(stock, count, MONDAY + weekday * DAY)
    assert len(days) == count
    assert weeks.complaints(days, stock) == {}


@settings(max_examples=12)
@given(
    st.integers(0, 2**32),
    st.integers(1, 60),
    st.sampled_from([(), ("sacrifice",), ("sacrifice", "promotion"), weeks.COMMON]),
    st.floats(0, 1),
)
def test_a_poor_pool_gives_unusual_weeks_and_says_so_but_no_empty_day(
    seed: int, size: int, common: tuple[str, ...], share: float
) -> None:
    stock = weeks.pool(seed, size, rare=int(size * share**2), natural=size // 9, common=common or ("",))
    count = size // 2 + 1
    days = filled(stock, count)
    assert list(days) == [MONDAY + n * DAY for n in range(count)]
    assert len({one.id for one in days.values()}) == count
    told = rhythm.broken(days, [], Bands.of([one.difficulty for one in stock]))
    assert {day: set(rules) for day, rules in told.items()} == weeks.complaints(days, stock)


def test_a_pool_that_is_too_small_fills_the_first_days() -> None:
    stock = weeks.pool(2, 10)
    assert list(filled(stock, 14)) == [MONDAY + n * DAY for n in range(10)]
    assert Supply().plan([MONDAY], []).given == {}


def test_a_weekday_that_lacks_puzzles_takes_those_that_fit_it_least_badly() -> None:
    """Of a thousand puzzles a hundred are hard enough for Sundays; the other four are the next ones."""
    stock = weeks.pool(3, 1000, rare=150, natural=150)
    days = filled(stock, 104 * 7)
    wrong = weeks.complaints(days, stock)
    assert {f"{day:%a}": rules for day, rules in wrong.items()} == {"Sun": {"band"}}
    assert len(wrong) == 4
    hardest = sorted((one for one in stock if one.moves == 3), key=lambda one: -one.difficulty)[:104]
    assert {one.id for day, one in days.items() if f"{day:%a}" == "Sun"} == {one.id for one in hardest}


def test_the_same_pool_gives_the_same_plan_in_any_order() -> None:
    stock = weeks.pool(4, 120, rare=20, natural=20)
    assert filled(stock, 60) == filled(random.Random(1).sample(stock, len(stock)), 60)


def test_flavour_comes_before_score_and_score_decides_between_equals() -> None:
    monday = [
        Offer(name, 2, 1.0, themes, "retrograde", "W", score)
        for name, themes, score in (
            ("plain, promising", ("sweep",), 9.0),
            ("flavour", ("sacrifice",), 1.0),
            ("flavour, promising", ("sacrifice",), 2.0),
        )
    ]
    others = [Offer(f"{n}", 2, 2.0 + n, (), "retrograde", "W") for n in range(30)]
    bands = Bands.of([1.0, 2.0, 3.0])
    for best in ("flavour, promising", "flavour", "plain, promising"):
        (chosen,) = plan.fill([MONDAY], [*monday, *others], [], bands).values()
        assert chosen.id == best
        monday.remove(chosen)


@pytest.mark.parametrize(
    ("days_before", "clashes"), [(1, True), (2, True), (3, False), (-1, True), (-3, False)]
)
def test_a_plan_minds_what_is_out_before_and_waits_after(days_before: int, clashes: bool) -> None:
    stock = [
        Offer("a", 2, 1.0, ("sacrifice",), "retrograde", "W", 1.0),
        Offer("b", 2, 1.0, ("promotion",), "retrograde", "W"),
    ]
    out = [Neighbour(MONDAY - days_before * DAY, ("sacrifice", "promotion"), "retrograde")]
    (chosen,) = plan.fill([MONDAY], stock, out, Bands.of([1.0, 9.0])).values()
    assert chosen.id == ("b" if clashes else "a")


def test_a_gap_between_days_that_are_chosen_owes_the_weeks_on_both_sides() -> None:
    """Three days on each side without a natural position: the gap has to bring one."""
    around = [Neighbour(MONDAY + n * DAY, ("zugzwang",), "retrograde") for n in range(-6, 7) if n]
    stock = [
        Offer("a", 2, 1.0, ("sacrifice",), "retrograde", "W", 9.0),
        Offer("b", 2, 1.0, ("promotion",), "self-play", "W"),
    ]
    (chosen,) = plan.fill([MONDAY], stock, around, Bands.of([1.0, 9.0])).values()
    assert chosen.id == "b"
    beside = [*around[:5], Neighbour(MONDAY - DAY, (), "self-play"), *around[6:8]]
    (chosen,) = plan.fill([MONDAY], stock, beside, Bands.of([1.0, 9.0])).values()
    assert chosen.id == "a"


def test_weeks_that_are_half_chosen_are_filled_by_every_rule() -> None:
    stock = weeks.pool(5, 400, rare=70, natural=70)
    bands = Bands.of([one.difficulty for one in stock])
    days = [MONDAY + n * DAY for n in range(140)]
    chosen = plan.fill(days, stock, [], bands)
    kept = {day: one for n, (day, one) in enumerate(chosen.items()) if n % 3 == 0}
    supply = Supply(scheduled=dict(kept), approved={one.id: one for one in stock if one not in kept.values()})
    given = supply.plan([day for day in days if day not in kept], [])
    assert given.broken == {}
    assert weeks.complaints({**given.given, **kept}, stock) == {}


def test_the_solvers_colour_alternates_through_a_plan() -> None:
    stock = weeks.pool(6, 60, rare=12, natural=12)
    supply = Supply(approved={one.id: one for one in stock})
    days = [MONDAY + timedelta(days=n) for n in range(42)]
    supply.plan(days, [])
    choices = list(supply.outlook(days, [], "W"))
    assert [one.source for one in choices] == ["scheduled"] * 42
    colours = [
        one.offer.solver if not one.swapped else {"W": "B", "B": "W"}[one.offer.solver] for one in choices
    ]
    assert colours == ["B", "W"] * 21
