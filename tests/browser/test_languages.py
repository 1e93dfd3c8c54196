"""Four languages on the screen of a phone: the switch between them, and room for their words."""

from playwright.sync_api import Page, expect

from puzzle_service.web.i18n import LANGUAGES
from tests.browser.conftest import LiveSite, Visitor, sign_in

OVERFLOW = """() => {
  const wide = document.documentElement.clientWidth;
  const outside = [...document.querySelectorAll("body > header *, main *, footer *")].filter((one) => {
    if (one.closest("svg, .sr, .tabs:not(.area)")) return false;
    if (getComputedStyle(one).position === "absolute") return false;
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && (right > wide + 1 || left < -1);
  });
  return outside.map((one) => `${one.tagName} ${one.textContent.trim().slice(0, 40)}`);
}"""


def _open(page: Page, path: str, language: str) -> None:
    page.goto(f"{path}?lang={language}")
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert page.evaluate(OVERFLOW) == [], (path, language)
    assert page.evaluate("document.documentElement.scrollWidth") == 360, (path, language)


def test_every_language_is_a_tap_away_and_its_words_fit_a_phone(
    visitor: Visitor, live_site: LiveSite
) -> None:
    live_site.today()
    page = visitor.device(width=360, height=740, touch=True)
    page.goto("/about")
    for language, name in LANGUAGES.items():
        page.locator(".langs").get_by_text(name, exact=True).tap()
        expect(page.locator(".langs [aria-current]")).to_have_text(name)
        expect(page.locator("html")).to_have_attribute("lang", language)
        for path in ("/", "/me", "/account"):
            _open(page, path, language)


def test_the_review_area_fits_a_phone_in_the_longest_words(visitor: Visitor, live_site: LiveSite) -> None:
    live_site.today()
    page = visitor.device(width=360, height=740, touch=True)
    sign_in(page, "/me")
    for language in ("ru", "bg"):
        for path in ("/admin", "/admin/calendar", "/admin/stock"):
            _open(page, path, language)
