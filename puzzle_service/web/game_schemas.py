"""The shapes of what the interface to games takes and gives, as JSON Schema."""

from typing import Any, Final, get_args

from dama.etiquette import Code
from dama.game import GameReason
from dama.position import Reason
from dama.rulesets import RULESETS
from puzzle_service.services.games import LONGEST_GAME
from puzzle_service.web.game_requests import LONGEST_FEN
from puzzle_service.web.present import Json
from puzzle_service.web.shapes import FEN, MOVE, SQUARE, list_of, object_of, one_of, or_null, ref, text, whole
from puzzle_service.web.submission import LONGEST_MOVE


def all_of_them() -> Json:
    """Return every shape by its name."""
    return {
        "StateRequest": _request({"since": _SINCE}),
        "State": _state(),
    }


def _request(optional: Json, required: Json | None = None) -> Json:
    """Return the shape of a body that holds a game, and more beside it."""
    return object_of(required or {}, _GAME | optional) | {"additionalProperties": True}


def _state() -> Json:
    colors = one_of(("W", "B"))
    return object_of(
        {
            "rules": one_of(RULESETS),
            "start": _CLOCKED_FEN,
            "fen": FEN,
            "full_fen": {**_CLOCKED_FEN, "description": "The same with the clock, if it is running."},
            "turn": colors,
            "plies": whole(0, LONGEST_GAME),
            "legal": list_of(ref("Move"), description="Every legal move in board order; none after the end."),
            "played": list_of(
                _played(), description="The moves from the ply `since` on, and the positions after them."
            ),
            "quiet_plies": _count("Plies in a row without what the ruleset counts as progress."),
            "clock_plies": or_null(_count("After so many of them the game is a draw.")),
            "occurrences": _count("How many times this position has come up."),
            "result": or_null(
                object_of({"winner": or_null(colors), "reason": one_of(_reasons(GameReason, Reason))})
            ),
            "notes": list_of(
                object_of(
                    {
                        "code": one_of(get_args(Code)),
                        "side": {**colors, "description": "Whose pieces these are."},
                        "squares": list_of(SQUARE, minItems=1),
                    }
                ),
                description="What etiquette has announced about the last move.",
            ),
            "link": text(description="Opens the game, relative to the page where games are played."),
        }
    )


def _played() -> Json:
    move: Json = {
        "move": MOVE,
        "from": SQUARE,
        "to": SQUARE,
        "captured": list_of(SQUARE, uniqueItems=True),
        "promotes": {"type": "boolean"},
        "paths": list_of(list_of(SQUARE, minItems=2), minItems=1),
    }
    return object_of(move | {"fen": FEN})


def _reasons(*types: Any) -> list[str]:
    """Return the values of literal types that may hold others of their kind."""
    return list(dict.fromkeys(value for one in types for value in get_args(one) if isinstance(value, str)))


def _count(meaning: str) -> Json:
    return {"type": "integer", "minimum": 0, "description": meaning}


_CLOCKED_FEN: Final[Json] = text(pattern="^[WB]:W[a-h0-9K,]*:B[a-h0-9K,]*(:H[0-9]+)?$")
_SINCE: Final[Json] = {
    **whole(0, LONGEST_GAME),
    "default": 0,
    "description": "From which ply on the moves are wanted.",
}
_GAME: Final[Json] = {
    "rules": {**one_of(RULESETS), "default": next(iter(RULESETS))},
    "start": {
        "type": ["string", "null"],
        "maxLength": LONGEST_FEN,
        "description": "Where the game began, as PDN FEN; the usual start without it.",
    },
    "moves": {
        "type": ["array", "null"],
        "items": text(minLength=1, maxLength=LONGEST_MOVE),
        "maxItems": LONGEST_GAME,
        "description": "All moves of both sides.",
    },
    "ended": or_null(
        {
            "oneOf": [
                object_of({"resigned": {**one_of(("W", "B")), "description": "Who gives up."}}),
                object_of({"agreed": {"const": True, "description": "Both agree on a draw."}}),
            ]
        }
    ),
}
