"""The calendar of the review pages in a real browser: by mouse, by keyboard alone, by touch."""

import re
from datetime import date, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select, update

from puzzle_service.models import Puzzle
from puzzle_service.services import schedule
from tests.browser.conftest import ADMIN, LiveSite, Visitor, sign_in

TUESDAY = date(2026, 12, 1)


def _day(offset: int) -> date:
    return TUESDAY + timedelta(days=offset)


def _slot(page: Page, day: date) -> Locator:
    return page.locator(f".slot:has(#d-{day})")


def _link(page: Page, day: date) -> Locator:
    return page.locator(f"#d-{day}")


def _waiting(site: LiveSite) -> dict[date, str]:
    with site.database.read() as session:
        rows = session.execute(select(Puzzle.day, Puzzle.id).where(Puzzle.day.is_not(None)))
        return {day: puzzle_id for day, puzzle_id in rows if day is not None}


def _open(page: Page) -> None:
    sign_in(page, "/admin/calendar")
    # The keys are there once the page's script is.
    expect(page.locator("table[role=grid]")).to_be_visible()


@pytest.fixture
def filled(live_site: LiveSite) -> dict[date, str]:
    """The first ten days, each with a puzzle of its own."""
    live_site.today()
    with live_site.database.write.begin() as session:
        schedule.fill(session, live_site.clock(), live_site.settings, ADMIN[0], days=11)
    return _waiting(live_site)


def test_a_day_is_dragged_onto_another_and_the_two_change_places(
    live_site: LiveSite, visitor: Visitor, filled: dict[date, str]
) -> None:
    page = visitor.device()
    _open(page)
    _link(page, _day(0)).drag_to(_slot(page, _day(3)))
    expect(page.locator(".say.good")).to_contain_text("is moved to Friday, 4 December.")
    moved = _waiting(live_site)
    assert (moved[_day(0)], moved[_day(3)]) == (filled[_day(3)], filled[_day(0)])
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".say.good")).to_contain_text("Undone.")
    assert _waiting(live_site) == filled


def test_a_day_is_dragged_into_a_gap_and_not_onto_what_is_out(
    live_site: LiveSite, visitor: Visitor, filled: dict[date, str]
) -> None:
    page = visitor.device()
    _open(page)
    _link(page, _day(0)).drag_to(_slot(page, _day(-1)))
    _link(page, _day(20)).drag_to(_slot(page, _day(21)))
    expect(page.locator(".carrying")).to_have_count(0)
    assert _waiting(live_site) == filled, "out is out, and a gap is nothing to drag"
    _link(page, _day(9)).drag_to(_slot(page, _day(12)))
    expect(page.locator(".say.good")).to_contain_text("is moved to")
    assert _waiting(live_site)[_day(12)] == filled[_day(9)]


def test_the_buttons_of_a_day_move_and_clear_it(
    live_site: LiveSite, visitor: Visitor, filled: dict[date, str]
) -> None:
    page = visitor.device()
    _open(page)
    _slot(page, _day(1)).hover()
    page.get_by_role("button", name="Move Wednesday, 2 December").click()
    expect(page.locator("#carry-text")).to_have_text(
        "Moving the puzzle of Wednesday, 2 December. Choose a day for it."
    )
    _slot(page, _day(15)).click()
    expect(page.locator(".say.good")).to_contain_text("is moved to Wednesday, 16 December.")
    _slot(page, _day(2)).hover()
    page.get_by_role("button", name="Clear Thursday, 3 December").click()
    expect(page.locator(".say.good")).to_contain_text("Thursday, 3 December is cleared.")
    expect(_slot(page, _day(2))).to_contain_text("Gap")
    after = _waiting(live_site)
    assert after[_day(15)] == filled[_day(1)]
    assert not {_day(1), _day(2)} & after.keys()


def test_the_keyboard_alone_moves_and_clears_and_every_step_is_announced(
    live_site: LiveSite, visitor: Visitor, filled: dict[date, str]
) -> None:
    page = visitor.device()
    _open(page)
    status = page.locator("#carry-text[role=status]")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("'day' in document.activeElement.dataset"):
            break
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(_link(page, _day(0))).to_be_focused()
    page.keyboard.press("m")
    expect(status).to_have_text("Moving the puzzle of Tuesday, 1 December. Choose a day for it.")
    page.keyboard.press("ArrowDown")
    expect(status).to_have_text("Put it on Tuesday, 8 December?")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(status).to_have_text("Nothing can be put on Monday, 30 November: it is out.")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(status).to_have_text("Put back on Tuesday, 1 December.")
    assert _waiting(live_site) == filled
    page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".say.good")).to_contain_text("is moved to Tuesday, 8 December.")
    expect(_link(page, _day(7))).to_be_focused()
    moved = _waiting(live_site)
    assert (moved[_day(0)], moved[_day(7)]) == (filled[_day(7)], filled[_day(0)])
    page.wait_for_load_state("load")
    page.keyboard.press("Delete")
    expect(page.locator(".say.good")).to_contain_text("Tuesday, 8 December is cleared.")
    expect(_link(page, _day(7))).to_be_focused()
    assert _day(7) not in _waiting(live_site)
    page.wait_for_load_state("load")
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/days/2026-12-08")


def test_touch_moves_a_day_in_two_taps(
    live_site: LiveSite, visitor: Visitor, filled: dict[date, str]
) -> None:
    page = visitor.device(width=360, height=740, touch=True, is_mobile=True)
    _open(page)
    for width, day, named, there in (
        (360, 0, "Tuesday, 1 December", "Thursday, 3 December"),
        (1280, 1, "Wednesday, 2 December", "Friday, 4 December"),
    ):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name=f"Move {named}").tap()
        expect(page.get_by_role("button", name="Put it back")).to_be_visible()
        page.get_by_role("button", name="Put it back").tap()
        expect(page.get_by_role("button", name="Put it back")).to_be_hidden()
        page.get_by_role("button", name=f"Move {named}").tap()
        _slot(page, _day(day + 2)).tap()
        expect(page.locator(".say.good")).to_contain_text(f"is moved to {there}.")
        moved = _waiting(live_site)
        assert (moved[_day(day)], moved[_day(day + 2)]) == (filled[_day(day + 2)], filled[_day(day)])
        expect(page.locator("table[role=grid]")).to_be_visible()


def test_on_a_phone_the_days_are_a_list_and_the_arrows_go_by_one(
    live_site: LiveSite, visitor: Visitor, filled: dict[date, str]
) -> None:
    page = visitor.device(width=360, height=740)
    _open(page)
    lefts = page.locator(".slot").evaluate_all(
        "slots => slots.map(slot => slot.getBoundingClientRect().left)"
    )
    assert len(lefts) == 42
    assert len(set(lefts)) == 1
    _link(page, _day(0)).focus()
    page.keyboard.press("ArrowDown")
    expect(_link(page, _day(1))).to_be_focused()


def test_a_calendar_that_has_changed_meanwhile_refuses_the_drop(
    live_site: LiveSite, visitor: Visitor, filled: dict[date, str]
) -> None:
    page = visitor.device()
    _open(page)
    with live_site.database.write.begin() as session:
        session.execute(update(Puzzle).where(Puzzle.day == _day(3)).values(day=None))
    _link(page, _day(0)).drag_to(_slot(page, _day(3)))
    expect(page.locator(".say.warn")).to_contain_text("It has changed since.")
    assert _waiting(live_site)[_day(0)] == filled[_day(0)]
    expect(_slot(page, _day(3))).to_contain_text("Gap")


def test_without_scripts_a_gap_is_filled_from_the_stock_and_a_day_moved(
    live_site: LiveSite, visitor: Visitor, filled: dict[date, str]
) -> None:
    page = visitor.device(java_script_enabled=False)
    sign_in(page, "/admin/calendar")
    expect(page.locator("[data-move]").first).to_be_hidden()
    _link(page, _day(20)).click()
    page.get_by_role("link", name=re.compile("from the stock")).click()
    page.get_by_role("button", name="Take this one").first.click()
    expect(page.locator(".say.good")).to_contain_text("Monday, 21 December is set.")
    page.get_by_label("Move it to").fill("2026-12-23")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.locator(".say.good")).to_contain_text("is moved to Wednesday, 23 December.")
    assert _waiting(live_site).keys() - filled.keys() == {date(2026, 12, 23)}


def test_replacing_what_is_out_takes_two_steps(live_site: LiveSite, visitor: Visitor) -> None:
    before = live_site.today()
    page = visitor.device()
    _open(page)
    page.locator("[data-day]").first.click()
    page.get_by_text("Something is wrong with this puzzle").click()
    page.get_by_label("What is wrong with it").fill("two keys")
    page.get_by_role("button", name="Replace it…").click()
    expect(page.get_by_text("Nobody's streak breaks")).to_be_visible()
    assert live_site.today().puzzle_id == before.puzzle_id
    page.get_by_role("button", name="Replace it").click()
    expect(page.locator(".say.good")).to_contain_text("Replaced.")
    assert live_site.today().puzzle_id != before.puzzle_id
