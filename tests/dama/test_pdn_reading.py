"""PDN that is read, from whatever spelling: moves, rules, comments, glyphs, variations, several games."""

from dataclasses import replace

import pytest

from dama import RULESETS, Position
from dama.errors import PdnError
from dama.pdn import PdnGame, format_game, read_games
from tests.dama.records import STANDARD, only, texts

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


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_every_spelling_is_written_in_the_standard_form(spelling: str) -> None:
    game = only(spelling)
    assert format_game(game) == STANDARD
    assert game.conflicts == ()
    assert only(spelling.encode()) == game


def test_italian_games_have_numbers_for_squares() -> None:
    text = '[GameType "22,W,8,8,N2,1"] 1. 21-17 12-15 2. 23-19 11-14 3. 19x12 08:15 *'
    game = only(text)
    assert game.start == Position.start("italian")
    assert texts(game)[-2:] == ["19x12", "8x15"]
    assert '[GameType "22,W,8,8,N2,1"]\n[Rules "italian"]\n' in format_game(game)
    assert only(format_game(game)) == game


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_the_rules_are_told_and_found_again(rules: str) -> None:
    game = PdnGame(Position.start(rules))
    assert only(format_game(game)).start.rules == RULESETS[rules]


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
    assert only(f"{headers} *", asked).start.rules == RULESETS[found]


def test_a_mix_of_rules_is_found_by_its_name_when_it_is_given() -> None:
    mix = replace(RULESETS["turkish"], name="any capture", priorities=())
    text = format_game(PdnGame(Position.start(mix)))
    (game,) = read_games(text, mix)
    assert game.start.rules == mix
    with pytest.raises(PdnError, match="'any capture' is no ruleset; expected turkish, "):
        only(text)


def test_a_game_may_begin_anywhere_with_its_clock_running() -> None:
    game = only('[SetUp "1"] [FEN "B:WKa1,b2:Bh7,Kh8:H12"] 1... h8-g8 2. b2-b3 *')
    assert (game.start.fen(), game.quiet_plies) == ("B:WKa1,b2:BKh8,h7".replace("Kh8,h7", "h7,Kh8"), 12)
    assert format_game(game).endswith('[FEN "B:WKa1,b2:Bh7,Kh8:H12"]\n\n1... h8-g8 2. b2-b3 *\n')
    assert game.game().quiet_plies == 0
    assert only('[FEN "B:WKa1,b2:Bh7,Kh8"] *').quiet_plies == 0


def test_comments_stay_where_they_are() -> None:
    game = only("{Before.} 1. c3c4 {One\n  two.}{Three} ; four } still\n 1... {Five} d6d5 % not\n * {After.}")
    assert game.line.comments == ("Before.",)
    assert [annotated.comments for annotated in game.line.moves] == [
        ("One two.", "Three", "four } still", "Five"),
        ("After.",),
    ]
    assert only(format_game(game)) == game


def test_empty_comments_are_none() -> None:
    assert only("{ } 1. c3c4 {} ;\n *").line == only("1. c3c4 *").line


def test_glyphs_are_signs_or_numbers() -> None:
    game = only("1. c3c4! d6d5?? 2. c4c5 !? $14 c6c4 (?!) $0 3. b3b4 $255 $1 !!! *")
    assert [annotated.nags for annotated in game.line.moves] == [(1,), (4,), (5, 14), (6, 0), (255, 1, 3)]
    assert "1. c3-c4! d6-d5?? 2. c4-c5!? $14 c6xc4?! $0 3. b3-b4 $255 $1 $3 *" in format_game(game)
    assert only(format_game(game)) == game


def test_variations_replace_the_move_before_them_and_nest() -> None:
    game = only("1. c3c4 (1. d3d4 d6d5 (1... {Or} c6c5 2. d4d5) (1... e6e5)) (1. e3e4) d6d5 2. c4c5 *")
    first = game.line.moves[0]
    assert [str(line.moves[0].move) for line in first.variations] == ["d3-d4", "e3-e4"]
    nested = first.variations[0].moves[1].variations
    assert [len(line.moves) for line in nested] == [2, 1]
    assert nested[0].comments == ("Or",)
    assert texts(game) == ["c3-c4", "d6-d5", "c4-c5"]
    assert format_game(game).splitlines()[-2:] == [
        "1. c3-c4 (1. d3-d4 d6-d5 ({Or} 1... c6-c5 2. d4-d5) (1... e6-e5)) (1. e3-e4)",
        "1... d6-d5 2. c4-c5 *",
    ]
    assert only(format_game(game)) == game


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
    assert [texts(game) for game in games] == [["c3-c4"], ["d3-d4"], ["e3-e4"], ["g3-g4"], []]
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
    assert only(f"1. c3c4 {text}").score == score
    assert only(f'[Result "{text}"] 1. c3c4').score == score


def test_an_italian_move_is_no_result() -> None:
    assert texts(only("1. 21-17 1/2-1/2", "italian")) == ["21-17"]
    fen = '[GameType "22"] [FEN "W:WK5,32:BK28"]'
    assert texts(only(f"{fen} 1. 5-1 28-24 2. 1-5 1-0")) == ["5-1", "28-24", "1-5"]
