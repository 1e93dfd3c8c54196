"""The diagrams of the rules pages: all they say is so by the rules, and no rule can change unnoticed."""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, get_args

import pytest
from flask import Flask

from dama import RULESETS, Position, Ruleset
from dama.marks import Marks
from puzzle_service.web.i18n import LANGUAGES
from puzzle_service.web.rule_pages import comparison, drawing, reasons
from puzzle_service.web.rule_pages.content import Diagram, Ending, Forbidden, ForbiddenBecause, Legal, Page
from puzzle_service.web.rules import PAGES
from tests.web.rule_diagrams import faults

CHANGES: dict[str, tuple[Any, ...]] = {
    "removal_at_once": (False, True),
    "clock_plies": (39, 40, 41, 49, 50, 51, 79, 80, 81, None),
    "clock_progress": ("man steps forward", "promotion", "man moves"),
    "repetition": (2, 3, 4, None),
    "one_king_each_draws": (False, True),
    "several_men_beat_one": (False, True),
    "priorities": (
        (),
        ("most pieces",),
        ("with a king", "most kings", "king first"),
        ("most pieces", "most kings", "king first"),
        ("most pieces", "with a king", "king first"),
        ("most pieces", "with a king", "most kings"),
        ("most pieces", "with a king", "king first", "most kings"),
    ),
    "turning_back": (False, True),
    "flying_kings": (False, True),
    "men_capture_kings": (False, True),
    "crowning_ends_series": (False, True),
    "grid": tuple(rules.grid for rules in RULESETS.values()),
    "pieces_a_side": (11, 12, 13, 15, 16, 17),
    "start": ("W:W21-31:B1-12", "W:Wa2:Ba7"),
}
"""Values of every field that is a rule; a preset is changed to each that is not its own."""
NAMES = {"name", "title", "game_type"}
"""The fields that are no rules but what a game is called."""
WITHOUT_EFFECT = {
    # What has just been captured still stands in the way back.
    ("turkish-yoz", "turning_back"),
    ("italian", "turning_back"),
    # Short jumps never come down where a piece stood that was jumped, and no piece is jumped twice.
    ("italian", "removal_at_once"),
    # From the last row there is no way forward on which a man could capture.
    ("italian", "crowning_ends_series"),
    # A man has no other way than forward: its moves and its steps forward are the same.
    ("italian", "clock_progress"),
    # There is no clock.
    ("turkish-classic", "clock_progress"),
}
"""Fields of presets with values that make no difference to any game: only the summary can tell them."""

KEPT = "W:Wd4:Bd5,h7"
TAKES = (Legal("d4xd6", ("d5",)),)


def _page(rules: Ruleset, words: Flask) -> Page:
    with words.test_request_context("/"):
        return PAGES[rules.grid](rules)


def _changed(rules: Ruleset) -> Iterator[tuple[str, Ruleset]]:
    for name, values in CHANGES.items():
        for value in values:
            if value != getattr(rules, name):
                yield name, replace(rules, **{name: value})


def _facts(rules: Ruleset, words: Flask) -> dict[str, str]:
    with words.test_request_context("/"):
        return {row.name: row.cells[0].text for row in comparison.rows(rules)}


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_all_that_diagrams_say_is_so_by_the_rules(rules: Ruleset, words: Flask) -> None:
    diagrams = _page(rules, words).diagrams
    assert len(diagrams) >= 20
    assert {diagram.name: faults(diagram, rules) for diagram in diagrams} == {
        diagram.name: [] for diagram in diagrams
    }


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_no_rule_changes_without_a_diagram_that_is_wrong_then(rules: Ruleset, words: Flask) -> None:
    diagrams = _page(rules, words).diagrams
    unnoticed = {
        (rules.name, name)
        for name, changed in _changed(rules)
        if not any(faults(diagram, changed) for diagram in diagrams)
    }
    assert unnoticed == {(preset, name) for preset, name in WITHOUT_EFFECT if preset == rules.name}


@pytest.mark.parametrize(("preset", "name"), sorted(WITHOUT_EFFECT))
def test_rules_without_effect_are_told_by_the_summary(preset: str, name: str, words: Flask) -> None:
    rules = RULESETS[preset]
    told = {
        _facts(changed, words) != _facts(rules, words) for field, changed in _changed(rules) if field == name
    }
    # What resets a clock that is not there is the one thing not worth telling.
    assert told == {name != "clock_progress" or rules.clock_plies is not None}


def test_every_field_of_a_ruleset_is_tried() -> None:
    assert {field.name for field in fields(Ruleset)} == CHANGES.keys() | NAMES


def test_the_summaries_say_what_each_preset_is(words: Flask) -> None:
    turkish = {
        "Board": "all 64 squares",
        "Pieces": "16 men a side",
        "Man": "one square forward or sideways; captures the same ways",
        "What a man captures": "men and kings",
        "King": "any distance, and captures from afar",
        "Which capture goes first": "the most pieces",
        "Captured pieces leave": "at once, jump by jump",
        "A man that reaches the last row in a series": "goes on as a man",
        "Turning back by 180°": "not allowed",
        "Clock": (
            "After 50 turns in a row without a capture and without a man's step forward, the game is drawn."
        ),
        "Repetition": "When a position has come up 3 times, the game is drawn.",
        "One king each": "draw at once",
        "Several men against one": "the game goes on",
    }
    assert _facts(RULESETS["turkish"], words) == turkish
    assert _facts(RULESETS["turkish-classic"], words) == turkish | {
        "Clock": "No number of quiet turns draws a game.",
        "Several men against one": "the several win at once",
    }
    assert _facts(RULESETS["turkish-yoz"], words) == turkish | {
        "Captured pieces leave": "when the move has ended",
        "Turning back by 180°": "cannot arise",
        "Clock": "After 40 turns in a row without a capture and without a crowning, the game is drawn.",
        "Repetition": "No repetition draws a game.",
        "One king each": "the game goes on",
    }
    assert _facts(RULESETS["italian"], words) == turkish | {
        "Board": "the 32 dark squares",
        "Pieces": "12 men a side",
        "Man": "one square diagonally forward; captures forward",
        "What a man captures": "men only, never a king",
        "King": "one square in every direction, and captures what is next to it",
        "Which capture goes first": "the most pieces → with a king → the most kings → a king early",
        "Captured pieces leave": "when the move has ended",
        "A man that reaches the last row in a series": "stops there",
        "Turning back by 180°": "cannot arise",
        "Clock": "After 80 turns in a row without a capture and without a man's move, the game is drawn.",
        "One king each": "the game goes on",
    }


def test_the_rules_that_are_ours_are_marked_and_explained(words: Flask) -> None:
    with words.test_request_context("/"):
        rows = comparison.rows(*RULESETS.values())
        marked = {
            (name, row.name)
            for row in rows
            for name, cell in zip(RULESETS, row.cells, strict=True)
            if cell.is_ours
        }
        explained = {name: len(comparison.ours(rules)) for name, rules in RULESETS.items()}
        assert "25 moves" in comparison.ours(RULESETS["turkish"])[0]
    assert marked == {
        ("turkish", "Clock"),
        ("turkish-classic", "Repetition"),
        ("italian", "Clock"),
        ("italian", "Repetition"),
    }
    assert explained == {"turkish": 1, "turkish-classic": 1, "turkish-yoz": 0, "italian": 2}


def test_numbers_in_the_text_follow_the_ruleset(words: Flask) -> None:
    for rules in RULESETS.values():
        changed = replace(rules, clock_plies=62, repetition=5, pieces_a_side=9)
        with words.test_request_context("/"):
            page = PAGES[rules.grid](changed)
        text = " ".join(text for section in page.sections for text in (*section.paragraphs, *section.steps))
        for expected in ("62 turns in a row", "31 turns of each side", "come up 5 times", "9 men"):
            assert expected in text


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_diagrams_mark_where_moves_begin_and_end_and_what_they_take(rules: Ruleset, words: Flask) -> None:
    for diagram in _page(rules, words).diagrams:
        marks = drawing.marks(diagram, rules.grid)
        by_rules = Marks.of(Position.from_fen(diagram.fen, rules).legal_moves)
        assert (marks.origins, marks.targets, marks.captured) == (
            by_rules.origins,
            by_rules.targets,
            by_rules.captured,
        )
        assert marks.landings == by_rules.landings - by_rules.targets
        assert not marks.forbidden & (marks.targets | marks.landings)


def test_every_reason_is_needed_and_told_in_every_language(words: Flask) -> None:
    used = {
        forbidden.because
        for rules in RULESETS.values()
        for diagram in _page(rules, words).diagrams
        for forbidden in diagram.forbidden
    }
    assert used == set(get_args(ForbiddenBecause))
    for language in LANGUAGES:
        with words.test_request_context(f"/?lang={language}"):
            assert all(map(reasons.because, used))


@pytest.mark.parametrize(
    ("diagram", "said"),
    [
        (Diagram("d", "W:Wd4:Bd4", TAKES), "d4 is used twice"),
        (Diagram("d", "W:Wd8:Bd5", ()), "white man on its last rank"),
        (Diagram("d", KEPT, ()), "not shown"),
        (Diagram("d", KEPT, (*TAKES, Legal("d4-c4"))), "not so by the rules"),
        (Diagram("d", KEPT, (*TAKES, *TAKES)), "shown twice"),
        (Diagram("d", KEPT, (Legal("d4xd6", ("h7",)),)), "not so by the rules"),
        (Diagram("d", KEPT, (Legal("d4xd6", ("d5",), crowns=True),)), "not so by the rules"),
        (Diagram("d", KEPT, (Legal("d4xd6", ("d5",), also=("d4xd7",)),)), "not so by the rules"),
        (Diagram("d", KEPT, TAKES, (Forbidden("d4xd6", "fewer"),)), "d4xd6 is legal"),
        (Diagram("d", KEPT, TAKES, (Forbidden("d4-d3", "diagonal"),)), "that a piece could make"),
        (
            Diagram("d", KEPT, TAKES, (Forbidden("d4-c4", "must capture", legal_in=KEPT),)),
            "for another reason as well",
        ),
        (
            Diagram("d", KEPT, TAKES, (Forbidden("d4-c4", "fewer", legal_under={"priorities": ()}),)),
            "for another reason as well",
        ),
        (Diagram("d", KEPT, TAKES, is_start=True), "games begin with another position"),
        (Diagram("d", KEPT, TAKES, endings=(Ending(("d4xd6",), "no_pieces"),)), "the game stands"),
        (Diagram("d", "W:WKa1:BKa8:H49", ()), "the game has ended"),
        (
            Diagram("d", "W:Wd4:Bd5", TAKES, endings=(Ending(("d4xd6", "d4-d5"), None),)),
            "the game ends after 1 moves",
        ),
    ],
)
def test_a_diagram_that_says_something_else_is_found_out(diagram: Diagram, said: str) -> None:
    assert any(said in fault for fault in faults(diagram, RULESETS["turkish"])), faults(
        diagram, RULESETS["turkish"]
    )


def test_a_sound_diagram_has_no_faults() -> None:
    sound = Diagram(
        "d",
        KEPT,
        TAKES,
        (Forbidden("d4-c4", "must capture", legal_in="W:Wd4:Bh7"), Forbidden("d4xb6", "diagonal")),
    )
    assert faults(sound, RULESETS["turkish"]) == []
