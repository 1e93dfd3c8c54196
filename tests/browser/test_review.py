"""The review queue in a real browser, by keyboard alone."""

from datetime import timedelta

from playwright.sync_api import Page, expect
from sqlalchemy import update

from puzzle_service.models import Puzzle
from tests.browser.conftest import ADMIN, LiveSite, Visitor


def _only_candidates(site: LiveSite) -> None:
    with site.database.write.begin() as session:
        session.execute(update(Puzzle).where(Puzzle.status == "approved").values(status="candidate"))


def _sign_in(page: Page) -> None:
    page.goto("/sign-in?next=/admin")
    page.keyboard.press("Tab")
    for field, text in zip(("name", "password"), ADMIN, strict=True):
        page.locator(f"input[name={field}]").focus()
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(page.locator("[data-item]").first).to_be_visible()
    page.wait_for_load_state("load")  # the keys are there once the page's scripts are


def _wait_for_the_walker(page: Page) -> None:
    # It is there once the page's scripts are, and so are the keys.
    expect(page.locator("#walker button").first).to_be_visible()


def test_an_admin_approves_by_keyboard_and_the_puzzle_appears(live_site: LiveSite, visitor: Visitor) -> None:
    _only_candidates(live_site)
    page = visitor.device()
    _sign_in(page)
    page.keyboard.press("j")
    page.keyboard.press("j")
    chosen = page.evaluate("document.activeElement.getAttribute('href')")
    page.keyboard.press("Enter")
    _wait_for_the_walker(page)
    title = page.locator("h1").inner_text()
    page.keyboard.press("a")
    expect(page.locator(".say.good")).to_be_visible()
    live_site.clock.now += timedelta(days=1)
    assert chosen.endswith(live_site.today().puzzle_id)
    page.goto("/")
    assert page.locator("h1").inner_text().split(":")[1] == title.split(":")[1]


def test_an_admin_rejects_with_a_reason_and_skips(live_site: LiveSite, visitor: Visitor) -> None:
    _only_candidates(live_site)
    page = visitor.device()
    _sign_in(page)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    _wait_for_the_walker(page)
    first = page.url
    page.keyboard.press("r")
    page.keyboard.type("a plain capture")
    page.keyboard.press("Enter")
    expect(page.locator(".say.good")).to_be_visible()
    assert page.url != first
    second = page.url
    _wait_for_the_walker(page)
    page.keyboard.press("s")
    page.wait_for_url(lambda url: url != second)
    with live_site.database.read() as session:
        row = session.get(Puzzle, first.rsplit("/", 1)[1])
        assert row is not None
        assert (row.status, row.reason, row.reviewed_by) == ("rejected", "a plain capture", ADMIN[0])


def test_a_wrong_password_lets_nobody_in(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/sign-in?next=/admin")
    page.locator("input[name=name]").fill(ADMIN[0])
    page.locator("input[name=password]").fill("not the password")
    page.keyboard.press("Enter")
    expect(page.locator("[role=alert], .say.bad, .error").first).to_be_visible()
    expect(page.locator("[data-item]")).to_have_count(0)
