"""Every page in every language: nothing on it is left as English has it."""

import json
import re
from html.parser import HTMLParser

import pytest
from flask import Flask

from dama import RULESETS
from dama.reasons import REASONS
from puzzle_service.domain.review import Status
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.web.i18n import DEFAULT, LANGUAGES
from puzzle_service.web.reasons import reason
from tests.conftest import AddPuzzles
from tests.web.conftest import PASSWORD, Visitor
from tests.web.reviewing import MONDAY, TUESDAY, send

READ_ALOUD = ("aria-label", "title", "placeholder", "alt", "data-copied", "data-failed")
NEVER_TRANSLATED = frozenset({"script", "style", "kbd"})
NAMES = frozenset({*RULESETS, "Dama", "PDN", "FEN", "ayşe", "fatma", "Wikipedia: Turkish draughts"})
"""What every language writes alike, beside moves, positions and the like."""
ALIKE = re.compile(
    r"[a-h][1-8].*|[WB]:.*"  # Moves, squares, positions.
    r"|(, )?[0-9a-f]{10,32}|[KmxNESW -]+|test \(\d+\)"  # Ids, skeletons, what made a puzzle.
)


class _Words(HTMLParser):
    """What there is to read on a page: its texts, what is read aloud for them, and those of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.scripts: dict[str, object] = {}
        self._within: list[tuple[str, bool]] = []
        self._is_texts = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        apart = tag in NEVER_TRANSLATED or given.get("translate") == "no" or "hreflang" in given
        self._within.append((tag, apart))
        self._is_texts = given.get("id") == "texts"
        self.found += [value for name in READ_ALOUD if (value := given.get(name))]
        if given.get("name") == "description":
            self.found.append(given["content"] or "")

    def handle_endtag(self, tag: str) -> None:
        # What has no end of its own ends here as well.
        while self._within and self._within.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._is_texts and self._within[-1][0] == "script":
            self.scripts = json.loads(data)
        if data.strip() and not any(apart for _, apart in self._within):
            self.found.append(" ".join(data.split()))


def _read(visitor: Visitor, path: str, language: str) -> _Words:
    """Return the words of a page, whatever it is answered with."""
    words = _Words()
    sign = "&" if "?" in path else "?"
    words.feed(visitor.client.get(f"{path}{sign}lang={language}", follow_redirects=True).text)
    assert len(words.found) > 10, path
    return words


def _left(visitor: Visitor, *paths: str) -> list[tuple[str, str, object]]:
    """Return what is left in English on some pages: the language, the page, and the text."""
    left: list[tuple[str, str, object]] = []
    for path in paths:
        english = _read(visitor, path, DEFAULT)
        for language in LANGUAGES.keys() - {DEFAULT}:
            read = _read(visitor, path, language)
            assert read.scripts.keys() == english.scripts.keys()
            alike = {text for text in read.found if _is_english(text)} & set(english.found)
            left += [(language, path, text) for text in sorted(alike)]
            left += [
                (language, path, key)
                for key, text in read.scripts.items()
                if text == english.scripts[key] and re.search("[a-z]", re.sub(r"{\w+}", "", str(text)))
            ]
    return left


def _is_english(text: str) -> bool:
    return bool(re.search("[A-Za-z]{2}", text)) and text not in NAMES and not ALIKE.fullmatch(text)


def test_what_everybody_sees_is_in_the_readers_language(visitor: Visitor, today: PublishedPuzzle) -> None:
    pages = ("/", "/archive", "/archive/2026-11", "/me", "/about", "/account", "/play", "/p/1", "/nowhere")
    rules = ("/rules", "/rules/turkish-classic", "/rules/italian")
    assert _left(visitor, *pages, *rules, "/sign-in", "/sign-up", "/recover") == []


def test_what_players_see_of_their_own_is_in_their_language(visitor: Visitor, today: PublishedPuzzle) -> None:
    visitor.sign_up("fatma", PASSWORD)
    visitor.play(visitor.puzzle(), today.proof.key)
    pages = ("/", "/me", "/account", "/account/recovery", "/account/password", "/account/delete")
    assert _left(visitor, *pages) == []


@pytest.fixture
def candidate(add_puzzles: AddPuzzles) -> str:
    """A puzzle about which nobody has decided."""
    return add_puzzles(1, Status.CANDIDATE)[0]


def test_what_reviewers_see_is_in_their_language(
    admin: Visitor, today: PublishedPuzzle, candidate: str
) -> None:
    send(admin, f"/admin/puzzles/{candidate}/approve", day=TUESDAY)
    days = [f"/admin/days/{day}" for day in (MONDAY, TUESDAY)]
    pages = ("/admin", "/admin?status=approved", "/admin/calendar", "/admin/stock", "/admin/log")
    others = ("/admin/accounts", "/admin/generation", f"/admin/puzzles/{candidate}")
    assert _left(admin, *pages, *days, *others) == []


def test_english_itself_would_be_found(visitor: Visitor, today: PublishedPuzzle) -> None:
    english = _read(visitor, "/about", DEFAULT)
    assert len([text for text in english.found if _is_english(text)]) > 20


def test_every_reason_of_a_hint_is_told_in_every_language_with_its_values(words: Flask) -> None:
    names = ("moves", "taken", "given", "steps", "squares", "before", "depth")
    values: dict[str, int | str] = {name: 31 + place for place, name in enumerate(names)}
    values |= {"square": "d4", "file": "h"}
    for code, template in REASONS.items():
        told = {}
        for language in LANGUAGES:
            with words.test_request_context(f"/?lang={language}"):
                told[language] = reason(code, values)
        assert len(set(told.values())) == len(LANGUAGES), code
        for name in re.findall(r"{(\w+)}", template):
            assert all(str(values[name]) in text for text in told.values()), (code, name)
