"""The daily puzzle in a real browser."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from dama.squares import square_name
from tests.browser.conftest import LiveSite, Visitor
from tests.browser.play import (
    Hand,
    by_drag,
    by_end,
    by_keyboard,
    by_mouse,
    by_touch,
    solve,
    wrong_moves,
)

DAY = timedelta(days=1)
PATIENCE = 20_000
"""Milliseconds that a refutation may take to be shown, stop by stop."""


def test_solved_by_mouse_by_touch_and_by_keyboard_on_three_days_is_a_streak_of_3(
    live_site: LiveSite, visitor: Visitor
) -> None:
    hands: list[tuple[Hand, dict[str, int | bool]]] = [
        (by_mouse, {}),
        (by_touch, {"width": 360, "height": 740, "touch": True}),
        (by_keyboard, {}),
    ]
    for day, (hand, device) in enumerate(hands, start=1):
        page = visitor.device(**device)  # type: ignore[arg-type]
        page.goto("/")
        solve(page, live_site.today(), hand)
        expect(page.locator("#streak")).to_have_text(str(day))
        live_site.clock.now += DAY
    page.goto("/me")
    expect(page.locator("main")).to_contain_text("3")
    expect(page.locator(".calendar .day.solved")).to_have_count(3)


@pytest.mark.parametrize("hand", [by_drag, by_end], ids=["drag", "both ends"])
def test_solved_in_other_ways(live_site: LiveSite, visitor: Visitor, hand: Hand) -> None:
    page = visitor.device()
    page.goto("/")
    if hand is by_end and _has_series_with_same_ends(live_site):
        live_site.clock.now += DAY
        page.goto("/")
    solve(page, live_site.today(), hand)


def _has_series_with_same_ends(site: LiveSite) -> bool:
    published = site.today()
    position = published.position
    for text in published.proof.main_line():
        move = position.parse_move(text)
        ends = (move.origin, move.target)
        if sum((other.origin, other.target) == ends for other in position.legal_moves) > 1:
            return True
        position = position.after(move)
    return False


def test_failing_three_times_shows_the_solution_and_no_fourth_attempt(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    for left, text in zip((2, 1, 0), wrong_moves(published.proof.root), strict=False):
        by_mouse(page, published.position.parse_move(text))
        expect(page.locator("#left")).to_contain_text(
            str(left) if left else "No attempts left", timeout=PATIENCE
        )
        expect(page.locator("#say")).to_contain_text("does not win")
        if left:
            expect(page.locator("#board .cell.movable").first).to_be_attached(timeout=PATIENCE)
    expect(page.locator("#stepper")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#board .cell.movable")).to_have_count(0)
    page.reload()
    expect(page.locator("#stepper")).to_be_visible()
    expect(page.locator("#streak-link")).to_be_hidden()


def test_after_a_wrong_move_the_right_one_still_works(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    by_mouse(page, published.position.parse_move(wrong_moves(published.proof.root)[0]))
    expect(page.locator("#left")).to_contain_text("2", timeout=PATIENCE)
    expect(page.locator("#board .cell.movable").first).to_be_attached(timeout=PATIENCE)
    solve(page, published, by_mouse)
    expect(page.locator("#left")).to_contain_text("second")


def test_a_reload_in_mid_solve_goes_on_where_it_was(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    by_mouse(page, published.position.parse_move(published.proof.key))
    expect(page.locator("#say")).not_to_contain_text("Your move", timeout=PATIENCE)
    expect(page.locator("#board .cell.movable").first).to_be_attached(timeout=PATIENCE)
    page.reload()
    line = published.proof.main_line()
    position = published.position.play(line[0]).play(line[1])
    by_mouse(page, position.parse_move(line[2]))
    expect(page.locator("#say")).to_be_visible()
    expect(page.locator("#left")).not_to_contain_text("2 attempts left")


def test_a_typed_move_is_played(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    page.keyboard.press("/")
    page.keyboard.type(published.proof.key)
    page.keyboard.press("Enter")
    expect(page.locator("#board .cell.movable").first).to_be_attached(timeout=PATIENCE)
    expect(page.locator("#say")).not_to_contain_text("does not win")
    expect(page.locator("#left")).to_contain_text("3 attempts left")


def test_a_move_typed_while_a_refutation_is_shown_is_played_after_it(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    by_mouse(page, published.position.parse_move(wrong_moves(published.proof.root)[0]))
    expect(page.locator("#left")).to_contain_text("2", timeout=PATIENCE)
    page.locator("#move").fill(published.proof.key)
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("is right", timeout=PATIENCE)


def test_touching_a_man_that_may_not_move_says_why(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    for text, answers in published.proof.root["wins"].items():
        by_mouse(page, published.position.parse_move(text))
        expect(page.locator("#board .cell.movable").first).to_be_attached(timeout=PATIENCE)
        position = published.position.play(text).play(next(iter(answers)))
    movers = {square_name(move.origin) for move in position.legal_moves}
    if not position.legal_moves[0].captured:
        return
    for square in movers:
        name = page.locator(f"[data-square={square}]").get_attribute("aria-label")
        assert name is not None
        assert name.startswith(f"{square}, ")
        assert "must capture" in name


def test_a_tab_left_open_over_midnight_says_that_there_is_a_new_puzzle(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device()
    live_site.clock.now += timedelta(hours=11, minutes=59, seconds=58)  # two seconds before midnight
    page.goto("/")
    before = page.locator("h1").inner_text()
    expect(page.locator("#notice")).to_contain_text("There is a new puzzle", timeout=PATIENCE)
    assert page.locator("h1").inner_text() == before
    live_site.clock.now += timedelta(minutes=1)
    page.locator("#notice a").click()
    expect(page.locator(".kicker")).to_contain_text("Puzzle 2")


def test_solved_without_javascript(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device(width=360, java_script_enabled=False)
    page.goto("/")
    published = live_site.today()
    expect(page.locator("#board svg")).to_be_visible()
    for text in published.proof.main_line()[::2]:
        _type_and_submit(page, text)
    expect(page.locator("#say.good")).to_be_visible()
    expect(page.locator("#streak")).to_have_text("1")


def test_without_javascript_a_wrong_move_is_explained(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device(java_script_enabled=False)
    page.goto("/")
    _type_and_submit(page, wrong_moves(live_site.today().proof.root)[0])
    expect(page.locator("#say")).to_contain_text("does not win")
    expect(page.locator("#left")).to_contain_text("2")


def _type_and_submit(page: Page, text: str) -> None:
    page.locator("#typed input[name=move]").fill(text)
    page.locator("#typed button").click()


def test_the_page_fits_a_phone_in_turkish(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device(width=360, height=740, touch=True, locale="tr-TR")
    page.goto("/")
    expect(page.locator("h1")).to_contain_text("hamlede kazanır")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    box = page.locator("#board").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 360)


def test_a_swipe_that_begins_on_an_empty_square_scrolls_the_page(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device(width=360, height=500, touch=True)
    page.goto("/")
    cells = page.locator("#board .cell")
    actions = cells.evaluate_all("cells => cells.map(cell => getComputedStyle(cell).touchAction)")
    movable = cells.evaluate_all("cells => cells.map(cell => cell.classList.contains('movable'))")
    assert {action for action, can_move in zip(actions, movable, strict=True) if not can_move} == {
        "manipulation"
    }
    assert {action for action, can_move in zip(actions, movable, strict=True) if can_move} == {"none"}
