"""The catalogues: complete, up to date, and compiled.

After a change of texts: `pybabel extract -F pyproject.toml --sort-output --no-location -o messages.pot .`,
then `pybabel update --no-fuzzy-matching --ignore-obsolete -w 110 -i messages.pot` and `pybabel compile`, both
with `-d puzzle_service/translations`.
"""

import re
import string
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask import Flask

from puzzle_service.web import texts
from puzzle_service.web.i18n import DEFAULT, LANGUAGES

ROOT = Path(__file__).parents[2]
TRANSLATIONS = ROOT / "puzzle_service" / "translations"
SCRIPTS = ROOT / "puzzle_service" / "static" / "js"
TRANSLATED = [language for language in LANGUAGES if language != DEFAULT]

Strings = dict[str | tuple[str, ...], str | tuple[str, ...]]


@pytest.fixture(params=TRANSLATED)
def catalog(request: pytest.FixtureRequest) -> Catalog:
    """The catalogue of a language, as translators edit it."""
    with _file(request.param, "po").open("rb") as file:
        return read_po(file, locale=request.param)


def _file(language: str, kind: str) -> Path:
    return TRANSLATIONS / language / "LC_MESSAGES" / f"messages.{kind}"


def _messages(catalog: Catalog) -> list[Message]:
    return [message for message in catalog if message.id]


def _forms(message: Message) -> tuple[str, ...]:
    found = message.string
    return tuple(found) if isinstance(found, (tuple, list)) else (found or "",)


def _strings(catalog: Catalog) -> Strings:
    return {_key(message): _forms(message) for message in _messages(catalog)}


def _key(message: Message) -> str:
    # A compiled catalogue knows a text with a plural by its singular.
    return message.id if isinstance(message.id, str) else message.id[0]


def test_every_text_of_the_sources_is_in_the_catalogue_and_no_other(catalog: Catalog, tmp_path: Path) -> None:
    template = tmp_path / "messages.pot"
    extract = ["-q", "extract", "-F", "pyproject.toml", "-o", str(template), "."]
    subprocess.run([sys.executable, "-m", "babel.messages.frontend", *extract], check=True, cwd=ROOT)
    with template.open("rb") as file:
        sources = {message.id for message in _messages(read_po(file))}
    assert len(sources) > 200
    assert {message.id for message in _messages(catalog)} == sources
    assert not catalog.obsolete


def test_every_text_is_translated_and_none_is_a_guess(catalog: Catalog) -> None:
    for message in _messages(catalog):
        assert all(_forms(message)), message.id
        assert len(_forms(message)) == (1 if isinstance(message.id, str) else catalog.num_plurals), message.id
        assert not message.fuzzy, message.id


def test_what_is_compiled_is_what_is_written(catalog: Catalog) -> None:
    with _file(str(catalog.locale), "mo").open("rb") as file:
        assert _strings(read_mo(file)) == _strings(catalog)


def test_translations_fill_in_what_the_sources_do(catalog: Catalog) -> None:
    for message in _messages(catalog):
        sources = [message.id] if isinstance(message.id, str) else list(message.id)
        expected = _placeholders(sources[-1])
        forms = [_placeholders(form) for form in _forms(message)]
        assert all(form <= expected for form in forms), message.id
        # One of a thing may be said without its number, several may not.
        assert forms[-1] == expected, message.id


def _placeholders(text: str) -> set[str]:
    if percent := set(re.findall(r"%\((\w+)\)[sd]", text)):
        return percent
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_scripts_have_every_text_they_ask_for_and_no_other(words: Flask) -> None:
    with words.test_request_context("/"):
        puzzle, proof = texts.puzzle(), texts.proof()
    for given, page in ((puzzle, "puzzle.js"), (proof, "proof.js")):
        assert all(all(text) or key in ("solved_on", "today_solved") for key, text in given.items())
        scripts = _with_imports(SCRIPTS / page)
        asked = set[str]().union(*map(_asked, scripts))
        assert len(asked) > 20
        assert given.keys() <= asked, page
        # What the review page shares with the puzzle page has words that only players are told.
        assert (asked if page == "puzzle.js" else _asked(SCRIPTS / page)) <= given.keys(), page


def _with_imports(script: Path) -> set[Path]:
    """Return a script and all that it loads."""
    found, new = set[Path](), {script.resolve()}
    while new:
        found |= new
        named = {
            (one.parent / name).resolve()
            for one in new
            for name in re.findall(r'^import .*? from "([^"]+)";', one.read_text(), re.M | re.S)
        }
        new = named - found
    return found


def _asked(script: Path) -> set[str]:
    """Return the keys of the texts that a script asks for."""
    code = script.read_text()
    asked = set[str]()
    for names in re.findall(r'\btext\((?:[^(),`]*? \? )?"(\w+)"(?: : "(\w+)")?', code):
        asked |= set(filter(None, names))
    if "}_${" in code:
        asked |= {f"{color}_{kind}" for color in ("white", "black") for kind in ("man", "king")}
    if "text(this.sides[" in code:
        asked |= {"white", "black"}
    return asked
