"""The review queue in a real browser, by keyboard alone."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import update

from puzzle_service import generating
from puzzle_service.models import Puzzle
from puzzle_service.services import generation
from puzzle_service.web.notices import move_text
from tests.browser.conftest import ADMIN, LiveSite, Visitor, sign_in


def _only_candidates(site: LiveSite) -> None:
    with site.database.write.begin() as session:
        session.execute(update(Puzzle).where(Puzzle.status == "approved").values(status="candidate"))


def _open(page: Page) -> None:
    sign_in(page, "/admin")
    expect(page.locator("[data-item]").first).to_be_visible()
    page.wait_for_load_state("load")  # the keys are there once the page's scripts are


def _wait_for_the_walker(page: Page) -> None:
    # It is there once the page's scripts are, and so are the keys.
    expect(page.locator("#walker button").first).to_be_visible()


def test_an_admin_approves_by_keyboard_and_the_puzzle_appears(live_site: LiveSite, visitor: Visitor) -> None:
    _only_candidates(live_site)
    page = visitor.device()
    _open(page)
    page.keyboard.press("j")
    page.keyboard.press("j")
    chosen = page.evaluate("document.activeElement.getAttribute('href')")
    page.keyboard.press("Enter")
    _wait_for_the_walker(page)
    title = page.locator("h1").inner_text()
    page.keyboard.press("a")
    expect(page.locator(".say.good")).to_be_visible()
    live_site.clock.now += timedelta(days=1)
    assert chosen.endswith(live_site.today().puzzle_id)
    page.goto("/")
    assert page.locator("h1").inner_text().split(":")[1] == title.split(":")[1]


def test_an_admin_rejects_with_a_reason_and_skips(live_site: LiveSite, visitor: Visitor) -> None:
    _only_candidates(live_site)
    page = visitor.device()
    _open(page)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    _wait_for_the_walker(page)
    first = page.url
    page.keyboard.press("r")
    page.keyboard.type("a plain capture")
    page.keyboard.press("Enter")
    expect(page.locator(".say.good")).to_be_visible()
    assert page.url != first
    second = page.url
    _wait_for_the_walker(page)
    page.keyboard.press("s")
    page.wait_for_url(lambda url: url != second)
    with live_site.database.read() as session:
        row = session.get(Puzzle, first.rsplit("/", 1)[1])
        assert row is not None
        assert (row.status, row.reason, row.reviewed_by) == ("rejected", "a plain capture", ADMIN[0])


def test_a_near_miss_is_stepped_through_on_the_board_by_keyboard(
    live_site: LiveSite, visitor: Visitor
) -> None:
    _only_candidates(live_site)
    with live_site.database.read() as session:
        puzzle = next(one for one in session.query(Puzzle) if any(one.findings["tries"].values()))
        move, line = max(puzzle.findings["tries"].items(), key=lambda each: len(each[1]))
        puzzle_id, moves = puzzle.id, puzzle.moves
    page = visitor.device()
    sign_in(page, f"/admin/puzzles/{puzzle_id}")
    _wait_for_the_walker(page)
    page.locator(f'[data-line="{" ".join((move, *line))}"] button').focus()
    page.keyboard.press("Enter")
    for ply in (move, *line):
        current = page.locator('#walker [aria-current="step"]')
        expect(current).to_have_text(move_text(ply))
        if ply != line[-1]:
            page.keyboard.press("ArrowRight")
    expect(page.locator("#walker .walk-end")).to_have_text(f"End of the line: no win in {moves}.")
    page.keyboard.press("ArrowLeft")
    expect(page.locator('#walker [aria-current="step"]')).to_have_text(move_text((move, *line)[-2]))


def test_a_run_of_the_generator_is_followed_without_loading_the_page(
    live_site: LiveSite, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    _only_candidates(live_site)
    runs: list[int] = []
    monkeypatch.setattr(generating, "spawn", lambda _settings, run_id: runs.append(run_id))
    page = visitor.device()
    sign_in(page, "/admin/stock")
    page.locator("#seconds").fill("30")
    page.keyboard.press("Enter")
    expect(page.locator("#run .state")).to_have_text("The generator is running.")
    expect(page.locator("#refresh")).to_be_hidden()
    with live_site.database.write.begin() as session:
        now = live_site.clock()
        generation.show(session, runs[0], now, accepted=5, checked=0, lines=["12 candidates, 5 accepted"])
    expect(page.locator("#run")).to_contain_text("5 found")
    page.locator("#run summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#run")).to_contain_text("12 candidates, 5 accepted")
    with live_site.database.write.begin() as session:
        generation.end(session, runs[0], live_site.clock(), "done", added=4)
    expect(page.locator("#run .state")).to_have_text("The generator is done.")
    expect(page.locator("#run")).to_contain_text("4 new candidates")
    expect(page.get_by_role("button", name="Generate more")).to_be_visible()


def test_a_wrong_password_lets_nobody_in(live_site: LiveSite, visitor: Visitor) -> None:
    page = visitor.device()
    page.goto("/sign-in?next=/admin")
    page.locator("input[name=name]").fill(ADMIN[0])
    page.locator("input[name=password]").fill("not the password")
    page.keyboard.press("Enter")
    expect(page.locator("[role=alert], .say.bad, .error").first).to_be_visible()
    expect(page.locator("[data-item]")).to_have_count(0)
