"""The rules in a real browser: legible on a phone, in two columns on a desk, and a way to the board."""

from playwright.sync_api import expect

from puzzle_service.web.i18n import LANGUAGES
from tests.browser.conftest import LiveSite, Scheme, Visitor


def test_on_a_phone_nothing_is_cut_off_and_one_diagram_fills_the_width(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device(width=360, height=740, touch=True)
    for address in ("/rules", *(f"/rules/italian?lang={language}" for language in LANGUAGES)):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
        head = page.locator("header.top").bounding_box()
        assert head is not None
        assert head["height"] <= 64, address
    board = page.locator("figure .board-box").first.bounding_box()
    assert board is not None
    assert board["width"] >= 320
    # The name of the ruleset at hand is in sight among the others.
    current = page.locator(".tabs [aria-current]").bounding_box()
    assert current is not None
    assert 0 <= current["x"] < 360 - current["width"] / 2


def test_on_a_desk_two_diagrams_stand_side_by_side(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device(width=1280)
    page.goto("/rules/turkish")
    page.get_by_role("link", name="Capturing", exact=True).first.click()
    expect(page).to_have_url(f"{live_site.url}/rules/turkish#capturing")
    boxes = [one.bounding_box() for one in page.locator("#capturing .board-box").all()[:2]]
    left, right = (box for box in boxes if box is not None)
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] < right["x"]
    # Marks are drawn by the style sheet, and differ from the squares that they lie on.
    schemes: tuple[Scheme, ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        mark = page.locator("#capturing .mark.captured").first.evaluate("one => getComputedStyle(one).stroke")
        square = page.locator(".square.a").first.evaluate("one => getComputedStyle(one).fill")
        assert mark not in ("none", square), scheme


def test_a_page_of_rules_leads_to_a_board_with_these_rules(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device(width=360, height=740, touch=True)
    page.goto("/rules/italian")
    page.get_by_role("link", name="Play by these rules").tap()
    expect(page.get_by_role("radio", name="Italian dama")).to_be_checked()
    page.goto("/play?new=constructor")
    expect(page.get_by_role("radio", name="Italian dama")).to_be_checked()
