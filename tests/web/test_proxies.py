"""Who is believed about addresses and names of hosts, and what every answer carries for the browser."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from http.cookiejar import CookieJar
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import pytest
from flask import Flask, request

from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.domain.roles import Role
from puzzle_service.services import accounts, passwords
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Settings
from puzzle_service.web.security import HEADERS
from tests.service.test_serve import free_port
from tests.web.conftest import ADMIN, Clock, MakeSite, Visitor

PATIENCE = 60.0


def seen(app: Flask, headers: dict[str, str]) -> tuple[str | None, str, str]:
    """Return the address, the scheme and the host that the site sees in a request by 10.0.0.1."""
    found: list[tuple[str | None, str, str]] = []

    @app.before_request
    def look() -> None:
        found.append((request.remote_addr, request.scheme, request.host))

    app.test_client().get("/about-nothing", headers=headers, environ_base={"REMOTE_ADDR": "10.0.0.1"})
    return found[-1]


FORGED = {
    "X-Forwarded-For": "203.0.113.1, 203.0.113.2, 203.0.113.3",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Prefix": "/evil",
    "X-Forwarded-Port": "6666",
    "Forwarded": "for=203.0.113.9",
    "X-Real-IP": "203.0.113.9",
}


@pytest.mark.parametrize(
    ("proxies", "expected"),
    [
        (0, ("10.0.0.1", "http", "localhost")),
        (1, ("203.0.113.3", "https", "localhost")),
        (2, ("203.0.113.2", "http", "localhost")),
        (3, ("203.0.113.1", "http", "localhost")),
        (4, ("10.0.0.1", "http", "localhost")),
    ],
)
def test_as_many_proxies_are_believed_as_the_setting_says(
    make_site: MakeSite, proxies: int, expected: tuple[str, str, str]
) -> None:
    assert seen(make_site(proxies=proxies), FORGED) == expected


@pytest.mark.parametrize(
    ("host", "welcome"),
    [
        ("dama.example", True),
        ("dama.example:8443", True),
        ("DAMA.example", False),
        ("www.oyun.example", True),
        ("oyun.example", True),
        ("localhost", False),
        ("evil.example", False),
        ("dama.example.evil.example", False),
        ("notoyun.example", False),
        ("dama.example@evil.example", False),
        ("dama.example\n", False),
        ("dama.example:99999", False),
        ("", False),
        ("ünlü.example", False),
    ],
)
def test_the_site_answers_to_trusted_hosts_and_to_no_other(
    make_site: MakeSite, host: str, *, welcome: bool
) -> None:
    app = make_site(trusted_hosts=("dama.example", ".oyun.example"))
    client = app.test_client()
    asset = client.get("/me", headers={"Host": "dama.example"}).text.partition('href="/static/')[2]
    paths = [
        "/",
        "/me",
        "/admin",
        "/healthz",
        "/sign-in",
        "/nothing/here",
        "/api/v1/puzzles/today",
        "/static/" + asset.split('"')[0],
    ]
    for path in paths:
        answer = client.get(path, environ_overrides={"HTTP_HOST": host}, buffered=True)
        assert (answer.status_code != 400) is welcome, path
        if not welcome:
            assert "No site of this name is served here." in answer.text
            assert answer.is_json == path.startswith("/api/")
            assert HEADERS.items() <= dict(answer.headers).items()


def test_a_header_names_no_trusted_host(make_site: MakeSite) -> None:
    app = make_site(trusted_hosts=("dama.example",), proxies=1)
    forged = {"Host": "evil.example", "X-Forwarded-Host": "dama.example"}
    assert app.test_client().get("/", headers=forged).status_code == 400


def test_without_a_list_of_hosts_any_name_will_do(make_site: MakeSite) -> None:
    client = make_site().test_client()
    for host in ("evil.example", "192.0.2.1:8000", "[2001:db8::1]:8000"):
        assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/admin", "/nothing", "/api/v1/puzzles/today"])
@pytest.mark.parametrize("host", ["a" * 64, "." * 300, "a..b"])
def test_what_can_be_no_host_at_all_is_refused(app: Flask, path: str, host: str) -> None:
    answer = app.test_client().get(path, environ_overrides={"HTTP_HOST": host})
    assert answer.status_code == 400
    assert "No site of this name is served here." in answer.text


@pytest.mark.parametrize(
    "query", ["lang=\x80", "lang=%ff&lang=tr", "\xff\xfe=\xff", "line=a\xe2\x82&x= y", "a\nb\r\t"]
)
def test_an_address_that_is_no_text_is_read_as_far_as_it_goes(app: Flask, query: str) -> None:
    """Servers hand on the bytes of an address as they come, whatever they are."""
    for path in ("/", "/sign-in", "/p/1", "/p//1", "/api/v1/puzzles/today"):
        answer = app.test_client().get(path, environ_overrides={"QUERY_STRING": query})
        assert answer.status_code in (200, 302, 308), path


@pytest.mark.parametrize("name", ['name="\\"', "x=y", "name*=utf-8''%ff", ""])
def test_a_field_without_a_name_breaks_no_form(app: Flask, name: str) -> None:
    somebody = Visitor(app)
    somebody.open("/sign-in")
    part = "--limit\r\nContent-Disposition: form-data; {}\r\n\r\n{}\r\n"
    for token, status in ((part.format('name="csrf_token"', somebody.csrf), 401), ("", 400)):
        body = part.format(name, "a value") + token + "--limit--\r\n"
        sent = somebody.client.post("/sign-in", data=body, content_type="multipart/form-data; boundary=limit")
        assert sent.status_code == status


def test_behind_a_proxy_with_tls_a_form_is_taken_from_the_sites_own_pages_only(make_site: MakeSite) -> None:
    app = make_site(proxies=1, cookie_secure=True, trusted_hosts=("dama.example",))
    client = app.test_client()
    by_proxy = {"X-Forwarded-For": "203.0.113.5", "X-Forwarded-Proto": "https", "Host": "dama.example"}
    page = client.get("/sign-in", headers=by_proxy, base_url="https://dama.example").text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token

    def sent_from(referrer: str) -> int:
        return client.post(
            "/sign-in",
            data={"csrf_token": token[1], "name": "nobody", "password": "a wrong password"},
            headers=by_proxy | {"Referer": referrer},
            base_url="https://dama.example",
        ).status_code

    assert sent_from("https://dama.example/sign-in") == 401
    assert sent_from("https://evil.example/sign-in") == 400
    assert sent_from("") == 400


@pytest.mark.parametrize("secure", [False, True])
def test_every_kind_of_answer_carries_the_security_headers(
    make_site: MakeSite, today: PublishedPuzzle, *, secure: bool
) -> None:
    app = make_site(cookie_secure=secure)
    client = app.test_client()
    scheme = "https" if secure else "http"
    page = client.get("/", base_url=f"{scheme}://localhost")
    asset = re.search(r'href="(/static/[^"]+\.css)"', page.text)
    token = re.search(r'name="csrf-token" content="([^"]+)"', page.text)
    assert asset
    assert token
    css, referrer = asset[1], {"Referer": f"{scheme}://localhost/"}
    stylesheet = client.get(css, buffered=True)
    known = {"If-None-Match": stylesheet.headers["ETag"]}
    answers = {
        "page": page,
        "JSON": client.get("/api/v1/puzzles/today"),
        "static file": stylesheet,
        "no static file": client.get(css + "x"),
        "not changed": client.get(css, headers=known, buffered=True),
        "redirect": client.get("/p/1"),
        "not found": client.get("/nothing"),
        "JSON not found": client.get("/api/nothing"),
        "not allowed": client.put("/"),
        "refused": client.post("/sign-in"),
        "wrong": client.post("/sign-in", data={"csrf_token": token[1]}, headers=referrer),
        "head": client.head("/"),
        "options": client.options("/"),
    }
    for kind, answer in answers.items():
        assert HEADERS.items() <= dict(answer.headers).items(), kind
        assert answer.headers.get("Strict-Transport-Security") == ("max-age=31536000" if secure else None), (
            kind
        )
        assert "Server" not in answer.headers, kind
        for cookie in answer.headers.getlist("Set-Cookie"):
            assert ("; Secure" in cookie) is secure, (kind, cookie)
            assert "; HttpOnly" in cookie
            assert "; SameSite=Lax" in cookie
    assert answers["not changed"].status_code == 304
    statuses = {kind: answers[kind].status_code for kind in ("refused", "redirect", "not allowed")}
    assert statuses == {"refused": 400, "redirect": 302, "not allowed": 405}


def test_an_answer_to_what_breaks_carries_them_too(
    app: Flask, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.testing = False
    monkeypatch.setattr("puzzle_service.web.play.todays_puzzle", lambda _now: 1 / 0)
    for path in ("/", "/api/v1/puzzles/today"):
        answer = visitor.client.get(path)
        assert answer.status_code == 500
        assert HEADERS.items() <= dict(answer.headers).items()


class Guesser:
    """Somebody with a cookie jar who tries passwords at a server, over the network."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}/sign-in"
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))

    def sign_in(self, password: str, **headers: str) -> int:
        with self._opener.open(self.address) as answer:
            page = answer.read().decode()
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        assert token
        form = {"csrf_token": token[1], "name": ADMIN[0], "password": password}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = Request(self.address, urlencode(form).encode(), named)  # noqa: S310  (our own address)
        try:
            with self._opener.open(sent) as answer:
                status: int = answer.status
                return status
        except HTTPError as error:
            error.close()
            return error.code


@pytest.fixture
def two_servers(settings: Settings, stock: list[Record]) -> Iterator[tuple[int, int]]:
    """Two servers of one site, each with a worker of its own."""
    ports = (free_port(), free_port())
    environ = os.environ | {
        "DAMA_DATABASE_URL": settings.database_url,
        "DAMA_SECRET_KEY": settings.secret_key or "",
    }
    command = [sys.executable, "-m", "puzzle_service.cli", "serve", "--workers", "1", "--port"]
    servers = [
        subprocess.Popen(
            [*command, str(port)], env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for port in ports
    ]
    try:
        for port in ports:
            _wait_for(port)
        yield ports
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait(PATIENCE)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            build_opener().open(f"http://127.0.0.1:{port}/sign-in").close()
            return
        except URLError:
            assert time.monotonic() < deadline, "no answer"
            time.sleep(0.1)


def test_two_workers_six_wrong_passwords_blocked_at_five_whatever_a_header_says(
    two_servers: tuple[int, int], database: Database, clock: Clock
) -> None:
    """Blocked at five; a forged X-Forwarded-For buys no more tries (flask-limiter#256)."""
    with database.write.begin() as session:
        accounts.create(
            session, ADMIN[0], passwords.hashed(ADMIN[1]), clock.now, role=Role.PLAYER, player_id=None
        )
    guessers = [Guesser(port) for port in two_servers]
    statuses = [
        guessers[number % 2].sign_in(
            "a wrong password", X_Forwarded_For=f"203.0.113.{number}", X_Real_IP=f"203.0.113.{number}"
        )
        for number in range(6)
    ]
    assert statuses == [401] * 5 + [429]
    for guesser in guessers:
        assert guesser.sign_in(ADMIN[1], X_Forwarded_For="203.0.113.99") == 429
