"""The generator among the review pages: started, looked at, stopped, and told of in words."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from puzzle_service import generating
from puzzle_service.db import Database
from puzzle_service.domain.review import Status
from puzzle_service.services import generation
from puzzle_service.services.generation import Result
from puzzle_service.settings import Settings
from tests.conftest import AddPuzzles
from tests.web.conftest import ADMIN, ON_BOTH, Clock, Visitor
from tests.web.reviewing import said, send, words

PAGE = "/admin/generation"
LEASE = timedelta(seconds=generation.LEASE_SECONDS)


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The runs whose process would have been started: here none is."""
    runs: list[int] = []

    def spawn(_settings: Settings, run_id: int) -> None:
        runs.append(run_id)

    monkeypatch.setattr(generating, "spawn", spawn)
    return runs


@pytest.fixture
def show(database: Database, clock: Clock) -> Callable[..., str]:
    """A function that shows the progress of a run, as its process would."""

    def shown(run_id: int, accepted: int, checked: int = 0, lines: tuple[str, ...] = ()) -> str:
        with database.write.begin() as session:
            return generation.show(
                session, run_id, clock.now, accepted=accepted, checked=checked, lines=list(lines)
            )

    return shown


@pytest.fixture
def end(database: Database, clock: Clock) -> Callable[..., None]:
    """A function that ends a run, as its process would."""

    def ended(run_id: int, result: Result, added: int, error: str | None = None) -> None:
        with database.write.begin() as session:
            generation.end(session, run_id, clock.now, result, added=added, error=error)

    return ended


@ON_BOTH
def test_a_run_is_started_shown_and_stopped(
    admin: Visitor, spawned: list[int], show: Callable[..., str], end: Callable[..., None], clock: Clock
) -> None:
    assert "The generator has not been started yet." in admin.open("/admin/stock")
    answer = send(admin, PAGE, seconds=60)
    assert (answer.status_code, answer.location) == (303, PAGE)
    (run_id,) = spawned
    page = admin.open(PAGE)
    assert "The generator is running." in page
    assert 'data-going="/admin/generation"' in page
    assert f"by {ADMIN[0]}, for 60 s." in words(page)
    clock.now += timedelta(seconds=20)
    assert show(run_id, 7, lines=("<b>12 candidates</b>",)) == "go_on"
    page = admin.open(PAGE)
    assert "20 s of 60, 7 found" in page
    assert '<progress max="60" value="20"' in page
    assert "&lt;b&gt;12 candidates&lt;/b&gt;" in page
    assert "20 s of 60, 7 found" in admin.open("/admin/stock")
    assert send(admin, f"{PAGE}/stop", run=run_id).status_code == 303
    assert show(run_id, 9) == "stop"
    page = admin.open(PAGE)
    assert "The generator is stopping." in page
    assert 'action="/admin/generation/stop"' not in page
    show(run_id, 9, 4)
    assert "9 found, 4 checked" in admin.open(PAGE)
    end(run_id, "stopped", 8)
    page = admin.open(PAGE)
    assert "The generator was stopped." in page
    assert "8 new candidates" in page
    assert 'href="/admin">Review them' in page
    assert "data-going" not in page
    log = words(admin.open("/admin/log"))
    assert "Generator started for 60 s" in log


def test_a_second_run_is_not_started_beside_the_first(admin: Visitor, spawned: list[int]) -> None:
    admin.open("/admin/stock")
    send(admin, PAGE, seconds=60)
    assert "The generator runs already." in said(admin, send(admin, PAGE, seconds=60))
    assert len(spawned) == 1
    assert 'name="seconds"' not in admin.open("/admin/stock")


@pytest.mark.parametrize("seconds", ["", "9", "3601", "-60", "60.5", "1e3", "99999999999999999999", "٣٠"])
def test_a_run_needs_a_number_of_seconds_within_bounds(
    admin: Visitor, spawned: list[int], seconds: str
) -> None:
    admin.open("/admin/stock")
    assert said(admin, send(admin, PAGE, seconds=seconds)) == (
        "A number of seconds from 10 to 3600 is needed."
    )
    assert spawned == []


@pytest.mark.parametrize("seconds", [10, 3600])
def test_the_bounds_themselves_will_do(admin: Visitor, spawned: list[int], seconds: int) -> None:
    admin.open("/admin/stock")
    send(admin, PAGE, seconds=seconds)
    assert len(spawned) == 1


def test_a_run_whose_process_is_gone_is_told_to_be_lost_and_another_may_begin(
    admin: Visitor, spawned: list[int], clock: Clock
) -> None:
    admin.open("/admin/stock")
    send(admin, PAGE, seconds=60)
    clock.now += LEASE
    page = admin.open(PAGE)
    assert "The generator was lost" in page
    assert "data-going" not in page
    answer = send(admin, f"{PAGE}/stop", run=spawned[0])
    assert "That run is over." in said(admin, answer)
    send(admin, PAGE, seconds=60)
    assert len(spawned) == 2
    assert "The generator is running." in admin.open(PAGE)


def test_what_went_wrong_is_told(
    admin: Visitor, spawned: list[int], end: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    admin.open("/admin/stock")
    send(admin, PAGE, seconds=60)
    end(spawned[0], "failed", 2, "line 3: key: 'a1-a2'; the proof has b2-b3")
    page = words(admin.open(PAGE))
    assert "The generator has failed. 2 new candidates. line 3: key: 'a1-a2'; the proof has b2-b3" in page

    def fail(_settings: Settings, _run_id: int) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(generating, "spawn", fail)
    send(admin, PAGE, seconds=60)
    assert "The generator has failed. 0 new candidates. no more processes" in words(admin.open(PAGE))


@ON_BOTH
def test_what_cannot_be_the_number_of_a_run_is_refused(admin: Visitor, spawned: list[int]) -> None:
    admin.open("/admin/stock")
    for text in ("", "one", "-1", "99999999999"):
        assert send(admin, f"{PAGE}/stop", run=text).status_code == 400, text
    for unknown in (7, 4294967296):
        assert "That run is over." in said(admin, send(admin, f"{PAGE}/stop", run=unknown))


def test_nothing_is_started_without_a_token(admin: Visitor, spawned: list[int]) -> None:
    assert admin.client.post(PAGE, data={"seconds": "60"}).status_code == 400
    assert admin.client.get(f"{PAGE}/stop").status_code == 405
    assert spawned == []


def test_the_queue_offers_to_generate_while_it_is_short(
    admin: Visitor, spawned: list[int], add_puzzles: AddPuzzles
) -> None:
    add_puzzles(24, Status.CANDIDATE)
    assert 'action="/admin/generation"' in admin.open("/admin")
    assert 'action="/admin/generation"' not in admin.open("/admin?status=approved")
    add_puzzles(1, Status.CANDIDATE)
    assert 'action="/admin/generation"' not in admin.open("/admin")
