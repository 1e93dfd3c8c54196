"""Games that the browser keeps and links that hold one: reloads, other tabs, damage."""

import json
import re
from typing import Any

from playwright.sync_api import Route, expect

from dama import Position
from tests.browser.conftest import Visitor
from tests.browser.games import TWO_KINGS, played, said, stands, start
from tests.browser.play import (
    by_mouse,
)

KEPT: dict[str, Any] = {
    "version": 1,
    "revision": 1,
    "saved": 1,
    "rules": "turkish",
    "start": None,
    "moves": [],
    "undone": [],
    "ended": None,
    "opponent": "computer",
    "human": "W",
    "level": "easy",
    "seating": "fixed",
    "seed": 1,
}
"""A game as the browser keeps it, but for its id."""
WRONG: tuple[dict[str, Any], ...] = (
    {"saved": 1e300},
    {"fen": 5},
    {"fen": "W:W1-99999999:B"},
    {"level": "grand"},
    {"seed": 1e300},
    {"revision": -1},
    {"play": "a member that no game has"},
)


def test_a_link_opens_a_finished_game_which_can_be_gone_on_with(player: Visitor) -> None:
    page = player.device()
    page.goto("/play?rules=turkish&moves=c3-c4.d6-d5.b3-b4&ended=B")
    stands(page, "White wins")
    expect(page.locator("#kicker")).to_have_text("A game to look at · Turkish dama")
    page.locator("#prev").click()
    expect(page.locator("#step-text")).to_have_text("2 of 3")
    expect(page.locator("#undo")).to_be_hidden()
    page.locator(".langs [lang=tr]").click()
    expect(page.locator("#moves .ply")).to_have_count(3)
    page.goto("/play?rules=turkish&moves=c3-c4.d6-d5.b3-b4&lang=en")
    expect(page.locator("#step-text")).to_have_text("3 of 3")
    page.locator("#prev").click()
    expect(page.locator("#step-text")).to_have_text("2 of 3")
    page.locator("#adopt").click()
    expect(page.locator("#from-given")).to_contain_text("after 2 moves")
    start(page, opponent="person")
    stands(page, "White to move")
    assert page.url.endswith("/play")
    assert len(played(page)) == 2


def test_a_link_that_holds_no_game_says_so_and_a_new_game_can_begin(player: Visitor) -> None:
    page = player.device()
    for query in (
        "rules=constructor",  # which every object of JavaScript has
        "moves=a1-a2",
        "start=W:W:B",
        "moves=zz",
        "rules=turkish&moves=c3-c4&ended=X",
    ):
        page.goto(f"/play?{query}")
        stands(page, "This game cannot go on.")
        expect(page.locator("#say")).not_to_be_empty()
        expect(page.locator("#adopt")).to_be_hidden()
        assert re.fullmatch(r"A game to look at( · [\w ]+)?", page.locator("#kicker").inner_text())
    page.locator("#new-game").click()
    start(page, opponent="person")
    stands(page, "White to move")


def test_a_game_survives_a_reload_a_closed_tab_and_another_tab(player: Visitor) -> None:
    page = player.device()
    start(page, text=TWO_KINGS, opponent="person")
    stands(page, "White to move")
    by_mouse(page, Position.from_fen(TWO_KINGS).parse_move("b2-b3"))
    stands(page, "Black to move")
    page.reload()
    stands(page, "Black to move")
    other = page.context.new_page()
    page.close()
    other.goto("/play")
    expect(other.locator("#games li")).to_have_count(1)
    third = page.context.new_page()
    start(third, opponent="person")
    stands(third, "White to move")
    by_mouse(third, Position.start().parse_move("c3-c4"))
    stands(third, "Black to move")
    other.locator("#games .go-on").click()
    stands(other, "Black to move")
    assert (played(other), played(third)) == (["b2–b3"], ["c3–c4"])
    # The same game in a second tab: what is played in one shows in the other, and none is lost.
    fourth = page.context.new_page()
    fourth.goto("/play")
    fourth.locator("#games .go-on", has_text="moves: 1").last.click()
    stands(fourth, "Black to move")
    by_mouse(fourth, Position.from_fen("B:WKa1,b3:BKh8,Kg7").parse_move("h8-h7"))
    expect(other.locator("#moves .ply")).to_have_count(2)
    said(other, "The game went on in another tab.")
    # What one looks at in one tab, or could move there, may be taken back in the other.
    stands(other, "White to move")
    other.locator("#prev").click()
    expect(other.locator("#step-text")).to_have_text("1 of 2")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    other.route("**/games/state", hold)
    fourth.locator("#undo").click()
    expect(other.locator("#step-text")).to_have_text("1 of 1")
    expect(other.locator("#board .cell.movable")).to_have_count(0)  # what one could do there is done
    held[-1].continue_()
    other.unroute("**/games/state")
    stands(other, "Black to move")
    fourth.locator("#redo").click()
    stands(fourth, "White to move")
    fourth.reload()
    stands(fourth, "White to move")
    other.reload()
    assert played(third) == ["c3–c4"]


def test_damaged_storage_is_told_and_put_away(player: Visitor) -> None:
    page = player.device()
    page.goto("/play")
    games = ["{", '{"version": 99}']
    for number, wrong in enumerate(WRONG, start=len(games)):
        games.append(json.dumps({**KEPT, "id": str(number), **wrong}))
    kept = {f"dama.game.{number}": game for number, game in enumerate(games)}
    for key, value in {**kept, "dama.play": "7"}.items():
        page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, value])
    page.evaluate("sessionStorage.setItem('dama.game', '1')")
    page.reload()
    expect(page.locator("#damaged")).to_contain_text("cannot be read any more")
    expect(page.locator("#games li")).to_have_count(0)
    page.locator("#clear-damaged").click()
    expect(page.locator("#damaged")).to_be_hidden()
    assert page.evaluate("Object.keys(localStorage)") == ["dama.play"]
    start(page, opponent="person")
    stands(page, "White to move")


def test_without_storage_a_game_goes_on_and_it_is_told_that_it_will_be_lost(player: Visitor) -> None:
    page = player.device()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })"
    )
    page.goto("/play")
    expect(page.locator("#no-storage")).to_be_visible()
    start(page, opponent="person")
    stands(page, "White to move")
    expect(page.locator("#not-kept")).to_be_visible()
