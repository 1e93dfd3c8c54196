"""PDN that is refused, at which place and in which words; what is read all the same, and told."""

from dataclasses import replace

import pytest

from dama import RULESETS, GameOver, InvalidNotation
from dama.errors import PdnError
from dama.pdn import find_problems, format_game, read_games
from dama.pdn.movetext import MOST_NESTED
from tests.dama.records import only


def error_of(text: str | bytes, rules: str = "turkish") -> PdnError:
    with pytest.raises(PdnError) as caught:
        list(read_games(text, rules))
    assert next(map(str, find_problems(text, rules))) == str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "there is no game; expected headers or moves"),
        ("{only a remark}", 1, 1, "there is no game"),
        ("1. c3c4 zz d6d5", 1, 9, "'zz' is no part of a game; expected a move, a comment"),
        ("1. c3-c9", 1, 4, "'c3-c9' is no part of a game"),
        ("1. c3-c44", 1, 4, "'c3-c44' is no part of a game"),
        ("1. 22-188", 1, 4, "'22-188' is no part of a game"),
        (f"1. {'q' * 99}", 1, 4, f"'{'q' * 40}…' is no part"),
        ("1. c3c4 /FEN x/", 1, 9, "'/FEN' is no part of a game"),
        ("1. c3-c5", 1, 4, "'c3-c5' is not legal in W:Wa2,b2"),
        ("1. 22-18", 1, 4, "'22-18' is not a move in W:Wa2,b2"),
        ("1. c3c4\n\n  1... d6d5 2. d3d4 d7d6", 3, 21, "'d7d6' is not legal in B:"),
        ("1. c3c4\r\n1... x", 2, 6, "'x' is no part"),
        ("1. c3c4\r1... x", 2, 6, "'x' is no part"),
        ("\ufeff1. x", 1, 4, "'x' is no part"),
        ("{two\nlines} 1. x", 2, 11, "'x' is no part"),
        (f"1. {'-'.join(['c3', 'c4'] * 40)}", 1, 4, "is too long for a move"),
        ("1. c3c4 {never closed", 1, 9, "the comment '{never closed' is not closed; expected '}'"),
        ("1. c3c4 }", 1, 9, "'}' is no part of a game"),
        ("1. c3c4 (1. d3d4\n(", 2, 1, "this variation is not closed"),
        ("1. c3c4 (1. d3d4", 1, 9, "this variation is not closed; expected ')'"),
        ("1. c3c4 (1. d3d4 1-0", 1, 18, "'1-0' stands in a variation; expected a move or ')'"),
        ("1. c3c4 ) *", 1, 9, "there is no variation to close; expected a move"),
        ("1. c3c4 ({nothing}) *", 1, 19, "the variation has no move; expected a move"),
        ("(1. c3c4)", 1, 1, "'(' comes before a move; expected a move"),
        ("! 1. c3c4", 1, 1, "'!' comes before a move"),
        ("$1", 1, 1, "'$1' comes before a move"),
        ("1. c3c4 $256", 1, 9, "'$256' is no glyph; expected $0 … $255"),
        (f"1. c3c4 ${'9' * 9999}", 1, 9, "is no glyph"),
        ("[Event]", 1, 1, "'[Event]' is no header; expected one such as [White "),
        ('[Event "x" *', 1, 1, "is no header"),
        ('\n [Event "x]\n1. c3c4', 2, 2, "'[Event ' is no header"),
        ('[1st "x"]', 1, 1, "is no header"),
        ('[Result "3-0"]', 1, 1, "'3-0' is no result; expected 1-0, 0-1, 1/2-1/2 or *"),
        ('[White "A"] [GameType "20"]', 1, 13, "game type 20 is not known; expected '30,W,8,8,A0,0' or '22,"),
        ('[GameType "Turkish"]', 1, 1, "'Turkish' is no game type; expected '30,W,8,8,A0,0' or '22,"),
        ('[Rules "chess"]', 1, 1, "'chess' is no ruleset; expected turkish, turkish-classic"),
        ('[GameType "22"] [Rules "turkish"]', 1, 17, "'turkish' is not for game type 22"),
        ('[FEN "W:Wa9:B"]', 1, 1, "'a9' is no square"),
        ('[FEN "W:Wa8:Bb2"]', 1, 1, "is no position of a game: white man on its last rank: a8"),
        ('[FEN "W:WKa1:BKb5:H99999"]', 1, 1, "its clock is beyond 9999 plies"),
        (b"1. c3c4 {\n\xc5\x9f \xfe}", 2, 3, "byte 0xfe is not UTF-8; expected a text in UTF-8"),
        ("1. c3c4\n\x00", 2, 1, r"'\x00' is no part of a game"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(
    text: str | bytes, line: int, column: int, words: str
) -> None:
    error = error_of(text)
    assert (error.line, error.column) == (line, column), error
    assert words in error.complaint
    assert str(error) == f"line {line}, column {column}: {error.complaint}"
    assert isinstance(error, InvalidNotation)


def test_a_text_that_fits_two_moves_is_refused() -> None:
    mix = replace(RULESETS["turkish"], name="any capture", priorities=())
    text = '[FEN "B:Wa2,c2,Ke5,Kb8:BKa1"] 1... a1xa2 *'
    with pytest.raises(
        PdnError, match=r"line 1, column 36: 'a1xa2' is ambiguous in .*: it can mean a1xa8xe8xe2xa2"
    ):
        list(read_games(text, mix))


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ('[Result "1-0"]\n1. c3c4 0-1', 2, 9, "the result is 0-1 here, but 1-0 in the headers"),
        ('[White "A"] [White "B"] *', 1, 13, "the header White is given twice; the first one holds"),
        ('[SetUp "1"] 1. c3c4 *', 1, 1, "SetUp says that there is a FEN, but there is none"),
        (
            '[FEN "W:WKa1:BKa4,Kh8"] 1. a1xa5 h8g8 *',
            1,
            34,
            "h8-g8 comes after the end of the game, a draw: king",
        ),
        (
            '[FEN "W:Wb3:Bb4"] 1. b3xb5 0-1',
            1,
            28,
            "the result is 0-1, but by the rules white has won: no pieces",
        ),
        (
            '[FEN "W:Wb3:Bb4"]\n[Result "0-0"] 1. b3xb5',
            2,
            1,
            "the result is 0-0, but by the rules white has won",
        ),
    ],
)
def test_what_the_rules_contradict_is_read_and_told(text: str, line: int, column: int, words: str) -> None:
    game = only(text)
    (conflict,) = game.conflicts
    assert (conflict.line, conflict.column) == (line, column)
    assert conflict.complaint.startswith(words)
    assert list(map(str, find_problems(text))) == [str(conflict)]


@pytest.mark.parametrize("score", ["1-0", "*"])
def test_a_result_that_the_board_bears_out_is_no_conflict(score: str) -> None:
    assert only(f'[FEN "W:Wb3:Bb4"] 1. b3xb5 {score}').conflicts == ()
    assert only(f"1. c3c4 {score}").conflicts == ()


def test_a_record_that_goes_on_after_the_end_is_no_game() -> None:
    record = only('[FEN "W:WKa1:BKa4,Kh8"] 1. a1xa5 h8g8 *')
    with pytest.raises(GameOver, match="'h8-g8' cannot be played"):
        record.game()
    assert len(record.positions) == 3


def test_one_bad_game_hides_no_problem_of_the_next() -> None:
    text = '[White "A"] 1. c3c5 c3c6 *\n[White "B"] 1. c3c4 *\n[White "C"] 1. c3c4 (1. q\n[White "D"] $1'
    assert [(problem.line, problem.column) for problem in find_problems(text)] == [(1, 16), (3, 25), (4, 13)]


def test_nesting_is_read_up_to_a_limit_and_refused_beyond() -> None:
    def nested(depth: int) -> str:
        return f"1. c3c4 {'(1. d3d4 ' * depth}{')' * depth} *"

    game = only(nested(MOST_NESTED))
    assert only(format_game(game)) == game
    assert game.json()["moves"][0]["variations"]
    assert "variations are nested more than 100 deep" in error_of(nested(MOST_NESTED + 1)).complaint
    assert "nested more than" in error_of(nested(20_000)).complaint


@pytest.mark.parametrize(
    "text", ["(", "[", "{", '[a "', "1. c3c4 (", ") ", "!", "$1", "-", '"', "½-", "1 - "]
)
def test_what_is_wrong_with_a_huge_text_is_told_in_few_words(text: str) -> None:
    assert len(str(error_of(text * (100_000 // len(text))))) < 600


def test_long_games_and_many_comments_are_no_matter() -> None:
    kings = "1. a1a2 h8h7 2. a2a1 h7h8 " * 500
    comments = "{x}" * 20_000
    game = only(f'[Rules "turkish-yoz"] [FEN "W:WKa1,Kb1:BKg8,Kh8"] {kings} {comments} *')
    assert (len(game.moves), len(game.line.moves[-1].comments)) == (2000, 20_000)
    assert "comes after the end of the game, a draw: no progress" in game.conflicts[0].complaint
    assert only(format_game(game)) == game
