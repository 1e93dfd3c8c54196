"""A real site with a clock of its own, in a thread, and a real browser to use it with."""

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from sqlalchemy import select
from werkzeug.serving import make_server

from dama.proof import Proof
from puzzle_service import db
from puzzle_service.domain import puzzle_day
from puzzle_service.domain.record import parse
from puzzle_service.domain.review import Status
from puzzle_service.domain.roles import Role
from puzzle_service.models import Puzzle
from puzzle_service.searching import Searches
from puzzle_service.services import accounts, intake, passwords, publication
from puzzle_service.services.boards import board
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from puzzle_service.web import create_app, sheets, site
from puzzle_service.web.site import Site
from tests.browser.play import PATIENCE, token_of
from tests.conftest import do_without
from tests.searches import process

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# A Monday noon in Istanbul: the days that follow begin with two-movers.
MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
STOCK_LINES = 40
ADMIN = ("ayse", "a password for tests")
Scheme = Literal["light", "dark"]

expect.set_options(timeout=PATIENCE)


class Clock:
    """The site's clock: it stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = MONDAY

    def __call__(self) -> datetime:
        return self.now


class _Whole:
    """A WSGI application that gives its answers whole: the tests' server leaves files open that it sends in
    pieces to a browser that goes away meanwhile."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> list[bytes]:
        answer = self._app(environ, start_response)
        try:
            return [b"".join(answer)]
        finally:
            if hasattr(answer, "close"):
                answer.close()


class LiveSite:
    """A running site: its address, its clock, and a look into its database."""

    def __init__(self, settings: Settings, searches: Searches | None = None) -> None:
        self.settings, self.clock = settings, Clock()
        self.database = db.connect(settings)
        self._app = create_app(settings, self.clock, searches=searches)
        self._server = make_server("127.0.0.1", 0, _Whole(self._app), threaded=True)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def begin_anew(self, settings: Settings) -> None:
        """Go on with another database as of the first morning, at the address that browsers know already."""
        self.database.close()
        self.settings, self.clock = settings, Clock()
        self.database = db.connect(settings)
        site.init_app(self._app, Site(settings, self.clock, self.database))
        sheets.init_app(self._app)

    def start(self) -> None:
        """Answer requests from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Stop answering and give the database back."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self.database.close()
        self._app.extensions[site.EXTENSION].database.close()

    def schedule(self, suits: Callable[[Proof], bool]) -> PublishedPuzzle:
        """Publish for today, which must have no puzzle yet, the first of the approved ones that suits."""
        with self.database.write.begin() as session:
            approved = session.scalars(
                select(Puzzle).where(Puzzle.status == Status.APPROVED).order_by(Puzzle.id)
            )
            chosen = next(puzzle for puzzle in approved if suits(board(puzzle).proof))
            chosen.day = puzzle_day.day_of(self.clock(), self.settings.timezone)
            wanted = chosen.id
        published = self.today()
        assert published.puzzle_id == wanted
        return published

    def today(self) -> PublishedPuzzle:
        """Return today's puzzle, with the proof that players never see."""
        published = publication.ensure_published(self.database.write, self.clock(), self.settings)
        assert published is not None
        return published


@pytest.fixture(scope="session")
def stocked_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a part of the packaged stock, approved, and an admin; to be copied."""
    file = tmp_path_factory.mktemp("stock") / "dama.sqlite3"
    settings = Settings(database_url=f"sqlite:///{file}")
    db.upgrade(settings)
    database = db.connect(settings)
    with database.write.begin() as session, intake.packaged_stock().open("rb") as lines:
        for _, line in zip(range(STOCK_LINES), lines, strict=False):
            intake.add(session, parse(line), MONDAY, Status.APPROVED)
        accounts.create(
            session, ADMIN[0], passwords.hashed(ADMIN[1]), MONDAY, role=Role.ADMIN, player_id=None
        )
    with database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return file


@pytest.fixture(scope="session")
def standing_site(stocked_database: Path) -> Iterator[LiveSite]:
    """One server for all tests: so a browser keeps scripts and styles from one test to the next."""
    with _running(LiveSite(Settings(database_url=f"sqlite:///{stocked_database}"))) as running:
        yield running


@pytest.fixture
def live_site(standing_site: LiveSite, stocked_database: Path, tmp_path: Path) -> LiveSite:
    """A site that nobody has been to."""
    file = tmp_path / "dama.sqlite3"
    shutil.copyfile(stocked_database, file)
    standing_site.begin_anew(Settings(database_url=f"sqlite:///{file}"))
    return standing_site


@contextmanager
def _running(made: LiveSite) -> Iterator[LiveSite]:
    made.start()
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    executable = shutil.which("chromium")
    if executable is None:
        do_without("Chromium")
    running = playwright.chromium.launch(
        executable_path=executable,
        args=[
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
        ],
    )
    yield running
    running.close()


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """What went wrong in any page of the test: script errors, refused resources; must stay empty."""
    found: list[str] = []
    yield found
    assert found == []


class Devices:
    """Devices that tests use one after the other; to unpack a new one takes longer than most of them last."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}

    def take(self, kind: dict[str, Any], url: str) -> tuple[BrowserContext, Page]:
        """Return a device of a kind with an empty page; of a site it has scripts and styles and no more."""
        free = self._free.setdefault(repr(kind), [])
        context = free.pop() if free else self._browser.new_context(**kind)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        context.clear_cookies()
        tools = context.new_cdp_session(page)
        kept = {"origin": url, "storageTypes": "local_storage,indexeddb,cache_storage,service_workers"}
        tools.send("Storage.clearDataForOrigin", kept)
        tools.detach()
        return context, page

    def give_back(self, kind: dict[str, Any], context: BrowserContext) -> None:
        """Leave a device to whoever needs one next."""
        for page in context.pages:
            page.close()
        self._free[repr(kind)].append(context)


@pytest.fixture(scope="session")
def devices(browser: Browser) -> Devices:
    return Devices(browser)


class Visitor:
    """Somebody with a browser of their own: opens pages the way a device shows them."""

    def __init__(self, devices: Devices, site: LiveSite, faults: list[str]) -> None:
        self._devices, self._site, self._faults = devices, site, faults
        self._kind: dict[str, Any] = {}
        self._for_ever = False
        self._context: BrowserContext | None = None

    def device(
        self,
        *,
        width: int = 1280,
        height: int = 900,
        touch: bool = False,
        for_ever: bool = False,
        **kind: Any,
    ) -> Page:
        """Return a page on another device that keeps the cookies of the one before.

        One that is taken `for_ever` goes to nobody afterwards: what a test does to its clock stays.
        """
        cookies: Any = [] if self._context is None else self._context.cookies()
        self.leave()
        # With reduced motion nothing slides, and a series still rests on each stop.
        same = {"reduced_motion": "reduce", "locale": "en-GB", "base_url": self._site.url}
        self._kind = same | {"has_touch": touch, **kind}
        self._for_ever = for_ever
        self._context, page = self._devices.take(self._kind, self._site.url)
        self._context.add_cookies(cookies)
        page.set_viewport_size({"width": width, "height": height})
        page.on("pageerror", lambda error: self._faults.append(str(error)))
        page.on("console", lambda line: self._faults.append(line.text) if "Refused" in line.text else None)
        return page

    def leave(self) -> None:
        """Close the browser."""
        if self._context is None:
            return
        if self._for_ever:
            self._context.close()
        else:
            self._devices.give_back(self._kind, self._context)
        self._context = None


def sign_in(page: Page, path: str) -> None:
    """Open a page as the admin; that the form for it works is shown with the accounts."""
    form: dict[str, str | float | bool] = {
        "csrf_token": token_of(page, "/sign-in"),
        "name": ADMIN[0],
        "password": ADMIN[1],
    }
    assert page.request.post("/sign-in", form=form, max_redirects=0).status == 303
    page.goto(path)


@pytest.fixture
def visitor(devices: Devices, live_site: LiveSite, faults: list[str]) -> Iterator[Visitor]:
    somebody = Visitor(devices, live_site, faults)
    yield somebody
    somebody.leave()


@pytest.fixture(scope="session")
def engine_site(stocked_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with an engine, for all tests: games leave nothing on it."""
    file = tmp_path_factory.mktemp("engine") / "dama.sqlite3"
    shutil.copyfile(stocked_database, file)
    with process() as searching:
        made = LiveSite(Settings(database_url=f"sqlite:///{file}"), searching.searches)
        with _running(made) as running:
            yield running


@pytest.fixture
def player(devices: Devices, engine_site: LiveSite, faults: list[str]) -> Iterator[Visitor]:
    """Somebody at the site with an engine."""
    somebody = Visitor(devices, engine_site, faults)
    yield somebody
    somebody.leave()
