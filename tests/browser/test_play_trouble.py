"""What can go wrong while a game is played: the engine, the network, late answers, wrong texts."""

from playwright.sync_api import Route, expect

from dama import Position
from tests.browser.conftest import Visitor
from tests.browser.games import PHONE, played, said, shown, stands, start
from tests.browser.play import (
    by_mouse,
)


def test_a_busy_engine_an_error_and_a_lost_network_are_told_and_tried_again(player: Visitor) -> None:
    page = player.device()
    troubles = ["busy", "failed", "offline"]

    def answer(route: Route) -> None:
        trouble = troubles.pop(0) if troubles else None
        if trouble == "busy":
            body = (
                '{"error": {"code": "engine_busy", "message": "The computer is thinking about other games."}}'
            )
            route.fulfill(
                status=503, headers={"Retry-After": "1"}, content_type="application/json", body=body
            )
        elif trouble == "failed":
            route.fulfill(status=500, body="")
        elif trouble == "offline":
            route.abort()
        else:
            route.continue_()

    page.route("**/games/engine", answer)
    start(page, level="easy", human="W")
    stands(page, "Your move")
    by_mouse(page, Position.start().parse_move("c3-c4"))
    said(page, "The computer is thinking about other games.")
    stands(page, "The computer's move")
    said(page, "The server could not answer.")  # tried again by itself
    page.locator("#retry").click()
    said(page, "The server cannot be reached.")
    page.locator("#retry").click()
    stands(page, "Your move")
    expect(page.locator("#retry")).to_be_hidden()
    assert len(played(page)) == 2


def test_an_answer_that_comes_after_an_undo_or_in_another_game_is_dropped(player: Visitor) -> None:
    page = player.device()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/games/engine", hold)
    start(page, level="easy", human="W")
    stands(page, "Your move")
    by_mouse(page, Position.start().parse_move("c3-c4"))
    stands(page, "Thinking…")
    page.locator("[data-square=a3]").click()
    expect(page.locator("#hint")).to_have_text("The computer is thinking.")
    page.locator("#undo").click()
    stands(page, "Your move")
    assert played(page) == []
    by_mouse(page, Position.start().parse_move("d3-d4"))
    stands(page, "Thinking…")
    page.locator("#move").fill("e3-e4")
    page.locator("#move").press("Enter")
    expect(page.locator("#hint")).to_have_text("The computer is thinking.")
    page.locator("#new-game").click()
    start(page, opponent="person")
    stands(page, "White to move")
    for route in held:
        route.continue_()
    by_mouse(page, Position.start().parse_move("a3-a4"))
    stands(page, "Black to move")
    assert played(page) == ["a3–a4"]


def test_nobody_walks_to_positions_that_are_not_known_yet(player: Visitor) -> None:
    page = player.device()
    page.goto("/play?rules=turkish&moves=a3-a4.h6-h5.b3-b4")
    expect(page.locator("#step-text")).to_have_text("3 of 3")
    page.locator("#adopt").click()
    start(page, opponent="person")
    stands(page, "Black to move")
    for left in (2, 1):
        page.locator("#undo").click()
        expect(page.locator("#step-text")).to_have_text(f"{left} of {left}")
    stands(page, "Black to move")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/games/state", hold)
    for count in (2, 3):
        page.locator("#redo").click()
        expect(page.locator("#step-text")).to_have_text(f"{count} of {count}")
    page.locator("#moves .ply").nth(1).click()
    expect(page.locator("#step-text")).to_have_text("3 of 3")
    expect(page.locator("#prev")).to_be_disabled()
    page.locator("#moves .ply").first.click()
    expect(page.locator("#step-text")).to_have_text("1 of 3")
    held[-1].continue_()
    page.locator("#last").click()
    stands(page, "Black to move")
    assert "b4" in shown(page)


def test_a_text_that_is_no_game_is_refused_with_a_reason(player: Visitor) -> None:
    page = player.device(**PHONE)
    start(page, text="W:Wb2,a9:Bh8")
    expect(page.locator("#from-error")).to_contain_text("a9")
    expect(page.locator("#from")).to_be_focused()
    reason, button = page.locator("#from-error").bounding_box(), page.locator("#start").bounding_box()
    assert reason
    assert button
    assert 0 <= reason["y"] < reason["y"] + reason["height"] <= button["y"]  # which does not hide it
    page.locator("#from").fill("1. c3-c4 d6-d9")
    page.locator("#start").click()
    expect(page.locator("#from-error")).to_contain_text("d9")
    expect(page.locator("#setup")).to_be_visible()
    page.locator("#from").fill("w" * 80)
    page.locator("#start").click()
    expect(page.locator("#from-error")).to_contain_text("wwww")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.locator("#from").fill("")
    start(page, opponent="person")
    stands(page, "White to move")
    page.locator("#move").fill("w" * 80)
    page.locator("#move").press("Enter")
    said(page, "wwww")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_without_javascript_the_page_says_that_it_needs_it(player: Visitor) -> None:
    page = player.device(java_script_enabled=False)
    page.goto("/play")
    expect(page.locator("main")).to_contain_text("this page needs JavaScript")
    expect(page.locator("#start")).to_be_hidden()
