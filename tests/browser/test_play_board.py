"""What the board of a game shows and says, for the eye, for the ear and on every screen."""

import re

from playwright.sync_api import Page, expect

from dama import Position
from puzzle_service.web.i18n import LANGUAGES
from tests.browser.conftest import Visitor
from tests.browser.games import PHONE, played, said, shown, stands, start
from tests.browser.play import (
    PATIENCE,
    by_mouse,
)


def test_what_may_not_move_says_why_and_what_is_announced_can_be_turned_off(player: Visitor) -> None:
    page = player.device()
    start(page, text="W:Wb7,d4,g2:Bd5,Kh8", opponent="person")
    stands(page, "White to move")
    page.locator("[data-square=g2]").click()
    expect(page.locator("#hint")).to_have_text("g2 may not move: d4 must capture.")
    page.locator("[data-square=h8]").click()
    expect(page.locator("#hint")).to_have_text("White is to move.")
    expect(page.locator("[data-square=d4]")).to_have_attribute("aria-label", re.compile("must capture"))
    page.locator("#move").fill("d4-e4")
    page.locator("#move").press("Enter")
    said(page, "Capturing is compulsory, as many as possible and to the end: d4×d6.")
    page.locator("#move").fill("")
    by_mouse(page, Position.from_fen("W:Wd4:Bd5,Kh8").parse_move("d4xd6"))
    said(page, "White: d4×d6, takes 1.")
    stands(page, "Black to move")
    page.locator("[data-square=h8]").click()
    page.locator("[data-square=h6]").click()
    said(page, "White’s pieces are under attack: d6 and b7.")
    page.locator("#etiquette").uncheck()
    page.locator("[data-square=b7]").click()
    page.locator("[data-square=b8]").click()
    said(page, "White: b7–b8.")
    expect(page.locator("#say")).not_to_contain_text("king")
    page.reload()
    stands(page, "Black to move")
    expect(page.locator("#etiquette")).not_to_be_checked()
    assert shown(page)["b8"] == "white king"
    page.keyboard.press("u")
    stands(page, "White to move")
    assert shown(page)["b7"] == "white man"
    page.keyboard.press("r")
    stands(page, "Black to move")
    page.locator("#etiquette").check()
    page.locator("#draw").click()
    page.locator("#question-no").click()
    said(page, "White declines the draw.")
    page.locator("#draw").click()
    page.locator("#question-yes").click()
    stands(page, "A draw")
    said(page, "Both sides agreed on it.")


def test_the_computers_series_is_shown_stop_by_stop_with_reduced_motion_too(player: Visitor) -> None:
    page = player.device()
    start(page, text="W:Wc5,d3,h2:Bd6,a7", level="easy", human="W")
    stands(page, "Your move")
    page.evaluate(
        """() => {
            const board = document.getElementById("board");
            const look = () => window.seen.push([performance.now(), board.querySelectorAll(".ghost").length]);
            window.seen = [];
            new MutationObserver(look).observe(board, { childList: true, subtree: true });
        }"""
    )
    by_mouse(page, Position.from_fen("W:Wc5:Ba7").parse_move("c5-d5"))
    stands(page, "Your move")
    assert played(page)[-1] == "d6×d4×d2"
    seen = page.evaluate("window.seen")
    stop = min(time for time, ghosts in seen if ghosts)
    onward = min(time for time, ghosts in seen if time > stop and not ghosts)
    assert onward - stop > 340
    page.locator("#undo").click()
    stands(page, "Your move")
    assert shown(page) == {
        "c5": "white man",
        "d3": "white man",
        "h2": "white man",
        "d6": "black man",
        "a7": "black man",
    }


def test_the_marks_on_the_board_are_told_apart_without_colour_on_every_shade(player: Visitor) -> None:
    page = player.device()
    start(page, text="W:WKa1,h2:Ba4,c5,e5,e3,g7", opponent="person")
    stands(page, "White to move")
    shapes = [_shape(page, ".must")]
    page.locator("#advice").click()
    shapes.append(_shape(page, "rect.hinted"))
    page.locator("[data-square=a1]").click()
    shapes += [_shape(page, mark) for mark in (".sel", ".dest", ".stop.ahead")]
    page.locator("[data-square=a5]").click()
    shapes += [_shape(page, mark) for mark in (".stop.here", ".ghost")]
    page.locator("[data-square=g8]").click()
    stands(page, "Black to move")
    shapes += [_shape(page, mark) for mark in (".last.from", ".last.to")]
    assert len(set(shapes)) == 9, shapes
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for mark in ("--mark", "--last"):
            for square in ("--sq-a", "--sq-b", "--sq-dark"):
                assert _contrast(page, mark, square) >= 3, (scheme, mark, square)


def _shape(page: Page, mark: str) -> str:
    """Return what a mark looks like to somebody who sees no colours."""
    found = page.locator(f"#board {mark}").first
    expect(found).to_be_attached(timeout=PATIENCE)
    shape = found.evaluate(
        """mark => {
            const [box, style] = [mark.getBBox(), getComputedStyle(mark)];
            const line = [style.strokeDasharray, style.fill === "none", style.opacity];
            return [mark.tagName, box.width, box.height, ...line].join(" ");
        }"""
    )
    return str(shape)


def _contrast(page: Page, *names: str) -> float:
    """Return the contrast between two colours of the style sheet, as WCAG counts it."""
    lights = []
    for name in names:
        text = page.evaluate("name => getComputedStyle(document.body).getPropertyValue(name).trim()", name)
        parts = [int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_the_head_and_the_set_up_fit_a_phone_in_every_language(player: Visitor) -> None:
    page = player.device(**PHONE)
    for language in LANGUAGES:
        page.goto(f"/play?lang={language}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        head = page.locator(".top").bounding_box()
        assert head is not None
        assert head["height"] < 60
