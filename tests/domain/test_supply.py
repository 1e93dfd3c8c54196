"""The supply: where a day's puzzle comes from, and what the days to come look like."""

from datetime import date, timedelta

import pytest

from puzzle_service.domain.rhythm import Neighbour, Offer, Solver
from puzzle_service.domain.supply import Choice, Supply

MONDAY = date(2026, 11, 30)
DAY = timedelta(days=1)


def offer(name: str, solver: Solver = "W", themes: tuple[str, ...] = ()) -> Offer:
    return Offer(name, 2, 5.0, themes, "random placement", solver)


def supply(
    scheduled: dict[int, Offer] | None = None,
    approved: tuple[Offer, ...] = (),
    reserve: tuple[Offer, ...] = (),
) -> Supply:
    """Return a supply whose scheduled puzzles wait for so many days after Monday."""
    return Supply(
        {MONDAY + n * DAY: one for n, one in (scheduled or {}).items()},
        {one.id: one for one in approved},
        {one.id: one for one in reserve},
    )


def outlook(stock: Supply, days: int, last: Solver | None = None) -> list[Choice]:
    return list(stock.outlook([MONDAY + n * DAY for n in range(days)], [], last))


def test_a_day_takes_what_is_its_own_then_approved_then_reserve_then_a_later_days() -> None:
    full = supply({0: offer("own"), 9: offer("later")}, (offer("free"),), (offer("reserve"),))
    found = []
    while choice := full.best(MONDAY, [], None):
        found.append((choice.offer.id, choice.source, choice.alarm))
        full.remove(choice.offer)
    assert found == [
        ("own", "scheduled", False),
        ("free", "approved", False),
        ("reserve", "reserve", True),
        ("later", "brought_forward", True),
    ]


def test_what_waited_for_a_day_that_has_passed_is_not_brought_forward() -> None:
    assert supply({-1: offer("earlier")}).best(MONDAY, [], None) is None


@pytest.mark.parametrize(
    ("solver", "last", "swapped"),
    [("W", None, False), ("B", None, False), ("W", "W", True), ("W", "B", False), ("B", "B", True)],
)
def test_the_solvers_colour_alternates(solver: Solver, last: Solver | None, swapped: bool) -> None:
    choice = supply(approved=(offer("one", solver),)).best(MONDAY, [], last)
    assert choice is not None
    assert choice.swapped is swapped


def test_the_outlook_alternates_colours_and_gives_each_puzzle_once() -> None:
    stock = supply({2: offer("own", "B")}, tuple(offer(f"{n}") for n in range(3)))
    found = outlook(stock, 6, last="W")
    assert [(choice.day - MONDAY).days for choice in found] == [0, 1, 2, 3]
    assert [choice.offer.id for choice in found] == ["0", "1", "own", "2"]
    colours = ["B" if choice.swapped == (choice.offer.solver == "W") else "W" for choice in found]
    assert colours == ["B", "W", "B", "W"]


def test_the_days_before_and_after_count_whether_out_or_still_to_come() -> None:
    stock = supply({1: offer("own", themes=("sacrifice",))}, (offer("a", themes=("sacrifice",)), offer("b")))
    assert [choice.offer.id for choice in outlook(stock, 2)] == ["b", "own"]
    out = [Neighbour(MONDAY - DAY, ("sacrifice",), "self-play")]
    pair = supply(approved=(offer("a", themes=("sacrifice",)), offer("b")))
    assert [choice.offer.id for choice in pair.outlook([MONDAY], out, None)] == ["b"]


def test_planning_takes_the_approved_only_and_leaves_them_scheduled() -> None:
    stock = supply(
        approved=(offer("a", themes=("sacrifice",)), offer("b", themes=("sacrifice",)), offer("c"))
    )
    days = [MONDAY + n * DAY for n in range(4)]
    given = stock.plan(days, []).given
    assert [*given] == days[:3]
    assert {one.id for one in given.values()} == {"a", "b", "c"}
    assert (stock.scheduled, stock.approved) == (given, {})
    assert supply(reserve=(offer("reserve"),)).plan(days, []).given == {}


def test_a_plan_tells_which_rules_it_broke_on_which_days() -> None:
    out = [Neighbour(MONDAY - DAY, ("sacrifice",), "self-play")]
    plan = supply(approved=(offer("a", themes=("sacrifice",)),)).plan([MONDAY], out)
    assert plan.broken == {MONDAY: ("band", "theme")}
    assert supply(approved=(offer("a"),)).plan([MONDAY + 6 * DAY], out).broken == {
        MONDAY + 6 * DAY: ("length",)
    }


def test_the_bands_are_those_of_all_that_is_approved_or_has_just_gone_out() -> None:
    """Nine puzzles that wait for days, or went out today, leave the tenth as easy as it is: no Sunday's."""
    (free,) = [Offer("free", 3, 5.0, (), "retrograde", "W")]
    others = [Offer(f"{n}", 3, float(n), (), "retrograde", "W") for n in range(1, 10)]
    sunday = MONDAY + 6 * DAY
    alone = supply(approved=(free,))
    assert alone.plan([sunday], []).broken == {}
    waiting = supply({n + 20: one for n, one in enumerate(others)}, (free,))
    assert waiting.plan([sunday], []).broken == {sunday: ("band",)}
    just_out = supply(approved=(free,))
    just_out.out = others
    assert just_out.plan([sunday], []).broken == {sunday: ("band",)}
