"""Accounts in a real browser: by keyboard, on two devices, in two tabs, and after signing out."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from puzzle_service.models import Account, Device, Player
from tests.browser.conftest import ADMIN, Devices, LiveSite, Visitor
from tests.browser.play import by_mouse, solve, solve_unseen

PASSWORD = "seven herons over the bay"  # noqa: S105
WIDTHS = (360, 1280)


@pytest.fixture
def other(devices: Devices, live_site: LiveSite, faults: list[str]) -> Iterator[Visitor]:
    """Somebody else's browser, or another device."""
    somebody = Visitor(devices, live_site, faults)
    yield somebody
    somebody.leave()


def _send(page: Page, path: str, **fields: str) -> None:
    """Open a page and send its form."""
    page.goto(path)
    for name, text in fields.items():
        page.locator(f"#{name}").fill(text)
    page.locator("main form button.main").first.click()


def _sign_up(page: Page, name: str) -> None:
    _send(page, "/sign-up", name=name, password=PASSWORD)
    expect(page.get_by_role("heading", name="Recovery words")).to_be_visible()


def _words(page: Page) -> str:
    """Make recovery words and return them."""
    _send(page, "/account/recovery")
    return " ".join(page.locator("#words li").all_inner_texts())


def _count(site: LiveSite, table: type[Account | Device | Player]) -> int:
    with site.database.read() as session:
        return session.query(table).count()


def test_the_streak_is_intact_when_script_storage_is_wiped(live_site: LiveSite, visitor: Visitor) -> None:
    """Cookies kept, script storage wiped, as Safari does after seven days (localForage#943)."""
    page = visitor.device()
    page.goto("/")
    solve(page, live_site.today(), by_mouse)
    page.evaluate("""async () => {
        localStorage.clear();
        sessionStorage.clear();
        for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
        for (const name of await caches.keys()) await caches.delete(name);
    }""")
    page.goto("/me")
    expect(page.locator("#streak")).to_have_text("1")
    page.goto("/")
    expect(page.locator("#say")).to_contain_text("Solved on the first attempt.")


def test_back_shows_nothing_personal_after_signing_out(visitor: Visitor) -> None:
    """After signing out, Back shows nothing personal (lila#7904)."""
    page = visitor.device()
    _sign_up(page, "Zeynep")
    for path in ("/me", "/account"):
        page.goto(path)
        expect(page.locator(".top")).to_contain_text("Zeynep")
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url("**/")
    for _ in range(3):
        page.go_back()
        expect(page.locator("body")).not_to_contain_text("Zeynep")
        expect(page.locator(".top")).to_contain_text("Sign in")


def test_somebody_signs_up_by_keyboard_and_keeps_the_days(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    solve_unseen(page, live_site.today())
    page.goto("/sign-up")
    expect(page.locator("main")).to_contain_text("come along")
    _reach(page, "name")
    page.keyboard.type("Zeynep")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".say.good")).to_contain_text("Welcome, Zeynep")
    _reach_button(page, "Make recovery words")
    page.keyboard.press("Enter")
    expect(page.locator("#words li")).to_have_count(7)
    _reach_button(page, "I have written them down")
    page.keyboard.press("Enter")
    expect(page.locator("#streak")).to_have_text("1")
    assert _count(live_site, Player) == 2  # and the admin


def _reach(page: Page, field: str) -> None:
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == field:
            return
    raise AssertionError(f"Tab does not lead to {field}")


def _reach_button(page: Page, text: str) -> None:
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == text:
            return
    raise AssertionError(f"Tab does not lead to {text}")


def test_a_double_click_makes_one_account(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/sign-up")
    page.locator("#name").fill("Zeynep")
    page.locator("#password").fill(PASSWORD)
    page.locator("main form button.main").dblclick()
    expect(page.locator(".say.good")).to_contain_text("Welcome, Zeynep")
    assert (_count(live_site, Account), _count(live_site, Device)) == (2, 1)


def test_the_guest_of_a_device_is_asked_about_and_back_after_signing_out(
    live_site: LiveSite, visitor: Visitor, other: Visitor
) -> None:
    """Signing in where somebody else is the guest asks first; signing out gives the guest back."""
    _sign_up(other.device(), "Zeynep")
    page = visitor.device(width=360, height=740, touch=True)
    solve_unseen(page, live_site.today())
    _send(page, "/sign-in", name="Zeynep", password=PASSWORD)
    expect(page.get_by_role("heading", name="Is the guest on this device you?")).to_be_visible()
    expect(page.locator(".compare .sum")).to_contain_text("1")
    page.get_by_role("button", name="Keep apart").click()
    expect(page.locator("#streak-link")).to_be_hidden()
    page.goto("/account")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator("#say")).to_contain_text("Solved on the first attempt.")
    expect(page.locator("#streak")).to_have_text("1")


def test_two_days_on_two_devices_become_one_streak(
    live_site: LiveSite, visitor: Visitor, other: Visitor
) -> None:
    first, second = other.device(), visitor.device()
    solve_unseen(first, live_site.today())
    words = _words(first)
    live_site.clock.now += timedelta(days=1)
    solve_unseen(second, live_site.today())
    _send(second, "/recover?next=/me", words=words.upper())
    second.get_by_role("button", name="Add them").click()
    expect(second.locator("#streak")).to_have_text("2")
    first.goto("/me")
    expect(first.locator("#streak")).to_have_text("2")


def test_an_old_tab_cannot_play_for_who_has_signed_in_in_another(
    live_site: LiveSite, visitor: Visitor
) -> None:
    """Two tabs: the old one says that it is out of date, and shows the account's puzzle once loaded again."""
    old = visitor.device()
    old.goto("/")
    new = old.context.new_page()
    _sign_up(new, "Zeynep")
    move = next(iter(live_site.today().proof.root["refuted"]))
    old.locator("#move").fill(move)
    old.locator("#typed-send").click()
    expect(old.locator("#say")).to_contain_text("Reload the page")
    old.reload()
    expect(old.locator(".top")).to_contain_text("Zeynep")
    expect(old.locator("#left")).to_have_text("3 attempts left")


def test_a_typed_password_can_be_looked_at(visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/sign-in")
    page.locator("#password").fill("abc")
    look = page.get_by_role("button", name="Show what is typed")
    look.click()
    expect(page.locator("#password")).to_have_attribute("type", "text")
    expect(look).to_have_attribute("aria-pressed", "true")
    look.click()
    expect(page.locator("#password")).to_have_attribute("type", "password")


def test_own_data_is_downloaded_and_then_deleted(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    _sign_up(page, "Zeynep")
    page.goto("/account")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "dama-data.json"
    page.get_by_role("link", name="Delete…").click()
    page.locator("#password").fill(PASSWORD)
    page.get_by_role("button", name="Delete everything").click()
    # The box is not ticked yet: the browser itself asks for it.
    assert page.evaluate("document.querySelector('[name=sure]').matches(':invalid')")
    assert _count(live_site, Account) == 2
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.locator(".say.good")).to_contain_text("The account is deleted.")
    assert (_count(live_site, Account), _count(live_site, Player)) == (1, 1)


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_every_account_page_fits_every_screen(visitor: Visitor, *, scripts: bool) -> None:
    page = visitor.device(java_script_enabled=scripts)
    paths = ["/account", "/sign-in", "/sign-up", "/recover"]
    for path in paths:
        _fits(page, path)
    _sign_up(page, "W" * 64)
    for path in ("/account", "/account/recovery", "/account/password", "/account/delete", "/me"):
        _fits(page, path)
    _send(page, "/account/recovery")
    expect(page.locator("#words li")).to_have_count(7)
    _send(page, "/sign-in?next=/admin/accounts", name=ADMIN[0], password=ADMIN[1])
    expect(page.locator(".roles li")).to_have_count(2)
    _fits(page, "/admin/accounts")


def _fits(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("h1").first).to_be_visible()
    # From the width at hand to the others: the next page is opened at the last one.
    at_hand = page.viewport_size
    assert at_hand is not None
    for width in sorted(WIDTHS, key=lambda width: abs(width - at_hand["width"])):
        page.set_viewport_size({"width": width, "height": 740})
        outside = page.evaluate("""() => [...document.querySelectorAll("main *, .top *")]
            .filter((one) => one.checkVisibility() && !one.closest(".sr, svg"))
            .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
            .map((one) => one.outerHTML)""")
        assert outside == [], (path, width)
