"""What shapes in JSON Schema are made of."""

from collections.abc import Iterable
from typing import Any, Final

from dama.pieces import Color
from puzzle_service.web.present import Json


def ref(name: str) -> Json:
    """Return a reference to a shape by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def object_of(required: Json, optional: Json | None = None) -> Json:
    """Return the shape of an object with these members and no other."""
    return {
        "type": "object",
        "required": list(required),
        "properties": required | (optional or {}),
        "additionalProperties": False,
    }


def one_of(values: Iterable[str]) -> Json:
    """Return the shape of one of these texts."""
    return {"type": "string", "enum": list(values)}


def whole(least: int, most: int) -> Json:
    """Return the shape of a whole number between these two, both included."""
    return {"type": "integer", "minimum": least, "maximum": most}


def text(**changes: Any) -> Json:
    """Return the shape of a text."""
    return {"type": "string", **changes}


def list_of(items: Json, **changes: Any) -> Json:
    """Return the shape of a list of items that are all alike."""
    return {"type": "array", "items": items, **changes}


def or_null(schema: Json) -> Json:
    """Return the shape of what may be missing."""
    return {"oneOf": [schema, {"type": "null"}]}


def move(**more: Json) -> Json:
    """Return the shape of a move in JSON, with these members beside its own."""
    members: Json = {
        "move": MOVE,
        "from": SQUARE,
        "to": SQUARE,
        "captured": list_of(SQUARE, uniqueItems=True),
        "promotes": {"type": "boolean"},
        "paths": list_of(
            list_of(SQUARE, minItems=2),
            minItems=1,
            description="Every way to play it, the one to show first.",
        ),
    }
    return object_of(members | more)


_NAME: Final = "([a-h][1-8]|[1-9]|[12][0-9]|3[0-2])"
SQUARE: Final[Json] = text(pattern=f"^{_NAME}$")
MOVE: Final[Json] = text(pattern=f"^{_NAME}([-x]{_NAME})+$")
_PIECES: Final = "[WB]:W[a-h0-9K,]*:B[a-h0-9K,]*"
FEN: Final[Json] = text(pattern=f"^{_PIECES}$")
CLOCKED_FEN: Final[Json] = text(pattern=f"^{_PIECES}(:H[0-9]+)?$")
"""One that may tell of the clock, too."""
COLOR: Final[Json] = one_of(color.value for color in Color)
