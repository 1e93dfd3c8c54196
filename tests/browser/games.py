"""A player at the page to play on: what is chosen, what is shown, and a site with an engine."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.play import (
    PATIENCE,
)

PHONE: dict[str, Any] = {"width": 360, "height": 740, "touch": True}
CLIPBOARD: dict[str, Any] = {"permissions": ["clipboard-read", "clipboard-write"]}
TWO_KINGS = "W:WKa1,b2:BKh8,Kg7"
"""Nobody has to capture, and nobody can at once."""


def start(page: Page, *, text: str = "", **choices: str) -> None:
    """Choose in the set-up and start a game, from a FEN or a PDN where there is one."""
    if not page.url.endswith("/play"):
        page.goto("/play")
    for name, value in choices.items():
        page.locator(f"[name={name}][value={value}]").check()
    if text:
        page.locator("#from-box summary").click()
        page.locator("#from").fill(text)
    page.locator("#start").click()


def stands(page: Page, words: str) -> None:
    """Wait until the heading says how the game stands, and whoever is to move here can."""
    expect(page.locator("#status-text")).to_have_text(words, timeout=PATIENCE)
    if words == "Your move" or words.endswith(" to move"):
        expect(page.locator("#board .cell.movable").first).to_be_attached(timeout=PATIENCE)


def said(page: Page, words: str) -> None:
    """Wait until the notice holds these words."""
    expect(page.locator("#say")).to_contain_text(words, timeout=PATIENCE)


def played(page: Page) -> list[str]:
    """Return the moves of the list, as they are printed."""
    return page.locator("#moves .ply").all_inner_texts()


def shown(page: Page) -> dict[str, str]:
    """Return what stands where on the board, in words."""
    cells = page.locator("#board").get_by_role("gridcell", name=re.compile(r" (man|king)\b"))
    names = cells.evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    return dict(name.split(", ")[:2] for name in names)


def copied(page: Page, button: str) -> str:
    """Press one of the buttons that copy and return what it has copied."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.locator(f"#{button}").click()
    for _ in range(200):
        if text := page.evaluate("navigator.clipboard.readText()"):
            return str(text)
        page.wait_for_timeout(25)
    raise AssertionError(f"#{button} copies nothing")
