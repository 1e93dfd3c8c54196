"""Headers, cookies and the check of who sent a request."""

import re

import pytest
from flask import Flask

from puzzle_service.models import Player
from puzzle_service.services.publication import PublishedPuzzle
from tests.web.conftest import ON_BOTH, MakeSite, Rows, Visitor, wrong_moves

PATHS = [
    "/",
    "/me",
    "/p/99",
    "/admin",
    "/sign-in",
    "/sign-up",
    "/recover",
    "/account",
    "/account/recovery",
    "/account/merge",
    "/account/password",
    "/account/export",
    "/account/delete",
    "/api/v1/puzzles/today",
    "/nowhere",
    "/static/x/none.js",
]


def test_every_answer_has_the_strict_policy(visitor: Visitor) -> None:
    for path in PATHS:
        headers = visitor.client.get(path).headers
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert policy == {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "img-src": "'self'",
            "connect-src": "'self'",
            "form-action": "'self'",
            "base-uri": "'none'",
            "frame-ancestors": "'none'",
        }
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert "camera=()" in headers["Permissions-Policy"]
        assert len(headers.getlist("Cache-Control")) == 1


def test_personal_answers_are_kept_nowhere(visitor: Visitor) -> None:
    """After signing out, Back shows nothing personal (lila#7904)."""
    for path in PATHS:
        headers = visitor.client.get(path).headers
        assert headers["Cache-Control"] == "no-store", path
        assert {"Cookie", "Accept-Language"} <= {part.strip() for part in headers["Vary"].split(",")}, path


def test_static_files_have_an_address_of_their_contents_and_are_kept_for_ever(visitor: Visitor) -> None:
    """After a release, the second load is the new page, never an old one for ever (slaytheweb#214)."""
    page = visitor.open("/")
    addresses = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page))
    assert {address.rsplit("/", 1)[1] for address in addresses} >= {"site.css", "board.css", "puzzle.js"}
    for address in addresses:
        response = visitor.client.get(address, buffered=True)
        assert response.status_code == 200, address
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Set-Cookie" not in response.headers
        old = visitor.client.get(re.sub(r"/static/[0-9a-f]+/", "/static/0ld/", address), buffered=True)
        assert (old.status_code, old.headers["Cache-Control"]) == (200, "no-cache")
    assert visitor.client.get("/static/x/../../settings.py").status_code == 404


def test_no_page_has_inline_code_or_styles(visitor: Visitor, admin: Visitor, today: PublishedPuzzle) -> None:
    wrong = wrong_moves(today.proof.root)[0]
    visitor.play(visitor.puzzle(), wrong)
    pages = [visitor.open(path) for path in ("/", "/me", "/sign-in", "/sign-up", "/recover")]
    pages += [admin.open(f"/account{page}") for page in ("", "/recovery", "/password", "/delete")]
    pages += [admin.open("/admin")]
    pages.append(admin.open(f"/admin/puzzles/{today.puzzle_id}"))
    for page in pages:
        assert not re.search(r"<[^>]+\s(style|on[a-z]+)=", page)
        assert "<style" not in page
        assert "javascript:" not in page
        for attributes in re.findall(r"<script([^>]*)>", page):
            assert 'type="application/json"' in attributes or 'src="/static/' in attributes


@ON_BOTH
def test_looking_makes_no_guest_and_the_first_move_does(
    visitor: Visitor, today: PublishedPuzzle, rows: Rows
) -> None:
    for path in ("/", "/me", "/p/1", "/api/v1/puzzles/today"):
        visitor.client.get(path)
    assert rows(Player) == 0
    assert visitor.cookie("dama_player") is None
    answer = visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0])
    assert rows(Player) == 1
    flags = _flags(answer.headers.getlist("Set-Cookie"), "dama_player")
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=34560000"} <= flags
    assert "Secure" not in flags
    renewed = visitor.client.get("/me").headers.getlist("Set-Cookie")
    assert "Max-Age=34560000" in _flags(renewed, "dama_player")
    visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[1])
    assert rows(Player) == 1


def test_the_record_hangs_on_the_cookie_alone(visitor: Visitor, today: PublishedPuzzle, app: Flask) -> None:
    """Cookies kept, script storage wiped: the streak is intact (localForage#943)."""
    visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0])
    token = visitor.cookie("dama_player")
    assert token is not None
    same, other = Visitor(app), Visitor(app)
    same.client.set_cookie("dama_player", token)
    other.client.set_cookie("dama_player", token[:-1] + ("A" if token[-1] != "A" else "B"))
    assert same.puzzle()["attempts_left"] == 2
    assert other.puzzle()["attempts_left"] == 3


@pytest.mark.parametrize("token", ["", "x" * 5000, "\x7f", "ğ", "a b"])
def test_a_cookie_that_can_be_no_token_is_nobody(
    visitor: Visitor, today: PublishedPuzzle, token: str
) -> None:
    cookie = f'dama_player="{token}"'.encode().decode("latin-1")
    assert visitor.client.get("/", headers={"Cookie": cookie}).status_code == 200


def test_secure_cookies_by_setting(make_site: MakeSite, today: PublishedPuzzle) -> None:
    client = make_site(cookie_secure=True).test_client()
    opened = client.get("/?lang=tr", base_url="https://localhost")
    cookies = opened.headers.getlist("Set-Cookie")
    assert "Secure" in _flags(cookies, "dama_session")
    assert "Secure" in _flags(cookies, "lang")
    token = re.search(r'name="csrf-token" content="([^"]+)"', opened.text)
    assert token
    move = {"attempt": 1, "ply": 0, "move": today.proof.key, "request_id": "over-tls"}
    address = "https://localhost/api/v1/puzzles/1/moves"
    headers = {"X-CSRFToken": token[1], "Referer": "https://localhost/"}
    answer = client.post(address, json=move, headers=headers)
    assert answer.status_code == 200, answer.text
    assert "Secure" in _flags(answer.headers.getlist("Set-Cookie"), "dama_player")
    elsewhere = client.post(address, json=move, headers=headers | {"Referer": "https://evil.example/"})
    assert elsewhere.status_code == 400


def test_session_and_language_cookies_are_closed_to_scripts(visitor: Visitor) -> None:
    cookies = visitor.client.get("/?lang=tr").headers.getlist("Set-Cookie")
    for name in ("dama_session", "lang"):
        flags = _flags(cookies, name)
        assert {"HttpOnly", "SameSite=Lax"} <= flags
        assert "Secure" not in flags


def _flags(cookies: list[str], name: str) -> set[str]:
    (found,) = (cookie for cookie in cookies if cookie.startswith(f"{name}="))
    return set(found.split("; ")[1:])


def test_every_unsafe_request_needs_the_token(
    app: Flask, visitor: Visitor, admin: Visitor, today: PublishedPuzzle, rows: Rows
) -> None:
    visitor.puzzle()
    players = rows(Player)
    unsafe = [
        (_address(rule.rule, today), method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("GET", "HEAD", "OPTIONS")
    ]
    assert len(unsafe) >= 6
    for path, method in unsafe:
        for somebody in (visitor, admin):
            for token in ("", "forged", visitor.csrf + "x"):
                headers = {"X-CSRFToken": token} if token else {}
                refused = somebody.client.open(path, method=method, headers=headers)
                if path.startswith("/admin") and somebody is visitor:
                    assert refused.status_code == 404, (path, method, token)
                    continue
                assert refused.status_code == 400, (path, method, token)
                if path.startswith("/api/"):
                    assert refused.json is not None
                    assert refused.json["error"]["code"] == "csrf_failed"
                else:
                    assert "Reload the page" in refused.text
    assert rows(Player) == players
    assert admin.client.get("/admin").status_code == 200


def _address(rule: str, puzzle: PublishedPuzzle) -> str:
    """Return an address that a rule takes."""
    values = {"number": "1", "puzzle_id": puzzle.puzzle_id, "day": str(puzzle.day), "entry_id": "1"}
    rule = re.sub(r"<any\((\w+)[^>]*>", r"\1", rule)
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values[found[1]], rule)


def test_one_visitors_token_is_no_use_to_another(
    app: Flask, visitor: Visitor, today: PublishedPuzzle
) -> None:
    other = Visitor(app)
    puzzle = other.puzzle()
    visitor.open("/")
    other.csrf = visitor.csrf
    assert other.play(puzzle, today.proof.key).status_code == 400
