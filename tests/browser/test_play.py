"""Whole games on the page to play on, in a real browser and against the real engine."""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from dama import Color, Position
from dama.proof import Proof
from puzzle_service.domain.record import parse
from puzzle_service.services import intake
from puzzle_service.settings import Settings
from puzzle_service.web.i18n import LANGUAGES
from tests.browser.conftest import Clock, LiveSite, Visitor
from tests.browser.play import (
    PATIENCE,
    Hand,
    by_keyboard,
    by_mouse,
    by_touch,
    focused_square,
    wait_for_the_turn,
)
from tests.searches import process

PHONE: dict[str, Any] = {"width": 360, "height": 740, "touch": True}
CLIPBOARD: dict[str, Any] = {"permissions": ["clipboard-read", "clipboard-write"]}
TWO_KINGS = "W:WKa1,b2:BKh8,Kg7"
"""Nobody has to capture, and nobody can at once."""


@pytest.fixture(scope="session")
def engine_site(stocked_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with an engine, for all tests: games leave nothing on it."""
    file = tmp_path_factory.mktemp("engine") / "dama.sqlite3"
    shutil.copyfile(stocked_database, file)
    with process() as searching:
        running = LiveSite(Settings(database_url=f"sqlite:///{file}"), Clock(), searching.searches)
        running.start()
        try:
            yield running
        finally:
            running.stop()


@pytest.fixture
def player(browser: Browser, engine_site: LiveSite, faults: list[str]) -> Iterator[Visitor]:
    """Somebody at the site with an engine."""
    somebody = Visitor(browser, engine_site, faults)
    yield somebody
    somebody.leave()


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


@cache
def _win_in_two() -> Proof:
    """Return a win against every defence, which the engine may choose among."""
    with intake.packaged_stock().open("rb") as lines:
        return next(record.proof for record in map(parse, lines) if record.moves == 2)


@pytest.mark.parametrize(
    ("level", "hand", "device"),
    [
        ("easy", by_touch, PHONE),
        ("medium", by_touch, PHONE),
        ("hard", by_touch, PHONE),
        ("easy", by_keyboard, {}),
    ],
)
def test_a_won_position_is_won_against_every_level(
    player: Visitor, level: str, hand: Hand, device: dict[str, Any]
) -> None:
    proof = _win_in_two()
    position, node = proof.position, proof.root
    page = player.device(**device)
    start(page, text=position.fen(), level=level, human=position.turn.value)
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
    page.locator("#redo").click()
    said(page, "Played again.")
    assert (played(page), shown(page)) == (line, after)
    page.locator("#first").click()
    assert shown(page) == before
    page.locator("[data-square=d3]").click()
    expect(page.locator("#hint")).to_contain_text("An earlier position")
    page.locator("#next").click()
    expect(page.locator("#step-text")).to_have_text("1 of 2")
    page.locator("#last").click()
    page.locator("#prev").click()
    page.locator("#moves .ply").last.click()
    assert shown(page) == after
    page.locator("#advice").click()
    said(page, "A master would play")
    expect(page.locator("#board rect.hinted")).to_have_count(2)
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
    ended = copied(page, "copy-link")
    assert ended == f"{link}&ended=W"
    page.locator("#new-game").click()
    start(page, text=pdn)
    stands(page, "Your move")
    assert played(page) == line


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
    page.locator("#adopt").click()
    expect(page.locator("#from-given")).to_contain_text("after 2 moves")
    start(page, opponent="person")
    stands(page, "White to move")
    assert page.url.endswith("/play")
    assert len(played(page)) == 2


def test_a_link_that_holds_no_game_says_so_and_a_new_game_can_begin(player: Visitor) -> None:
    page = player.device()
    for query in (
        "rules=chess",
        "moves=a1-a2",
        "start=W:W:B",
        "moves=zz",
        "rules=turkish&moves=c3-c4&ended=X",
    ):
        page.goto(f"/play?{query}")
        said(page, "This game cannot go on.")
    page.locator("#new-game").click()
    start(page, opponent="person")
    stands(page, "White to move")


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


def test_what_may_not_move_says_why_and_what_is_announced_can_be_turned_off(player: Visitor) -> None:
    page = player.device()
    start(page, text="W:Wb7,d4,g2:Bd5,Kh8", opponent="person")
    stands(page, "White to move")
    page.locator("[data-square=g2]").click()
    expect(page.locator("#hint")).to_have_text("g2 may not move: d4 must capture.")
    page.locator("[data-square=h8]").click()
    expect(page.locator("#hint")).to_have_text("White is to move.")
    expect(page.locator("[data-square=d4]")).to_have_attribute("aria-label", re.compile("must capture"))
    by_mouse(page, Position.from_fen("W:Wd4:Bd5,Kh8").parse_move("d4xd6"))
    said(page, "White: d4×d6, takes 1.")
    stands(page, "Black to move")
    page.locator("[data-square=h8]").click()
    page.locator("[data-square=h6]").click()
    said(page, "Pieces of White are under attack: d6 and b7.")
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
    fourth.reload()
    stands(fourth, "White to move")
    other.reload()
    assert played(third) == ["c3–c4"]


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


def test_damaged_storage_is_told_and_put_away(player: Visitor) -> None:
    page = player.device()
    page.goto("/play")
    for key, value in {"dama.game.1": "{", "dama.game.2": '{"version": 99}', "dama.play": "7"}.items():
        page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, value])
    page.evaluate("sessionStorage.setItem('dama.game', '1')")
    page.reload()
    expect(page.locator("#damaged")).to_contain_text("cannot be read any more")
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
    page.locator("#new-game").click()
    start(page, opponent="person")
    stands(page, "White to move")
    for route in held:
        route.continue_()
    by_mouse(page, Position.start().parse_move("a3-a4"))
    stands(page, "Black to move")
    assert played(page) == ["a3–a4"]


def test_a_text_that_is_no_game_is_refused_with_a_reason(player: Visitor) -> None:
    page = player.device()
    start(page, text="W:Wb2,a9:Bh8")
    expect(page.locator("#from-error")).to_contain_text("a9")
    page.locator("#from").fill("1. c3-c4 d6-d9")
    page.locator("#start").click()
    expect(page.locator("#from-error")).to_contain_text("d9")
    expect(page.locator("#setup")).to_be_visible()


def test_without_javascript_the_page_says_that_it_needs_it(player: Visitor) -> None:
    page = player.device(java_script_enabled=False)
    page.goto("/play")
    expect(page.locator("main")).to_contain_text("this page needs JavaScript")
    expect(page.locator("#start")).to_be_hidden()


def test_the_head_and_the_set_up_fit_a_phone_in_every_language(player: Visitor) -> None:
    page = player.device(**PHONE)
    for language in LANGUAGES:
        page.goto(f"/play?lang={language}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        head = page.locator(".top").bounding_box()
        assert head is not None
        assert head["height"] < 60
