"""The pages about the rules: there for everybody in every language, whole, and made once."""

import html
import re
from dataclasses import replace

import pytest
from flask import Flask

from dama import RULESETS
from puzzle_service.domain.record import Record
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.web import labels, rules
from puzzle_service.web.i18n import LANGUAGES
from puzzle_service.web.rule_pages import comparison
from tests.web.conftest import Visitor

PATHS = ("/rules", *(f"/rules/{name}" for name in RULESETS))


def _ids(page: str) -> list[str]:
    return re.findall(r'\sid="([^"]+)"', page)


def _words(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", page))


def test_every_page_is_there_in_every_language(visitor: Visitor) -> None:
    for language in LANGUAGES:
        for path in PATHS:
            page = visitor.open(f"{path}?lang={language}")
            assert f'<html lang="{language}">' in page
            assert "%(" not in page
            assert "None" not in _words(page)


def test_every_diagram_is_drawn_with_its_moves(visitor: Visitor) -> None:
    for path in PATHS[1:]:
        page = visitor.open(path)
        figures = re.findall(r"<figure.*?</figure>", page, re.S)
        assert len(figures) >= 20
        for figure in figures:
            assert figure.count('<svg xmlns="http://www.w3.org/2000/svg" class="diagram"') == 1
            assert (figure.count('class="one-move"') == 0) == ('class="mark target"' not in figure)
            assert _words(figure[figure.index("<figcaption>") :]).strip()


def test_no_move_is_torn_at_the_end_of_a_line(visitor: Visitor) -> None:
    for path in PATHS:
        page = visitor.open(path)
        main = page[page.index("<main") : page.index("</main>")]
        shown = re.sub(r'<svg.*?</svg>|<span class="keep">[^<]+</span>', "", main, flags=re.S)
        assert not re.findall(r"\w\d[–×]\w\d", _words(shown)), path


def test_every_link_leads_somewhere(visitor: Visitor, today: PublishedPuzzle) -> None:
    seen: set[str] = set()
    for path in PATHS:
        page = visitor.open(path)
        ids = _ids(page)
        assert len(ids) == len(set(ids))
        addresses = {html.unescape(address) for address in re.findall(r' href="([^"]+)"', page)}
        assert {address[1:] for address in addresses if address.startswith("#")} <= set(ids)
        assert {*re.findall(r'aria-labelledby="([^"]+)"', page)} <= set(ids)
        assert set(PATHS) <= addresses
        seen |= {address for address in addresses if address.startswith("/")}
    for address in sorted(seen):
        with visitor.client.get(address, follow_redirects=True) as answer:
            assert answer.status_code == 200, address


def test_every_section_is_in_the_contents(visitor: Visitor) -> None:
    for path in PATHS[1:]:
        page = visitor.open(path)
        contents = page[page.index('class="contents"') : page.index("</nav>", page.index('class="contents"'))]
        listed = re.findall(r'href="#([^"]+)"', contents)
        assert listed == re.findall(r'<section id="([^"]+)"', page)
        assert {"board", "men", "kings", "capturing", "crowning", "end", "draws", "tips", "sources"} <= set(
            listed
        )


def test_what_is_no_ruleset_has_no_page(visitor: Visitor) -> None:
    for name in ("chess", "Turkish", "turkish ", "..%2fabout"):
        assert visitor.client.get(f"/rules/{name}").status_code == 404
    assert visitor.client.get("/rules/turkish/").status_code == 308


def test_pages_tell_the_presets_apart(visitor: Visitor) -> None:
    pages = {name: _words(visitor.open(f"/rules/{name}")) for name in RULESETS}
    for said, presets in {
        "leaves the board at once": {"turkish", "turkish-classic"},
        "stay where they are until the whole move has ended": {"turkish-yoz"},
        "Good manners": {"turkish-classic"},
        "A man never captures a king": {"italian"},
        "that is 25 turns of each side": {"turkish"},
        "that is 20 turns of each side": {"turkish-yoz"},
        "that is 40 turns of each side": {"italian"},
        "Which rules are ours": {"turkish", "turkish-classic", "italian"},
    }.items():
        assert {name for name, page in pages.items() if said in page} == presets, said


def test_the_comparison_has_every_ruleset_and_marks_what_is_ours(visitor: Visitor) -> None:
    page = visitor.open("/rules")
    with visitor.client.application.test_request_context("/"):
        names = [labels.ruleset(ruleset) for ruleset in RULESETS.values()]
    assert [html.unescape(name) for name in re.findall(r'<th scope="col"><a [^>]*>([^<]+)<', page)] == names
    table = page[page.index("<table>") : page.index("</table>")]
    assert table.count('class="ours"') == 4


def test_a_page_is_made_once_and_shows_each_visitor_their_own_head(
    app: Flask, admin: Visitor, stock: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Visitor(app).open("/rules/turkish")
    monkeypatch.setitem(rules.PAGES, RULESETS["turkish"].grid, None)
    assert Visitor(app).open("/rules/turkish") == first
    assert "ayşe" in admin.open("/rules/turkish")
    assert "ayşe" not in Visitor(app).open("/rules/turkish")


def test_the_head_leads_to_the_rules_from_every_page(visitor: Visitor) -> None:
    assert re.search(r'<a href="/rules">Rules</a>', visitor.open("/about"))
    assert re.search(r'<a href="/rules" aria-current="page">Rules</a>', visitor.open("/rules/italian"))


def test_a_ruleset_without_a_page_of_its_own_still_compares(words: Flask) -> None:
    mix = replace(RULESETS["italian"], name="mix", priorities=(), turning_back=True)
    with words.test_request_context("/"):
        facts = {row.name: row.cells[0] for row in comparison.rows(mix)}
        assert (facts["Which capture goes first"].text, facts["Turning back by 180°"].text) == (
            "free choice",
            "allowed",
        )
        assert not any(cell.is_ours for cell in facts.values())
        assert comparison.ours(mix) == ()
