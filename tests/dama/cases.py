"""The rule cases of tests/data/cases, read once."""

import json
from pathlib import Path
from typing import Any

CASES_FOLDER = Path(__file__).parents[1] / "data" / "cases"
# Repetition and the clock belong to a game, which has more than a position to go by.
GAME_REASONS = {"threefold", "no_progress"}


def position_cases() -> list[dict[str, Any]]:
    """Every case, of all rulesets, that a position alone decides."""
    cases = [
        case
        for path in sorted(CASES_FOLDER.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]
    return [case for case in cases if case["expect"].get("reason") not in GAME_REASONS]
