"""Proofs: what they say, how they are checked, and that no fault in them goes unnoticed."""

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from dama import Move, Position, Ruleset
from dama.pieces import KING_WORTH, MAN_WORTH
from dama.proof import Proof, ProofError, SolverNode, best_defence
from dama.prove import prove
from dama.search import Search
from tests.positions import RULES, placed

TWO = "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7"
THREE = "W:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5"
SLOW = "W:Wc3,Kb4,Kd4,f6:Be7"
"""Not a puzzle, but a win with moves that are too slow."""
CLASSIC = "W:Wa1,Kb3,b4:Ba4"
"""Under the classic rules a defence can itself end the game: several men against one."""
FENS = (TWO, THREE, SLOW)


def proof_of(fen: str, limit: int = 3) -> Proof:
    proof = prove(Position.from_fen(fen), limit)
    assert proof is not None
    return proof


@pytest.mark.parametrize(
    ("fen", "moves", "line"),
    [
        (TWO, 2, "b7-b8 d7xd2xb2xb7 b8xb6xf6xf3xd3"),
        (THREE, 3, "g4-f4 f5xf3xh3 a7-a8 h3xc3 a8xa2xh2xh7xc7xc2"),
    ],
)
def test_the_specified_examples(fen: str, moves: int, line: str) -> None:
    proof = proof_of(fen)
    texts = line.split()
    assert (proof.moves, proof.keys) == (moves, (texts[0],))
    node = proof.root
    for move, defence in zip(texts[:-1:2], texts[1::2], strict=True):
        node = node["wins"][move][defence]
    assert texts[-1] in node["wins"]


@pytest.mark.parametrize("fen", FENS)
def test_a_true_proof_passes_both_checks_and_so_do_its_mirror_images(fen: str) -> None:
    proof = proof_of(fen)
    for seen in (proof, proof.mirrored(), proof.swapped(), proof.mirrored().swapped()):
        seen.walk()
        seen.search_again()
        built = prove(seen.position)
        assert built is not None
        assert built.same_tree(seen)
    assert proof.mirrored().mirrored() == proof
    assert proof.swapped().swapped() == proof
    assert not proof.same_tree(proof.mirrored())


def test_a_proof_of_the_diagonal_board_holds_for_both_colours_and_has_no_mirror_image() -> None:
    position = Position.from_fen("W:WK2,22,K23,K26:B15,K32", "italian")
    proof = prove(position, 3, Search())
    assert proof is not None
    assert (proof.moves, proof.main_line()) == (3, ["22-19", "15x22", "26x19", "32-28", "23x32"])
    swapped = proof.swapped()
    for seen in (proof, swapped):
        seen.walk()
        seen.search_again()
    assert swapped.keys == ("11-14",)
    assert swapped.swapped() == proof
    assert prove(position, 2, Search()) is None
    with pytest.raises(ValueError, match="no mirror image"):
        proof.mirrored()


@pytest.mark.parametrize("fen", FENS)
def test_the_kernel_and_the_plain_search_build_the_same_proof(fen: str) -> None:
    position = Position.from_fen(fen)
    assert prove(position, 3, Search()) == proof_of(fen)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_the_kernel_and_the_plain_search_build_the_same_proof_of_any_win(rules: Ruleset) -> None:
    rng = random.Random(f"proofs {rules.name}")
    found: Counter[int | None] = Counter()
    while found[2] < 3 or found[None] < 20:
        position = placed(rng, rules, 3)
        proof = prove(position, 2)
        assert prove(position, 2, Search()) == proof, position.fen()
        found[proof.moves if proof else None] += 1


def _gain(position: Position, reply: Move) -> float:
    kings = position.white_kings | position.black_kings
    taken = sum(KING_WORTH if kings >> square & 1 else MAN_WORTH for square in reply.captured)
    return taken + (KING_WORTH - MAN_WORTH) * reply.promotes


@pytest.mark.parametrize("fen", FENS)
def test_the_reply_shown_gains_most_of_all_that_refute_then_resists_longest(fen: str) -> None:
    search, shown = Search(), 0
    for position, left, node in proof_of(fen).solver_nodes():
        for text, line in node["refuted"].items():
            after = position.play(text)
            worth = {}
            for reply in after.legal_moves:
                needed = search.wins_in(after.after(reply), left)
                if needed is None or needed >= left:
                    worth[reply] = _gain(after, reply), needed is None
            best = [str(reply) for reply in worth if worth[reply] == max(worth.values())]
            assert line[0] == best[0]
            shown += len(worth) < len(after.legal_moves)
    assert shown or fen == TWO


@pytest.mark.parametrize("rules", ["turkish-classic", "turkish-yoz"])
@pytest.mark.parametrize("fen", [SLOW, CLASSIC, "W:Wg4,d5,f5,Kb6:Be5"])
def test_what_is_built_passes_under_every_ruleset(rules: str, fen: str) -> None:
    proof = prove(Position.from_fen(fen, rules))
    assert proof is not None
    proof.search_again()


def test_a_defence_that_ends_the_game_counts_as_answered_by_one_more_move() -> None:
    proof = prove(Position.from_fen(CLASSIC, "turkish-classic"))
    assert proof is not None
    assert proof.moves == Search().wins_in(proof.position, 3) == 3


def test_a_reply_that_refutes_nothing_is_caught() -> None:
    """Every line must begin with a reply after which there is no win in time."""
    proof, search = proof_of(THREE), Search()
    caught = 0
    for at, line in proof.root["refuted"].items():
        after = proof.position.play(at)
        for reply in after.legal_moves:
            if search.wins_within(after.play(reply), 2):
                tree = copy.deepcopy(proof.root)
                tree["refuted"][at] = [str(reply)]
                with pytest.raises(ProofError, match="refutes nothing"):
                    Proof(proof.position, 3, tree).search_again()
                caught += 1
        assert not search.wins_within(after.play(line[0]), 2)
    assert caught


@pytest.mark.parametrize("fen", FENS)
def test_moves_out_of_board_order_are_caught(fen: str) -> None:
    proof = proof_of(fen)
    tree = copy.deepcopy(proof.root)
    tree["refuted"] = dict(reversed(tree["refuted"].items()))
    with pytest.raises(ProofError, match="not in board order"):
        Proof(proof.position, proof.moves, tree).walk()


def test_lines_hold_every_move_the_tree_speaks_of() -> None:
    proof = proof_of(THREE)
    lines = dict(proof.lines())
    for line, move in lines.items():
        position = proof.position
        for text in line:
            position = position.play(text)
        assert str(move) == line[-1]
    main = tuple(proof.main_line())
    assert {main[:length] for length in range(1, len(main) + 1)} <= set(lines)
    for first, reply in proof.root["refuted"].items():
        assert (first, *reply) in lines
    assert (proof.key, "a1-a2") not in lines


def test_no_proof_without_a_win() -> None:
    assert prove(Position.start()) is None
    assert prove(Position.from_fen(THREE), 2) is None
    assert prove(Position.from_fen("B:Wa4:B")) is None


def test_the_defence_is_the_longest_then_the_one_with_fewest_answers() -> None:
    ended: SolverNode = {"wins": {"a": {}}, "slow": [], "refuted": {}}
    choice: SolverNode = {"wins": {"a": {}, "b": {}}, "slow": [], "refuted": {}}
    longer: SolverNode = {"wins": {"a": {"x": ended}, "b": {"x": ended}}, "slow": [], "refuted": {}}
    assert best_defence({"x": ended, "y": choice, "z": longer}) == "z"
    assert best_defence({"y": choice, "x": ended}) == "x"
    assert best_defence({"x": ended, "w": ended}) == "x"


def test_json_round_trip_and_other_shapes() -> None:
    proof = proof_of(TWO)
    assert Proof.from_json(proof.position, 2, copy.deepcopy(proof.root)) == proof
    deep: object = {"wins": {"a": {"b": proof.root}}, "slow": [], "refuted": {}}
    root = dict(proof.root)
    shapes: tuple[object, ...] = (
        None,
        [],
        {},
        {"wins": {}},
        root | {"more": 1},
        root | {"slow": [1]},
        root | {"wins": {"a": None}},
        root | {"refuted": {"a": "b"}},
        root | {"refuted": {"a": None}},
        deep,
    )
    for shape in shapes:
        with pytest.raises(ProofError, match="not a"):
            Proof.from_json(proof.position, 2, shape)


def _nodes(node: SolverNode) -> Iterator[SolverNode]:
    yield node
    for answers in node["wins"].values():
        for child in answers.values():
            yield from _nodes(child)


# Each fault spoils a node in one place after another, and mends it again after each.


def _drop_defence(node: SolverNode) -> Iterator[None]:
    for answers in node["wins"].values():
        for defence, child in list(answers.items()):
            del answers[defence]
            yield
            answers[defence] = child


def _end_too_early(node: SolverNode) -> Iterator[None]:
    for move, answers in node["wins"].items():
        if answers:
            node["wins"][move] = {}
            yield
            node["wins"][move] = answers


def _end_too_late(node: SolverNode) -> Iterator[None]:
    for move, answers in node["wins"].items():
        if not answers:
            node["wins"][move] = {"a1-a2": copy.deepcopy(node)}
            yield
            node["wins"][move] = answers


def _forget_win(node: SolverNode) -> Iterator[None]:
    for move, answers in list(node["wins"].items()):
        del node["wins"][move]
        yield
        node["wins"][move] = answers


def _forget_refuted(node: SolverNode) -> Iterator[None]:
    for move, line in list(node["refuted"].items()):
        del node["refuted"][move]
        yield
        node["refuted"][move] = line


def _call_win_refuted(node: SolverNode) -> Iterator[None]:
    for move, answers in list(node["wins"].items()):
        del node["wins"][move]
        node["refuted"][move] = []
        yield
        del node["refuted"][move]
        node["wins"][move] = answers


def _call_refuted_slow(node: SolverNode) -> Iterator[None]:
    for move, line in list(node["refuted"].items()):
        del node["refuted"][move]
        node["slow"].append(move)
        yield
        node["slow"].remove(move)
        node["refuted"][move] = line


def _call_slow_refuted(node: SolverNode) -> Iterator[None]:
    for move in list(node["slow"]):
        node["slow"].remove(move)
        node["refuted"][move] = list(next(iter(node["refuted"].values()), []))
        yield
        del node["refuted"][move]
        node["slow"].append(move)


def _empty_line(node: SolverNode) -> Iterator[None]:
    for move, line in node["refuted"].items():
        node["refuted"][move] = []
        yield
        node["refuted"][move] = line


def _call_refuted_won(node: SolverNode) -> Iterator[None]:
    for move, line in list(node["refuted"].items()):
        del node["refuted"][move]
        node["wins"][move] = {}
        yield
        del node["wins"][move]
        node["refuted"][move] = line


def _invent_move(node: SolverNode) -> Iterator[None]:
    node["wins"]["a1-a2-a3"] = {}
    yield
    del node["wins"]["a1-a2-a3"]
    node["slow"].append("h1-h9")
    yield
    node["slow"].pop()


def _spoil_line(node: SolverNode) -> Iterator[None]:
    for line in node["refuted"].values():
        line.insert(0, "a1-a1")
        yield
        line.pop(0)


FAULTS = (
    _drop_defence,
    _end_too_early,
    _end_too_late,
    _forget_win,
    _forget_refuted,
    _call_win_refuted,
    _call_refuted_slow,
    _call_slow_refuted,
    _empty_line,
    _call_refuted_won,
    _invent_move,
    _spoil_line,
)


def _check(proof: Proof) -> None:
    proof.walk()
    proof.search_again()


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__.strip("_"))
def test_a_fault_anywhere_in_the_tree_is_caught(
    fen: str, fault: Callable[[SolverNode], Iterator[None]]
) -> None:
    true = proof_of(fen)
    proof = Proof(true.position, true.moves, copy.deepcopy(true.root))
    if fault is _call_slow_refuted:
        assert any(node["slow"] for node in _nodes(proof.root)) == (fen == SLOW)
    caught = 0
    for node in list(_nodes(proof.root)):
        for _ in fault(node):
            with pytest.raises(ProofError):
                _check(proof)
            caught += 1
    assert caught or fault is _call_slow_refuted


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("by", [-1, 1])
def test_another_number_of_moves_is_caught(fen: str, by: int) -> None:
    proof = proof_of(fen)
    told = (
        f"wins in {proof.moves}, not in {proof.moves + 1}"
        if by > 0
        else "not won in time|no move wins within"
    )
    with pytest.raises(ProofError, match=told):
        _check(Proof(proof.position, proof.moves + by, proof.root))


def test_a_wrong_key_is_caught_by_the_search_even_if_its_tree_is_whole() -> None:
    proof = proof_of(THREE)
    tree: Any = copy.deepcopy(proof.root)
    wrong = next(iter(tree["refuted"]))
    tree["wins"][wrong] = tree["wins"].pop(proof.key)
    tree["refuted"][proof.key] = tree["refuted"].pop(wrong)
    with pytest.raises(ProofError):
        _check(Proof(proof.position, proof.moves, tree))


def test_a_position_that_is_no_game_position_is_refused() -> None:
    proof = proof_of(TWO)
    with pytest.raises(ProofError, match="white man on its last rank: a8"):
        Proof(Position.from_fen(TWO.replace("b7", "b7,a8")), 2, proof.root).walk()
