"""Diagrams: well-formed, complete, without styles of their own, and turned when asked."""

import re
from xml.etree import ElementTree

from dama import Position
from dama.diagram import board_svg, thumbnail_svg

SVG = "{http://www.w3.org/2000/svg}"


def _places(svg: str, side: str) -> set[str | None]:
    root = ElementTree.fromstring(svg)  # noqa: S314  (our own text)
    return {group.get("transform") for group in root.iter(f"{SVG}g") if group.get("class") == f"piece {side}"}


def test_every_piece_is_drawn_on_its_square() -> None:
    svg = board_svg(Position.from_fen("W:Wa1,Kh8:Bd4"), title="White to move")
    assert _places(svg, "white") == {"translate(50 750)", "translate(750 50)"}
    assert _places(svg, "black") == {"translate(350 450)"}
    assert svg.count('class="crown"') == 1
    assert svg.count('class="square') == 64


def test_flipped_turns_pieces_and_coordinates() -> None:
    position = Position.from_fen("W:Wa1:Bd4")
    flipped = board_svg(position, title="t", flipped=True)
    assert _places(flipped, "white") == {"translate(750 50)"}
    assert re.findall(r">([a-h1-8])</text>", flipped)[:4] == ["h", "1", "g", "2"]
    assert re.findall(r">([a-h1-8])</text>", board_svg(position, title="t"))[:4] == ["a", "8", "b", "7"]


def test_the_last_move_is_marked_only_when_given() -> None:
    position = Position.start()
    move = position.parse_move("a3-a4")
    assert 'class="last from"' in board_svg(position.play(move), title="t", last=move)
    assert 'class="last' not in board_svg(position, title="t")


def test_the_title_is_escaped_and_nothing_is_styled_inline() -> None:
    svg = board_svg(Position.start(), title='"<b> & more')
    root = ElementTree.fromstring(svg)  # noqa: S314  (our own text)
    assert root.get("aria-label") == '"<b> & more'
    assert "style" not in svg


def test_a_thumbnail_holds_every_piece_and_tells_kings_from_men() -> None:
    position = Position.from_fen("W:Wa1,Kh8:Bd4")
    root = ElementTree.fromstring(thumbnail_svg(position))  # noqa: S314  (our own text)
    circles = [(one.get("class"), one.get("cx"), one.get("cy")) for one in root.iter(f"{SVG}circle")]
    assert circles == [
        ("white", "0.5", "7.5"),
        ("white", "7.5", "0.5"),
        ("white king", "7.5", "0.5"),
        ("black", "3.5", "4.5"),
    ]
    flipped = thumbnail_svg(position, flipped=True)
    assert '<circle class="black" cx="4.5" cy="3.5"' in flipped
    assert len(flipped) < 1500
