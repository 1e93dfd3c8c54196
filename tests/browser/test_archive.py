"""The record and the archive in a real browser: they fit, they can be read aloud, and keys alone do."""

from datetime import timedelta
from itertools import product

from playwright.sync_api import Page, expect

from tests.browser.conftest import LiveSite, Scheme, Visitor
from tests.browser.play import solve_unseen

DAY = timedelta(days=1)


def test_the_pages_fit_and_their_head_stays_one_line(live_site: LiveSite, visitor: Visitor) -> None:
    live_site.today()
    page = visitor.device()
    schemes: tuple[Scheme, ...] = ("light", "dark")
    for path in ("/", "/me", "/archive", "/archive/2026-11", "/about"):
        page.goto(path)
        for width, scheme in product((320, 360, 1280), schemes):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, scheme)
            head = page.locator("header.top").bounding_box()
            assert head is not None
            assert head["height"] <= 64, (path, width, scheme)


def test_from_the_record_to_a_puzzle_of_the_archive_by_keys_alone(
    live_site: LiveSite, visitor: Visitor
) -> None:
    live_site.today()
    live_site.clock.now += DAY
    live_site.today()
    live_site.clock.now += timedelta(hours=6)  # the grace period of yesterday is over
    page = visitor.device()
    page.goto("/me")
    _tab_to(page, "How streak and freezes work")
    page.keyboard.press("Enter")
    expect(page.get_by_text("the meter pays 7 for it")).to_be_visible()
    _tab_to(page, "All days, to practise")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Archive")).to_be_visible()
    _tab_to(page, "Monday, 30 November: before your first puzzle")
    page.keyboard.press("Enter")
    expect(page.locator(".kicker")).to_contain_text("Practice · Puzzle 1")


def _tab_to(page: Page, words: str) -> None:
    for _press in range(60):
        page.keyboard.press("Tab")
        if words in page.evaluate("document.activeElement.textContent"):
            return
    raise AssertionError(f"the Tab key does not lead to {words!r}")


def test_a_calendar_is_a_table_with_weekdays_that_says_how_each_day_stands(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device()
    solve_unseen(page, live_site.today())
    live_site.clock.now += DAY
    live_site.today()
    page.goto("/archive/2026-11")
    table = page.get_by_role("table", name="November 2026")
    expect(table.get_by_role("columnheader")).to_have_text(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    solved = table.get_by_role("link", name="Puzzle 1, Monday, 30 November: solved, 1 attempt")
    expect(solved).to_be_visible()
    expect(solved.locator(".words")).to_have_text("solved, 1 attempt")
    page.get_by_role("link", name="December 2026").click()
    expect(page.get_by_role("link", name="Puzzle 2, Tuesday, 1 December: still open")).to_be_visible()


def test_the_marks_of_days_are_told_apart_without_colour(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    solve_unseen(page, live_site.today())
    for _day in range(2):
        live_site.clock.now += DAY
        live_site.today()
    page.goto("/me")
    marks = page.locator(".marks .mark")
    shapes = marks.evaluate_all("marks => marks.map(mark => mark.innerHTML)")
    assert len(shapes) == len(set(shapes)) == 3  # solved, not played, still open


def test_the_archive_works_without_javascript(live_site: LiveSite, visitor: Visitor) -> None:
    live_site.today()
    page = visitor.device(width=360, java_script_enabled=False)
    page.goto("/archive/")
    expect(page).to_have_url(f"{live_site.url}/archive")
    page.get_by_role("link", name="Puzzle 1").click()
    expect(page.locator("h1")).to_contain_text("to move: win in")
