"""The mix: every source has its share of the chunks, and a text says which."""

from collections import Counter

import pytest

from generator.mix import DEFAULT, parse, source_of


def test_each_source_has_its_share_of_any_stretch_of_chunks() -> None:
    mix = parse("retrograde=50,self-play=30,random placement=20")
    for first in (0, 17, 123_456):
        turns = Counter(source_of(number, mix).source.name for number in range(first, first + 100))
        assert turns["retrograde"] == pytest.approx(50, abs=3)
        assert turns["self-play"] == pytest.approx(30, abs=3)
        assert turns["random placement"] == pytest.approx(20, abs=3)


def test_the_default_mix_has_every_source_but_a_file_and_soon_comes_to_all() -> None:
    names = {
        "retrograde",
        "retrograde, four plies",
        "retrograde from blocked",
        "random placement",
        "random placement, mostly men",
        "thinned middlegame",
        "self-play",
        "mutation",
    }
    assert {each.source.name for each in DEFAULT} == names
    assert {source_of(number, DEFAULT).source.name for number in range(40)} == names


def test_only_proportions_count() -> None:
    one, other = parse("self-play=1,retrograde=3"), parse("self-play=25,retrograde=75")
    assert [source_of(n, one).source for n in range(50)] == [source_of(n, other).source for n in range(50)]


def test_a_single_source_has_every_turn() -> None:
    mix = parse("self-play=0.5")
    assert {source_of(number, mix).source.name for number in range(20)} == {"self-play"}


def test_names_may_hold_commas_and_spaces_around() -> None:
    mix = parse(" retrograde, four plies = 2.5 ,random placement, mostly men=1")
    assert [(each.source.name, each.share) for each in mix] == [
        ("retrograde, four plies", 2.5),
        ("random placement, mostly men", 1.0),
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "expected NAME=SHARE"),
        ("retrograde", "'retrograde' is no share"),
        ("retrograde=40,,", "',' is no share of a source"),
        ("retrograde=40;self-play=10", "'retrograde=40;self-play=10' is no share"),
        ("retrograde=0", "'0' is no share for 'retrograde'; expected a number from 0.001 to 1,000,000"),
        ("retrograde=" + "9" * 400, "expected a number from 0.001 to 1,000,000"),
        ("retrograde=0.0000001", "'0.0000001' is no share"),
        ("retrograde=1e308", "'1e308' is no share"),
        ("retrograde=٣", "'٣' is no share"),
        ("retrograde=-1", "'-1' is no share"),
        ("retrograde=nan", "'nan' is no share"),
        ("retrograde=", "'' is no share for 'retrograde'"),
        ("chess=1", "there is no source 'chess'; expected one of: retrograde;"),
        ("file=1", "there is no source 'file'"),
        ("self-play=1,self-play=2", "'self-play' is named twice"),
    ],
)
def test_what_is_no_mix_is_told_by_its_part(text: str, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        parse(text)
