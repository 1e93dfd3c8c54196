"""The page to play on, as the server gives it: the same for everybody, for the browser holds the game."""

import json
import re
from typing import Any

from flask import Flask

from dama import RULESETS
from puzzle_service.models import Player
from puzzle_service.services import games
from tests.web.conftest import Rows, Visitor


def _data(page: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])


def test_every_ruleset_can_be_chosen_and_is_told_from_the_others(visitor: Visitor) -> None:
    page = visitor.open("/play")
    assert re.findall(r'name="rules" value="([^"]+)"', page) == list(RULESETS)
    words = re.findall(r'name="rules".*?<b>(.+?)</b> <small>(.+?)</small>', page, re.S)
    assert len(set(words)) == len(RULESETS)
    assert {rules["name"]: rules["grid"] for rules in _data(page, "rulesets")} == {
        name: "orthogonal" if rules.grid.is_full else "diagonal" for name, rules in RULESETS.items()
    }


def test_the_page_is_the_same_for_everybody_whatever_game_its_address_holds(app: Flask) -> None:
    one, other = Visitor(app), Visitor(app)
    pages = [
        one.open("/play"),
        other.open("/play?rules=italian&moves=22-19"),
        one.open("/play?start=nonsense"),
    ]
    # The head says where to come back to after signing in.
    assert len({page[page.index("<main") :] for page in pages}) == 1


def test_the_page_knows_how_long_a_game_the_server_takes(visitor: Visitor) -> None:
    assert f'data-longest="{games.LONGEST_GAME}"' in visitor.open("/play")


def test_the_head_leads_there_and_says_where_one_is(visitor: Visitor) -> None:
    assert '<a href="/play">Play</a>' in visitor.open("/about")
    assert '<a href="/play" aria-current="page">Play</a>' in visitor.open("/play")


def test_who_opens_the_page_is_not_kept(visitor: Visitor, rows: Rows) -> None:
    visitor.open("/play")
    assert rows(Player) == 0


def test_the_page_is_read_in_the_readers_language(visitor: Visitor) -> None:
    english = _data(visitor.open("/play?lang=en"), "texts")
    turkish = _data(visitor.open("/play?lang=tr"), "texts")
    assert english.keys() == turkish.keys()
    assert english["your_move"] == "Your move"
