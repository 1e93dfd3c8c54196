"""The catalogues: complete, up to date, and compiled.

After a change of texts: `pybabel extract -F pyproject.toml --sort-output --no-location -o messages.pot .`,
then `pybabel update --no-fuzzy-matching --ignore-obsolete -w 110 -i messages.pot` and `pybabel compile`, both
with `-d puzzle_service/translations`.
"""

import ast
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po
from flask import Flask

from puzzle_service.web import texts
from puzzle_service.web.i18n import DEFAULT, LANGUAGES

ROOT = Path(__file__).parents[2]
TRANSLATIONS = ROOT / "puzzle_service" / "translations"
SCRIPTS = ROOT / "puzzle_service" / "static" / "js"
TRANSLATED = [language for language in LANGUAGES if language != DEFAULT]
QUOTES = {"tr": ("“", "”"), "ru": ("«", "»"), "bg": ("„", "“")}

Strings = dict[str | tuple[str, ...], str | tuple[str, ...]]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The texts that are found in the sources."""
    template = tmp_path_factory.mktemp("texts") / "messages.pot"
    extract = ["-q", "extract", "-F", "pyproject.toml", "-o", str(template), "."]
    subprocess.run([sys.executable, "-m", "babel.messages.frontend", *extract], check=True, cwd=ROOT)
    with template.open("rb") as file:
        return read_po(file)


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


def test_every_text_of_the_sources_is_in_the_catalogue_and_no_other(
    catalog: Catalog, sources: Catalog
) -> None:
    found = {message.id for message in _messages(sources)}
    assert len(found) > 1000
    assert {message.id for message in _messages(catalog)} == found
    assert not catalog.obsolete


def test_no_call_hides_its_text_from_the_catalogue(sources: Catalog) -> None:
    known = {_key(message) for message in _messages(sources)}
    found = [text for file in (ROOT / "puzzle_service/web").rglob("*.py") for text in _called_for(file)]
    assert len(found) > 200
    # A text within an f-string, for one, is not extracted.
    assert set(found) <= known


def _called_for(file: Path) -> list[str]:
    """Return the texts that a module asks to be translated."""
    calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    named = [call for call in calls if getattr(call.func, "id", "") in ("_", "gettext", "ngettext")]
    return [ast.literal_eval(call.args[0]) for call in named]


def test_every_text_is_translated_and_none_is_a_guess(catalog: Catalog) -> None:
    for message in _messages(catalog):
        assert all(form.strip() for form in _forms(message)), message.id
        assert len(_forms(message)) == (1 if isinstance(message.id, str) else catalog.num_plurals), message.id
        assert not message.fuzzy, message.id


def test_no_text_is_left_as_english_has_it(catalog: Catalog) -> None:
    same = [_key(message) for message in _messages(catalog) if _key(message) in _forms(message)]
    # What is made of names and marks alone reads the same everywhere.
    assert [text for text in same if re.search("[A-Za-z]", re.sub(r"%\(\w+\)[sd]|{\w+}", "", text))] == []


def test_the_numbers_choose_their_forms(catalog: Catalog) -> None:
    wanted = get_plural(str(catalog.locale))
    assert (catalog.num_plurals, catalog.plural_expr) == (wanted.num_plurals, wanted.plural_expr)
    assert catalog.num_plurals == {"ru": 3}.get(str(catalog.locale), 2)


def test_texts_end_and_quote_as_the_sources_do(catalog: Catalog) -> None:
    opening, closing = QUOTES[str(catalog.locale)]
    for message in _messages(catalog):
        source, forms = _key(message), _forms(message)
        for form in forms:
            assert form == " ".join(form.split(" ")).strip(), message.id
            assert form[-1:] in ".:;?…" or source[-1] not in ".:;?…", message.id
            assert form.count(opening) == source.count("“"), message.id
            assert form.count(closing) == source.count("”"), message.id
            assert not set(form) & set('«»„“”"') - {opening, closing}, message.id


def test_what_is_compiled_is_what_is_written(catalog: Catalog) -> None:
    with _file(str(catalog.locale), "mo").open("rb") as file:
        assert _strings(read_mo(file)) == _strings(catalog)


def test_translations_fill_in_what_the_sources_do(catalog: Catalog) -> None:
    for message in _messages(catalog):
        sources = [message.id] if isinstance(message.id, str) else list(message.id)
        one, several = _placeholders(sources[0]), _placeholders(sources[-1])
        forms = [_placeholders(form) for form in _forms(message)]
        # One of a thing may be said without its number where English does so, several may not.
        assert one <= forms[0] <= several, message.id
        assert all(form == several for form in forms[1:] or forms), message.id


def _placeholders(text: str) -> set[str]:
    if percent := set(re.findall(r"%\((\w+)\)[sd]", text)):
        return percent
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_scripts_have_every_text_they_ask_for_and_no_other(words: Flask) -> None:
    with words.test_request_context("/"):
        puzzle, proof, play = texts.puzzle(), texts.proof(), texts.play()
    for given, page in ((puzzle, "puzzle.js"), (proof, "proof.js"), (play, "play.js")):
        assert all(all(text) or key in ("solved_on", "today_solved") for key, text in given.items())
        scripts = _with_imports(SCRIPTS / page)
        asked = set[str]().union(*map(_asked, scripts))
        assert len(asked) > 20
        assert given.keys() <= asked, page
        # What other pages share with the puzzle page has words that only its players are told.
        own = {
            "puzzle.js": scripts,
            "proof.js": {SCRIPTS / page},
            "play.js": {script for script in scripts if script.name != "say.js"},
        }[page]
        assert set[str]().union(*map(_asked, own)) <= given.keys(), page


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
