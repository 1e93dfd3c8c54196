"""The form and the id that a position shares with its mirror image and its colour-swapped copies."""

import re

import pytest

from dama import Color, Position
from dama.symmetry import canonical, puzzle_id

FENS = (
    "W:Wc2,b3,d5,b7:BKe3,f4,c6,Kd7",
    "B:Wd3,g3,g4,a7:Bc2,a3,h6,e7,Kf5",
    "W:Wd2,e2:Bd7,e7",
)


@pytest.mark.parametrize("fen", FENS)
def test_the_four_forms_share_canonical_form_and_id(fen: str) -> None:
    position = Position.from_fen(fen)
    forms = (position, position.mirrored(), position.swapped(), position.mirrored().swapped())
    assert {form.turn for form in forms} == set(Color)
    shared = {canonical(form) for form in forms}
    assert len(shared) == 1
    assert shared == {canonical(canonical(position))}
    assert shared <= set(forms)
    assert shared.pop().turn is Color.WHITE
    assert len({puzzle_id(form) for form in forms}) == 1


def test_the_diagonal_board_has_two_forms_and_no_mirror_image() -> None:
    position = Position.from_fen("B:W21,K10:B5,K31", "italian")
    assert position.swapped().fen() == "W:WK2,28:B12,K23"
    assert canonical(position) == canonical(position.swapped()) == position.swapped()
    assert puzzle_id(position) == puzzle_id(position.swapped())
    with pytest.raises(ValueError, match="the diagonal board"):
        position.mirrored()
    with pytest.raises(ValueError, match="the diagonal board"):
        position.legal_moves[0].mirrored()


def test_an_id_is_sixteen_lower_case_digits_and_never_changes() -> None:
    # Ids are stored in files and databases: another way to compute them would make every puzzle a new one.
    assert puzzle_id(Position.from_fen(FENS[0])) == "4860ca7be662bdb8"
    assert re.fullmatch("[0-9a-f]{16}", puzzle_id(Position.start()))


def test_positions_that_differ_have_ids_that_differ() -> None:
    position = Position.from_fen(FENS[0])
    others = (
        Position.from_fen(FENS[0], "turkish-yoz"),  # other rules
        Position.from_fen("B" + FENS[0][1:]),  # the other side to move
        Position.from_fen("W:Wc2,b3,d5,b7:Be3,f4,c6,Kd7"),  # a man for a king
    )
    assert puzzle_id(position) not in {puzzle_id(other) for other in others}
