"""Attempts: what a move is worth by the proof, and what a player has left."""

import pytest

from dama.proof import DefenderNode, SolverNode
from puzzle_service.domain.attempts import Judgement, Progress, Try, judge, node_after, progress


def node(
    wins: dict[str, DefenderNode] | None = None,
    slow: tuple[str, ...] = (),
    refuted: dict[str, list[str]] | None = None,
) -> SolverNode:
    return {"wins": wins or {}, "slow": list(slow), "refuted": refuted or {}}


END: DefenderNode = {}
MATE = node({"a3-a4": END})
CHOICE = node({"a3-a4": END, "b3-b4": END})
LONG = node({"c3-c4": {"c6-c5": MATE}})


@pytest.mark.parametrize(
    ("defences", "reply"),
    [
        ({"a6-a5": MATE, "b6-b5": LONG}, "b6-b5"),
        ({"a6-a5": CHOICE, "b6-b5": MATE}, "b6-b5"),
        ({"a6-a5": MATE, "b6-b5": MATE}, "a6-a5"),
        # A long win that a shorter one stands beside is short.
        ({"a6-a5": node({"a3-a4": END, "c3-c4": {"c6-c5": MATE}}), "b6-b5": MATE}, "b6-b5"),
    ],
    ids=["longest", "fewest right answers", "board order", "shortest win counts"],
)
def test_the_defence_is_the_hardest_one(defences: DefenderNode, reply: str) -> None:
    assert judge(node({"d3-d4": defences}), "d3-d4") == Judgement("continue", reply)


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("a3-a4", Judgement("solved")),
        ("b3-b4", Judgement("solved")),
        ("c3-c4", Judgement("slow")),
        ("d3-d4", Judgement("wrong", refutation=("d6-d5", "e3-e4"))),
        ("e3-e4", Judgement("wrong")),
    ],
    ids=["wins", "second winning move", "slow", "refuted", "refuted by a draw at once"],
)
def test_every_legal_move_has_its_verdict(move: str, expected: Judgement) -> None:
    choice = node(
        {"a3-a4": END, "b3-b4": END}, slow=("c3-c4",), refuted={"d3-d4": ["d6-d5", "e3-e4"], "e3-e4": []}
    )
    assert judge(choice, move) == expected


def test_a_defence_that_ends_the_game_itself_solves() -> None:
    assert judge(node({"a3-a4": {"a6-a5": node()}}), "a3-a4") == Judgement("solved", "a6-a5")


def test_a_move_the_proof_does_not_know_is_an_error() -> None:
    with pytest.raises(ValueError, match="'h3-h4' is not among the moves"):
        judge(MATE, "h3-h4")


def test_a_line_leads_to_its_node() -> None:
    assert node_after(LONG, []) is LONG
    assert node_after(LONG, ["c3-c4", "c6-c5"]) is MATE


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["a3-a4", "c6-c5"], "'a3-a4' is no right move here; expected one of c3-c4"),
        (["c3-c4", "h6-h5"], "'h6-h5' is no answer to c3-c4; expected one of c6-c5"),
        (["c3-c4"], "1 plies; expected an even number"),
    ],
)
def test_a_line_the_proof_does_not_have_is_an_error(line: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        node_after(LONG, line)


WRONG = [Try(ordinal, ("a3-a4",), "wrong") for ordinal in (1, 2, 3)]


@pytest.mark.parametrize(
    ("tries", "expected"),
    [
        ([], Progress("open", 1, (), 3, 3)),
        ([Try(1, ("c3-c4", "c6-c5"), None)], Progress("open", 1, ("c3-c4", "c6-c5"), 3, 3)),
        ([Try(1, (), None, slow=1)], Progress("open", 1, (), 3, 2)),
        (WRONG[:1], Progress("open", 2, (), 2, 3)),
        ([WRONG[0], Try(2, ("c3-c4", "c6-c5"), None)], Progress("open", 2, ("c3-c4", "c6-c5"), 2, 3)),
        ([WRONG[0], Try(2, ("a3-a4",), "solved")], Progress("solved", 2, ("a3-a4",), 2, 3)),
        ([*WRONG[:2], Try(3, ("a3-a4",), "solved")], Progress("solved", 3, ("a3-a4",), 1, 3)),
        (WRONG, Progress("failed", 3, (), 0, 3)),
        ([Try(1, (), "wrong", slow=2), Try(2, (), None, slow=1)], Progress("open", 2, (), 2, 0)),
    ],
)
def test_progress_follows_from_the_attempts(tries: list[Try], expected: Progress) -> None:
    assert progress(tries) == expected
    assert progress(reversed(tries)) == expected
