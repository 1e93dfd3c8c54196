"""What was found out about a puzzle, as reviewers read it."""

import html
import json
import re

import pytest

from puzzle_service.domain.findings import NONE
from puzzle_service.domain.record import Record
from puzzle_service.domain.review import Status
from puzzle_service.web.notices import move_text
from tests.conftest import AddPuzzles
from tests.web.conftest import Visitor
from tests.web.reviewing import words

NOTES = {
    "instant removal": "One popular site lifts them when the move ends",
    "180° trap": "A king may not turn right round between two jumps.",
    "majority": "A capture has to take as many pieces as it can.",
}


def _page(admin: Visitor, puzzle_id: str) -> str:
    return admin.open(f"/admin/puzzles/{puzzle_id}")


def _figures(page: str) -> dict[str, str]:
    """Return the names and values of the page's figures."""
    return {words(name): words(value) for name, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page)}


def _in_sight(page: str) -> dict[str, str]:
    return _figures("".join(re.findall(r'<dl class="figures notable">(.*?)</dl>', page, re.S)))


def test_every_check_and_feature_is_shown_and_what_is_unusual_stands_in_sight(
    admin: Visitor, add_puzzles: AddPuzzles, record_lines: list[str]
) -> None:
    found = {name: json.loads(record_lines[0])[name] for name in ("features", "tries", "skeleton", "game")}
    checks = {
        "size": 9,
        "fight": "5 against 4",
        "exclusive": 0,
        "material": -1.25,
        "economy": "d6, e7",
        "one key": 1,
        "one way": 2,
        "last move": False,
        "one against one": True,
        "a check of tomorrow": "<b>",
        "unmeasured": None,
    }
    (puzzle_id,) = add_puzzles(1, Status.CANDIDATE, score=3.25, findings=found | {"checks": checks})
    page = _page(admin, puzzle_id)
    figures, sight = _figures(page), _in_sight(page)
    assert figures["Score"] == "3.2"
    assert figures["Skeleton"] == found["skeleton"]
    assert figures["Pieces on the board"] == "9"
    assert figures["Solver's pieces against defender's"] == "5 : 4"
    assert figures["Material after the best other first move"] == "-1.2"
    assert (figures["a check of tomorrow"], figures["unmeasured"]) == ("<b>", "–")
    assert (figures["Quiet key"], figures["Win in three"]) == ("0", "0")
    unusual = {name: sight.pop(name) for name in list(sight) if name in ("Most moves that win later on",)}
    assert unusual == {"Most moves that win later on": "2"}
    assert sight.pop("Pieces it could do without") == "d6, e7"
    assert sight.pop("One piece against one somewhere") == "yes"
    assert "Turns of the last capture" in sight
    for usual in (
        "Quiet key",
        "Last moves that differ",
        "First moves that win in time",
        "Pieces on the board",
    ):
        assert usual not in sight, usual
        assert usual in figures


@pytest.mark.parametrize("theme", NOTES)
def test_rules_that_the_key_depends_on_are_told(admin: Visitor, add_puzzles: AddPuzzles, theme: str) -> None:
    (depends,) = add_puzzles(1, Status.CANDIDATE, themes=["sacrifice", theme])
    page = words(_page(admin, depends))
    assert "Rules it depends on" in page
    assert [theme for theme, note in NOTES.items() if note in page] == [theme]


def test_a_puzzle_that_depends_on_no_such_rule_has_no_note(admin: Visitor, add_puzzles: AddPuzzles) -> None:
    (plain,) = add_puzzles(1, Status.CANDIDATE, themes=["sacrifice", "zugzwang"])
    assert "Rules it depends on" not in _page(admin, plain)


def test_near_misses_are_shown_with_every_move_that_the_board_needs(
    admin: Visitor, stock: list[Record]
) -> None:
    for one in stock:
        page = html.unescape(_page(admin, one.id))
        lines = [line.split() for line in re.findall(r'data-line="([^"]*)"', page)]
        assert {move: tuple(rest) for move, *rest in lines} == one.findings.tries
        plies = json.loads(re.findall(r'id="proof">(.*?)</script>', page, re.S)[0])["plies"]
        for move, *rest in lines:
            assert move_text(move) in page
            for end in range(len(rest) + 1):
                shown = plies[" ".join((move, *rest[:end]))]
                assert shown["move"] == (move, *rest)[end]


def test_a_near_miss_may_have_a_line_of_its_own(
    admin: Visitor, add_puzzles: AddPuzzles, records: list[Record]
) -> None:
    proof = records[0].proof
    move, line = next((move, line) for move, line in proof.root["refuted"].items() if line)
    after = proof.position.play(move).play(line[0])
    own = (line[0], str(after.legal_moves[-1]))
    (puzzle_id,) = add_puzzles(1, findings=NONE.json() | {"tries": {move: list(own)}})
    page = html.unescape(_page(admin, puzzle_id))
    plies = json.loads(re.findall(r'id="proof">(.*?)</script>', page, re.S)[0])["plies"]
    assert plies[" ".join((move, *own))]["move"] == own[-1]


def test_of_a_puzzle_from_before_nothing_is_said_that_nobody_knows(
    admin: Visitor, add_puzzles: AddPuzzles
) -> None:
    (old,) = add_puzzles(1, findings=NONE.json(), score=0)
    page = _page(admin, old)
    for heading in ("What makes it hard", "What was checked", "data-line"):
        assert heading not in page
    assert _figures(page)["Skeleton"] == "–"
