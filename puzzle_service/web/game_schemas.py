"""The shapes of what the interface to games takes and gives, as JSON Schema."""

from typing import Final, get_args

from dama.etiquette import Code
from dama.game import GameReason
from dama.reasons import REASONS
from dama.rulesets import RULESETS
from puzzle_service.searching import Refusal
from puzzle_service.services.games import LONGEST_GAME
from puzzle_service.web.game_requests import (
    HEADER,
    LARGEST_SEED,
    LONGEST_FEN,
    LONGEST_HEADER,
    MOST_HEADERS,
    Level,
)
from puzzle_service.web.present import Json
from puzzle_service.web.shapes import (
    CLOCKED_FEN,
    COLOR,
    FEN,
    MOVE,
    SQUARE,
    list_of,
    move,
    object_of,
    one_of,
    or_null,
    ref,
    text,
    whole,
)
from puzzle_service.web.submission import LONGEST_MOVE

SEARCH_REFUSALS: Final = ("no_engine", *(f"engine_{why}" for why in get_args(Refusal)))
"""Why there is no search."""


def all_of_them() -> Json:
    """Return every shape by its name."""
    return {
        "StateRequest": _request({"since": _SINCE}),
        "State": _state(),
        "EngineRequest": _request({"seed": _SEED}, {"level": one_of(get_args(Level))}),
        "EngineMove": _engine_move(),
        "HintRequest": _request({}),
        "Hint": _hint(),
        "DrawRequest": _request({"side": _SIDE}),
        "Draw": _draw(),
        "PdnRequest": _request({"pdn": _PDN, "headers": _HEADERS}),
        "Record": _record(),
    }


def _request(optional: Json, required: Json | None = None) -> Json:
    """Return the shape of a body that holds a game, and more beside it."""
    return object_of(required or {}, _GAME | optional) | {"additionalProperties": True}


def _state() -> Json:
    return object_of(
        {
            "rules": one_of(RULESETS),
            "start": CLOCKED_FEN,
            "fen": FEN,
            "full_fen": {**CLOCKED_FEN, "description": "The same with the clock, if it is running."},
            "turn": COLOR,
            "plies": whole(0, LONGEST_GAME),
            "legal": list_of(ref("Move"), description="Every legal move in board order; none after the end."),
            "played": list_of(
                move(fen=FEN), description="The moves from the ply `since` on, and the positions after them."
            ),
            "quiet_plies": _count("Plies in a row without what the ruleset counts as progress."),
            "clock_plies": or_null(_count("After so many of them the game is a draw.")),
            "occurrences": _count("How many times this position has come up."),
            "result": or_null(object_of({"winner": or_null(COLOR), "reason": one_of(_RESULTS)})),
            "notes": list_of(
                object_of(
                    {
                        "code": one_of(get_args(Code)),
                        "side": {**COLOR, "description": "Whose pieces these are."},
                        "squares": list_of(SQUARE, minItems=1),
                    }
                ),
                description="What etiquette has announced about the last move.",
            ),
            "link": _LINK,
        }
    )


def _engine_move() -> Json:
    return object_of(
        {
            "move": ref("Move"),
            "score": {"type": "integer", "description": "Hundredths of a man for the side that moves."},
            "line": _LINE,
            "mate": {
                "type": ["integer", "null"],
                "description": "Of a game decided by force, the moves that the winner needs at most; below 0"
                " when that is the other side.",
            },
            "took": _TOOK,
        }
    )


def _hint() -> Json:
    reason = object_of({"code": one_of(REASONS), "text": text(minLength=1, description="For readers.")})
    return object_of({"move": ref("Move"), "line": _LINE, "reason": reason, "took": _TOOK})


def _draw() -> Json:
    return object_of({"accepted": {"type": "boolean"}, "text": text(minLength=1, description="For readers.")})


def _record() -> Json:
    return object_of(
        {
            "rules": one_of(RULESETS),
            "start": or_null({**CLOCKED_FEN, "description": "Null for the usual one."}),
            "moves": list_of(MOVE, maxItems=LONGEST_GAME),
            "ended": _ENDED,
            "headers": {"type": "object", "additionalProperties": {"type": "string"}},
            "pdn": text(minLength=1, description="All that was sent, comments and variations too."),
            "link": _LINK,
        }
    )


def _count(meaning: str) -> Json:
    return {"type": "integer", "minimum": 0, "description": meaning}


_RESULTS: Final = [reason for group in get_args(GameReason) for reason in get_args(group)]
_SINCE: Final[Json] = {
    **whole(0, LONGEST_GAME),
    "default": 0,
    "description": "From which ply on the moves are wanted.",
}
_SEED: Final[Json] = {
    **whole(0, LARGEST_SEED),
    "default": 0,
    "description": "Decides between equals: the same seed gives the same move.",
}
_SIDE: Final[Json] = {
    **or_null(COLOR),
    "description": "Whose answer is wanted; that of the side to move without it.",
}
_PDN: Final[Json] = {
    "type": ["string", "null"],
    "description": "A game in PDN, in the place of the rest; `rules` hold when it does not name its own.",
}
_HEADERS: Final[Json] = {
    "type": ["object", "null"],
    "maxProperties": MOST_HEADERS,
    "propertyNames": {"pattern": f"^{HEADER.pattern}$"},
    "additionalProperties": text(maxLength=LONGEST_HEADER),
    "description": "What to write above the game, such as the players' names.",
}
_LINE: Final[Json] = list_of(MOVE, minItems=1, description="Best play of both sides, this move first.")
_TOOK: Final[Json] = {"type": "integer", "minimum": 0, "description": "Milliseconds."}
_LINK: Final[Json] = text(description="Opens the game, relative to the page where games are played.")
_ENDED: Final[Json] = or_null(
    {
        "oneOf": [
            object_of({"resigned": {**COLOR, "description": "Who gives up."}}),
            object_of({"agreed": {"const": True, "description": "Both agree on a draw."}}),
        ]
    }
)
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
    "ended": _ENDED,
}
