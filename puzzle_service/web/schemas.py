"""The shapes of what the JSON interface takes and gives, as JSON Schema."""

from collections.abc import Iterable
from typing import Any, Final, get_args

from dama.rulesets import RULESETS
from puzzle_service.domain.attempts import MAX_ATTEMPTS, MAX_SLOW, State, Verdict
from puzzle_service.services.attempts import LONGEST_LINE, LONGEST_REQUEST_ID
from puzzle_service.services.publication import HIGHEST_NUMBER
from puzzle_service.web import errors
from puzzle_service.web.notices import Kind
from puzzle_service.web.present import Json
from puzzle_service.web.submission import (
    LARGEST_NUMBER,
    LONGEST_MOVE,
    LONGEST_TOKEN,
    REQUEST_ID,
    SHORTEST_REQUEST_ID,
    Mode,
)

SQUARE: Final = "^[a-h][1-8]$"
MOVE: Final = "^[a-h][1-8]([-x][a-h][1-8])+$"
REFUSALS: Final = ("stale", "closed", "not_yet")
"""Why a move is not judged although it is one."""
CODES: Final = sorted({*errors.CODES.values(), *REFUSALS, "bad_line", "csrf_failed", "error", "no_puzzle"})


def all_of_them() -> Json:
    """Return every shape by its name."""
    return {
        "Puzzle": _puzzle(),
        "Submission": _submission(),
        "Answer": _answer(),
        "Move": _one_move(),
        "Error": _error(),
    }


def ref(name: str) -> Json:
    """Return a reference to a shape by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def _object(required: Json, optional: Json | None = None) -> Json:
    return {
        "type": "object",
        "required": list(required),
        "properties": required | (optional or {}),
        "additionalProperties": False,
    }


def _one_of(values: Iterable[str]) -> Json:
    return {"type": "string", "enum": list(values)}


def _whole(least: int, most: int) -> Json:
    return {"type": "integer", "minimum": least, "maximum": most}


def _text(**changes: Any) -> Json:
    return {"type": "string", **changes}


def _list(items: Json, **changes: Any) -> Json:
    return {"type": "array", "items": items, **changes}


def _or_null(schema: Json) -> Json:
    return {"oneOf": [schema, {"type": "null"}]}


def _puzzle() -> Json:
    return _object(
        {
            "number": _whole(1, HIGHEST_NUMBER),
            "day": _text(format="date"),
            "rules": _one_of(RULESETS),
            "moves": {"type": "integer", "minimum": 1, "description": "In how many moves the win comes."},
            "turn": _one_of(("W", "B")),
            "mode": _one_of(get_args(Mode)),
            "start": _FEN,
            "last_move": _or_null(ref("Move")),
            **_STANDING,
            "line": _list(ref("Move"), description="Both sides' plies of this attempt so far."),
            "served": _text(
                maxLength=LONGEST_TOKEN,
                description="Proves when the puzzle was served; send it with every move.",
            ),
        }
    )


def _answer() -> Json:
    return _object(
        {
            "verdict": _one_of(get_args(Verdict)),
            "played": _or_null(ref("Move")),
            "reply": _or_null(ref("Move")),
            **_STANDING,
            "refutation": _or_null(_list(ref("Move"), minItems=1)),
            "kind": {**_one_of(get_args(Kind)), "description": "How the message is meant."},
            "streak": {
                "type": ["integer", "null"],
                "minimum": 0,
                "description": "After the end of a day's puzzle.",
            },
            "figures": {"type": ["string", "null"], "description": "How others fared; after the end."},
        }
    )


def _submission() -> Json:
    return _object(
        {
            "attempt": _whole(0, LARGEST_NUMBER),
            "ply": _whole(0, LARGEST_NUMBER),
            "move": _text(
                minLength=1,
                maxLength=LONGEST_MOVE,
                description="`d3-e3`, `b3xb5xd5`, or the ends of a series.",
            ),
            "request_id": _text(
                minLength=SHORTEST_REQUEST_ID,
                maxLength=LONGEST_REQUEST_ID,
                pattern=f"^{REQUEST_ID.pattern}$",
                description="Made up by whoever sends the move, and kept when the same move is sent again.",
            ),
        },
        {
            "mode": {**_one_of(get_args(Mode)), "default": "daily"},
            "served": {"type": ["string", "null"], "maxLength": LONGEST_TOKEN},
            "line": {
                "type": ["array", "null"],
                "items": _text(minLength=1, maxLength=LONGEST_MOVE),
                "maxItems": LONGEST_LINE,
                "description": "The plies so far, in practice, where the site keeps nothing.",
            },
        },
    ) | {"additionalProperties": True}


def _one_move() -> Json:
    square = _text(pattern=SQUARE)
    return _object(
        {
            "move": _text(pattern=MOVE),
            "from": square,
            "to": square,
            "captured": _list(square, uniqueItems=True),
            "promotes": {"type": "boolean"},
            "paths": _list(
                _list(square, minItems=2),
                minItems=1,
                description="Every way to play it, the one to show first.",
            ),
        }
    )


def _error() -> Json:
    return _object(
        {
            "error": _object(
                {"code": _one_of(CODES), "message": _text(minLength=1, description="For readers.")}
            )
        }
    )


_FEN: Final[Json] = _text(pattern="^[WB]:W[a-h1-8K,]*:B[a-h1-8K,]*$")
_STANDING: Final[Json] = {
    "state": _one_of(get_args(State)),
    "attempt": _whole(1, MAX_ATTEMPTS),
    "ply": {"type": "integer", "minimum": 0, "description": "Plies of both sides in this attempt."},
    "attempts_left": _whole(0, MAX_ATTEMPTS),
    "slow_left": _whole(0, MAX_SLOW),
    "position": _FEN,
    "legal": _list(ref("Move"), description="Every legal move in board order; none after the end."),
    "solution": _or_null(_list(ref("Move"), minItems=1)),
    "note": {
        "type": ["string", "null"],
        "description": "The rule that the solution depends on where sites differ; after the end.",
    },
    "share": {"type": ["string", "null"]},
    "message": _text(minLength=1, description="For readers."),
}
