"""Whole games on the page to play on, in a real browser and against the real engine."""

from functools import cache
from typing import Any

import pytest
from playwright.sync_api import expect

from dama import Color, Position
from dama.proof import Proof
from puzzle_service.domain.record import parse
from puzzle_service.services import intake
from tests.browser.conftest import Visitor
from tests.browser.games import CLIPBOARD, PHONE, copied, played, said, shown, stands, start
from tests.browser.play import (
    PATIENCE,
    Hand,
    by_keyboard,
    by_mouse,
    by_touch,
    focused_square,
    wait_for_the_turn,
)


@cache
def _win_in_two() -> Proof:
    """Return a win against every defence, which the engine may choose among."""
    with intake.packaged_stock().open("rb") as lines:
        return next(record.proof for record in map(parse, lines) if record.moves == 2)


@pytest.mark.parametrize(("hand", "device"), [(by_touch, PHONE), (by_keyboard, {})])
def test_a_won_position_is_won_by_touch_and_by_keyboard(
    player: Visitor, hand: Hand, device: dict[str, Any]
) -> None:
    proof = _win_in_two()
    position, node = proof.position, proof.root
    page = player.device(**device)
    start(page, text=position.fen(), level="easy", human=position.turn.value)
    while True:
        stands(page, "Your move")
        wait_for_the_turn(page, position)
        text, answers = next(iter(node["wins"].items()))
        hand(page, position.parse_move(text))
        position = position.play(text)
        if not answers:
            break
        expect(page.locator("#moves .ply")).to_have_count(2, timeout=PATIENCE)
        answer = played(page)[-1].replace("–", "-").replace("×", "x")
        position, node = position.play(answer), answers[answer]
    stands(page, "You win")
    said(page, "has no")
    expect(page.locator("#board .cell.movable")).to_have_count(0)
    assert page.viewport_size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_an_opening_against_the_computer_as_black_on_a_phone(player: Visitor) -> None:
    page = player.device(**PHONE)
    start(page, level="medium", human="B")
    position = Position.start("turkish")
    for ply in range(1, 6, 2):
        expect(page.locator("#moves .ply")).to_have_count(ply, timeout=PATIENCE)
        position = position.play(played(page)[-1].replace("–", "-").replace("×", "x"))
        wait_for_the_turn(page, position)
        move = position.legal_moves[0]
        by_touch(page, move)
        position = position.after(move)
    expect(page.locator("#moves .ply")).to_have_count(7, timeout=PATIENCE)
    assert page.locator("[role=row] [data-square]").first.get_attribute("data-square") == "h1"
    box = page.locator("#board").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 360)
    undo = page.locator("#undo").bounding_box()
    assert undo is not None
    assert undo["y"] + undo["height"] < 740


@pytest.mark.parametrize("seating", ["fixed", "turning", "facing"])
def test_two_play_a_game_on_one_phone(player: Visitor, seating: str) -> None:
    page = player.device(**PHONE)
    start(page, text="W:Wa4,h2:Bb6", opponent="person", seating=seating)
    position = Position.from_fen("W:Wa4,h2:Bb6")
    corners = []
    for text, turn in (("a4-a5", "White to move"), ("b6-b5", "Black to move"), ("a5xc5", "White to move")):
        stands(page, turn)
        wait_for_the_turn(page, position)
        corners.append(page.locator("[role=row] [data-square]").first.get_attribute("data-square"))
        by_touch(page, position.parse_move(text))
        position = position.play(text)
    stands(page, "White wins")
    said(page, "Black has no piece left.")
    assert corners == (["a8", "h1", "a8"] if seating == "turning" else ["a8"] * 3)
    expect(page.locator("#mirror")).to_be_visible(visible=seating == "facing")
    page.locator("#undo").tap()
    stands(page, "White to move")
    assert shown(page) == {"a5": "white man", "h2": "white man", "b5": "black man"}


def test_every_button_of_a_game_against_the_computer(player: Visitor) -> None:
    page = player.device(**CLIPBOARD)
    start(page, rules="turkish", level="easy", human="W")
    stands(page, "Your move")
    before = shown(page)
    by_mouse(page, Position.start().parse_move("c3-c4"))
    expect(page.locator("#moves .ply")).to_have_count(2, timeout=PATIENCE)
    stands(page, "Your move")
    line, after = played(page), shown(page)
    page.locator("#undo").click()
    said(page, "Taken back.")
    assert (played(page), shown(page)) == ([], before)
    expect(page.locator("#undo")).to_be_disabled()
    expect(page.locator("#undo")).to_be_focused()
    page.locator("#redo").click()
    said(page, "Played again.")
    assert (played(page), shown(page)) == (line, after)
    page.locator("#first").click()
    assert shown(page) == before
    expect(page.locator("#status-text")).to_have_text("White to move")
    said(page, "The beginning")
    expect(page.locator("#typed")).to_be_hidden()
    page.locator("[data-square=d3]").click()
    expect(page.locator("#hint")).to_contain_text("An earlier position")
    page.locator("#next").click()
    expect(page.locator("#step-text")).to_have_text("1 of 2")
    expect(page.locator("#status-text")).to_have_text("Black to move")
    said(page, "White: c3–c4.")
    page.locator("#last").click()
    stands(page, "Your move")
    said(page, f"Black: {line[-1]}.")
    expect(page.locator("#typed")).to_be_visible()
    expect(page.locator("#last")).to_be_focused()
    page.locator("#prev").click()
    page.locator("#moves .ply").last.click()
    expect(page.locator("#moves .ply").last).to_be_focused()
    assert shown(page) == after
    page.locator("#advice").click()
    said(page, "A master would play")
    expect(page.locator("#board rect.hinted")).to_have_count(2)
    expect(page.locator("#advice")).to_be_focused()
    fen, link, pdn = (copied(page, f"copy-{name}") for name in ("fen", "link", "pdn"))
    assert Position.from_fen(fen).turn is Color.WHITE
    assert '[Black "Computer, easy"]' in pdn
    page.locator("#flip").click()
    assert page.locator("[role=row] [data-square]").first.get_attribute("data-square") == "h1"
    page.locator("#resign").click()
    page.locator("#question-no").click()
    stands(page, "Your move")
    page.locator("#resign").click()
    page.locator("#question-yes").click()
    stands(page, "The computer wins")
    said(page, "White has resigned.")
    expect(page.locator("#new-game")).to_be_focused()
    ended = copied(page, "copy-link")
    assert ended == f"{link}&ended=W"
    page.locator("#new-game").click()
    start(page, text=pdn)
    stands(page, "Your move")
    assert played(page) == line


def test_italian_dama_by_keyboard(player: Visitor) -> None:
    page = player.device()
    fen = "W:W22,32:BK18"
    start(page, text=fen, rules="italian", opponent="person")
    position = Position.from_fen(fen, "italian")
    wait_for_the_turn(page, position)
    page.locator("[data-square='29']").focus()
    path = []
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowDown", "End", "Home", "ArrowLeft"):
        page.keyboard.press(key)
        path.append(focused_square(page))
    assert path == ["25", "21", "22", "26", "28", "25", "25"]
    for key in ("ArrowRight", "ArrowUp", "Enter", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    assert focused_square(page) == "19"
    page.keyboard.press("Enter")
    stands(page, "Black to move")
    assert played(page) == ["22–19"]
    page.keyboard.press("u")
    wait_for_the_turn(page, position)
    page.keyboard.press("/")
    page.keyboard.type("22-26")
    page.keyboard.press("Enter")
    said(page, "“22-26” cannot be played here.")
    page.locator("#move").fill("32 28")
    page.keyboard.press("Enter")
    stands(page, "Black to move")
    assert played(page) == ["32–28"]


def test_the_computer_takes_a_draw_when_it_stands_worse_and_declines_when_better(player: Visitor) -> None:
    page = player.device()
    start(page, text="W:Wa2,h2:BKd8,Ke8,Kf8", level="easy", human="W")
    stands(page, "Your move")
    page.locator("#draw").click()
    said(page, "The computer wants to play on.")
    stands(page, "Your move")
    page.locator("#new-game").click()
    start(page, text="W:WKd1,Ke1,Kf1:Ba7,h7", level="easy", human="W")
    stands(page, "Your move")
    page.locator("#draw").click()
    stands(page, "A draw")
    page.locator("#undo").click()
    stands(page, "Your move")
