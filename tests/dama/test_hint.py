"""Hints: each reason where the facts bear it out, and another one where they do not."""

from typing import NamedTuple

import pytest

from dama import Game, Position
from dama.engine import Choice, best_move
from dama.hint import explained, hint
from dama.reasons import REASONS, Reason, Scene, reason_for


class Found(NamedTuple):
    """A line as text, with what a search says of it."""

    line: str
    score: int = 0
    mate: int | None = None

    def choice(self, position: Position) -> Choice:
        moves = []
        for text in self.line.split():
            move = position.parse_move(text)
            moves.append(move)
            position = position.after(move)
        return Choice(moves[0], self.score, tuple(moves), 6, 1000, self.mate)


class Case(NamedTuple):
    """A position, a line for which a code is the reason, and a line or a rival for which it is not."""

    fen: str
    best: Found
    rival: Found | None
    values: dict[str, int | str]
    not_for: Found
    no_rival: Found | None


def _reason(fen: str, best: Found, rival: Found | None) -> Reason:
    position = Position.from_fen(fen)
    return reason_for(Scene(position, best.choice(position), rival and rival.choice(position)))


MEN = "B:Wh4:Bg2,h3,d5,d6,Ke6,e7,f7,h7"
CASES = {
    "only_legal": Case(
        "W:We3,e4,d7:Bc4,e5,c6",
        Found("e4xe6 c6-c5"),
        None,
        {},
        Found("e4xe6 c6-c5"),
        Found("e4xe6 c6-c5"),
    ),
    "wins_now": Case(
        "B:Wc7:Bc3,f6,Kh7",
        Found("h7xa7", 29999, 1),
        Found("h7xb7", 29999, 1),
        {},
        Found("h7xa7"),
        Found("h7xb7"),
    ),
    "wins_by_force": Case(
        MEN,
        Found("g2-g1 h4-h5 f7-f6 h5-g5 g1xg8", 29995, 3),
        Found("e6-g6 h4-h5", 29995, 3),
        {"moves": 3},
        Found("g2-g1 h4-h5 f7-f6"),
        Found("e6-g6 h4-h5"),
    ),
    "holds_out": Case(
        "W:Wh4:BKe5,b6,g6,c7,d7,Ke7",
        Found("h4-g4 e7-h7 g4-f4 h7-h4 f4-g4 h4xa4", -29994, -3),
        Found("h4-h5 e7-h7", -29996, -2),
        {"moves": 3},
        Found("h4-g4 e7-h7", -900),
        Found("h4-h5 e7-h7", -900),
    ),
    "avoids_loss": Case(
        "W:Wd5:BKh3,c6,a7",
        Found("d5-e5 h3-h6 e5-f5", -700),
        Found("d5-c5 c6xc4", -29998, -1),
        {},
        Found("d5-e5 h3-h6 e5-f5", -700),
        Found("d5-c5", -720),
    ),
    "takes_and_crowns": Case(
        "W:Wd6,g2:Bd7,Kh8",
        Found("d6xd8"),
        Found("d6xd8"),
        {"taken": 1},
        Found("d6xd8 h8xc8"),
        Found("d6xd8"),
    ),
    "gives_to_take": Case(
        "B:Wa3,b4,d4:Bb6,Kg6",
        Found("b6-b5 b4xb6 g6xa6xa1 d4-d5", 367),
        Found("g6-d6 a3-a4", 310),
        {"given": 1, "taken": 2},
        Found("b6-b5 b4xb6", 367),
        Found("g6-d6 a3-a4", 310),
    ),
    "gives_to_crown": Case(
        "B:WKe1:Bh2,e4,h5",
        Found("h2-h1 e1xe8 h5-h4", 227),
        Found("h5-h4 e1xe8", 220),
        {"given": 1},
        Found("h5-h4 e1xe8 h2-h1", 227),
        Found("h2-h1 e1xe8", 220),
    ),
    "takes_for": Case(
        "W:Wc2,d2,e2,f2,g2,h2,a3,d3,e3,f3,h3,a5,Kf8:BKb3,f5,a6,d6,e6,a7,b7,c7,d7,e7,g7,h7",
        Found("a3xc3 a6xa4 f8xf4", 100),
        Found("a3xc3 a6xa4", 50),
        {"taken": 2, "given": 1},
        Found("a3xc3", 100),
        Found("a3xc3", 50),
    ),
    "takes": Case(
        "W:Wd3,Kf8:Bg4,g5,b6,f7",
        Found("f8xf4xh4 b6-c6", 381),
        Found("f8xf5xh5 g4-g3", 272),
        {"taken": 2},
        Found("f8xf4xh4", 29999, 1),
        Found("f8xf5xh5", 272),
    ),
    "crowns": Case(
        "B:WKh8:Be2,d6",
        Found("e2-e1 h8-h3 d6-c6", 105),
        Found("d6-d5 h8-h1", 80),
        {},
        Found("e2-d2 h8-h1", 105),
        Found("d6-d5 h8-h1", 80),
    ),
    "keeps_material": Case(
        "W:Wg2,h4:BKf1",
        Found("h4-g4 f1-h1 g2-f2 h1-h6", -244),
        Found("h4-h5 f1-h1 h5-g5 h1-g1 g2-h2 g1xg8", -315),
        {},
        Found("h4-g4 f1-h1 g2-f2 h1-h6", -244),
        Found("h4-h5 f1-h1", -315),
    ),
    "saves_piece": Case(
        "B:Wg2,b3,Ka5,h7:Bc5,c7",
        Found("c5-c4 a5-a4 c7-b7", -987),
        Found("c5-d5 a5xh5", -1013),
        {"square": "c5"},
        Found("c5-d5 a5xh5", -987),
        Found("c5-c4 a5-a4", -1013),
    ),
    "parries": Case(
        "W:Wg2,b5,g5,Kf7:BKc2",
        Found("f7-f2 c2-c8", 574),
        Found("g2-h2 c2-c8", 558),
        {"square": "g2"},
        Found("g5-f5 c2xh2", 574),
        Found("g2-h2 c2-c8", 558),
    ),
    "threatens": Case(
        "W:WKa2:Bb4,Ke5",
        Found("a2-b2 b4-a4", 0),
        Found("a2-a5 e5-e8", 0),
        {"taken": 2},
        Found("a2-a1 b4-b3", 0),
        Found("a2-a5 e5-e8", 0),
    ),
    "closes_file": Case(
        "W:Wf2,d3:Bb5,d6,e7",
        Found("f2-e2 b5-b4", -220),
        Found("f2-g2 b5-b4", -202),
        {"file": "e"},
        Found("f2-g2 b5-b4", -220),
        Found("f2-e2 b5-b4", -202),
    ),
    "runs": Case(
        "W:Wa2,d2,c5,b6,a7,e7:Bb4,e6",
        Found("b6-b7 e6-d6", 1254),
        Found("a2-a3 e6-f6", 1241),
        {"steps": 1},
        Found("a2-a3 b4-b3 a3xc3", 1254),
        Found("b6-b7 e6-f6", 1241),
    ),
    "joins": Case(
        "W:Wd3,c4:Be2,h5,b6,b7,d7,e7",
        Found("d3-d4 e2-e1", -882),
        Found("c4-b4 e2-e1", -888),
        {},
        Found("d3-e3 e2-e1", -882),
        Found("c4-b4 e2-e1", -888),
    ),
    "king_reaches": Case(
        "W:Wd2,d7,Kh7:Be6",
        Found("h7-h4 e6-f6", 892),
        Found("d7-d8 e6-e5", 892),
        {"squares": 14, "before": 10},
        Found("d2-c2 e6-e5", 892),
        Found("d7-d8 e6-e5", 892),
    ),
    "holds_draw": Case(
        "W:Wf4,h6:BKc6",
        Found("h6-h7 c6-f6 h7-h8 f6xf1"),
        Found("f4-f5 c6-c8", -40),
        {},
        Found("h6-h7 c6-f6 h7-h8 f6xf1", -120),
        Found("f4-f5 c6-c8", -140),
    ),
    "best_found": Case(
        "B:Wa3,h3,g4:Bf5,g6,h6,d7",
        Found("d7-c7 a3-a4", 142),
        Found("f5-e5 a3-a4", 122),
        {"moves": 9, "depth": 6},
        Found("f5-f4 g4xe4", 142),
        Found("f5-e5 a3-a4", 122),
    ),
}


def test_every_reason_has_a_case() -> None:
    assert CASES.keys() == REASONS.keys()


@pytest.mark.parametrize("code", CASES)
def test_a_reason_is_given_where_it_holds(code: str) -> None:
    case = CASES[code]
    reason = _reason(case.fen, case.best, case.rival)
    assert (reason.code, dict(reason.values)) == (code, case.values)
    assert str(reason) == REASONS[code].format(**case.values)


@pytest.mark.parametrize("code", CASES)
def test_a_reason_is_not_given_where_it_does_not_hold(code: str) -> None:
    case = CASES[code]
    assert _reason(case.fen, case.not_for, case.no_rival).code != code


def test_reasons_about_files_are_none_of_the_diagonal_board() -> None:
    position = Position.from_fen("W:W22,32:B1,5", "italian")
    best, rival = Found("22-18 5-10").choice(position), Found("32-28 5-10").choice(position)
    assert reason_for(Scene(position, best, rival)).code == "best_found"


def test_a_hint_tells_the_move_of_a_master_with_its_line() -> None:
    game = Game.from_fen("W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7")
    found = hint(game, nodes=5_000)
    assert [str(move) for move in found.line[:2]] == ["b7-b8", "d7xd2xb2xb7"]
    assert found.move == found.line[0]
    assert found.reason == Reason("wins_by_force", {"moves": 2})
    assert game.moves == ()


def test_a_choice_of_ones_own_is_explained() -> None:
    game = Game.from_fen("W:Wb3:Bb4,c5")
    assert explained(game, best_move(game, nodes=50)).code == "only_legal"


def test_an_ended_game_has_no_hint() -> None:
    with pytest.raises(ValueError, match="game has ended"):
        hint(Game.from_fen("W:WKa1:BKh8"))
