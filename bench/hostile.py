"""Requests that no browser sends: every route, with what does not belong there in every place there is."""

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Final
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlencode

from werkzeug.routing import Rule

from puzzle_service.web.i18n import LANGUAGES

WORDS: Final = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        *(
            "",
            " ",
            "\t",
            "\0",
            "a\0b",
            "a\r\nSet-Cookie: stolen=1",
            "'",
            '"',
            "' OR 1=1 --",
            "%",
            "%00",
            "\\",
        ),
        *("<script>alert(1)</script>", "{{ 7 * 7 }}", "%s%n%(x)s", "../../etc/passwd", "//evil.example", "/"),
        *(
            "ışıkİ",
            "i\u0307",
            "\u202eabc",
            "😀",
            "\ud800",
            "\ufeff",
            "e\u0301" * 40,
            "٣",
            "²",
            "½",
            "a" * 5000,
        ),
        *(
            "-1",
            "0",
            "1",
            "2",
            "00",
            "1.0",
            "1e309",
            "NaN",
            "9" * 19,
            "9" * 400,
            "2147483648",
            "true",
            "null",
        ),
        *("2026-11-30", "2026-12-01", "2026-13-01", "0000-00-00", "9999-12-31", "10000-01-01", "2026-11"),
        *("a3-a4", "b3xb5xd5", "a1-a1", "W:Wa2:Bb4", "approved", "rejected", "daily", "practice", "admin"),
        *(
            "[]",
            "{}",
            "[" * 3000,
            '{"a":',
            *LANGUAGES,
            "xx",
            "abandon ability able",
            "/admin",
            "https://e.example",
        ),
    )
)
TEXTS: Final = (*WORDS, b"\xff\xfe", b"\xc0\xaf", b"\xe2\x82", b"%ff%fe", bytes(range(256)))
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "")
TYPES: Final = (
    *("application/json", "application/json; charset=utf-16", "application/x-www-form-urlencoded"),
    *(
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=x",
        "text/plain",
    ),
    *("text/html; charset=latin1", "application/octet-stream", "application/xml", "/", "", "\xff"),
)
HEADERS: Final = (
    *(
        "ACCEPT_LANGUAGE",
        "ACCEPT",
        "COOKIE",
        "HOST",
        "REFERER",
        "ORIGIN",
        "RANGE",
        "IF_NONE_MATCH",
        "IF_MATCH",
    ),
    *(
        "IF_MODIFIED_SINCE",
        "AUTHORIZATION",
        "X_CSRFTOKEN",
        "X_FORWARDED_FOR",
        "X_FORWARDED_PROTO",
        "USER_AGENT",
    ),
    *("X_FORWARDED_HOST", "X_REQUEST_ID", "X_HTTP_METHOD_OVERRIDE", "ACCEPT_ENCODING", "EXPECT", "UPGRADE"),
)
COOKIES: Final = ("dama_player", "dama_signed_in", "dama_session", "lang", "x")
ARGUMENTS: Final = ("lang", "next", "status", "after", "line", "result", "q", "page", "month", "day", "theme")
MEMBERS: Final = ("attempt", "ply", "move", "request_id", "mode", "served", "line")
GAME_MEMBERS: Final = ("rules", "start", "moves", "ended", "since", "level", "seed", "side", "pdn", "headers")
GAMES: Final[tuple[list[str], ...]] = (
    *([], ["c3-c4"], ["c3c4", "d6:d5"], ["22-19"], ["22-19", "10-14", "19x10"], ["c3-c4"] * 601),
    *(["a1-a2", "h8-h7", "a2-a1", "h7-h8"] * 150, ["a3-a4", "a6-a5"], ["a3-a9"], ["²-³"]),
)
STARTS: Final = (
    *("W:WKa1,Kb1:BKg8,Kh8", "B:Wa2:Bb7:H49", "W:Wa8:Bb2", "W:W21-32:B1-12", "W:WK1:BK32:H9999999999"),
    *("W:Wa2,a2:Bb7", "W:W:B", "B:Wa3:BKh8.", "W:W1-99:B", "W" * 200),
)
ENDS: Final = ({"resigned": "W"}, {"agreed": True}, {"agreed": False}, {"resigned": "W", "agreed": True})
RECORDS: Final = (
    *(
        "1. c3-c4 d6-d5 1-0",
        "1. c3-c4 (1. d3-d4",
        "(" * 500,
        "{" * 500,
        '[FEN "W:Wa2:Bb7"] *',
        "$256 1. c3c4",
    ),
    *('[Rules "x"] *', '[GameType "22"] 1. 22-19 *', '[Result "2-2"]', {"White": "x"}, {"": ""}, {"1": 1}),
)
_FORM: Final = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
_FIELD: Final = re.compile(r"<(?:input|textarea|select|button)\b([^>]*)>", re.DOTALL)
_MOVE: Final = re.compile(r'"move": ?"([a-h1-8x-]+)"')
_PLACE: Final = re.compile(r"<(?:[^<>:]+:)?(\w+)>")


@dataclass(frozen=True)
class Form:
    """A form as a page holds it, its token included."""

    action: str
    method: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Hostile:
    """A request in parts, as a server hands it to the application."""

    method: str
    path: bytes
    query: bytes = b""
    body: bytes = b""
    content_type: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def environ(self) -> dict[str, Any]:
        """Return what of it belongs into the application's environment; bytes as latin-1, as servers do."""
        return {
            "REQUEST_METHOD": self.method,
            "PATH_INFO": self.path.decode("latin-1"),
            "QUERY_STRING": self.query.decode("latin-1"),
            "CONTENT_TYPE": self.content_type,
            "CONTENT_LENGTH": str(len(self.body)),
            **self.headers,
        }

    def text(self) -> str:
        """Return it to be kept and looked at."""
        parts = {
            name: value.decode("latin-1") if isinstance(value, bytes) else value
            for name, value in asdict(self).items()
        }
        return json.dumps(parts, indent=2)


@dataclass
class Surroundings:
    """What a request can be made of: good values for the places of routes, and what pages have brought."""

    places: Mapping[str, Sequence[str]]
    token: str = ""
    forms: dict[str, Form] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)

    def learn(self, page: str) -> None:
        """Keep a page's forms, the token in it, and the moves it offers."""
        self.moves = _MOVE.findall(page) or self.moves
        for attributes, inside in _FORM.findall(page):
            fields = tuple(
                (name, _attribute(one, "value"))
                for one in _FIELD.findall(inside)
                if (name := _attribute(one, "name"))
            )
            form = Form(_attribute(attributes, "action"), _attribute(attributes, "method").upper(), fields)
            # On every page there is one to sign out by, and whoever has done so gets no further.
            if not form.action.startswith("/sign-out"):
                self.forms[form.action] = form
            self.token = dict(fields).get("csrf_token", self.token)


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return html.unescape(found[1]) if found else ""


def hostile(random: Random, around: Surroundings, rules: Sequence[Rule]) -> Hostile:
    """Return a request for one of the routes, with something wrong about it more often than not."""
    kind = random.random()
    if around.forms and kind < 0.4:
        return _of_a_form(random, random.choice(list(around.forms.values())), around)
    if kind > 0.9:
        return random.choice((_move, _game))(random, around)
    rule = random.choice(rules)
    method, path, query = _method(random, rule), _path(random, rule, around), _query(random)
    content_type, body = "", b""
    if method in ("POST", "PUT", "PATCH"):
        content_type, body = random.choice((_fields, _noise))(random)
    return Hostile(method, path, query, body, content_type, _headers(random, around))


def _of_a_form(random: Random, form: Form, around: Surroundings) -> Hostile:
    """Return a form as it is sent from its page, after somebody has had his hands on it."""
    # A page in another tab may have brought another token since.
    now = {"csrf_token": around.token}
    fields = [(name.encode(), now.get(name, value).encode()) for name, value in form.fields]
    for _ in range(random.choice((0, 1, 1, 2))):
        place = random.randrange(len(fields) + 1)
        mistake = random.choice(("other", "other", "missing", "twice", "more"))
        if mistake == "more" or place == len(fields):
            fields.append((random.choice(TEXTS), random.choice(TEXTS)))
        elif mistake == "other":
            fields[place] = (fields[place][0], random.choice(TEXTS))
        elif mistake == "missing":
            del fields[place]
        else:
            fields.append(fields[place])
    path, _, query = form.action.partition("?")
    encoded = urlencode(fields).encode()
    where = unquote_to_bytes(path) or b"/"
    headers = {} if random.random() < 0.7 else _headers(random, around)
    if form.method != "POST":
        return Hostile("GET", where, encoded, headers=headers)
    if random.random() < 0.2:
        kind, encoded = _multipart(fields)
        return Hostile("POST", where, query.encode(), encoded, kind, headers)
    return Hostile("POST", where, query.encode(), encoded, "application/x-www-form-urlencoded", headers)


def _method(random: Random, rule: Rule) -> str:
    if random.random() < 0.15:
        return random.choice(METHODS)
    return random.choice(sorted((rule.methods or {"GET"}) - {"OPTIONS", "HEAD"}))


def _path(random: Random, rule: Rule, around: Surroundings) -> bytes:
    """Return a rule's address with its places filled, with good values or with any."""

    def fill(found: re.Match[str]) -> str:
        good = around.places.get(found[1], ())
        if good and random.random() < 0.7:
            return random.choice(good)
        return quote_from_bytes(random.choice(TEXTS)[:300], safe="/")

    path = unquote_to_bytes(_PLACE.sub(fill, rule.rule))
    if random.random() < 0.05:
        path += random.choice(TEXTS)[:300]
    return path


def _query(random: Random) -> bytes:
    if random.random() < 0.5:
        return b""
    if random.random() < 0.1:
        return random.choice(TEXTS)
    names = random.choices(ARGUMENTS, k=random.randint(1, 3))
    return urlencode([(name, random.choice(TEXTS)[:2000]) for name in names]).encode()


def _headers(random: Random, around: Surroundings) -> dict[str, str]:
    """Return a few headers, most of them odd, and often the token that lets a request through."""
    headers = {"HTTP_X_CSRFTOKEN": around.token} if random.random() < 0.8 else {}
    for name in random.sample(HEADERS, random.choice((0, 0, 1, 2))):
        headers[f"HTTP_{name}"] = _line(random.choice(TEXTS))
    if random.random() < 0.05:
        odd = [f"{random.choice(COOKIES)}={_line(random.choice(TEXTS)[:300])}" for _ in range(3)]
        headers["HTTP_COOKIE"] = "; ".join(odd)
    if random.random() < 0.02:
        headers["CONTENT_LENGTH"] = random.choice(("", "-1", "x", "999999999999"))
    return headers


def _line(text: bytes) -> str:
    # No server hands on a header with a line break or a zero in it.
    return text.decode("latin-1").translate({0: None, 10: None, 13: None})[:4000]


def _move(random: Random, around: Surroundings) -> Hostile:
    """Return a move, or nearly one, in JSON."""
    values: list[Any] = [None, True, 0, 1, -1, 2**63, 1.5, 1e308, [], {}, ["a3-a4"], [[]], "x" * 100]
    values += [text.decode("utf-8", "replace") for text in random.sample(TEXTS, 4)]
    body: dict[str, Any] = {
        "attempt": random.choice((1, 1, 1, 2, 3)),
        "ply": random.choice((0, 0, 0, 2)),
        "move": random.choice(around.moves or ["a3-a4"]),
        "request_id": f"request-{random.randrange(10**6)}",
        "mode": random.choice(("daily", "practice")),
    }
    for _ in range(random.choice((0, 0, 1, 2))):
        body[random.choice(MEMBERS)] = random.choice(values)
    text = json.dumps(body if random.random() < 0.9 else random.choice(values)).encode()
    if random.random() < 0.1:
        text = text[: random.randrange(len(text) + 1)] + random.choice(TEXTS)
    path = f"/api/v1/puzzles/{random.choice(around.places['number'])}/moves".encode()
    return Hostile("POST", path, b"", text, "application/json", {"HTTP_X_CSRFTOKEN": around.token})


def _game(random: Random, around: Surroundings) -> Hostile:
    """Return a question about a game, or nearly one, in JSON."""
    values: list[Any] = [None, True, 0, -1, 601, 1e308, [], {}, [[]], {"a": 1}, "x" * 300]
    values += [text.decode("utf-8", "replace") for text in random.sample(TEXTS, 4)]
    body: dict[str, Any] = {
        "rules": random.choice(("turkish", "turkish-classic", "turkish-yoz", "italian")),
        "moves": random.choice(GAMES),
        "level": "easy",
    }
    for _ in range(random.choice((0, 0, 1, 2))):
        body[random.choice(GAME_MEMBERS)] = random.choice((*values, *STARTS, *ENDS, *RECORDS))
    if random.random() < 0.1:
        body["moves"] = [*random.choice(GAMES), random.choice(values)]
    text = json.dumps(body if random.random() < 0.9 else random.choice(values)).encode()
    if random.random() < 0.1:
        text = text[: random.randrange(len(text) + 1)] + random.choice(TEXTS)
    path = f"/api/v1/games/{random.choice(('state', 'engine', 'hint', 'draw', 'pdn'))}".encode()
    return Hostile("POST", path, b"", text, "application/json", {"HTTP_X_CSRFTOKEN": around.token})


def _fields(random: Random) -> tuple[str, bytes]:
    """Return a body with fields that some form or other has."""
    names = random.choices(("name", "password", "words", "reason", "day", "role", "confirm", *MEMBERS), k=4)
    fields = [(name.encode(), random.choice(TEXTS)) for name in names]
    return _multipart(fields) if random.random() < 0.3 else (TYPES[2], urlencode(fields).encode())


def _noise(random: Random) -> tuple[str, bytes]:
    """Return a body of any bytes under any type, too many of them now and then."""
    size = random.choice((0, 1, 100, 16_384, 16_385, 60_000))
    return random.choice(TYPES), random.choice((random.randbytes(size), b"a=" * (size // 2), b"{" * size))


def _multipart(fields: Iterable[tuple[bytes, bytes]]) -> tuple[str, bytes]:
    parts = [
        b'--limit\r\nContent-Disposition: form-data; name="' + name + b'"\r\n\r\n' + value + b"\r\n"
        for name, value in fields
    ]
    return "multipart/form-data; boundary=limit", b"".join(parts) + b"--limit--\r\n"
