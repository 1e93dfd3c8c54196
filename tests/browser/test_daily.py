"""The daily puzzle in a real browser."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle

import pytest
from playwright.sync_api import Page, expect

from dama import Move, Position
from dama.proof import Proof
from dama.squares import square_name, squares_in
from tests.browser.conftest import LiveSite, Visitor
from tests.browser.play import (
    Hand,
    by_drag,
    by_end,
    by_keyboard,
    by_mouse,
    by_touch,
    solve,
    wait_for_the_turn,
)
from tests.web.conftest import wrong_moves

DAY = timedelta(days=1)


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
    assert {name: _tile(page, name) for name in ("streak", "best streak", "solved", "played")} == {
        "streak": "3",
        "best streak": "3",
        "solved": "3",
        "played": "3",
    }
    expect(page.locator(".calendar .day.solved")).to_have_count(3)


def _tile(page: Page, name: str) -> str:
    return page.locator(".tile", has=page.get_by_text(name, exact=True)).locator("b").inner_text()


def test_solved_by_dragging_and_by_both_ends_of_a_move(live_site: LiveSite, visitor: Visitor) -> None:
    published = live_site.schedule(lambda proof: proof.moves == 3 and _ends_say_which_move(proof))
    hands: Iterator[Hand] = cycle((by_drag, by_end))
    page = visitor.device()
    page.goto("/")

    def by_turns(page: Page, move: Move) -> None:
        next(hands)(page, move)

    solve(page, published, by_turns)


def _ends_say_which_move(proof: Proof) -> bool:
    position = proof.position
    for text in proof.main_line():
        move = position.parse_move(text)
        ends = (move.origin, move.target)
        if sum((other.origin, other.target) == ends for other in position.legal_moves) > 1:
            return False
        position = position.after(move)
    return True


def test_failing_three_times_shows_the_solution_and_no_fourth_attempt(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    for left, text in zip((2, 1, 0), wrong_moves(published.proof.root)[:3], strict=True):
        by_mouse(page, published.position.parse_move(text))
        expect(page.locator("#left")).to_have_text(
            f"{left} attempt{'s' * (left > 1)} left" if left else "No attempts left"
        )
        expect(page.locator("#say")).to_contain_text("does not win")
        if left:
            wait_for_the_turn(page, published.position)
    expect(page.locator("#stepper")).to_be_visible()
    expect(page.locator("#board .cell.movable")).to_have_count(0)
    page.reload()
    expect(page.locator("#stepper")).to_be_visible()
    expect(page.locator("#streak-link")).to_be_hidden()


def test_after_a_wrong_move_the_right_one_still_works(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    by_mouse(page, published.position.parse_move(wrong_moves(published.proof.root)[0]))
    expect(page.locator("#left")).to_have_text("2 attempts left")
    wait_for_the_turn(page, published.position)
    solve(page, published, by_mouse)
    expect(page.locator("#left")).to_contain_text("second")


def test_who_won_by_another_last_move_walks_through_the_line_as_played(
    live_site: LiveSite, visitor: Visitor
) -> None:
    published = live_site.schedule(lambda proof: proof.moves == 2 and bool(_other_win(proof)))
    page = visitor.device()
    page.goto("/")
    key, answer = published.proof.main_line()[:2]
    played = [key, answer, _other_win(published.proof)]
    _type_and_submit(page, key)
    wait_for_the_turn(page, _after_the_answer(published.proof))
    page.locator("#move").fill(played[-1])
    page.keyboard.press("Enter")
    expect(page.locator("#share")).to_be_focused()
    printed = [text.replace("-", "–").replace("x", "×") for text in played]
    expect(page.locator("#solution-line li")).to_have_text(printed)
    expect(page.locator("#step-text")).to_contain_text(printed[-1])
    page.locator("#step-back").focus()
    for _ in played:
        page.keyboard.press("Enter")
    expect(page.locator("#step-text")).to_have_text("The starting position")
    expect(page.locator("#step-back")).to_be_disabled()
    expect(page.locator("#step-back")).to_be_focused()
    page.reload()
    page.locator("#solution-line button").last.click()
    expect(page.locator("#solution-line li")).not_to_have_text(printed)


def _other_win(proof: Proof) -> str:
    """Return a move that wins as well as the last one of the solution, or an empty text."""
    key, answer, last = proof.main_line()
    return next((move for move in proof.root["wins"][key][answer]["wins"] if move != last), "")


def test_a_reload_in_mid_solve_goes_on_where_it_was(live_site: LiveSite, visitor: Visitor) -> None:
    published = live_site.schedule(lambda proof: proof.moves == 3)
    page = visitor.device()
    page.goto("/")
    line = published.proof.main_line()
    by_mouse(page, published.position.parse_move(line[0]))
    position = published.position.play(line[0]).play(line[1])
    wait_for_the_turn(page, position)
    page.reload()
    expect(page.locator("#say")).to_contain_text("Right so far.")
    wait_for_the_turn(page, position)
    by_mouse(page, position.parse_move(line[2]))
    expect(page.locator("#say")).to_contain_text("is right.")
    position = position.play(line[2]).play(line[3])
    wait_for_the_turn(page, position)
    by_mouse(page, position.parse_move(line[4]))
    expect(page.locator("#left")).to_have_text("Solved on the first attempt")


def test_a_typed_move_is_played_and_a_text_that_only_holds_one_is_not(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    typed = f"zz {published.proof.key}".replace("-", "?")
    page.locator("#move").fill(typed)
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text(f"“{typed}” is not a move.")
    expect(page.locator("#move")).to_have_value(typed)
    wait_for_the_turn(page, published.position)
    expect(page.locator("#left")).to_have_text("3 attempts left")
    page.locator("#move").fill("")
    page.locator("#move").blur()
    page.keyboard.press("/")
    page.keyboard.type(published.proof.key)
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("is right.")
    line = published.proof.main_line()
    wait_for_the_turn(page, published.position.play(line[0]).play(line[1]))
    expect(page.locator("#left")).to_have_text("3 attempts left")
    expect(page.locator("#move")).to_have_value("")


def test_a_move_typed_while_a_refutation_is_shown_is_played_after_it(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    by_mouse(page, published.position.parse_move(wrong_moves(published.proof.root)[0]))
    expect(page.locator("#left")).to_have_text("2 attempts left")
    page.locator("#move").fill(published.proof.key)
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("is right")


def test_touching_a_man_that_may_not_move_says_why(live_site: LiveSite, visitor: Visitor) -> None:
    published = live_site.schedule(lambda proof: _one_must_capture(_after_the_answer(proof)))
    page = visitor.device()
    page.goto("/")
    by_mouse(page, published.position.parse_move(published.proof.key))
    position = _after_the_answer(published.proof)
    wait_for_the_turn(page, position)
    mover, idle = position.legal_moves[0].origin, _idle(position)[0]
    taker = page.locator(f"[data-square={square_name(mover)}]")
    expect(taker).to_have_attribute("aria-label", re.compile("must capture"))
    hint = page.locator("#hint")
    page.locator(f"[data-square={square_name(idle)}]").click()
    expect(hint).to_have_text(f"{square_name(idle)} may not move: {square_name(mover)} must capture.")
    taker.click()
    expect(hint).to_contain_text(f"{square_name(mover)} selected.")


def _after_the_answer(proof: Proof) -> Position:
    key, answer = proof.main_line()[:2]
    return proof.position.play(key).play(answer)


def _one_must_capture(position: Position) -> bool:
    return (
        bool(position.legal_moves[0].captured)
        and len({move.origin for move in position.legal_moves}) == 1
        and bool(_idle(position))
    )


def _idle(position: Position) -> list[int]:
    """Return the squares of the pieces of the side to move that have no legal move."""
    movers = {move.origin for move in position.legal_moves}
    return [square for square in squares_in(position.pieces(position.turn).all) if square not in movers]


def test_a_tab_left_open_over_midnight_says_that_there_is_a_new_puzzle(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device(for_ever=True)
    live_site.clock.now += timedelta(hours=11, minutes=58)  # two minutes before midnight
    page.clock.install(time=live_site.clock.now)
    page.goto("/")
    before = page.locator("h1").inner_text()
    notice = page.locator("#notice")
    page.clock.fast_forward(70_000)
    expect(page.locator("#countdown")).to_have_text("new puzzle in less than a minute")
    expect(notice).to_be_empty()
    page.clock.fast_forward(70_000)
    expect(notice).to_contain_text("There is a new puzzle")
    assert page.locator("h1").inner_text() == before
    live_site.clock.now += timedelta(minutes=3)
    notice.get_by_role("link").click()
    expect(page.locator(".kicker")).to_contain_text("Puzzle 2")


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
def test_a_verdict_looks_the_same_with_and_without_javascript(
    live_site: LiveSite, visitor: Visitor, scripts: bool
) -> None:
    published = live_site.schedule(lambda proof: bool(proof.root["slow"] and proof.root["refuted"]))
    page = visitor.device(java_script_enabled=scripts)
    page.goto("/")
    root = published.proof.root
    for text, words, kind, icon in (
        ("a1-h8", "is not possible", "warn", "warn"),
        (root["slow"][0], "one move later", "slow", "slow"),
        (wrong_moves(root)[0], "does not win", "bad", "cross"),
        (published.proof.key, "is right", "good", "check"),
    ):
        _type_and_submit(page, text)
        say = page.locator("#say")
        expect(say).to_contain_text(words)
        expect(say).to_have_class(f"say {kind}")
        expect(say.locator("use")).to_have_attribute("href", re.compile(f"#{icon}$"))
        if scripts and text != published.proof.key:
            wait_for_the_turn(page, published.position)


def test_without_javascript_a_wrong_move_is_explained_and_the_puzzle_solved(
    live_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor.device(width=360, java_script_enabled=False)
    page.goto("/")
    published = live_site.today()
    expect(page.locator("#board svg")).to_be_visible()
    _type_and_submit(page, wrong_moves(published.proof.root)[0])
    expect(page.locator("#say")).to_contain_text("does not win")
    expect(page.locator("#left")).to_have_text("2 attempts left")
    for text in published.proof.main_line()[::2]:
        _type_and_submit(page, text)
    expect(page.locator("#say.good")).to_be_visible()
    expect(page.locator("#streak")).to_have_text("1")


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


def test_a_right_to_left_page_does_not_mirror_the_board(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/")
    published = live_site.today()
    page.evaluate("document.documentElement.dir = 'rtl'")
    left, right = (page.locator(f"#board [data-square={name}]").bounding_box() for name in ("a1", "h1"))
    assert left is not None
    assert right is not None
    assert (left["x"] < right["x"]) is (published.position.turn.value == "W")
    by_mouse(page, published.position.parse_move(published.proof.key))
    expect(page.locator("#say")).to_contain_text("is right.")
