"""The stock among the review pages: searching, filtering, paging, and choosing from it."""

import re
from datetime import date

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.services.publication import PublishedPuzzle
from tests.conftest import AddPuzzles
from tests.web.conftest import ON_BOTH, Visitor
from tests.web.reviewing import TUESDAY, free, row, said, send, waiting


def _listed(page: str) -> list[str]:
    return re.findall(r'data-item href="/admin/puzzles/(\w+)', page)


@ON_BOTH
def test_the_filters_of_an_address_leave_what_fits(admin: Visitor, stock: list[Record]) -> None:
    def ids(**wanted: object) -> set[str]:
        return {one.id for one in stock if all(getattr(one, name) == value for name, value in wanted.items())}

    hardest = max(one.difficulty for one in stock)
    theme = stock[0].themes[0]
    for query, expected in (
        ("", ids()),
        ("?moves=3", ids(moves=3)),
        (f"?source={stock[0].source}", ids(source=stock[0].source)),
        (f"?theme={theme}", {one.id for one in stock if theme in one.themes}),
        (f"?easiest={hardest}", ids(difficulty=hardest)),
        ("?status=candidate", set()),
        ("?status=approved&scheduled=yes", set()),
        (f"?q={stock[2].id[:8]}", ids(id=stock[2].id)),
        (f"?q={stock[2].fen[4:14].upper()}", ids(id=stock[2].id)),
        ("?easiest=nonsense&hardest=nan&moves=9", ids()),
    ):
        assert set(_listed(admin.open(f"/admin/stock{query}"))) == expected, query
    assert "No puzzle fits." in admin.open("/admin/stock?q=nothing-like-this")


@ON_BOTH
def test_a_search_does_not_mind_which_i_is_typed(admin: Visitor, add_puzzles: AddPuzzles) -> None:
    """Turkish dotted and dotless i in search (list.js#472)."""
    (found,) = add_puzzles(1, themes=["kırık DİZİ"])
    for typed in ("kırık dizi", "KIRIK DİZİ", "kirik dizi", "Kırık Dızı"):
        assert _listed(admin.open(f"/admin/stock?q={typed}")) == [found], typed


def test_the_stock_is_sorted_and_paged_by_its_address(admin: Visitor, add_puzzles: AddPuzzles) -> None:
    for difficulty in range(35):
        add_puzzles(1, Status.CANDIDATE, difficulty=float(difficulty))
    first = admin.open("/admin/stock?status=candidate&order=hardest")
    following = re.search(r'class="btn" href="([^"]+)">Next page', first)
    assert following
    second = admin.open(following[1].replace("&amp;", "&"))
    assert [len(_listed(page)) for page in (first, second)] == [25, 10]
    figures = [
        float(text) for page in (first, second) for text in re.findall(r"Difficulty </span>([\d.]+)", page)
    ]
    assert figures == sorted(figures, reverse=True)
    assert "First page" in second
    assert "35 puzzles" in second
    assert '<option value="hardest" selected>' in second


def test_an_address_that_names_what_there_is_not_is_not_there(admin: Visitor) -> None:
    for query in ("status=lost", "order=sideways", "after=%00", "day=soon"):
        assert admin.client.get(f"/admin/stock?{query}").status_code == 404, query


def test_the_most_promising_come_first_and_rare_themes_are_found_together(
    admin: Visitor, add_puzzles: AddPuzzles
) -> None:
    (dull,) = add_puzzles(1, Status.CANDIDATE, score=-1.5, themes=["zugzwang", "sacrifice"])
    (fine,) = add_puzzles(1, Status.CANDIDATE, score=2.5, themes=["sacrifice"])
    (finest,) = add_puzzles(1, Status.CANDIDATE, score=7, themes=["last-row pass"])
    promising = admin.open("/admin/stock?status=candidate&order=promising")
    assert _listed(promising) == [finest, fine, dull]
    assert '<option value="promising" selected>most promising first' in promising
    rare = admin.open("/admin/stock?status=candidate&order=promising&theme=rare")
    assert _listed(rare) == [finest, dull]
    assert '<option value="rare" selected>any rare one' in rare
    assert _listed(admin.open("/admin/stock?status=candidate&theme=zugzwang")) == [dull]


def test_a_puzzle_is_approved_from_the_list_which_stays_where_it_was(
    admin: Visitor, add_puzzles: AddPuzzles, database: Database
) -> None:
    (candidate,) = add_puzzles(1, Status.CANDIDATE)
    page = admin.open("/admin/stock?status=candidate")
    seen = re.search(r'name="seen" value="([^"]*)"', page)
    back = re.search(r'name="back" value="([^"]*)"', page)
    assert seen
    assert back
    fields = {"seen": seen[1], "back": back[1], "day": TUESDAY}
    answer = send(admin, f"/admin/puzzles/{candidate}/approve", **fields)
    assert answer.location == "/admin/stock?status=candidate"
    assert said(admin, answer) == "Approved for 1 December 2026."
    again = send(admin, f"/admin/puzzles/{candidate}/approve", **fields | {"day": ""})
    assert "It has changed since." in said(admin, again), "a form from before"
    assert row(database, candidate).day == date(2026, 12, 1)


@ON_BOTH
def test_a_puzzle_is_chosen_for_a_day_and_takes_the_place_of_what_was_there(
    admin: Visitor, today: PublishedPuzzle, database: Database
) -> None:
    first, second = free(database)[:2]
    send(admin, "/admin/calendar/set", day=TUESDAY, puzzle=first, seen="")
    page = admin.open(f"/admin/stock?day={TUESDAY}")
    assert "A puzzle for Tuesday, 1 December" in page
    forms = re.findall(r'name="seen" value="(\w*)"><input type="hidden" name="puzzle" value="(\w+)"', page)
    assert {seen for seen, _ in forms} == {first}
    offered = {puzzle for _, puzzle in forms}
    assert second in offered
    assert not {first, today.puzzle_id} & offered, "what is there already, and what is out"
    answer = send(admin, "/admin/calendar/set", day=TUESDAY, puzzle=second, seen=first)
    assert said(admin, answer).endswith("Tuesday, 1 December is set.")
    assert waiting(database) == {TUESDAY: second}
    assert row(database, first).status == Status.APPROVED
