"""PDN: what is read, from whatever spelling, what is written, and what is refused at which place."""

from dataclasses import replace

import pytest

from dama import RULESETS, Color, Game, GameOver, InvalidNotation, Position
from dama.errors import PdnError
from dama.pdn import PdnGame, find_problems, format_game, read_games
from dama.pdn.movetext import MOST_NESTED

STANDARD = """\
[White "Ayşe"]
[Result "1-0"]
[GameType "30,W,8,8,A0,0"]
[Rules "turkish"]

1. d3-d4 d6-d5 2. d4xd6xd8 1-0
"""
SPELLINGS = {
    "standard": STANDARD,
    "no rules named": STANDARD.replace('[Rules "turkish"]\n', ""),
    "the number alone": STANDARD.replace("30,W,8,8,A0,0", "30"),
    "the number of other programs": STANDARD.replace("30,W,8,8,A0,0", "43"),
    "another corner": STANDARD.replace("A0", "A1"),
    "another number and corner": STANDARD.replace("30,W,8,8,A0,0", "43,W,8,8,A1,0"),
    "no game type": STANDARD.replace('[GameType "30,W,8,8,A0,0"]\n', ""),
    "no separators": STANDARD.replace("d3-d4", "d3d4").replace("d4xd6xd8", "d4d6d8"),
    "colons": STANDARD.replace("x", ":"),
    "blanks around separators": STANDARD.replace("d3-d4", "d3 - d4").replace("x", " x "),
    "ends alone": STANDARD.replace("d4xd6xd8", "d4xd8"),
    "a score sheet's captured squares": STANDARD.replace("d4xd6xd8", "d4xd5xd7"),
    "crowning marked": STANDARD.replace("d4xd6xd8", "d4xd6xd8=K"),
    "capitals": STANDARD.replace("d3-d4", "D3-D4").replace("d4xd6xd8", "D4XD6XD8"),
    "no numbers": STANDARD.replace("1. ", "").replace("2. ", ""),
    "bare numbers": STANDARD.replace("1. ", "1 ").replace("2. ", "2 "),
    "glued numbers": STANDARD.replace("1. ", "1.").replace("2. ", "2."),
    "numbers for both": STANDARD.replace("d6-d5", "1... d6-d5"),
    "an ellipsis": STANDARD.replace("d6-d5", "1… d6-d5"),
    "an ellipsis apart": STANDARD.replace("d6-d5", "1. ... d6-d5"),
    "two points": STANDARD.replace("1-0", "2-0"),
    "a dash": STANDARD.replace("1-0", "1–0").replace("d3-d4", "d3–d4"),
    "no result behind the moves": STANDARD.replace("d8 1-0", "d8"),
    "no result in the headers": STANDARD.replace('[Result "1-0"]\n', ""),
    "an open result behind the moves": STANDARD.replace("d8 1-0", "d8 *"),
    "an unknown result in the headers": STANDARD.replace('[Result "1-0"]', '[Result "?"]'),
    "unknown headers of ours": STANDARD.replace('"30,W,8,8,A0,0"', '"?"'),
    "a byte order mark": f"\ufeff{STANDARD}",
    "the lines of Windows": STANDARD.replace("\n", "\r\n"),
    "the lines of old Macs": STANDARD.replace("\n", "\r"),
    "one line": STANDARD.replace("\n", " "),
    "blanks in headers": STANDARD.replace("[", "[ ").replace("]", " ]"),
    "lines that are skipped": f"% made by hand\n{STANDARD}% the end",
}


def _only(text: str | bytes, rules: str = "turkish") -> PdnGame:
    (game,) = read_games(text, rules)
    return game


def _error(text: str | bytes, rules: str = "turkish") -> PdnError:
    with pytest.raises(PdnError) as caught:
        list(read_games(text, rules))
    assert next(map(str, find_problems(text, rules))) == str(caught.value)
    return caught.value


def _texts(game: PdnGame) -> list[str]:
    return [str(move) for move in game.moves]


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_every_spelling_is_written_in_the_standard_form(spelling: str) -> None:
    game = _only(spelling)
    assert format_game(game) == STANDARD
    assert game.conflicts == ()
    assert _only(spelling.encode()) == game


def test_italian_games_have_numbers_for_squares() -> None:
    text = '[GameType "22,W,8,8,N2,1"] 1. 21-17 12-15 2. 23-19 11-14 3. 19x12 08:15 *'
    game = _only(text)
    assert game.start == Position.start("italian")
    assert _texts(game)[-2:] == ["19x12", "8x15"]
    assert '[GameType "22,W,8,8,N2,1"]\n[Rules "italian"]\n' in format_game(game)
    assert _only(format_game(game)) == game


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_the_rules_are_told_and_found_again(rules: str) -> None:
    game = PdnGame(Position.start(rules))
    assert _only(format_game(game)).start.rules == RULESETS[rules]


@pytest.mark.parametrize(
    ("headers", "asked", "found"),
    [
        ("", "turkish", "turkish"),
        ("", "italian", "italian"),
        ('[GameType "30"]', "turkish-yoz", "turkish-yoz"),
        ('[GameType "30"]', "italian", "turkish"),
        ('[GameType "22"]', "turkish-yoz", "italian"),
        ('[Rules "turkish-classic"]', "turkish-yoz", "turkish-classic"),
        ('[GameType "43"] [Rules "turkish-classic"]', "italian", "turkish-classic"),
    ],
)
def test_headers_choose_the_rules_before_who_reads(headers: str, asked: str, found: str) -> None:
    assert _only(f"{headers} *", asked).start.rules == RULESETS[found]


def test_a_mix_of_rules_is_found_by_its_name_when_it_is_given() -> None:
    mix = replace(RULESETS["turkish"], name="any capture", priorities=())
    text = format_game(PdnGame(Position.start(mix)))
    (game,) = read_games(text, mix)
    assert game.start.rules == mix
    assert "'any capture' is no ruleset; expected turkish, " in _error(text).complaint


def test_a_game_may_begin_anywhere_with_its_clock_running() -> None:
    game = _only('[SetUp "1"] [FEN "B:WKa1,b2:Bh7,Kh8:H12"] 1... h8-g8 2. b2-b3 *')
    assert (game.start.fen(), game.quiet_plies) == ("B:WKa1,b2:BKh8,h7".replace("Kh8,h7", "h7,Kh8"), 12)
    assert format_game(game).endswith('[FEN "B:WKa1,b2:Bh7,Kh8:H12"]\n\n1... h8-g8 2. b2-b3 *\n')
    assert game.game().quiet_plies == 0
    assert _only('[FEN "B:WKa1,b2:Bh7,Kh8"] *').quiet_plies == 0


def test_headers_keep_quotes_backslashes_and_their_order() -> None:
    headers = {"White": 'Ali "Kaptan" \\ Usta', "Event": "[Kupa] {2026}; %", "Annotator": "Ş"}
    text = format_game(PdnGame(Position.start(), headers=headers))
    assert r'[White "Ali \"Kaptan\" \\ Usta"]' in text
    assert list(_only(text).headers.items()) == list(headers.items())


def test_a_header_is_one_line_and_has_a_proper_name() -> None:
    assert '[Event "a b"]' in format_game(PdnGame(Position.start(), headers={"Event": "a\r\nb"}))
    for name in ("", "Two words", "1st", 'Q"'):
        with pytest.raises(ValueError, match="is no header's name; expected a letter"):
            format_game(PdnGame(Position.start(), headers={name: "x"}))


def test_what_a_game_knows_by_itself_is_no_header_of_the_callers() -> None:
    told = {"Result": "0-1", "GameType": "20", "Rules": "chess", "SetUp": "1", "FEN": "W:W:B", "White": "A"}
    assert _only(format_game(PdnGame(Position.start(), headers=told))) == PdnGame(
        Position.start(), headers={"White": "A"}
    )


# Annotations


def test_comments_stay_where_they_are() -> None:
    game = _only(
        "{Before.} 1. c3c4 {One\n  two.}{Three} ; four } still\n 1... {Five} d6d5 % not\n * {After.}"
    )
    assert game.line.comments == ("Before.",)
    assert [annotated.comments for annotated in game.line.moves] == [
        ("One two.", "Three", "four } still", "Five"),
        ("After.",),
    ]
    assert _only(format_game(game)) == game


def test_empty_comments_are_none() -> None:
    assert _only("{ } 1. c3c4 {} ;\n *").line == _only("1. c3c4 *").line


def test_glyphs_are_signs_or_numbers() -> None:
    game = _only("1. c3c4! d6d5?? 2. c4c5 !? $14 c6c4 (?!) $0 3. b3b4 $255 $1 !!! *")
    assert [annotated.nags for annotated in game.line.moves] == [(1,), (4,), (5, 14), (6, 0), (255, 1, 3)]
    assert "1. c3-c4! d6-d5?? 2. c4-c5!? $14 c6xc4?! $0 3. b3-b4 $255 $1 $3 *" in format_game(game)
    assert _only(format_game(game)) == game


def test_variations_replace_the_move_before_them_and_nest() -> None:
    game = _only("1. c3c4 (1. d3d4 d6d5 (1... {Or} c6c5 2. d4d5) (1... e6e5)) (1. e3e4) d6d5 2. c4c5 *")
    first = game.line.moves[0]
    assert [str(line.moves[0].move) for line in first.variations] == ["d3-d4", "e3-e4"]
    nested = first.variations[0].moves[1].variations
    assert [len(line.moves) for line in nested] == [2, 1]
    assert nested[0].comments == ("Or",)
    assert _texts(game) == ["c3-c4", "d6-d5", "c4-c5"]
    assert format_game(game).splitlines()[-2:] == [
        "1. c3-c4 (1. d3-d4 d6-d5 ({Or} 1... c6-c5 2. d4-d5) (1... e6-e5)) (1. e3-e4)",
        "1... d6-d5 2. c4-c5 *",
    ]
    assert _only(format_game(game)) == game


def test_lines_are_broken_where_every_program_reads_on() -> None:
    comment = "çok " * 40 + "100 % sure %"
    text = format_game(_only(f"1. c3c4 {{{comment}}} (1. d3d4 ;a }} brace\n) *"))
    assert max(map(len, text.splitlines())) < 80
    assert not any(line.startswith("%") for line in text.splitlines())
    assert _only(text).line.moves[0].comments == (comment,)


# Several games


def test_games_follow_one_another() -> None:
    text = """
    ; a collection
    [White "A"] 1. c3c4 1-0 {The first.}
    [White "B"] 1. d3d4
    [White "C"]
    1. e3e4 (1. f3f4) 1/2-1/2 1. g3g4 0-1
    * [White "E"]
    """
    games = list(read_games(text))
    assert [game.headers.get("White") for game in games] == ["A", "B", "C", None, "E"]
    assert [game.score for game in games] == ["1-0", "*", "1/2-1/2", "0-1", "*"]
    assert [_texts(game) for game in games] == [["c3-c4"], ["d3-d4"], ["e3-e4"], ["g3-g4"], []]
    assert games[0].line.comments == ("a collection",)
    assert games[0].line.moves[0].comments == ("The first.",)


def test_an_asterisk_after_a_result_only_separates() -> None:
    assert len(list(read_games("1. c3c4 1-0\n*\n1. d3d4 *"))) == 2
    assert len(list(read_games("*"))) == 1


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("*", "*"),
        ("0-0", "0-0"),
        ("2-0", "1-0"),
        ("0-2", "0-1"),
        ("1-1", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("1 - 0", "1-0"),
    ],
)
def test_results_are_read_behind_moves_and_in_headers(text: str, score: str) -> None:
    assert _only(f"1. c3c4 {text}").score == score
    assert _only(f'[Result "{text}"] 1. c3c4').score == score


def test_an_italian_move_is_no_result() -> None:
    assert _texts(_only("1. 21-17 1/2-1/2", "italian")) == ["21-17"]
    fen = '[GameType "22"] [FEN "W:WK5,32:BK28"]'
    assert _texts(_only(f"{fen} 1. 5-1 28-24 2. 1-5 1-0")) == ["5-1", "28-24", "1-5"]


# Games and their records


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
    record = _only(format_game(PdnGame.from_game(game, {"Event": "Test"})))
    again = record.game()
    assert record.headers == {"Event": "Test"}
    assert (again.positions, again.quiet_plies, again.result) == (
        game.positions,
        game.quiet_plies,
        game.result,
    )


def test_the_record_holds_every_position() -> None:
    game = _only(STANDARD)
    assert game.positions == game.game().positions
    assert len(game.positions) == 4


def test_the_json_form_holds_moves_positions_and_annotations() -> None:
    game = _only('[White "A"] {Go} 1. c3c4! {Yes} (1. d3d4 d6d5) d6-d5 1-0')
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


# What is refused, and where


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
    error = _error(text)
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
    game = _only(text)
    (conflict,) = game.conflicts
    assert (conflict.line, conflict.column) == (line, column)
    assert conflict.complaint.startswith(words)
    assert list(map(str, find_problems(text))) == [str(conflict)]


@pytest.mark.parametrize("score", ["1-0", "*"])
def test_a_result_that_the_board_bears_out_is_no_conflict(score: str) -> None:
    assert _only(f'[FEN "W:Wb3:Bb4"] 1. b3xb5 {score}').conflicts == ()
    assert _only(f"1. c3c4 {score}").conflicts == ()


def test_a_record_that_goes_on_after_the_end_is_no_game() -> None:
    record = _only('[FEN "W:WKa1:BKa4,Kh8"] 1. a1xa5 h8g8 *')
    with pytest.raises(GameOver, match="'h8-g8' cannot be played"):
        record.game()
    assert len(record.positions) == 3


def test_one_bad_game_hides_no_problem_of_the_next() -> None:
    text = '[White "A"] 1. c3c5 c3c6 *\n[White "B"] 1. c3c4 *\n[White "C"] 1. c3c4 (1. q\n[White "D"] $1'
    assert [(problem.line, problem.column) for problem in find_problems(text)] == [(1, 16), (3, 25), (4, 13)]


# Size


def test_nesting_is_read_up_to_a_limit_and_refused_beyond() -> None:
    def nested(depth: int) -> str:
        return f"1. c3c4 {'(1. d3d4 ' * depth}{')' * depth} *"

    game = _only(nested(MOST_NESTED))
    assert _only(format_game(game)) == game
    assert game.json()["moves"][0]["variations"]
    assert "variations are nested more than 100 deep" in _error(nested(MOST_NESTED + 1)).complaint
    assert "nested more than" in _error(nested(20_000)).complaint


@pytest.mark.parametrize(
    "text", ["(", "[", "{", '[a "', "1. c3c4 (", ") ", "!", "$1", "-", '"', "½-", "1 - "]
)
def test_what_is_wrong_with_a_huge_text_is_told_in_few_words(text: str) -> None:
    assert len(str(_error(text * (100_000 // len(text))))) < 600


def test_long_games_and_many_comments_are_no_matter() -> None:
    kings = "1. a1a2 h8h7 2. a2a1 h7h8 " * 500
    comments = "{x}" * 20_000
    game = _only(f'[Rules "turkish-yoz"] [FEN "W:WKa1,Kb1:BKg8,Kh8"] {kings} {comments} *')
    assert (len(game.moves), len(game.line.moves[-1].comments)) == (2000, 20_000)
    assert "comes after the end of the game, a draw: no progress" in game.conflicts[0].complaint
    assert _only(format_game(game)) == game
