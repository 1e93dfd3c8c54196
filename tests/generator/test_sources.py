"""Sources of candidates: seeded, White to move, and with a past that the plain rules confirm."""

from itertools import islice
from random import Random

import pytest

from dama import RULESETS, Color, Position
from generator.quality import has_right_size, is_of_a_game, is_quiet, piece_counts
from generator.sources import Before, Candidate, Source
from generator.sources.placement import RandomPlacement
from generator.sources.selfplay import SelfPlay

SOURCES = (RandomPlacement("balanced", 0.5), RandomPlacement("men", 0.0), SelfPlay())


def candidates(source: Source, seed: int, number: int = 150) -> list[Candidate]:
    return list(islice(source.candidates(Random(seed), RULESETS["turkish"]), number))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_seed_alone_decides(source: Source) -> None:
    first = candidates(source, 1)
    assert candidates(source, 1) == first
    assert candidates(source, 2) != first


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_candidates_can_be_puzzles(source: Source) -> None:
    for candidate in candidates(source, 3):
        assert candidate.source == source.name
        assert candidate.position.turn is Color.WHITE
        assert is_of_a_game(candidate.position)
        assert has_right_size(candidate.position)


def test_placement_is_balanced_and_kings_are_rare_when_asked() -> None:
    for candidate in candidates(SOURCES[0], 4):
        solver, defender = piece_counts(candidate.position)
        assert defender - 2 <= solver <= defender + 1
        assert defender >= 3
        kings = candidate.position.white_kings, candidate.position.black_kings
        assert max(side.bit_count() for side in kings) <= 2
    men_only = [candidate.position for candidate in candidates(SOURCES[1], 4)]
    assert all(is_quiet(position) for position in men_only)
    assert not any(position.white_kings | position.black_kings for position in men_only)


def test_self_play_knows_the_move_really_played() -> None:
    found = candidates(SOURCES[2], 5, 300)
    assert len({candidate.game for candidate in found}) > 1
    for candidate in found:
        assert candidate.before is not None
        assert candidate.before.position.turn is Color.BLACK
        assert candidate.before.position.status() == []
        assert candidate.before.position.play(candidate.before.move) == candidate.position


def test_a_candidate_is_shown_with_white_to_move() -> None:
    before = Position.from_fen("W:Wb2,Kh1:Bd7,e7,Ka8")
    move = before.parse_move("b2-c2")
    candidate = Candidate(before.play(move), "self-play", Before(before, move), 7)
    seen = candidate.seen_by_white()
    assert seen.position == candidate.position.swapped()
    assert seen.before is not None
    assert seen.before.position.play(str(seen.before.move)) == seen.position
    assert (seen.source, seen.game) == ("self-play", 7)
    assert seen.seen_by_white() is seen
