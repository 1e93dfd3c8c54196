"""The rule cases of tests/data/cases, read once."""

import json
from pathlib import Path
from typing import Any

CASES_FOLDER = Path(__file__).parents[1] / "data" / "cases"
# Repetition and the clock belong to a game, which has more than a position to go by.
GAME_REASONS = {"threefold", "no_progress"}


def _cases(*families: str) -> list[dict[str, Any]]:
    cases = [
        case
        for family in families
        for case in json.loads((CASES_FOLDER / f"{family}.json").read_text(encoding="utf-8"))
    ]
    return [case for case in cases if case["expect"].get("reason") not in GAME_REASONS]


def turkish_cases() -> list[dict[str, Any]]:
    """Every Turkish case that a position alone decides."""
    return _cases("turkish", "turkish-yoz")


def italian_cases() -> list[dict[str, Any]]:
    """Every Italian case that a position alone decides."""
    return _cases("italian")
