"""Diagrams: well-formed, complete, without styles of their own, and turned when asked."""

import re
from xml.etree import ElementTree

from dama import Color, Position
from dama.diagram import board_svg, piece_svg, thumbnail_svg
from dama.marks import SHAPES, Marks, mark_svg

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


def test_the_diagonal_board_has_its_pieces_on_dark_squares_and_a_dark_corner_at_each_right() -> None:
    position = Position.from_fen("W:W32,K29:B1", "italian")
    svg = board_svg(position, title="t")
    assert _places(svg, "white") == {"translate(750 750)", "translate(150 750)"}
    assert _places(svg, "black") == {"translate(50 50)"}
    dark = set(re.findall(r'class="square dark" x="(\d+)" y="(\d+)"', svg))
    assert len(dark) == 32
    assert {("700", "700"), ("0", "0")} <= dark
    assert not {("0", "700"), ("700", "0")} & dark
    assert re.findall(r">(\d+)</text>", svg) == [str(number) for number in range(1, 33)]
    flipped = board_svg(position, title="t", flipped=True)
    assert _places(flipped, "white") == {"translate(50 50)", "translate(650 50)"}
    assert set(re.findall(r'class="square dark" x="(\d+)" y="(\d+)"', flipped)) == dark
    assert 'class="square light"' in thumbnail_svg(position)
    assert "light" not in thumbnail_svg(Position.start())


def test_the_last_move_on_the_diagonal_board_leaves_the_numbers_free() -> None:
    position = Position.start("italian")
    move = position.parse_move("21-17")
    corners = re.findall(
        r'class="last \w+" d="([^"]+)"', board_svg(position.play(move), title="t", last=move)
    )
    assert [len(re.findall("M", path)) for path in corners] == [3, 3]
    assert not any("M5 405" in path for path in corners)


def _marked(svg: str) -> dict[str, set[str]]:
    marked: dict[str, set[str]] = {}
    for shape, place in re.findall(r'class="mark (\w+)" transform="translate\(([\d ]+)\)"', svg):
        marked.setdefault(shape, set()).add(place)
    return marked


def test_marks_show_where_moves_begin_land_and_end_and_what_they_take() -> None:
    position = Position.from_fen("W:WK14:BK11,K26,12,18", "italian")
    marks = Marks.of(position.legal_moves, forbidden=(29,))
    assert _marked(board_svg(position, title="t", marks=marks)) == {
        "origin": {"300 300"},
        "landing": {"500 100"},
        "target": {"700 300"},
        "captured": {"400 200", "600 200"},
        "forbidden": {"300 700"},
    }
    assert _marked(board_svg(position, title="t")) == {}
    assert set(SHAPES) == {shape for shape, _ in marks.by_shape()}


def test_the_legend_shows_each_mark_by_a_shape_of_its_own() -> None:
    legend = {shape: mark_svg(shape) for shape in SHAPES}
    for shape, svg in legend.items():
        assert ElementTree.fromstring(svg).get("aria-hidden") == "true"  # noqa: S314  (our own text)
        assert f'class="mark {shape}"' in svg
    assert len(set(SHAPES.values())) == len(SHAPES)


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


def test_a_piece_alone_is_drawn_as_on_a_board_and_only_a_king_has_a_crown() -> None:
    board = board_svg(Position.from_fen("W:Wa2,Kd4:Bh7"), title="t")
    for is_king in (False, True):
        piece = piece_svg(Color.WHITE, is_king=is_king)
        drawn = ElementTree.fromstring(piece).find(f"{SVG}g")  # noqa: S314  (our own text)
        assert drawn is not None
        assert drawn.get("class") == "piece white"
        assert ("crown" in piece) is is_king
        assert piece.removesuffix("</g></svg>").partition('<g class="piece white">')[2] in board
