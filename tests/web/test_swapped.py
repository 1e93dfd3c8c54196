"""A puzzle that goes out with its colours swapped is another board in all that anybody sees of it.

Each test looks at two days: on the first the puzzle is as it was made, on the second its colours are swapped.
"""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from dama import Position
from dama.diagram import board_svg, thumbnail_svg
from puzzle_service.db import Database
from puzzle_service.domain.record import Record
from puzzle_service.models import Attempt
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.web import pages
from tests.web.conftest import Clock, Publish, Visitor
from tests.web.reviewing import words

DAY = timedelta(days=1)
SIDES = {"W": "White", "B": "Black"}


class Out:
    """A puzzle that is out, and what it was made as; ``as_shown`` turns a move into what players write."""

    def __init__(self, published: PublishedPuzzle, made: Record) -> None:
        self.published, self.made, self.swapped = published, made, published.swapped

    def as_shown(self, text: str) -> str:
        """Return a move, or a FEN's squares, seen from the other side: only the ranks change."""
        return re.sub(r"[1-8]", lambda rank: str(9 - int(rank[0])), text) if self.swapped else text

    @property
    def line(self) -> list[str]:
        """The main line as players see it."""
        return [self.as_shown(move) for move in self.made.proof.main_line()]

    @property
    def start(self) -> Position:
        """The position as players see it, its FEN put together by hand."""
        turn, white, black = self.made.fen.split(":")
        if not self.swapped:
            return Position.from_fen(self.made.fen)
        other = {"W": "B", "B": "W"}[turn]
        return Position.from_fen(f"{other}:W{self.as_shown(black[1:])}:B{self.as_shown(white[1:])}")


@pytest.fixture(params=[False, True], ids=["as it was made", "swapped"])
def out(request: pytest.FixtureRequest, publish: Publish, records: list[Record], clock: Clock) -> Out:
    """Today's puzzle: the first one, or the second one with its colours swapped."""
    published = publish()
    if request.param:
        clock.now += DAY
        published = publish()
    assert published.swapped is request.param
    return Out(published, next(one for one in records if one.id == published.puzzle_id))


def solved(visitor: Visitor, out: Out, path: str = "/") -> dict[str, Any]:
    """Play the main line to its end, and return the last answer."""
    answer: dict[str, Any] = {}
    for ply in range(0, len(out.line), 2):
        puzzle = visitor.puzzle(path)
        if path != "/":
            puzzle["line"] = [{"move": move} for move in out.line[:ply]]
            puzzle["ply"] = ply
        answer = visitor.play(puzzle, out.line[ply]).get_json()
        assert answer["played"]["move"] == out.line[ply]
        if ply + 1 < len(out.line):
            assert (answer["verdict"], answer["reply"]["move"]) == ("continue", out.line[ply + 1])
    return answer


def test_position_last_move_and_legal_moves_are_the_other_sides(visitor: Visitor, out: Out) -> None:
    puzzle = visitor.client.get("/api/v1/puzzles/today").json
    assert puzzle is not None
    assert puzzle["start"] == puzzle["position"] == out.start.fen()
    assert puzzle["turn"] == out.start.turn.value == ("B" if out.swapped else "W")
    assert puzzle["last_move"]["move"] == out.as_shown(out.made.previous_move)
    made = Position.from_fen(out.made.fen)
    assert {one["move"] for one in puzzle["legal"]} == {out.as_shown(str(move)) for move in made.legal_moves}


def test_the_page_names_the_side_to_move_and_has_it_at_the_bottom(visitor: Visitor, out: Out) -> None:
    page = visitor.open("/")
    heading = re.search(r"<h1>(.*?)</h1>", page, re.S)
    assert heading
    assert words(heading[1]).startswith(f"{SIDES[out.start.turn.value]} to move")
    last = out.published.previous_move
    with visitor.client.application.test_request_context():
        title = pages.position_words(out.start)
    assert board_svg(out.start, title=title, last=last, flipped=out.swapped) in page
    assert board_svg(out.start, title=title, last=last, flipped=not out.swapped) not in page


def test_the_puzzle_is_solved_in_the_notation_of_the_board_shown(
    visitor: Visitor, database: Database, out: Out
) -> None:
    answer = solved(visitor, out)
    assert (answer["verdict"], answer["state"]) == ("solved", "solved")
    for solution in (answer["solution"], visitor.puzzle()["solution"]):
        *line, last = (one["move"] for one in solution)
        # Where the last move lands may differ: the first on the board is shown.
        assert (line, last.split("x")[:-1]) == (out.line[:-1], out.line[-1].split("x")[:-1])
    with database.read() as session:
        assert [list(plies) for plies in session.scalars(select(Attempt.plies))] == [out.line]


def test_the_result_to_pass_on_is_the_same_and_names_no_square(visitor: Visitor, out: Out) -> None:
    share = solved(visitor, out)["share"]
    number = out.published.number
    assert share.startswith(f"Dama puzzle {number}: solved on attempt 1 of 3 ✓\n")
    assert share.endswith(f"/p/{number}")
    assert not re.search(r"\b[a-h][1-8]\b", share)


def test_the_key_of_the_other_board_does_not_win(visitor: Visitor, out: Out) -> None:
    key = out.made.key
    other = key if out.swapped else re.sub(r"[1-8]", lambda rank: str(9 - int(rank[0])), key)
    answer = visitor.play(visitor.puzzle(), other).json
    assert answer is not None
    assert answer["verdict"] in ("illegal", "wrong")


def test_a_wrong_move_is_refuted_on_the_board_shown(visitor: Visitor, out: Out) -> None:
    move, refutation = next(iter(out.made.proof.root["refuted"].items()))
    answer = visitor.play(visitor.puzzle(), out.as_shown(move)).json
    assert answer is not None
    assert answer["verdict"] == "wrong"
    assert [one["move"] for one in answer["refutation"]] == [out.as_shown(refutation[0])]
    assert answer["position"] == out.start.fen()


def test_moves_can_be_typed_without_javascript(visitor: Visitor, out: Out) -> None:
    sent = visitor.type(out.line[0])
    assert sent.status_code == 303
    assert f"{out.line[0].replace('-', '–')} is right" in words(visitor.open(sent.location))


def test_it_is_practised_from_the_archive_in_the_same_colours(
    visitor: Visitor, publish: Publish, clock: Clock, out: Out
) -> None:
    clock.now += 2 * DAY
    publish()
    path = f"/p/{out.published.number}"
    assert f'href="{path}"' in visitor.open("/archive")
    puzzle = visitor.puzzle(path)
    assert (puzzle["mode"], puzzle["start"]) == ("practice", out.start.fen())
    assert solved(visitor, out, path)["verdict"] == "solved"


def test_the_reviewers_preview_and_calendar_show_the_board_that_then_goes_out(
    admin: Visitor, publish: Publish, clock: Clock
) -> None:
    """Three days ahead: as it was made, swapped, as it was made."""
    days = [f"{(clock.now + n * DAY).date()}" for n in range(3)]
    previews = [admin.open(f"/admin/days/{day}") for day in days]
    calendar = admin.open("/admin/calendar")
    for day, preview in zip(days, previews, strict=True):
        published = publish()
        clock.now += DAY
        found = re.search(r'<script type="application/json" id="proof">(.*?)</script>', preview, re.S)
        assert found
        proof = json.loads(found[1])
        assert (proof["fen"], proof["turn"]) == (published.position.fen(), published.position.turn.value)
        assert proof["root"] == published.proof.root
        assert ("colours swapped" in words(preview)) is published.swapped
        with admin.client.application.test_request_context():
            title = pages.position_words(published.position)
        last, flipped = published.previous_move, published.swapped
        assert board_svg(published.position, title=title, last=last, flipped=flipped) in preview
        tile = calendar[calendar.index(f'id="d-{day}"') :].split("day-link")[0]
        assert thumbnail_svg(published.position, flipped=flipped) in tile


def test_what_a_player_takes_along_is_in_the_notation_of_the_board_shown(visitor: Visitor, out: Out) -> None:
    solved(visitor, out)
    visitor.sign_up("zeynep")
    exported = visitor.client.get("/account/export").json
    assert exported is not None
    assert out.line in [row["plies"] for row in exported["attempts"]]
