"""PDN of random games and of random texts: what is written is read again, and no text breaks the reader."""

import random
import re
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from dama import RULESETS, Game, Position
from dama.errors import PdnError
from dama.pdn import AnnotatedMove, Line, PdnGame, find_problems, format_game, read_games
from dama.pdn.headers import DERIVED
from dama.pdn.scores import Score, score_of
from tests.positions import placed

MOST_PLIES = 20
MOST_NESTED = 3
FRAGMENTS = (
    *'[]{}();%$!?*.-x:/\\"\n\r\t½…\ufeff\x00',
    *(
        "1.",
        "1...",
        "12",
        "1-0",
        "1/2-1/2",
        "0-0",
        "2 - 0",
        "$7",
        "$300",
        "(!)",
        "{a remark}",
        ";rest\n",
        "% skipped\n",
    ),
    *(
        "c3-c4",
        "d6d5",
        "d3d4",
        "d4xd6xd8",
        "d4:d8",
        "d4xd5xd7",
        "c3-c9",
        "22-18",
        "11-15",
        "18x11",
        "05-09",
        "=K",
    ),
    *(
        '[White "A"]',
        '[Result "1-0"]',
        '[GameType "22"]',
        '[GameType "43,W,8,8,A1,0"]',
        '[Rules "turkish-yoz"]',
    ),
    *(
        '[SetUp "1"]',
        '[FEN "W:WKa1,b2:BKh8:H12"]',
        '[FEN "W:W21-32:B1-12"]',
        '[FEN "W:Wa8:B"]',
        "a1-a2",
        "h8-h7",
    ),
)

comments = st.text(max_size=60).map(lambda text: " ".join(text.split())).filter(bool)
names = st.from_regex(r"[A-Za-z]\w*", fullmatch=True).filter(lambda name: name not in DERIVED)
values = st.text(max_size=30).map(lambda text: re.sub(r"[\r\n]+", " ", text))
texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=40)


@st.composite
def records(draw: st.DrawFn) -> PdnGame:
    """Draw a game of legal moves, with comments, glyphs and variations strewn over it."""
    rules = RULESETS[draw(st.sampled_from(sorted(RULESETS)))]
    remarks = draw(st.lists(comments, max_size=4))
    rng = random.Random(draw(st.integers(0, 2**32)))
    start, quiet_plies = Position.start(rules), 0
    if draw(st.booleans()):
        start, quiet_plies = placed(rng, rules, 6), rng.randint(0, 20)
    game = Game(start, quiet_plies)
    line = _line(rng, game, remarks, MOST_NESTED)
    score = score_of(game.result) if game.result else draw(st.sampled_from(get_args(Score)))
    return PdnGame(start, line, score, draw(st.dictionaries(names, values, max_size=4)), quiet_plies)


def _line(rng: random.Random, game: Game, remarks: list[str], nested: int) -> Line:
    """Play on by chance, and vary the moves down to a depth."""
    moves: list[AnnotatedMove] = []
    for _ in range(rng.randint(1, MOST_PLIES)):
        if game.result:
            break
        others = rng.randint(1, 2) if nested and rng.random() < 0.1 else 0
        variations = tuple(_line(rng, Game(game.position), remarks, nested - 1) for _ in range(others))
        nags = tuple(rng.choices(range(256), k=rng.choice((0, 0, 0, 1, 2))))
        move = game.play(rng.choice(game.position.legal_moves))
        moves.append(AnnotatedMove(move, nags, _some(rng, remarks), variations))
    return Line(tuple(moves), _some(rng, remarks))


def _some(rng: random.Random, remarks: list[str]) -> tuple[str, ...]:
    return tuple(remark for remark in remarks if rng.random() < 0.1)


@settings(max_examples=20)
@given(st.lists(records(), min_size=1, max_size=2))
def test_what_is_written_is_read_again(games: list[PdnGame]) -> None:
    text = "\n".join(map(format_game, games))
    again = list(read_games(text))
    assert again == games
    assert [list(game.headers) for game in again] == [list(game.headers) for game in games]
    assert [game.conflicts for game in again] == [()] * len(games)
    assert "\n".join(map(format_game, again)) == text


@settings(max_examples=15)
@given(records())
def test_a_game_from_its_record_has_its_moves_and_score(record: PdnGame) -> None:
    game = record.game()
    assert (game.moves, game.positions) == (record.moves, record.positions)
    if record.score not in ("*", "0-0"):
        assert PdnGame.from_game(game).score == record.score


@settings(max_examples=250)
@given(texts, st.sampled_from(["", " "]))
def test_any_text_is_read_or_refused(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    problems = {str(problem) for problem in find_problems(text)}
    games, refusal = _read(text)
    if refusal is None:
        assert _read("\n".join(map(format_game, games))) == (games, None)
    else:
        assert refusal in problems


def _read(text: str) -> tuple[list[PdnGame], str | None]:
    try:
        return list(read_games(text)), None
    except PdnError as error:
        return [], str(error)


@settings(max_examples=25)
@given(records(), st.data())
def test_a_damaged_record_is_read_or_refused(record: PdnGame, data: st.DataObject) -> None:
    text = format_game(record)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 5, len(text))))
    damaged = text[:start] + data.draw(st.sampled_from(("", *FRAGMENTS))) + text[end:]
    for problem in find_problems(damaged):
        assert 1 <= problem.line <= damaged.count("\n") + damaged.count("\r") + 1
        assert problem.column >= 1


@settings(max_examples=100)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    assert all(isinstance(problem, PdnError) for problem in find_problems(b"1. c3c4 {" + data))
