"""Ways to play a move on the page: by mouse, by touch, by keyboard, by typing."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from dama import Color, Move, Position
from dama.proof import best_defence
from dama.squares import square_name, squares_in
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import body

PATIENCE = 120_000
"""Milliseconds that anything on a page may take: a busy machine is no fault of the site."""

Hand = Callable[[Page, Move], None]


def by_mouse(page: Page, move: Move) -> None:
    """Click every stop of the move."""
    for square in move.path:
        _cell(page, move, square).click()


def by_end(page: Page, move: Move) -> None:
    """Click the piece and the square where the series ends."""
    for square in (move.origin, move.target):
        _cell(page, move, square).click()


def by_drag(page: Page, move: Move) -> None:
    """Drag the piece from stop to stop, letting go on each."""
    for start, end in zip(move.path, move.path[1:], strict=False):
        _cell(page, move, start).hover()
        page.mouse.down()
        _cell(page, move, end).hover()
        page.mouse.up()


def by_touch(page: Page, move: Move) -> None:
    """Tap every stop of the move."""
    for square in move.path:
        _cell(page, move, square).tap()


def _cell(page: Page, move: Move, square: int) -> Locator:
    return page.locator(f"[data-square='{move.grid.name(square)}']")


def by_keyboard(page: Page, move: Move) -> None:
    """Reach the board with Tab, every stop with the arrows, and press Enter there."""
    for _ in range(60):
        if focused_square(page):
            break
        page.keyboard.press("Tab")
    for square in move.path:
        _walk(page, square_name(square))
        page.keyboard.press("Enter")


def focused_square(page: Page) -> str:
    """Return the square that has the keyboard's focus, or an empty text."""
    square = page.evaluate("document.activeElement.dataset.square ?? ''")
    assert isinstance(square, str)
    return square


def _walk(page: Page, target: str) -> None:
    flipped = page.evaluate("document.querySelector('[role=row] [data-square]').dataset.square") == "h1"
    keys = ("ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp")
    left, right, down, up = (keys[1], keys[0], keys[3], keys[2]) if flipped else keys
    for _ in range(16):
        here = focused_square(page)
        if here == target:
            return
        if here[0] != target[0]:
            page.keyboard.press(right if here[0] < target[0] else left)
        else:
            page.keyboard.press(up if here[1] < target[1] else down)
    raise AssertionError(f"the arrows do not lead to {target} but to {focused_square(page)}")


def solve(page: Page, published: PublishedPuzzle, hand: Hand) -> None:
    """Play the right moves against the defence that the site must choose, until the puzzle is solved."""
    position, node = published.position, published.proof.root
    while True:
        text, answers = next(iter(node["wins"].items()))
        hand(page, position.parse_move(text))
        if not answers:
            break
        defence = best_defence(answers)
        position = position.play(text).play(defence)
        node = answers[defence]
        wait_for_the_turn(page, position)
    expect(page.locator("#say.good")).to_contain_text("wins.")


def solve_unseen(page: Page, published: PublishedPuzzle) -> None:
    """Solve today's puzzle by requests alone: what comes of it matters here, and not how it is played."""
    token = token_of(page, "/")
    moves = f"/api/v1/puzzles/{published.number}/moves"
    for move in published.proof.main_line()[::2]:
        puzzle = page.request.get("/api/v1/puzzles/today").json()
        answer = page.request.post(moves, data=body(puzzle, move), headers={"X-CSRFToken": token})
        assert answer.ok, answer.text()
    assert answer.json()["verdict"] == "solved"


def token_of(page: Page, path: str) -> str:
    """Return what a page of the site gives along for whoever sends something from it."""
    text = page.request.get(path).text()
    found = re.search(r'name="csrf-token" content="([^"]+)"|name="csrf_token" value="([^"]+)"', text)
    assert found
    return found[1] or found[2]


def wait_for_the_turn(page: Page, position: Position) -> None:
    """Wait until the board shows the position and just the pieces that may move there can be picked up."""
    name = position.rules.grid.name
    movers = {name(move.origin) for move in position.legal_moves}
    movable = page.locator("#board .cell.movable")
    expect(movable).to_have_count(len(movers))
    assert set(movable.evaluate_all("cells => cells.map(cell => cell.dataset.square)")) == movers
    occupied = page.locator("#board").get_by_role("gridcell", name=re.compile(r" (man|king)\b"))
    squares = occupied.evaluate_all("cells => cells.map(cell => cell.dataset.square)")
    pieces = position.pieces(Color.WHITE).all | position.pieces(Color.BLACK).all
    assert set(squares) == {name(square) for square in squares_in(pieces)}
