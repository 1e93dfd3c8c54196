"""The shapes of what the JSON interface takes and gives, as JSON Schema."""

from typing import Final, get_args

from dama.rulesets import RULESETS
from puzzle_service.domain.attempts import MAX_ATTEMPTS, MAX_SLOW, State, Verdict
from puzzle_service.services.attempts import LONGEST_LINE, LONGEST_REQUEST_ID
from puzzle_service.services.publication import HIGHEST_NUMBER
from puzzle_service.web import errors, game_schemas
from puzzle_service.web.notices import Kind
from puzzle_service.web.present import Json
from puzzle_service.web.shapes import COLOR, FEN, list_of, move, object_of, one_of, or_null, ref, text, whole
from puzzle_service.web.submission import (
    LARGEST_NUMBER,
    LONGEST_MOVE,
    LONGEST_TOKEN,
    REQUEST_ID,
    SHORTEST_REQUEST_ID,
    Mode,
)

REFUSALS: Final = ("stale", "closed", "not_yet")
"""Why a move is not judged although it is one."""
CODES: Final = sorted(
    {
        *errors.CODES.values(),
        *errors.GAME_STATUS,
        *REFUSALS,
        *game_schemas.SEARCH_REFUSALS,
        "bad_line",
        "csrf_failed",
        "error",
        "no_puzzle",
    }
)


def all_of_them() -> Json:
    """Return every shape by its name."""
    return {
        "Puzzle": _puzzle(),
        "Submission": _submission(),
        "Answer": _answer(),
        "Move": move(),
        "Error": _error(),
        **game_schemas.all_of_them(),
    }


def _puzzle() -> Json:
    return object_of(
        {
            "number": whole(1, HIGHEST_NUMBER),
            "day": text(format="date"),
            "rules": one_of(RULESETS),
            "moves": {"type": "integer", "minimum": 1, "description": "In how many moves the win comes."},
            "turn": COLOR,
            "mode": one_of(get_args(Mode)),
            "start": FEN,
            "last_move": or_null(ref("Move")),
            **_STANDING,
            "line": list_of(ref("Move"), description="Both sides' plies of this attempt so far."),
            "served": text(
                maxLength=LONGEST_TOKEN,
                description="Proves when the puzzle was served; send it with every move.",
            ),
        }
    )


def _answer() -> Json:
    return object_of(
        {
            "verdict": one_of(get_args(Verdict)),
            "played": or_null(ref("Move")),
            "reply": or_null(ref("Move")),
            **_STANDING,
            "refutation": or_null(list_of(ref("Move"), minItems=1)),
            "kind": {**one_of(get_args(Kind)), "description": "How the message is meant."},
            "streak": {
                "type": ["integer", "null"],
                "minimum": 0,
                "description": "After the end of a day's puzzle.",
            },
            "figures": {"type": ["string", "null"], "description": "How others fared; after the end."},
        }
    )


def _submission() -> Json:
    return object_of(
        {
            "attempt": whole(0, LARGEST_NUMBER),
            "ply": whole(0, LARGEST_NUMBER),
            "move": text(
                minLength=1,
                maxLength=LONGEST_MOVE,
                description="`d3-e3`, `b3xb5xd5`, or the ends of a series.",
            ),
            "request_id": text(
                minLength=SHORTEST_REQUEST_ID,
                maxLength=LONGEST_REQUEST_ID,
                pattern=f"^{REQUEST_ID.pattern}$",
                description="Made up by whoever sends the move, and kept when the same move is sent again.",
            ),
        },
        {
            "mode": {**one_of(get_args(Mode)), "default": "daily"},
            "served": {"type": ["string", "null"], "maxLength": LONGEST_TOKEN},
            "line": {
                "type": ["array", "null"],
                "items": text(minLength=1, maxLength=LONGEST_MOVE),
                "maxItems": LONGEST_LINE,
                "description": "The plies so far, in practice, where the site keeps nothing.",
            },
        },
    ) | {"additionalProperties": True}


def _error() -> Json:
    return object_of(
        {
            "error": object_of(
                {"code": one_of(CODES), "message": text(minLength=1, description="For readers.")}
            )
        }
    )


_STANDING: Final[Json] = {
    "state": one_of(get_args(State)),
    "attempt": whole(1, MAX_ATTEMPTS),
    "ply": {"type": "integer", "minimum": 0, "description": "Plies of both sides in this attempt."},
    "attempts_left": whole(0, MAX_ATTEMPTS),
    "slow_left": whole(0, MAX_SLOW),
    "position": FEN,
    "legal": list_of(ref("Move"), description="Every legal move in board order; none after the end."),
    "solution": or_null(list_of(ref("Move"), minItems=1)),
    "note": {
        "type": ["string", "null"],
        "description": "The rule that the solution depends on where sites differ; after the end.",
    },
    "share": {"type": ["string", "null"]},
    "message": text(minLength=1, description="For readers."),
}
