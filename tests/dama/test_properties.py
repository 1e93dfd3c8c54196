"""What holds in every position: text round trips, and the two symmetries of the board."""

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dama import RULESETS, AmbiguousMove, IllegalMove, InvalidNotation, Move, Position
from dama.prove import prove
from dama.squares import ORTHOGONAL, bit
from tests.dama.strategies import orthogonal_positions, positions
from tests.positions import placed


def _parsed(position: Position, text: str) -> Move | ValueError:
    try:
        return position.parse_move(text)
    except (InvalidNotation, IllegalMove, AmbiguousMove) as error:
        return error


@given(positions())
def test_fen_round_trip(position: Position) -> None:
    assert Position.from_fen(position.fen(), position.rules) == position


@given(positions())
def test_every_path_of_a_move_is_read_as_that_move(position: Position) -> None:
    name = position.rules.grid.name
    for move in position.legal_moves:
        assert position.parse_move(str(move)) == move
        for path in move.paths:
            for separator in ("-", "x", ":", " ", " x "):
                assert position.parse_move(separator.join(map(name, path))) == move
            crowned = " ".join(map(name, path)) + "=K"
            if move.promotes:
                assert position.parse_move(crowned) == move
            else:
                with pytest.raises(IllegalMove, match="crowns no man"):
                    position.parse_move(crowned)


@given(positions())
def test_two_ends_mean_the_one_move_that_has_them(position: Position) -> None:
    for move in position.legal_moves:
        ends = f"{position.rules.grid.name(move.origin)}-{position.rules.grid.name(move.target)}"
        same = [
            other
            for other in position.legal_moves
            if (other.origin, other.target) == (move.origin, move.target)
        ]
        if len(same) == 1:
            assert position.parse_move(ends) == move
        elif (move.origin, move.target) not in move.paths:
            with pytest.raises(AmbiguousMove, match=str(move)):
                position.parse_move(ends)


@given(orthogonal_positions())
def test_score_sheet_of_captured_squares_is_read_or_refused_as_ambiguous(position: Position) -> None:
    for move in position.legal_moves:
        if move.captured:
            text = "x".join(map(ORTHOGONAL.name, (move.origin, *move.capture_order(move.path))))
            found = _parsed(position, text)
            if isinstance(found, Move):
                assert found.captured == move.captured
            else:
                assert isinstance(found, AmbiguousMove)
                assert str(move) in str(found)


@given(positions())
def test_swapped_colours_carry_moves_and_outcome_along(position: Position) -> None:
    _assert_carried_along(position, "swapped")


@given(orthogonal_positions())
def test_a_mirror_carries_moves_and_outcome_along(position: Position) -> None:
    _assert_carried_along(position, "mirrored")


def _assert_carried_along(position: Position, symmetry: str) -> None:
    other: Position = getattr(position, symmetry)()
    assert getattr(other, symmetry)() == position
    expected: set[Move] = {getattr(move, symmetry)() for move in position.legal_moves}
    assert set(other.legal_moves) == expected
    assert {str(move) for move in other.legal_moves} == {str(move) for move in expected}
    for move in position.legal_moves:
        assert getattr(position.play(move), symmetry)() == other.play(getattr(move, symmetry)())
    outcome, seen = position.outcome(), other.outcome()
    assert (outcome is None) == (seen is None)
    if outcome and seen:
        swaps = symmetry == "swapped" and outcome.winner is not None
        assert seen.winner == (outcome.winner.other if swaps and outcome.winner else outcome.winner)


@given(st.integers(0, 2**32), st.sampled_from(sorted(RULESETS)))
@settings(max_examples=40)
def test_symmetries_carry_proofs_along(seed: int, rules: str) -> None:
    rng = random.Random(seed)
    wins = (prove(placed(rng, RULESETS[rules], 4), 2) for _ in range(200))
    proof = next(filter(None, wins))
    proof.walk()
    mirrored = (proof.mirrored(),) if proof.position.rules.grid.is_full else ()
    for other in (*mirrored, proof.swapped()):
        other.walk()
        found = prove(other.position, 2)
        assert found is not None
        assert found.same_tree(other)


@given(positions())
def test_a_move_crowns_exactly_when_it_says_so_and_leaves_every_other_piece_alone(position: Position) -> None:
    own, enemy = position.pieces(position.turn), position.pieces(position.turn.other)
    for move in position.legal_moves:
        after = position.moved(move.origin, move.target, sum(map(bit, move.captured)))
        assert after == position.after(move)
        assert after.turn is position.turn.other
        mine, theirs = after.pieces(position.turn), after.pieces(position.turn.other)
        assert mine.kings.bit_count() == own.kings.bit_count() + move.promotes
        assert mine.all == own.all & ~bit(move.origin) | bit(move.target)
        assert enemy.all & ~theirs.all == sum(map(bit, move.captured))
        assert theirs.kings == enemy.kings & theirs.all


@given(positions())
def test_a_move_of_another_position_is_refused(position: Position) -> None:
    stray = Move(((0, 31),), frozenset(), promotes=False, grid=position.rules.grid)
    with pytest.raises(IllegalMove) as caught:
        position.play(stray)
    assert position.fen() in str(caught.value)
    assert str(stray) in str(caught.value)


@given(
    st.text(max_size=40) | st.text(alphabet="WB:K,-123abh", max_size=20), st.sampled_from(sorted(RULESETS))
)
def test_any_text_is_a_position_or_invalid_notation(text: str, rules: str) -> None:
    with contextlib.suppress(InvalidNotation):
        position = Position.from_fen(text, rules)
        assert Position.from_fen(position.fen(), rules) == position


@given(positions(), st.text(alphabet="abh1238x-:=K ", max_size=14))
def test_any_text_is_a_move_or_a_value_error_that_holds_it(position: Position, text: str) -> None:
    found = _parsed(position, text)
    if isinstance(found, Move):
        assert found in position.legal_moves
    else:
        assert repr(text) in str(found)
        assert position.fen() in str(found)


@given(positions())
def test_outcome_agrees_with_the_legal_moves(position: Position) -> None:
    outcome = position.outcome()
    if outcome and outcome.reason == "no_legal_move":
        assert not position.legal_moves
        assert outcome.winner is position.turn.other
    elif not position.legal_moves:
        assert outcome
        assert outcome.reason == "no_pieces"
    own = position.pieces(position.turn).all
    assert own or not position.legal_moves
