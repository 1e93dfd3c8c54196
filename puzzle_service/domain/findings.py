"""Findings: what a generator found out about a puzzle besides its proof, read and checked."""

from dataclasses import dataclass
from typing import Any, Final

from dama import Position
from dama.proof import LONGEST_LINE, Proof
from puzzle_service.domain.fields import (
    RecordError,
    check_count,
    check_number,
    check_text,
    clip,
)

FEATURES: Final = (
    "nodes",
    "in_three",
    "given",
    "turns",
    "tries",
    "quiet_key",
    "turning_back_trap",
    "majority",
    "instant_removal",
    "first_moves",
    "lines",
    "losing_alternatives",
    "last_choice",
)
"""The terms of a puzzle's difficulty before they are weighted."""
THEMES: Final = (
    "180° trap",
    "blockade",
    "quiet key",
    "zugzwang",
    "last-row pass",
    "sacrifice",
    "multi-sacrifice",
    "multi-capture",
    "sweep",
    "promotion",
    "promote-and-give",
    "king hunt",
    "branching",
    "men only",
    "majority",
    "instant removal",
)
"""Every theme that there is, the rare ones first."""
MOST_CHECKS: Final = 64
LONGEST_TEXT: Final = 200

Value = bool | int | float | str | None
"""What a predicate has measured; None when there was nothing to measure."""
Values = dict[str, Value]


@dataclass(frozen=True)
class Findings:
    """What makes a puzzle hard, what nearly solves it, and what it was measured by.

    ``features`` are the terms of the difficulty, ``tries`` wrong first moves that a single reply refutes,
    with the line that begins with it, ``checks`` the value of every predicate by its name, ``skeleton`` the
    main line's kinds of pieces and directions, and ``game`` the one that the position comes from.
    """

    features: dict[str, float]
    tries: dict[str, tuple[str, ...]]
    checks: Values
    skeleton: str
    game: str | None

    def json(self) -> dict[str, Any]:
        """Return the findings as JSON has them."""
        return vars(self) | {"tries": {move: list(line) for move, line in self.tries.items()}}


NONE: Final = Findings({}, {}, {}, "", None)
"""Those about a puzzle that came in before generators wrote them down."""


def from_json(stored: Any) -> Findings:
    """Return findings that were checked when they came in."""
    tries = {move: tuple(line) for move, line in stored["tries"].items()}
    return Findings(stored["features"], tries, stored["checks"], stored["skeleton"], stored["game"])


def check(fields: dict[str, Any]) -> None:
    """Check the shape of a record's findings and the names of its themes; raises RecordError."""
    _check_themes(fields["themes"])
    features, tries, checks = fields["features"], fields["tries"], fields["checks"]
    if set(features) != set(FEATURES):
        wrong = sorted(set(features) ^ set(FEATURES))
        raise RecordError(f"features: {clip(wrong[0])} is missing or unknown; expected {', '.join(FEATURES)}")
    for name, value in features.items():
        check_number(f"features: {name}", value)
    for move, line in tries.items():
        if not isinstance(line, list) or not 1 <= len(line) <= LONGEST_LINE:
            raise RecordError(f"tries: {clip(move)}: {clip(line)}; expected 1 to {LONGEST_LINE} moves")
    check_count("checks", checks, MOST_CHECKS)
    for name, value in checks.items():
        check_text("checks", name)
        if isinstance(value, str):
            check_text(f"checks: {name}", value, LONGEST_TEXT)
        elif value is not None and not isinstance(value, bool):
            check_number(f"checks: {name}", value)
    check_text("skeleton", fields["skeleton"], LONGEST_TEXT)
    if fields["game"] is not None:
        check_text("game", fields["game"], LONGEST_TEXT)


def read(fields: dict[str, Any], proof: Proof) -> Findings:
    """Return the findings of a record about a proof; raises RecordError for tries that are none.

    A try is a refuted first move, and its line is legal by the plain rules.
    """
    for move, line in fields["tries"].items():
        if move not in proof.root["refuted"]:
            raise RecordError(f"tries: {clip(move)}; expected a first move that the proof refutes")
        # The proof's own line, which most are, has been walked.
        if line != proof.root["refuted"][move]:
            _check_line(proof.position, move, line)
    return from_json(fields)


def _check_themes(themes: list[Any]) -> None:
    check_count("themes", themes, len(THEMES))
    for theme in themes:
        check_text("themes", theme)
        if theme not in THEMES:
            raise RecordError(f"themes: {clip(theme)}; expected any of {', '.join(THEMES)}")
    if len(set(themes)) < len(themes):
        raise RecordError(f"themes: {', '.join(themes)}; expected each at most once")


def _check_line(position: Position, move: str, line: list[Any]) -> None:
    after = position.play(move)
    for ply in line:
        legal = {str(one): one for one in after.legal_moves}
        if not isinstance(ply, str) or ply not in legal:
            raise RecordError(f"tries: {move}: {clip(ply)}; expected a legal move in {after.fen()}")
        after = after.after(legal[ply])
