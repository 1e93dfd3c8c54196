"""PDN that is written: headers, lines that every program reads, and games that come back from it."""

import pytest

from dama import Color, Game, Position
from dama.pdn import PdnGame, format_game
from tests.dama.records import STANDARD, only


def test_headers_keep_quotes_backslashes_and_their_order() -> None:
    headers = {"White": 'Ali "Kaptan" \\ Usta', "Event": "[Kupa] {2026}; %", "Annotator": "Ş"}
    text = format_game(PdnGame(Position.start(), headers=headers))
    assert r'[White "Ali \"Kaptan\" \\ Usta"]' in text
    assert list(only(text).headers.items()) == list(headers.items())


def test_a_header_is_one_line_and_has_a_proper_name() -> None:
    assert '[Event "a b"]' in format_game(PdnGame(Position.start(), headers={"Event": "a\r\nb"}))
    for name in ("", "Two words", "1st", 'Q"'):
        with pytest.raises(ValueError, match="is no header's name; expected a letter"):
            format_game(PdnGame(Position.start(), headers={name: "x"}))


def test_what_a_game_knows_by_itself_is_no_header_of_the_callers() -> None:
    told = {"Result": "0-1", "GameType": "20", "Rules": "chess", "SetUp": "1", "FEN": "W:W:B", "White": "A"}
    assert only(format_game(PdnGame(Position.start(), headers=told))) == PdnGame(
        Position.start(), headers={"White": "A"}
    )


def test_lines_are_broken_where_every_program_reads_on() -> None:
    comment = "çok " * 40 + "100 % sure %"
    text = format_game(only(f"1. c3c4 {{{comment}}} (1. d3d4 ;a }} brace\n) *"))
    assert max(map(len, text.splitlines())) < 80
    assert not any(line.startswith("%") for line in text.splitlines())
    assert only(text).line.moves[0].comments == (comment,)


def _resigned() -> Game:
    game = Game(Position.start())
    game.play("c3-c4")
    game.resign(Color.WHITE)
    return game


def _agreed() -> Game:
    game = Game.from_fen("W:WKa1,b2:BKh8:H3")
    game.agree_draw()
    return game


def _locked_in() -> Game:
    game = Game.from_fen("B:WKa1:BKb1,Kd1,a2,a3")
    game.play("d1-c1")
    return game


@pytest.mark.parametrize(
    "game", [Game(Position.start("italian")), _resigned(), _agreed(), _locked_in()], ids=repr
)
def test_a_game_comes_back_from_its_record_with_its_result(game: Game) -> None:
    record = only(format_game(PdnGame.from_game(game, {"Event": "Test"})))
    again = record.game()
    assert record.headers == {"Event": "Test"}
    assert (again.positions, again.quiet_plies, again.result) == (
        game.positions,
        game.quiet_plies,
        game.result,
    )


def test_the_record_holds_every_position() -> None:
    game = only(STANDARD)
    assert game.positions == game.game().positions
    assert len(game.positions) == 4


def test_the_json_form_holds_moves_positions_and_annotations() -> None:
    game = only('[White "A"] {Go} 1. c3c4! {Yes} (1. d3d4 d6d5) d6-d5 1-0')
    told = game.json()
    assert (told["headers"], told["rules"], told["result"]) == ({"White": "A"}, "turkish", "1-0")
    assert (told["start"], told["quiet_plies"], told["comments"]) == (Position.start().fen(), 0, ["Go"])
    first = told["moves"][0]
    assert (first["move"], first["nags"], first["comments"]) == ("c3-c4", [1], ["Yes"])
    assert first["fen"] == Position.start().play("c3-c4").fen()
    other = first["variations"][0]["moves"]
    assert [move["fen"] for move in other] == [
        Position.start().play("d3-d4").fen(),
        Position.start().play("d3-d4").play("d6-d5").fen(),
    ]
